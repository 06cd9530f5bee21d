package review

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/tui/compare"
	"planb/tui/editor"
	"planb/tui/form"
	"planb/tui/keymap"
)

// Help returns the keys of the plan, or of what changed while that covers it.
func (b *Body) Help() (name string, keys []keymap.HelpGroup) {
	if b.diff != nil {
		return compare.Name, b.diff.Help()
	}
	return "Review", keymap.HelpPage(b.host.Keys(), keymap.ReviewGroups())
}

func (b *Body) Edited() safe.Text { return b.State.Edited }

// Entry returns what the person has said so far.
func (b *Body) Entry() *review.Entry { return b.State }
func (b *Body) Newer() review.Newer  { return b.In.Newer }

// Version names the version of the plan; a section has none.
func (b *Body) Version() string {
	if b.section != "" {
		return ""
	}
	return fmt.Sprintf("v%d", b.In.Version)
}

func (*Body) Measure() int               { return form.WideWidth }
func (*Body) DrawHead(*form.Canvas) bool { return false }

// Lends lends the comment that the person writes, but no search, which is not kept.
func (b *Body) Lends() (*editor.Editor, []safe.Text) {
	if b.writes == nil {
		return nil, nil
	}
	return b.Text(), nil
}

func (b *Body) Rewritten() { b.sync() }

// Covers has the comparison cover the whole form while it is shown.
func (b *Body) Covers() form.Cover {
	if b.diff != nil {
		return form.CoversAll
	}
	return form.CoversBody
}

// Resize lays out the comparison. Draw lays out the plan.
func (b *Body) Resize() {
	if b.diff != nil {
		b.sizeChanges()
	}
}

func (b *Body) Wheel(msg tea.MouseWheelMsg, rows int) {
	switch {
	case rows == 0: // the wheel turned sideways
	case b.diff != nil:
		b.diff.Update(msg)
	default:
		b.scroll(rows)
	}
}

// Prompt returns the line of the search, or "" if there is none.
func (b *Body) Prompt(width int) string {
	if b.search == nil {
		return ""
	}
	return b.searchLine(width)
}
