package form

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/editor/external"
	"planb/tui/wording"
)

// leftGone says what came of removing files that editors had.
type leftGone struct {
	form *Form
	err  error
}

// leftDialog tells of it over a form that opens; nil if there is nothing to tell.
func (f *Form) leftDialog() *Dialog {
	paths := f.in.Left
	if len(paths) == 0 || f.in.ReadOnly {
		return nil
	}
	d := NewDialog("Your editor had a text of yours",
		Item{Letter: "b", Label: "Keep it and go on", Does: f.closeDialog},
		Item{Letter: "r", Label: "Remove it", Does: func() tea.Cmd {
			f.dialog = nil
			return func() tea.Msg { return leftGone{f, external.Remove(paths)} }
		}},
	)
	d.tone, d.Says = ToneWarn, external.LeftWords(paths)
	return d
}

// takeLeftGone says what came of removing them.
func (f *Form) takeLeftGone(msg leftGone) {
	switch {
	case msg.form != f:
	case msg.err != nil:
		f.Say(ToneBad, "It could not be removed: %s", wording.Sentence(msg.err))
	default:
		f.in.Left = nil
		f.Say(ToneCalm, "Removed.")
	}
}
