package planning_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"planb/mcp/mcptest"
	"planb/plans"
	"planb/plans/review"
	"planb/questions/safe"
	"planb/store"
)

// A text that another program wrote into a plan file is never lost, and the agent is told.
func TestAForeignChangeIsKept(t *testing.T) {
	t.Parallel()
	const changed = "The file was changed outside planb since version 1."
	t.Run("write", func(t *testing.T) {
		a := mcptest.NewAuthor(t, nil)
		a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		a.Put(t, a.File("a"), "theirs")
		got := a.Tool("write_plan", map[string]any{"planName": "a", "content": "mine again"})
		var s mcptest.Said
		if err := json.Unmarshal([]byte(got.Text()), &s); err != nil || got.IsError {
			t.Fatal(got.Text())
		}
		before, after, _ := strings.Cut(s.Note, " (")
		copied, after, _ := strings.Cut(after, ")")
		if before != changed+" What it held is kept as version 2" ||
			after != ", and your text replaced it as version 3. Compare the two, and put back with edit_plan what you did not mean to undo." || got.Data["foreign"] != 2.0 {
			t.Errorf("the note is %q, %v", s.Note, got.Data)
		}
		mcptest.WantFile(t, copied, "theirs")
		mcptest.WantText(t, a.File("a"), "mine again")
		a.WantVersions(t, "mine", "theirs", "mine again")
	})
	t.Run("edit", func(t *testing.T) {
		a := mcptest.NewAuthor(t, nil)
		a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		a.Put(t, a.File("a"), "theirs")
		a.Refused(t, "edit_plan", map[string]any{"planName": "a", "oldString": "mine", "newString": "x"},
			"1 edit(s) failed for file "+a.File("a")+"; no changes were written:\n  edits[0]: string not found: `mine`\n"+
				"The file was changed outside planb since version 1: read it, then edit what it holds now.")
		got := a.Does(t, "edit_plan", map[string]any{"planName": "a", "oldString": "their", "newString": "our"})
		if want := changed + " What it held is kept as version 2, and your edit was made to that text. Read the file before you go on."; got.Note != want {
			t.Errorf("the note is %q", got.Note)
		}
		a.WantVersions(t, "mine", "theirs", "ours")
	})
	t.Run("submit", func(t *testing.T) {
		a := mcptest.NewAuthor(t, nil)
		a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		a.Put(t, a.File("a"), "theirs")
		call := a.StartTool("submit_plan", map[string]any{"planName": "a"})
		ask := a.Opened(1)[0]
		if of := ask.Spec.Plan; of.Number != 2 || of.Name != "a" || of.Path != a.File("a") || of.Digest != plans.Digest(safe.New("theirs")) {
			t.Errorf("the review is of %+v", of)
		}
		a.Settle(ask.ID, mcptest.Says(t, "theirs", review.Review{Verdict: review.Approve}))
		if got := a.Answer(call); !strings.HasPrefix(got.Text(), `{"approved":true}`) ||
			!strings.HasSuffix(got.Text(), changed+" What it held is kept as version 2, and that is what was submitted. Read the file before you go on.") {
			t.Errorf("got %q", got.Text())
		}
		a.WantVersions(t, "mine", "theirs")
	})
	t.Run("before the first", func(t *testing.T) {
		a := mcptest.NewAuthor(t, nil)
		a.Put(t, a.File("a"), "theirs")
		got := a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		if !strings.HasPrefix(got.Note, "The file was there, and planb had not written it. What it held is kept as version 1") {
			t.Errorf("the note is %q", got.Note)
		}
		a.WantVersions(t, "theirs", "mine")
	})
	t.Run("to the very text", func(t *testing.T) {
		a := mcptest.NewAuthor(t, nil)
		a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		a.Put(t, a.File("a"), "the same")
		if got := a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "the same"}); got.Note != "" {
			t.Errorf("the note is %q", got.Note)
		}
		a.WantVersions(t, "mine", "the same")
	})
	t.Run("removed", func(t *testing.T) {
		a := mcptest.NewAuthor(t, nil)
		a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		if err := os.Remove(a.File("a")); err != nil {
			t.Fatal(err)
		}
		if got := a.Tool("write_plan", map[string]any{"planName": "a", "content": "mine"}); got.Data["unchanged"] != true {
			t.Errorf("as data: %v", got.Data)
		}
		mcptest.WantText(t, a.File("a"), "mine")
	})
}

