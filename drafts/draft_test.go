package drafts_test

import (
	"strings"
	"testing"

	"planb/drafts/draftstest"
)

// A model's answers to one prompt are accepted one after another, and nothing in
// them contradicts anything else.
func TestAWholeBriefDraft(t *testing.T) {
	t.Parallel()
	d := draftstest.UpTo(t, "")
	if done, of := d.Progress(); done != 12 || of != 12 {
		t.Errorf("%d of %d", done, of)
	}
	for _, f := range d.Lint() {
		t.Errorf("%s: %s", f.Step, f)
	}
	if want := "DONE: 12 of 12; code's checks: 0 problems."; !strings.HasPrefix(d.Done(), want) {
		t.Errorf("got %q, want %q", d.Done(), want)
	}
}

// The same for all 24 steps.
func TestAWholeFullDraft(t *testing.T) {
	t.Parallel()
	d := draftstest.FullUpTo(t, "")
	if done, of := d.Progress(); done != 24 || of != 24 {
		t.Errorf("%d of %d", done, of)
	}
	for _, f := range d.Lint() {
		t.Errorf("%s: %s", f.Step, f)
	}
	if want := "DONE: 24 of 24; code's checks: 0 problems; consistency: 0 high left."; !strings.HasPrefix(d.Done(), want) {
		t.Errorf("got %q, want %q", d.Done(), want)
	}
}
