package mcp_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// What somebody else wrote into a plan file is never lost, and the agent learns of it.
func TestAForeignChangeIsKept(t *testing.T) {
	const changed = "The file was changed outside planb since version 1."
	t.Run("write", func(t *testing.T) {
		a := newAuthor(t, nil)
		a.does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		a.put(t, a.file("a"), "theirs")
		got := a.tool("write_plan", map[string]any{"planName": "a", "content": "mine again"})
		var s said
		if err := json.Unmarshal([]byte(got.text()), &s); err != nil || got.IsError {
			t.Fatal(got.text())
		}
		before, after, _ := strings.Cut(s.Note, " (")
		copied, after, _ := strings.Cut(after, ")")
		if before != changed+" What it held is kept as version 2" ||
			after != ", and your text replaced it as version 3. Compare the two, and put back with edit_plan what you did not mean to undo." || got.data["foreign"] != 2.0 {
			t.Errorf("the note is %q, %v", s.Note, got.data)
		}
		wantFile(t, copied, "theirs")
		wantText(t, a.file("a"), "mine again")
		a.wantVersions(t, "mine", "theirs", "mine again")
	})
	t.Run("edit", func(t *testing.T) {
		a := newAuthor(t, nil)
		a.does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		a.put(t, a.file("a"), "theirs")
		a.refused(t, "edit_plan", map[string]any{"planName": "a", "oldString": "mine", "newString": "x"},
			"1 edit(s) failed for file "+a.file("a")+"; no changes were written:\n  edits[0]: string not found: `mine`\n"+
				"The file was changed outside planb since version 1: read it, then edit what it holds now.")
		got := a.does(t, "edit_plan", map[string]any{"planName": "a", "oldString": "their", "newString": "our"})
		if want := changed + " What it held is kept as version 2, and your edit was made to that text. Read the file before you go on."; got.Note != want {
			t.Errorf("the note is %q", got.Note)
		}
		a.wantVersions(t, "mine", "theirs", "ours")
	})
	t.Run("submit", func(t *testing.T) {
		a := newAuthor(t, nil)
		a.does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		a.put(t, a.file("a"), "theirs")
		call := a.startTool("submit_plan", map[string]any{"planName": "a"})
		ask := a.opened(1)[0]
		if of := ask.Spec.Plan; of.Number != 2 || of.Name != "a" || of.Path != a.file("a") || of.Digest != plans.Digest(safe.New("theirs")) {
			t.Errorf("the review is of %+v", of)
		}
		a.settle(ask.ID, says(t, "theirs", review.Review{Verdict: review.Approve}))
		if got := a.answer(call); !strings.HasPrefix(got.text(), `{"approved":true}`) ||
			!strings.HasSuffix(got.text(), changed+" What it held is kept as version 2, and that is what was submitted. Read the file before you go on.") {
			t.Errorf("got %q", got.text())
		}
		a.wantVersions(t, "mine", "theirs")
	})
	t.Run("before the first", func(t *testing.T) {
		a := newAuthor(t, nil)
		a.put(t, a.file("a"), "theirs")
		got := a.does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		if !strings.HasPrefix(got.Note, "The file was there, and planb had not written it. What it held is kept as version 1") {
			t.Errorf("the note is %q", got.Note)
		}
		a.wantVersions(t, "theirs", "mine")
	})
	t.Run("to the very text", func(t *testing.T) {
		a := newAuthor(t, nil)
		a.does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		a.put(t, a.file("a"), "the same")
		if got := a.does(t, "write_plan", map[string]any{"planName": "a", "content": "the same"}); got.Note != "" {
			t.Errorf("the note is %q", got.Note)
		}
		a.wantVersions(t, "mine", "the same")
	})
	t.Run("removed", func(t *testing.T) {
		a := newAuthor(t, nil)
		a.does(t, "write_plan", map[string]any{"planName": "a", "content": "mine"})
		if err := os.Remove(a.file("a")); err != nil {
			t.Fatal(err)
		}
		if got := a.tool("write_plan", map[string]any{"planName": "a", "content": "mine"}); got.data["unchanged"] != true {
			t.Errorf("as data: %v", got.data)
		}
		wantText(t, a.file("a"), "mine")
	})
}

// What a person makes of a plan in its review is in the file before the agent reads
// what they say; a file that was changed meanwhile is left as it is.
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
			a := newAuthor(t, nil)
			a.does(t, "write_plan", map[string]any{"planName": "a", "content": "one"})
			call := a.startTool("submit_plan", map[string]any{"planName": "a"})
			ask := a.opened(1)[0]
			if _, _, err := a.store.SavePlanEdit(t.Context(), store.PlanID{Session: ask.Session, Number: 1}, "two"); err != nil {
				t.Fatal(err)
			}
			if test.meanwhile != "" {
				a.put(t, a.file("a"), test.meanwhile)
			}
			said, err := review.Review{Digest: plans.Digest(safe.New("one")), Verdict: review.Approve}.Complete(safe.New("one"), safe.New("two"))
			if err != nil {
				t.Fatal(err)
			}
			text, err := said.JSON()
			if err != nil {
				t.Fatal(err)
			}
			a.settle(ask.ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
				Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(text))},
			}})
			got := a.answer(call)
			if test.twice {
				again := a.tool("get_answer", map[string]any{"askId": ask.ID})
				if !strings.HasPrefix(again.text(), `{"approved":true`) || strings.Contains(again.text(), test.says) {
					t.Errorf("told again: %q", again.text())
				}
			}
			if got.IsError || !strings.HasPrefix(got.text(), `{"approved":true`) || !strings.HasSuffix(got.text(), test.says) {
				t.Errorf("got %q", got.text())
			}
			wantText(t, a.file("a"), test.holds)
			if test.meanwhile != "" {
				return
			}
			if same := a.does(t, "write_plan", map[string]any{"planName": "a", "content": "two"}); same.Note != "" {
				t.Errorf("writing what they approved notes %q", same.Note)
			}
			next := a.does(t, "edit_plan", map[string]any{"planName": "a", "oldString": "two", "newString": "four"})
			if want := "The user approved this plan as they had edited it; version 3 is NOT approved: submit it before you carry it out."; next.Note != want {
				t.Errorf("the next edit notes %q", next.Note)
			}
			a.wantVersions(t, "one", "two", "four")
		})
	}
}
