package store_test

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"planb/plans"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

func saveFile(t storetest.Tester, s *store.Store, in store.FilePlan) (store.Plan, bool) {
	t.Helper()
	if in.Path == "" {
		in.Path = planFile
	}
	if in.Name == "" {
		in.Name = "a"
	}
	plan, unchanged, err := s.SaveFilePlan(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return plan, unchanged
}

func TestAPlanFileHasItsVersions(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := newStore(t, open())
		if file, ok, err := s.PlanFile(t.Context(), planFile); err != nil || ok {
			t.Fatalf("before anything was saved: %+v, %v", file, err)
		}
		first, unchanged := saveFile(t, s, store.FilePlan{Text: "# One", By: "an agent", New: store.Session{Title: safe.New("made for it"), Project: safe.New("/p")}})
		if unchanged || first.Number != 1 || first.Name != "a" || first.By != "an agent" {
			t.Errorf("the first: %+v, unchanged %v", first, unchanged)
		}
		session, err := s.Session(t.Context(), first.Session)
		if err != nil || session.Title.Raw() != "made for it" || session.Project.Raw() != "/p" || session.Plans != 1 || !session.Created.Equal(first.Created) {
			t.Errorf("its session: %+v, %v", session, err)
		}
		for i, step := range []struct {
			session, text string
			number        int
			unchanged     bool
		}{
			{"", "# One", 1, true},
			{"", "# Two", 2, false},
			{first.Session, "# Two", 2, true},
			{"", "# One", 3, false}, // an earlier text again is a new version
		} {
			other := newStore(t, open())
			got, unchanged := saveFile(t, other, store.FilePlan{Text: step.text, Session: step.session, New: store.Session{Title: safe.New("not made")}})
			if got.Number != step.number || unchanged != step.unchanged || got.Session != first.Session {
				t.Errorf("step %d: %+v, unchanged %v", i, got, unchanged)
			}
			file, ok, err := other.PlanFile(t.Context(), planFile)
			want := store.PlanFile{Path: planFile, Session: first.Session, Number: step.number, Digest: plans.Digest(safe.New(step.text))}
			if err != nil || !ok || file != want {
				t.Errorf("step %d: the file holds %+v, %v, %v", i, file, ok, err)
			}
		}
	})
}

// A plan goes on in the session in which an agent works on it, and stays there.
func TestAPlanFileMovesToAnotherSession(t *testing.T) {
	s := newStore(t, kvtest.NewMap())
	first, _ := saveFile(t, s, store.FilePlan{Text: "# One"})
	session := newSession(t, s, "/p")
	if _, _, err := s.SavePlan(t.Context(), session.ID, "", "# Its own"); err != nil {
		t.Fatal(err)
	}
	same, unchanged := saveFile(t, s, store.FilePlan{Text: "# One", Session: session.ID})
	if same.Session != session.ID || same.Number != 2 || unchanged {
		t.Errorf("the same text in another session: %+v, unchanged %v", same, unchanged)
	}
	if next, _ := saveFile(t, s, store.FilePlan{Text: "# Two"}); next.Session != session.ID || next.Number != 3 {
		t.Errorf("without a session: %+v", next)
	}
	if left, err := s.Plans(t.Context(), first.Session); err != nil || len(left) != 1 {
		t.Errorf("the first session has %+v, %v", left, err)
	}
}

