package drafts_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/store/runs"
)

// TestABriefDraftGrowsToTheWhole has a brief draft carried on to all 24 steps. What is
// there stays, but for the steps that get more to read.
func TestABriefDraftGrowsToTheWhole(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	person(t, w)
	c := connect(t, w, "codex")
	id := written(t, w, c, "")
	read := func() runs.Whole {
		got, err := w.Store.Drafts().Plan(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	before := read()
	grown := c.Tool("plan_resume", map[string]any{"plan_id": id, "detail": "full"})
	isJSON(t, grown)
	if got := fmt.Sprint(grown.Data["recompute"]); got != "[wbs schedule premortem summary summary.2]" {
		t.Fatalf("to be written again: %s", grown.Text())
	}
	m := &model{t: t, c: c, plan: id}
	if text := m.follow("step_next", "DONE: "); !strings.HasPrefix(text[strings.Index(text, "DONE: "):], "DONE: 24 of 24; ") {
		t.Errorf("told was %s", text)
	}
	if m.calls > 21 {
		t.Errorf("%d calls", m.calls)
	}
	after := read()
	if after.State != runs.Completed || after.Detail != drafts.Full || after.Done != 24 {
		t.Errorf("the plan is %+v", after.Summary)
	}
	for _, step := range []string{"brief", "scenarios", "choose", "assumptions", "confirm", "risks", "facts", "project"} {
		if before.Draft.Records[step].At != after.Draft.Records[step].At {
			t.Errorf("%s was written again", step)
		}
	}
	for _, text := range m.seen {
		if raw, err := json.Marshal(text); err != nil || len(raw) > 9_500 {
			t.Errorf("%d bytes of JSON, %v: %.80s", len(raw), err, text)
		}
	}
}

// TestAWholeDraftAtOnce has an agent write all 24 steps, in 25 to 32 answers: 20 of them
// whole, the tasks in four parts, and a second round of the consistency check.
func TestAWholeDraftAtOnce(t *testing.T) {
	t.Parallel()
	w := world(t, nil)
	person(t, w)
	c := connect(t, w, "codex")
	made := c.Tool("plan_create", map[string]any{"prompt": prompt(t), "start_date": "2026-12-01", "speed_vs_detail": "all"})
	m := &model{t: t, c: c, plan: made.Data["plan_id"].(string)}
	if m.follow(made.Text(), "DONE: "); m.calls > 30 {
		t.Errorf("%d calls", m.calls)
	}
	got, err := w.Store.Drafts().Plan(t.Context(), m.plan)
	if err != nil || got.State != runs.Completed {
		t.Fatalf("the plan is %s, %v", got.State, err)
	}
	answers := 0
	for _, step := range got.Draft.Steps() {
		if step.Author == drafts.Model {
			answers++
		}
		want := runs.Planb
		switch step.Author {
		case drafts.Model:
			want = "codex"
		case drafts.Person:
			want = "you@example"
		}
		if by := got.Draft.Records[step.ID].By; by != want {
			t.Errorf("%s is by %q", step.ID, by)
		}
	}
	if answers != 27 || got.Of != 24 {
		t.Errorf("%d answers, %d steps", answers, got.Of)
	}
	if text := draftstest.File(t, "prompt.txt"); got.Draft.Prompt != string(text) {
		t.Error("the prompt is another one")
	}
}
