package field

import (
	"strings"

	"planb/tui/keymap"
	"planb/tui/screen"
)

func (f *choice) Act(p keymap.Press) keymap.Effect {
	switch {
	case f.writing:
		return f.write(p)
	case f.filtering:
		return f.narrow(p)
	}
	switch p.Act {
	case keymap.Up:
		return f.step(-1, keymap.LeaveUp)
	case keymap.Down:
		return f.step(1, keymap.LeaveDown)
	case keymap.Filter:
		f.filtering = f.Long()
		return keymap.Moved
	}
	if f.readOnly {
		return keymap.Ignored
	}
	switch p.Act {
	case keymap.Enter, keymap.Space:
		return f.Choose(p.Act == keymap.Enter)
	case keymap.Digit:
		return f.chooseNumber(p.Text)
	case keymap.Insert:
		if f.InvitesText() && p.Text != "" {
			f.chooseOther(false)
			return f.other.Act(p)
		}
	case keymap.All:
		if f.multi {
			return f.chooseAll()
		}
	case keymap.Backspace:
		f.clear()
		return keymap.Changed
	}
	return keymap.Ignored
}

// chooseAll picks all options that are shown, or none of them if all are picked. The options
// that the filter hides stay as they are.
func (f *choice) chooseAll() keymap.Effect {
	all := f.allShownPicked()
	for _, option := range f.rows {
		if option != OtherRow {
			f.picked[option] = !all
		}
	}
	return keymap.Changed
}

func (f *choice) step(by int, atEnd keymap.Effect) keymap.Effect {
	if to := f.at + by; to < 0 || to >= len(f.rows) {
		return atEnd
	}
	f.at += by
	return keymap.Moved
}

// Choose picks the option under the cursor. If that is picked already, Enter goes on to the
// next question; with another key, a multi choice unticks the option.
func (f *choice) Choose(enter bool) keymap.Effect {
	c := f.Cursor()
	switch {
	case c == NoOption:
		return keymap.Ignored
	case c == OtherRow:
		return f.chooseOther(enter)
	case f.picked[c] && enter:
		return keymap.Advance
	case f.multi:
		f.picked[c] = !f.picked[c]
	default:
		f.clear()
		f.picked[c] = true
	}
	return keymap.Changed
}

func (f *choice) chooseOther(enter bool) keymap.Effect {
	switch {
	case f.otherPicked && enter:
		return keymap.Advance
	case f.multi && f.otherPicked:
		f.otherPicked = false
		return keymap.Changed
	}
	f.otherPicked = true
	f.writing = true
	return keymap.Changed
}

func (f *choice) chooseNumber(digit string) keymap.Effect {
	n := strings.Index("123456789", digit)
	if digit == "" || n < 0 || n >= len(f.rows) {
		return keymap.Moved
	}
	f.at = n
	did := f.Choose(false)
	if did == keymap.Changed && !f.multi && !f.writing {
		return keymap.Settled // the digit has answered the question
	}
	return did
}

// write does one action while the caret is under "Other…".
func (f *choice) write(p keymap.Press) keymap.Effect {
	switch p.Act {
	case keymap.Enter, keymap.NewLine:
		f.stopWriting()
		if f.multi || !f.otherPicked {
			return keymap.Changed
		}
		return keymap.Advance
	case keymap.Up, keymap.Down:
		f.stopWriting()
		if p.Act == keymap.Up {
			return f.step(-1, keymap.LeaveUp)
		}
		return f.step(1, keymap.LeaveDown)
	}
	return f.other.Act(p)
}

// stopWriting leaves "Other…". An option that was chosen before still is if nothing was written.
func (f *choice) stopWriting() {
	f.writing = false
	f.settleOther()
}

// narrow does one action while the caret is in the filter.
func (f *choice) narrow(p keymap.Press) keymap.Effect {
	switch p.Act {
	case keymap.Enter, keymap.NewLine, keymap.Down:
		f.filtering = false
		return keymap.Moved
	case keymap.Up:
		f.filtering = false
		return keymap.LeaveUp
	}
	did := f.filter.Act(p)
	if did == keymap.Changed {
		f.sift()
		f.at = 0
		return keymap.Moved // a filter is no answer
	}
	return did
}

// Places that can be clicked: rows by index, and the filter.
const (
	clickFilter   = -1
	clickUnfilter = -2 // takes the filter away
)

func (f *choice) Click(at, x, _ int) keymap.Effect {
	switch {
	case at == clickFilter:
		if f.filtering {
			f.filter.Click(x, 0)
		}
		f.filtering = true
		return keymap.Moved
	case at == clickUnfilter:
		f.Close()
		return keymap.Moved
	case at >= len(f.rows):
		return keymap.Moved
	case f.writing && f.rows[at] == OtherRow:
		f.other.Click(x, 0)
		return keymap.Moved
	}
	if f.writing {
		f.stopWriting()
	}
	f.at = at
	if f.readOnly {
		return keymap.Moved
	}
	return f.Choose(false)
}

func (f *choice) Hints() []screen.Hint {
	switch {
	case f.writing:
		return []screen.Hint{{Act: keymap.Enter, Does: "done"}, {Act: keymap.Escape, Does: "back to the options"}}
	case f.filtering:
		return []screen.Hint{{Act: keymap.Enter, Does: "to the list"}, {Act: keymap.Escape, Does: "no filter"}}
	}
	var hints []screen.Hint
	if !f.readOnly {
		hints = append(hints, f.chooseHint())
		switch {
		case !f.IsPicked(f.Cursor()):
		case f.multi:
			hints = append(hints, screen.Hint{Act: keymap.Space, Does: "untick"})
		case f.Cursor() == OtherRow:
			hints = append(hints, screen.Hint{Act: keymap.Space, Does: "edit"})
		}
	}
	if f.Illustration() != NoOption {
		hints = append(hints, screen.Hint{Act: keymap.Zoom, Does: "zoom"})
	}
	if !f.readOnly && !f.any() && f.q.Default != nil && !f.InvitesText() {
		hints = append(hints, screen.Hint{Act: keymap.Default, Does: TakesProposed})
	}
	if f.Long() {
		hints = append(hints, screen.Hint{Act: keymap.Filter, Does: "filter"})
	}
	if f.multi && !f.readOnly && f.found() > 1 {
		does := "all"
		if f.allShownPicked() {
			does = "none"
		}
		if f.found() < len(f.q.Options) {
			does += " shown"
		}
		hints = append(hints, screen.Hint{Act: keymap.All, Does: does})
	}
	return hints
}

func (f *choice) chooseHint() screen.Hint {
	switch c := f.Cursor(); {
	case f.IsPicked(c):
		return screen.Hint{Act: keymap.Enter, Does: GoesOn}
	case f.InvitesText():
		return screen.Hint{Act: keymap.Enter, Does: WritesOther}
	case c == OtherRow:
		return screen.Hint{Act: keymap.Enter, Does: "write"}
	case f.multi:
		return screen.Hint{Act: keymap.Enter, Does: "tick"}
	}
	return screen.Hint{Act: keymap.Enter, Does: "choose"}
}
