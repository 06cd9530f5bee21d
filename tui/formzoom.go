package tui

import (
	"fmt"
	"slices"
	"strings"

	"planb/questions/safe"
	"planb/tui/form/field"
	"planb/tui/keymap"
)

// zoom shows the illustration, the introduction, or what the cursor is on in
// full, on the whole screen.
func (f *form) zoom() {
	e := f.state.current()
	if e == nil {
		f.sheet = &sheet{title: f.state.spec.IntroTitle.Line(), ref: docRef{part: docIntro}, text: f.state.spec.Intro}
		return
	}
	c, ok := e.field.(field.Illustrated)
	onOption := ok && f.state.focused() == e && !e.onNote && c.Cursor() >= 0
	if ref, _, _, ok := f.panelText(); ok && (!onOption || f.atCursor(ref)) {
		f.sheet = &sheet{}
		f.sheet.illustrate(f, ref)
		return
	}
	parts := []safe.Text{e.q.Label, e.q.Description}
	if onOption {
		o := e.q.Options[c.Cursor()]
		parts = append(parts, o.Shown(), o.Description)
	}
	if f.state.focused() == e {
		parts = append(parts, safe.New(f.aboutEarlier(e)))
	}
	var text []string
	for _, part := range parts {
		if !part.Blank() {
			text = append(text, part.Raw())
		}
	}
	f.sheet = &sheet{title: "Question", text: safe.New(strings.Join(text, "\n\n")), plain: true}
}

// illustrates reports whether the sheet shows an option's illustration.
func (s *sheet) illustrates() bool { return s.kind == sheetZoom && s.ref.part == docIllustration }

// illustrate shows an option's illustration, from where the one before it was
// scrolled and panned to: so two of them can be compared.
func (s *sheet) illustrate(f *form, ref docRef) {
	q := f.state.spec.Questions[ref.question]
	o := q.Options[ref.option]
	s.ref, s.text = ref, o.Markdown
	s.title = o.Shown().Line() + " · " + q.Label.Line()
}

// zoomKey does what is to be done about the option whose illustration is shown,
// and reports whether the key was one for that.
func (s *sheet) zoomKey(f *form, act keymap.Action) bool {
	c := f.state.controls[s.ref.question].field.(field.Illustrated)
	switch act {
	case keymap.Next:
		s.step(f, c, 1)
	case keymap.Prev:
		s.step(f, c, -1)
	case keymap.Enter, keymap.Space:
		if f.state.readOnly {
			return false
		}
		f.chooseZoomed(c, act == keymap.Enter)
		if act == keymap.Enter {
			f.sheet = nil
		}
	default:
		return false
	}
	return true
}

// step goes to the next option that has an illustration, if there is one. The
// cursor goes with it: who closes the zoom is at what they saw last.
func (s *sheet) step(f *form, c field.Illustrated, by int) {
	shown := zoomable(c)
	if to := slices.Index(shown, s.ref.option) + by; to >= 0 && to < len(shown) {
		s.illustrate(f, docRef{docIllustration, s.ref.question, shown[to]})
		c.MoveTo(shown[to])
	}
}

// zoomable are the options on the list that have an illustration.
func zoomable(c field.Illustrated) []int {
	var options []int
	for _, option := range c.Options() {
		if c.HasIllustration(option) {
			options = append(options, option)
		}
	}
	return options
}

// chooseZoomed chooses the option whose illustration is shown; of several, it
// toggles it unless it is to be kept.
func (f *form) chooseZoomed(c field.Illustrated, keep bool) {
	option := f.sheet.ref.option
	if !slices.Contains(c.Options(), option) || c.IsPicked(option) && (keep || !c.Several()) {
		return
	}
	c.MoveTo(option)
	if c.Choose(false) == keymap.Changed {
		f.state.controls[f.sheet.ref.question].alert = ""
		f.state.touch()
	}
}

// zoomed says of the option whose illustration is shown whether it is chosen, and
// which of the illustrated ones it is.
func (f *form) zoomed() (chosen, of string) {
	s := f.sheet
	c := f.state.controls[s.ref.question].field.(field.Illustrated)
	shown := zoomable(c)
	if at := slices.Index(shown, s.ref.option); at >= 0 && len(shown) > 1 {
		of = fmt.Sprintf("%d of %d", at+1, len(shown))
	}
	return c.Glyph(c.IsPicked(s.ref.option)), of
}

// zoomHints are the keys for the option whose illustration is shown.
func (f *form) zoomHints() []field.Hint {
	c := f.state.controls[f.sheet.ref.question].field.(field.Illustrated)
	picked := c.IsPicked(f.sheet.ref.option)
	hints := []field.Hint{{Act: keymap.Escape, Does: "close"}}
	switch {
	case f.state.readOnly:
	case c.Several() && picked:
		hints = append(hints, field.Hint{Act: keymap.Space, Does: "take back"})
	case !picked:
		hints = append(hints, field.Hint{Act: keymap.Enter, Does: "choose"})
	}
	shown := zoomable(c)
	at := slices.Index(shown, f.sheet.ref.option)
	if at+1 < len(shown) {
		hints = append(hints, field.Hint{Act: keymap.Next, Does: "next"})
	}
	if at > 0 {
		hints = append(hints, field.Hint{Act: keymap.Prev, Does: "previous"})
	}
	return hints
}

// zoomAhead has rendered what the next and the previous key show here, and what
// the panel shows after it.
func (f *form) zoomAhead(width int) {
	e := f.state.controls[f.sheet.ref.question]
	shown := zoomable(e.field.(field.Illustrated))
	at := slices.Index(shown, f.sheet.ref.option)
	for _, to := range []int{at + 1, at - 1} {
		if to >= 0 && to < len(shown) {
			f.aheadOption(e.q, f.sheet.ref.question, shown[to], width)
		}
	}
}
