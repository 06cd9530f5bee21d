package tui

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/editor/external"
	"planb/tui/wording"
)

// leftGone says what came of removing files that editors had.
type leftGone struct {
	form *form
	err  error
}

// leftDialog tells of it over a form that opens; nil if there is nothing to tell.
func (f *form) leftDialog() *dialog {
	paths := f.in.Left
	if len(paths) == 0 || f.in.ReadOnly {
		return nil
	}
	d := newDialog("Your editor had a text of yours",
		item{letter: "b", label: "Keep it and go on", does: f.closeDialog},
		item{letter: "r", label: "Remove it", does: func() tea.Cmd {
			f.dialog = nil
			return func() tea.Msg { return leftGone{f, external.Remove(paths)} }
		}},
	)
	d.tone, d.says = toneWarn, external.LeftWords(paths)
	return d
}

// takeLeftGone says what came of removing them.
func (f *form) takeLeftGone(msg leftGone) {
	switch {
	case msg.form != f:
	case msg.err != nil:
		f.say(toneBad, "It could not be removed: %s", wording.Sentence(msg.err))
	default:
		f.in.Left = nil
		f.say(toneCalm, "Removed.")
	}
}
