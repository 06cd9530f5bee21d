package store_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/report"
	"planb/store"
	"planb/store/runs"
)

// firstDrafts are the drafts of testdata/firstdrafts.db.gz. The first planb with drafts
// wrote them. One is completed, and one was stopped before its work breakdown. Their risks
// come before their facts.
func firstDrafts(t *testing.T) (s *store.Store, completed, stopped runs.Summary) {
	t.Helper()
	s = unpacked(t, "testdata/firstdrafts.db.gz")
	list, err := s.Drafts().List(t.Context(), nil, 10)
	if err != nil || len(list) != 2 || list[0].Err != nil || list[1].Err != nil {
		t.Fatalf("the drafts are %+v, %v", list, err)
	}
	slices.SortFunc(list, func(a, b runs.Summary) int { return b.Done - a.Done })
	return s, list[0], list[1]
}

func soundStore(t *testing.T, s *store.Store) {
	t.Helper()
	if audit, err := s.Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
		t.Errorf("problems: %q, %v", audit.Problems, err)
	}
}

// TestTheFirstDraftsAreRead holds that each output is found under its own step, and that
// a report is made of it.
func TestTheFirstDraftsAreRead(t *testing.T) {
	s, completed, stopped := firstDrafts(t)
	soundStore(t, s)
	if completed.State != runs.Completed || completed.Done != 12 || stopped.State != runs.Stopped || stopped.Done != 8 {
		t.Errorf("the drafts are %+v and %+v", completed.Run, stopped.Run)
	}
	for _, plan := range []runs.Summary{completed, stopped} {
		w, err := s.Drafts().Plan(t.Context(), plan.ID)
		if err != nil {
			t.Fatal(err)
		}
		for step, field := range map[string]string{"risks": "risks", "facts": "facts", "project": "budget", "assumptions": "assumptions"} {
			if len(w.Draft.Output(step).Records(field)) < 4 {
				t.Errorf("%s are %v", step, w.Draft.Output(step))
			}
		}
		_ = w.Draft.Lint()
		text := string(report.Markdown(w.Draft))
		for _, want := range []string{"in the former bakery", "Out of date, because planb's steps", "| **R1** "} {
			if !strings.Contains(text, want) {
				t.Errorf("the report has not %q:\n%s", want, text)
			}
		}
		page, err := report.HTML(w.Draft)
		if err != nil || !bytes.Contains(page, []byte("Out of date, because planb")) {
			t.Errorf("the page is %d bytes, %v", len(page), err)
		}
		if _, err := report.Zip(w.Draft, nil); err != nil {
			t.Error(err)
		}
		for _, step := range w.Draft.Steps() {
			if _, err := w.Draft.Frame(drafts.Ask{Step: step.ID, Limit: drafts.FrameLimit}); err != nil && step.Author == drafts.Model {
				t.Errorf("%s: %v", step.ID, err)
			}
		}
	}
}

// TestAFirstDraftGoesOn resumes a draft of older steps and writes it to its end.
func TestAFirstDraftGoesOn(t *testing.T) {
	ctx := t.Context()
	s, _, stopped := firstDrafts(t)
	w, again, err := s.Drafts().Resume(ctx, codex, stopped.ID, runs.Resumption{})
	if want := "brief scenarios choose assumptions confirm facts project risks"; err != nil || strings.Join(again, " ") != want {
		t.Fatalf("to be written again are %q, want %q, %v", again, want, err)
	}
	for len(w.Draft.ReadySteps()) > 0 {
		w = acceptNext(t, s, stopped.ID)
		soundStore(t, s)
	}
	if w.State != runs.Completed || w.Done != 12 || w.Pipeline != runs.Pipeline {
		t.Errorf("at last the draft is %+v", w.Summary)
	}
	whole := draftstest.UpTo(t, "")
	for _, step := range []string{"risks", "facts", "project"} {
		if w.Draft.Records[step].SHA256 != whole.Records[step].SHA256 {
			t.Errorf("%s is %v", step, w.Draft.Output(step))
		}
		if h := w.History[step]; len(h) != 1 || h[0].Why != "replaced" {
			t.Errorf("the history of %s is %+v", step, h)
		}
	}
}
