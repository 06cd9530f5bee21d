package form

import (
	"cmp"
	"slices"

	"planb/tui/cells"
	"planb/tui/editor"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/screen"
)

// lastLine returns the last line of a form whose body draws all rows: a message to the
// person, else what keyLine returns.
func (f *Form) lastLine(width int) string {
	if f.speaks() {
		return f.statusWithin(width)
	}
	return f.keyLine(width)
}

// keyLine returns the keys that do something now. While no key counts, it says so.
func (f *Form) keyLine(width int) string {
	st := &f.look.Styles
	switch {
	case f.gate.stage != gateOpen:
		return st.Warning.Render(cells.Cut(f.gateWords(), width))
	case f.stage == sending:
		return st.Info.Render("Sending …")
	case f.dialog != nil:
		return f.hintLine(dialogHints(f.dialog, f.keys), width)
	}
	if b, ok := f.body.(prompts); ok {
		if line := b.Prompt(width); line != "" {
			return line
		}
	}
	return f.hintLine(f.body.Hints(), width)
}

// gateWords says how to open the gate, and adds the current message to the person.
func (f *Form) gateWords() string {
	enter, why := "↓ to answer. ", "Other keys are ignored: you may still be typing."
	if f.dialog != nil {
		enter, why = "↓ to choose. ", "No other key works yet."
	}
	if f.status.text != "" {
		why = f.status.text
	}
	return f.gate.words(enter + why)
}

// historyHints returns the keys that undo and redo in a text, as far as there is
// anything to undo or redo.
func historyHints(edit *editor.Editor) []screen.Hint {
	var hints []screen.Hint
	if edit.CanUndo() {
		hints = append(hints, screen.Hint{Act: keymap.UndoText, Does: "undo"})
	}
	if edit.CanRedo() {
		hints = append(hints, screen.Hint{Act: keymap.RedoText, Does: "redo"})
	}
	return hints
}

// hintLine draws as many hints as fit.
func (f *Form) hintLine(hints []screen.Hint, width int) string {
	line := slices.Clone(hints)
	for i, h := range line {
		line[i].Label, line[i].Brief = cmp.Or(h.Label, f.keys.Label(h.Act)), briefHint(h.Does)
		if h.Act == keymap.Help {
			line[i].Label, line[i].Kept = f.helpKey(), true
		}
		line[i].Main = h.Act == keymap.Submit && f.finished()
	}
	return f.look.Styles.KeyLine(line, width)
}

// finished reports whether the person has only to send the form.
func (f *Form) finished() bool {
	b, ok := f.body.(completes)
	return ok && b.Complete()
}

// briefHint shortens what a hint says a key does. It is empty if there is no shorter form.
func briefHint(does string) string {
	switch does {
	case field.GoesOn, nextButton:
		return "next"
	case field.GoesToSubmit:
		return "to Submit"
	case field.WritesOther:
		return "write"
	case "all shown":
		return "all"
	case "none shown":
		return "none"
	case field.TakesProposed:
		return "take proposed"
	case "back to the options":
		return "back"
	case "look over all answers":
		return "look over"
	case "to what is required":
		return "to required"
	case "write a note":
		return "write"
	}
	return ""
}

// helpKey returns the key for help that works now: in a text, ? is a letter.
func (f *Form) helpKey() string {
	if f.writing() {
		return f.keys.Label(keymap.Help)
	}
	if label := keymap.Label(f.keys.OutsideText, keymap.Help); label != "" {
		return label
	}
	return f.keys.Label(keymap.Help)
}
