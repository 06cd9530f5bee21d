package pictures_test

import (
	"os/user"
	"path/filepath"
	"testing"
	"time"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
	kept "planb/store/runs"
)

// draft puts a full draft of the workshop into the store, with the steps before one written,
// and has agents write the steps that are named.
func (s *studio) draft(upTo string, writing map[string]kept.Writer) kept.Whole {
	s.T.Helper()
	s.planb("tui")
	s.Shows(s.pane, "planb")
	person, err := user.Current() // drafts belong to the user who looks at them
	must(s.T, err)
	engine, err := bolt.Open(s.T.Context(), filepath.Join(s.data, "planb.db"), bolt.Options{MustExist: true})
	must(s.T, err)
	s.T.Cleanup(func() { _ = engine.Close() })
	st := store.New(engine, store.Options{By: person.Username + "@home"})
	room, ctx := st.Drafts(), s.T.Context()
	project := filepath.Join(s.data, s.picture.project)
	session, err := st.CreateSession(ctx, store.Session{Title: safe.New("Repair workshop"), Project: safe.New(project)})
	must(s.T, err)
	empty := draftstest.Empty(s.T)
	made, _, err := room.Create(ctx, kept.Caller{Name: "anna@home", Person: true}, kept.Request{
		Session: session.ID, Prompt: empty.Prompt, Detail: drafts.Full, Start: empty.Start, NoGates: true,
	})
	must(s.T, err)
	whole, err := room.Plan(ctx, made.ID)
	must(s.T, err)
	for i := 0; i < len(whole.Draft.Steps()); i++ { // the work breakdown adds some
		step := whole.Draft.Steps()[i]
		if step.ID == upTo {
			break
		}
		if step.Author != drafts.Model {
			continue // without gates planb takes what is recommended
		}
		who := []string{"Claude Code", "Codex"}[i%2]
		whole, err = room.Accept(ctx, kept.Caller{Name: who}, kept.Answer{
			Plan: whole.ID, Step: step.ID, Output: draftstest.Answer(s.T, whole.Draft, step), Inputs: whole.Draft.Inputs(step), Generation: whole.Generation,
		})
		must(s.T, err)
	}
	for step, writer := range writing {
		held, err := st.Hold(ctx, kept.StepClaim(whole.ID, step), writer.Note())
		must(s.T, err)
		s.T.Cleanup(func() { _ = held.Release(ctx) })
	}
	return whole
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// draftSteps shows a draft of which two agents write steps.
func draftSteps(s *studio) {
	now := time.Now()
	whole := s.draft("governance", map[string]kept.Writer{
		"governance": {Name: "Codex", Since: now.Add(-2 * time.Minute)}, "resources": {Name: "Claude Code", Since: now.Add(-40 * time.Second)},
	})
	s.planb("tui", "drafts", whole.ID)
	s.Shows(s.pane, "Codex writes", "Steps")
	s.press("Up")
}

// draftSchedule shows the schedule of a whole draft.
func draftSchedule(s *studio) {
	whole := s.draft("", nil)
	s.planb("tui", "drafts", whole.ID)
	s.Shows(s.pane, "written")
	s.press("Tab", "Graph")
	s.press("Tab", "ends")
	for range 10 {
		s.press("Down")
	}
}
