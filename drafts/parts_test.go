package drafts_test

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/drafts/shape"
)

// Section 2, step 17: each phase has a part of its own, all are ready at once, and the
// schedule waits for all. They count as one step.
func TestTheTasksAreWrittenInParts(t *testing.T) {
	t.Parallel()
	d := draftstest.FullUpTo(t, "tasks.1")
	if got := ids(d.ReadySteps()); !slices.Equal(got, parts()) {
		t.Fatalf("ready are %v", got)
	}
	for i, id := range []string{"tasks.3", "tasks.1", "tasks.4", "tasks.2"} {
		if done, of := d.Progress(); done != 16 || of != 24 {
			t.Errorf("with %d parts: %d of %d", i, done, of)
		}
		text := frame(t, d, drafts.Ask{Step: id, Limit: drafts.FrameLimit})
		if phase := id[len("tasks."):]; !strings.HasPrefix(text, "STEP 17/24 "+id+" · Tasks, phase "+phase+" · ") || !strings.Contains(text, "only the tasks of phase "+phase+";") {
			t.Errorf("the frame of %s: %.300s", id, text)
		}
		s := draftstest.Step(t, d, id)
		draftstest.Accept(d, s, draftstest.Answer(t, d, s))
	}
	if got := ids(d.ReadySteps()); !slices.Equal(got, []string{"schedule"}) {
		t.Errorf("then ready are %v", got)
	}
	if text := d.Markdown("tasks"); strings.Count(text, "#### ") != 4 || !strings.Contains(text, "Wait for the permit") {
		t.Errorf("together they are\n%s", text)
	}
	// Another phase has no part yet, and one that is gone leaves none.
	wbs := d.Output("wbs")
	phases := wbs["phases"].([]any)
	shorter := d.With("wbs", shape.Object{"phases": phases[:3]})
	if _, found := shorter.Step("tasks.4"); found || len(shorter.Output("tasks").Records("tasks")) != 9 {
		t.Error("a phase that is gone has tasks")
	}
	longer := d.With("wbs", shape.Object{"phases": append(slices.Clone(phases), phases[0])})
	if got := longer.Standings()["tasks.5"]; got == "" || got.Done() {
		t.Errorf("the part of a new phase is %q", got)
	}
}

// checked returns a whole draft in which the rounds of the consistency check found that many
// serious conflicts each. Each round replaces words in the hook of the pitch.
func checked(t *testing.T, rounds ...int) drafts.Draft {
	t.Helper()
	d := draftstest.FullUpTo(t, "lint")
	pitch := draftstest.Step(t, d, "pitch")
	draftstest.Accept(d, pitch, shape.Object(maps.Clone(d.Output("pitch"))))
	d.Output("pitch")["hook"] = "round zero, never, never"
	for i, n := range rounds {
		s := d.Steps()[len(d.Steps())-1]
		conflicts := []any{}
		for k := range n {
			c := shape.Object{"severity": "high", "step": "pitch", "excerpt": "never", "replacement": "always", "why": fmt.Sprint("left by round ", i+1)}
			if k == 0 {
				c["excerpt"], c["replacement"] = []string{"round zero", "round one", "round two"}[i], []string{"round one", "round two", "round three"}[i]
			}
			conflicts = append(conflicts, c)
		}
		draftstest.Accept(d, s, shape.Object{"conflicts": conflicts})
	}
	return d
}

