package form

import (
	tea "charm.land/bubbletea/v2"

	"planb/tui/editor/external"
	"planb/tui/wording"
)

// leftGone brings the result of removing the files that the person's editor left.
type leftGone struct {
	form *Form
	err  error
}

// leftDialog tells the person, when the form opens, that their editor left files with a
// text of theirs. It is nil if there are none.
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

// reportLeftGone tells the person whether the files were removed.
func (f *Form) reportLeftGone(msg leftGone) {
	switch {
	case msg.form != f:
	case msg.err != nil:
		f.Say(ToneBad, "It could not be removed: %s", wording.Sentence(msg.err))
	default:
		f.in.Left = nil
		f.Say(ToneCalm, "Removed.")
	}
}