// A plan that is no file has no place to read the person's edit from but the one that the agent
// is told.
func TestWhereAPersonsEditOfASavedPlanIs(t *testing.T) {
	t.Parallel()
	w, a, session := mcptest.Started(t)
	a.Tool("save_plan", map[string]any{"plan": "one", "sessionId": session})
	call := a.StartTool("submit_plan", map[string]any{"sessionId": session})
	ask := w.Opened(1)[0]
	if _, _, err := w.Store.SavePlanEdit(t.Context(), store.PlanID{Session: ask.Session, Number: 1}, "two"); err != nil {
		t.Fatal(err)
	}
	w.Settle(ask.ID, mcptest.SaysOfEdit(t, "one", "two", review.Review{Verdict: review.Approve}))
	wantEditTold(t, a.Answer(call).Text(), "two")
}

// A version of a plan file that is submitted by its number is reviewed without the file, which may
// hold another text by then. So the agent is told where the person's edit of it is.
func TestWhereAPersonsEditOfAVersionOfAPlanFileIs(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	session := a.Session()
	a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one", "sessionId": session})
	call := a.StartTool("submit_plan", map[string]any{"sessionId": session, "version": 1})
	ask := a.Opened(1)[0]
	if _, _, err := a.Store.SavePlanEdit(t.Context(), store.PlanID{Session: session, Number: 1}, "two"); err != nil {
		t.Fatal(err)
	}
	a.Settle(ask.ID, mcptest.SaysOfEdit(t, "one", "two", review.Review{Verdict: review.Approve}))
	wantEditTold(t, a.Answer(call).Text(), "two")
	mcptest.WantText(t, a.File("a"), "one")
}

// A person's edit of a plan under review is in the file before the agent gets the verdict. A
// file that was changed meanwhile is left as it is.
func TestAPersonsEditGoesIntoTheFile(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile, holds, says string
		twice                  bool
	}{
		"as it was submitted": {"", "two", " now holds the plan as the user edited it, version 2. Read it.", false},
		"changed meanwhile":   {"three", "three", " was changed since it was submitted, so it was left as it is: put their edit into it, then submit it again.", false},
		"there already":       {"two", "two", "", false},
		"told twice":          {"", "two", " now holds the plan as the user edited it, version 2. Read it.", true},
	} {
		t.Run(name, func(t *testing.T) {
			a := mcptest.NewAuthor(t, nil)
			a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
			call := a.StartTool("submit_plan", map[string]any{"planName": "a"})
			ask := a.Opened(1)[0]
			if _, _, err := a.Store.SavePlanEdit(t.Context(), store.PlanID{Session: ask.Session, Number: 1}, "two"); err != nil {
				t.Fatal(err)
			}
			if test.meanwhile != "" {
				a.Put(t, a.File("a"), test.meanwhile)
			}
			a.Settle(ask.ID, mcptest.SaysOfEdit(t, "one", "two", review.Review{Verdict: review.Approve}))
			got := a.Answer(call)
			if test.twice {
				again := a.Tool("get_answer", map[string]any{"askId": ask.ID})
				if !strings.HasPrefix(again.Text(), `{"approved":true`) || strings.Contains(again.Text(), test.says) {
					t.Errorf("told again: %q", again.Text())
				}
			}
			if got.IsError || !strings.HasPrefix(got.Text(), `{"approved":true`) || !strings.HasSuffix(got.Text(), test.says) {
				t.Errorf("got %q", got.Text())
			}
			mcptest.WantText(t, a.File("a"), test.holds)
			if test.meanwhile != "" {
				return
			}
			if same := a.Does(t, "write_plan", map[string]any{"planName": "a", "content": "two"}); same.Note != "" {
				t.Errorf("writing what they approved notes %q", same.Note)
			}
			next := a.Does(t, "edit_plan", map[string]any{"planName": "a", "oldString": "two", "newString": "four"})
			if want := "The user approved this plan as they had edited it; version 3 is NOT approved: submit it before you carry it out."; next.Note != want {
				t.Errorf("the next edit notes %q", next.Note)
			}
			a.WantVersions(t, "one", "two", "four")
		})
	}
}

// wantEditTold checks that an agent is told where it can read the version that the person made.
func wantEditTold(t *testing.T, got, edit string) {
	t.Helper()
	_, told, found := strings.Cut(got, "The plan as the user edited it is version 2 (")
	path, _, _ := strings.Cut(told, "). Read that.")
	if !found || path == "" {
		t.Fatalf("got %q", got)
	}
	mcptest.WantText(t, path, edit)
}