// Section 2, lint: rounds go on while serious conflicts become fewer, three at most, and the
// round with the fewest counts, with those before it.
func TestRoundsOfTheConsistencyCheck(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		found []int
		steps string // of number 24
		hook  string
		left  int
	}{
		{nil, "[lint]", "round zero", 0},
		{[]int{0}, "[lint]", "round zero", 0},
		{[]int{3}, "[lint lint.2]", "round one", 2},
		{[]int{3, 0}, "[lint lint.2]", "round one", 0},
		{[]int{3, 2}, "[lint lint.2 lint.3]", "round two", 1},
		{[]int{2, 2}, "[lint lint.2]", "round one", 1},
		{[]int{2, 3}, "[lint lint.2]", "round one", 1},
		{[]int{3, 2, 1}, "[lint lint.2 lint.3]", "round three", 0},
		{[]int{3, 2, 4}, "[lint lint.2 lint.3]", "round two", 1},
	} {
		d := checked(t, c.found...)
		var rounds []string
		for _, s := range d.Steps() {
			if s.Number == 24 {
				rounds = append(rounds, s.ID)
			}
		}
		if fmt.Sprint(rounds) != c.steps || d.Unrepaired() != c.left || !strings.HasPrefix(d.Repaired("pitch").Text("hook"), c.hook+",") {
			t.Errorf("%v: %v, %d left, %q; want %+v", c.found, rounds, d.Unrepaired(), d.Repaired("pitch").Text("hook"), c)
		}
		if done, of := d.Progress(); done == of != (len(rounds) == len(c.found)) {
			t.Errorf("%v: %d of %d", c.found, done, of)
		}
	}
}

// After a round repaired a conflict, the next round is not told of it. The words that are gone
// are no contradiction, and neither is their quotation.
func TestWhatWasPutRightIsNotToldAgain(t *testing.T) {
	t.Parallel()
	d := draftstest.FullUpTo(t, "lint.2")
	conflict := d.Output("lint").Records("conflicts")[0]
	conflict["excerpt"], conflict["replacement"] = "a total budget of 70,000 EUR", "the total budget"
	d.Output("pitch")["hook"] = "It takes a total budget of 70,000 EUR."
	text := frame(t, d, drafts.Ask{Step: "lint.2", Lease: "1", Limit: drafts.BareLimit})
	if strings.Contains(text, "## left unrepaired") {
		t.Error("the next round is told that it was left unrepaired")
	}
	if !strings.Contains(text, "## found by code\nno contradiction\n") {
		_, found, _ := strings.Cut(text, "## found by code")
		t.Errorf("code finds %.400s", found)
	}
}

// Section 2, lint: a round reads the words as the rounds before left them, what those left
// unrepaired, and its third of the sections whole.
func TestWhatARoundReads(t *testing.T) {
	t.Parallel()
	d := checked(t, 3, 2)
	read := func(step string) (text string) {
		for page := 1; ; page++ {
			got := frame(t, d, drafts.Ask{Step: step, Limit: drafts.FrameLimit, Page: page})
			if strings.HasPrefix(got, "There is no page") {
				return text
			}
			text += got
		}
	}
	thirds := []string{"governance", "documents", "review"}
	for i, step := range []string{"lint", "lint.2", "lint.3"} {
		text := read(step)
		for k, hook := range []string{"round zero, never", "round one, never", "round two, never"} {
			if strings.Contains(text, hook) != (k == i) {
				t.Errorf("%s reads %q: %v", step, hook, k != i)
			}
		}
		if left := fmt.Sprintf("- pitch: never (left by round %d)", i); strings.Contains(text, left) != (i > 0) {
			t.Errorf("%s: what was left is told: %v", step, i == 0)
		}
		for k, section := range thirds {
			whole := true
			for _, line := range draftstest.Step(t, d, section).Shape.Lines(d.Output(section), shape.Whole) {
				whole = whole && strings.Contains(text, line)
			}
			if whole != (k == i) {
				t.Errorf("%s reads %s whole: %v", step, section, whole)
			}
		}
	}
}

// A draft says beforehand how many answers it takes, and people plan their time by it.
func TestAnswers(t *testing.T) {
	t.Parallel()
	for _, detail := range drafts.Details() {
		d := drafts.Draft{Detail: detail}
		least := len(modelSteps(d))
		most := least
		if wbs, ok := d.Step("wbs"); ok && detail == drafts.Full {
			phases := wbs.Shape[slices.IndexFunc(wbs.Shape, func(f shape.Field) bool { return f.Name == "phases" })]
			const rounds = 3 // of the consistency check
			least, most = least-1+phases.Min, least-1+phases.Most(shape.Full)+rounds-1
		}
		want := strconv.Itoa(least)
		if most > least {
			want += " to " + strconv.Itoa(most)
		}
		if got := detail.Answers(); got != want {
			t.Errorf("%s takes %s answers, but says %s", detail, want, got)
		}
	}
}
