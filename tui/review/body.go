package review

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/form"
	"planb/tui/keymap"
)

func (b *Body) Edited() safe.Text { return b.State.Edited }

// Entry is what was said so far; newer is the version that was written since.
func (b *Body) Entry() *review.Entry { return b.State }
func (b *Body) Newer() review.Newer  { return b.In.Newer }

func (b *Body) Version() string          { return fmt.Sprintf("v%d", b.In.Version) }
func (*Body) HelpGroups() []string       { return keymap.ReviewGroups() }
func (*Body) Measure() int               { return form.WideWidth }
func (*Body) DrawHead(*form.Canvas) bool { return false }

func (b *Body) Lends() (*editor.Editor, []safe.Text) { return b.Text(), nil }
func (b *Body) Rewritten()                           { b.sync() }

// covers lets what changed stand in place of the whole form.
func (b *Body) Covers() form.Cover {
	if b.diff != nil {
		return form.CoversAll
	}
	return form.CoversBody
}

// resize lays out what changed; the plan is laid out as it is drawn.
func (b *Body) Resize() {
	if b.diff != nil {
		b.sizeChanges()
	}
}

func (b *Body) Wheel(msg tea.MouseWheelMsg, rows int) {
	switch {
	case rows == 0: // a turn sideways
	case b.diff != nil:
		b.diff.Update(msg)
	default:
		b.scroll(rows)
	}
}

// prompt is what is searched for.
func (b *Body) Prompt(width int) string {
	if b.search == nil {
		return ""
	}
	return b.searchLine(width)
}
