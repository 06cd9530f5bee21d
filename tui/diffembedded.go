package tui

import (
	tea "charm.land/bubbletea/v2"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/keymap"
)

// comparison is two texts and what changed between them.
type comparison struct {
	from, to      string // what they are, in a sentence
	named         string // both in a header, the least important last
	before, after safe.Text
	diff          *diff.Diff
}

// embeddedDiff shows a comparison inside a review. The review reads the keys (actionOf) and
// hands over those that are the diff's (act).
func embeddedDiff(c comparison, review keymap.Map) *diffScreen {
	d := newDiffScreen(diffDeps{}, store.Session{}, 0, 0)
	d.bindings = keymap.DiffInReview(d.bindings, review)
	d.named = c.named
	d.setDiff(c.diff, [2][]plans.Section{plans.Outline(c.before), plans.Outline(c.after)})
	return d
}

// actionOf is what a key means here.
func (d *diffScreen) actionOf(msg tea.KeyPressMsg) keymap.Action {
	return keymap.ActionOf(d.bindings, msg)
}

// say puts a sentence in place of the keys in the footer, until the next one.
func (d *diffScreen) say(status string) { d.status = status }
