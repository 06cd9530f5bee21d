package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/editor"
	"planb/tui/keymap"
)

func (b *reviewBody) edited() safe.Text   { return b.state.Edited }
func (b *reviewBody) version() string     { return fmt.Sprintf("v%d", b.in.Version) }
func (*reviewBody) helpGroups() []string  { return keymap.ReviewGroups() }
func (*reviewBody) measure() int          { return wideWidth }
func (*reviewBody) drawHead(*canvas) bool { return false }

func (b *reviewBody) lends() (*editor.Editor, []safe.Text) { return b.text(), nil }
func (b *reviewBody) rewritten()                           { b.sync() }

// covers lets what changed stand in place of the whole form.
func (b *reviewBody) covers() cover {
	if b.diff != nil {
		return coversAll
	}
	return coversBody
}

// resize lays out what changed; the plan is laid out as it is drawn.
func (b *reviewBody) resize() {
	if b.diff != nil {
		b.sizeChanges()
	}
}

func (b *reviewBody) wheel(msg tea.MouseWheelMsg, rows int) {
	switch {
	case rows == 0: // a turn sideways
	case b.diff != nil:
		b.diff.Update(msg)
	default:
		b.scroll(rows)
	}
}

// prompt is what is searched for.
func (b *reviewBody) prompt(width int) string {
	if b.search == nil {
		return ""
	}
	return b.searchLine(width)
}
