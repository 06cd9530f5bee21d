package compare

import (
	tea "charm.land/bubbletea/v2"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/keymap"
	"planb/tui/markdown"
)

// Name is the name of the screen in its help.
const Name = "What changed"

// Comparison is two texts and what changed between them.
type Comparison struct {
	From, To      string // the names of the texts in a sentence
	Title         string // what the texts are versions of, in a header
	Named         string // both names in a header
	About         string // what else a header says, the least important last
	Before, After safe.Text
	Diff          *diff.Diff
	Cited         markdown.Cited // what citations show, in both texts
}

// Embedded shows a comparison inside a review. The review asks ActionOf what a key means,
// and calls Act for the keys that are not its own.
func Embedded(c Comparison, review keymap.Map) *Screen {
	d := New(Deps{}, store.Session{}, 0, 0)
	d.bindings = keymap.DiffInReview(d.bindings, review)
	d.title, d.named, d.about, d.cited = c.Title, c.Named, c.About, c.Cited
	d.setDiff(c.Diff, [2][]plans.Section{plans.Outline(c.Before), plans.Outline(c.After)})
	return d
}

// ActionOf is what a key means here.
func (d *Screen) ActionOf(msg tea.KeyPressMsg) keymap.Action {
	return keymap.ActionOf(d.bindings, msg)
}

// Help returns the keys that do something here.
func (d *Screen) Help() []keymap.HelpGroup {
	return keymap.HelpPage(keymap.Map{OutsideText: d.bindings}, keymap.DiffGroups())
}

// Say shows a sentence in place of the keys in the footer; the empty one shows the keys
// again.
func (d *Screen) Say(status string) { d.status = status }