func TestTwoPlanFilesOfOneSession(t *testing.T) {
	s := newStore(t, kvtest.NewMap())
	session := newSession(t, s, "/p")
	var got []string
	for i, name := range []plans.Name{"a", "b", "a", "b", "a"} {
		text := fmt.Sprint("# ", name, min(i, 2)) // what a holds is the same at the end
		plan, unchanged := saveFile(t, s, store.FilePlan{Path: "/p/" + name.File(), Name: name, Text: text, Session: session.ID})
		got = append(got, fmt.Sprint(plan.Name, plan.Number, unchanged))
	}
	if want := []string{"a1 false", "b2 false", "a3 false", "b4 false", "a3 true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestWhatIsNoPlanFileIsNotKept(t *testing.T) {
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	_, _, err := s.SaveFilePlan(t.Context(), store.FilePlan{Path: planFile, Name: "a", Text: " \n"})
	if problem := new(plans.Problem); !errors.As(err, &problem) {
		t.Errorf("a blank text: %v", err)
	}
	for _, path := range []string{"", "a-plan.md", "/p/../a-plan.md", "/p/"} {
		if _, _, err := s.SaveFilePlan(t.Context(), store.FilePlan{Path: path, Name: "a", Text: "# A"}); err == nil {
			t.Errorf("the path %q is taken", path)
		}
	}
	for _, session := range []string{"x", "00000000-0000-7000-8000-00000000abcd"} {
		if _, _, err := s.SaveFilePlan(t.Context(), store.FilePlan{Path: planFile, Name: "a", Text: "# A", Session: session}); !isUnknown(err) {
			t.Errorf("in the session %q: %v", session, err)
		}
	}
	if n := count(t, engine, ""); n > 1 {
		t.Errorf("there are %d records", n)
	}
}

// The session of a file's versions may be removed. The file itself stays, and its next
// version opens a new session.
func TestAPlanFileOutlivesItsSession(t *testing.T) {
	s := newStore(t, kvtest.NewMap())
	first, _ := saveFile(t, s, store.FilePlan{Text: "# One"})
	session, err := s.Session(t.Context(), first.Session)
	if err != nil {
		t.Fatal(err)
	}
	var again store.Plan
	err = s.Delete(t.Context(), session, func(store.Gone) error {
		// The entry still points to what was removed.
		again, _ = saveFile(t, s, store.FilePlan{Text: "# One"})
		return nil
	})
	if err != nil || again.Number != 1 || again.Session == first.Session {
		t.Errorf("saved while it was swept away: %+v, %v", again, err)
	}
	if file, ok, err := s.PlanFile(t.Context(), planFile); err != nil || !ok || file.Session != again.Session {
		t.Errorf("the sweep took another's entry: %+v, %v, %v", file, ok, err)
	}
	if a, err := s.Audit(t.Context()); err != nil || len(a.Problems) > 0 || a.Plans != 1 {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestManyWritersOfOnePlanFile(t *testing.T) {
	const writers, each = 6, 5
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		var group sync.WaitGroup
		for w := range writers {
			s := newStore(t, open())
			group.Go(func() {
				for i := range each {
					text := fmt.Sprintf("writer %d, plan %d", w, i)
					if _, _, err := s.SaveFilePlan(t.Context(), store.FilePlan{Path: planFile, Name: "a", Text: text}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		group.Wait()
		s := newStore(t, open())
		sessions, _, err := s.Sessions(t.Context(), "", 10)
		if err != nil || len(sessions) != 1 || sessions[0].Plans != writers*each {
			t.Fatalf("there are %+v, %v; want one session with %d versions", sessions, err, writers*each)
		}
		if a, err := s.Audit(t.Context()); err != nil || len(a.Problems) > 0 {
			t.Errorf("%v, %q", err, a.Problems)
		}
	})
}

// A commit whose outcome was unclear is not made twice.
func TestAPlanFileIsSavedOnceThoughNothingWasHeard(t *testing.T) {
	for _, happened := range []bool{false, true} {
		engine := kvtest.NewMap()
		s := newStore(t, engine)
		saveFile(t, s, store.FilePlan{Text: "# One"})
		engine.UnclearNextCommit(happened)
		if plan, unchanged := saveFile(t, s, store.FilePlan{Text: "# Two"}); plan.Number != 2 || unchanged {
			t.Errorf("happened %v: %+v, unchanged %v", happened, plan, unchanged)
		}
	}
}

// A person's edit of a plan file is a version first, and is in the file after that.
func TestAnEditOfAPlanFile(t *testing.T) {
	engine := kvtest.NewMap()
	s := store.New(engine, store.Options{By: "you@desk"})
	first, _ := saveFile(t, s, store.FilePlan{Text: "# One", By: "an agent"})
	of := store.PlanID{Session: first.Session, Number: 1}
	edit, unchanged, err := s.SavePlanEdit(t.Context(), of, "# Two")
	if err != nil || unchanged || edit.Number != 2 || edit.Name != "a" || edit.By != "you@desk" {
		t.Fatalf("the edit: %+v, unchanged %v, %v", edit, unchanged, err)
	}
	if again, unchanged, err := s.SavePlanEdit(t.Context(), of, "# Two"); err != nil || !unchanged || again.Number != 2 {
		t.Errorf("the edit again: %+v, unchanged %v, %v", again, unchanged, err)
	}
	if file, _, err := s.PlanFile(t.Context(), planFile); err != nil || file.Number != 1 {
		t.Errorf("the file holds %+v, %v, though nobody wrote it", file, err)
	}
	if in, unchanged := saveFile(t, s, store.FilePlan{Text: "# Two", By: "an agent"}); !unchanged || in.Number != 2 || in.By != "you@desk" {
		t.Errorf("in the file: %+v, unchanged %v", in, unchanged)
	}
	if file, _, err := s.PlanFile(t.Context(), planFile); err != nil || file.Number != 2 {
		t.Errorf("the file holds %+v, %v", file, err)
	}
	for _, of := range []store.PlanID{{Session: first.Session, Number: 0}, {Session: first.Session, Number: 3}, {Session: "x", Number: 1}} {
		if _, _, err := s.SavePlanEdit(t.Context(), of, "# Three"); !isUnknown(err) {
			t.Errorf("an edit of %+v: %v", of, err)
		}
	}
}
