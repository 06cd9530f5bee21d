package screen

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"planb/themes"
	"planb/tui/cells"
)

// Styles are the palette's meanings as Lip Gloss styles. Screens use these and
// never a colour. Without colours, bold, underline, faint and reverse video say
// the same.
type Styles struct {
	Text, Strong, Muted, Faint cells.Style

	Accent  cells.Style // chosen options, and planb's own colour
	Title   cells.Style // a screen's title
	Tab     cells.Style
	TabHere cells.Style
	Cursor  cells.Style // marks of the focus outside of a focused row
	Match   cells.Style // words that a search found
	Rule    cells.Style
	Frame   cells.Style // the border of a dialog

	Input       cells.Style // text in a field
	InputHere   cells.Style // text in the field that has the focus
	Placeholder cells.Style

	Pressed cells.Style // the button or the tab that has the focus
	Dimmed  cells.Style // what lies behind a dialog

	Required, Proposed, Note               cells.Style
	Success, Warning, Danger, Info, Keycap cells.Style

	Added, Removed         cells.Style // a line of a text that was put in, or taken out
	AddedWord, RemovedWord cells.Style // the words that are what changed in such a line
	Moved                  cells.Style // a text that stands at another place than before

	// For the pieces in surface.go.
	focus, surface     plane
	added, removed     plane
	chip               cells.Ground
	reversed           cells.Style // a focused row on no ground
	reversedEdge       cells.Style // the mark in its first cell, which is one area with the row
	focusReversed      bool
	unfocused          bool // another screen has the focus
	button, buttonMain cells.Style

	buttonDanger, pressedDanger cells.Style
}

// NewStyles makes the styles of a palette.
func NewStyles(p themes.Palette) Styles {
	if p.Colorless() {
		return plainStyles()
	}
	fg := func(c themes.Color) cells.Style { return cells.Style{}.Foreground(Color(c)) }
	// on puts a style on a background. If the palette has no such background, it returns
	// what otherwise returns.
	on := func(s cells.Style, bg themes.Color, otherwise func(bool) cells.Style) cells.Style {
		if bg == "" {
			return otherwise(true)
		}
		return s.Background(Color(bg))
	}
	// quiet is drawn with less light where the palette has no colour for it.
	quiet := func(c themes.Color) cells.Style { return fg(c).Faint(c == "") }
	pressed := fg(p.AccentText).Background(Color(p.Accent))
	if p.AccentText == "" {
		pressed = fg(p.Accent).Reverse(true)
	}
	pressedDanger := fg(p.Danger).Reverse(true)
	if p.AccentText != "" {
		pressedDanger = fg(p.AccentText).Background(Color(p.Danger))
	}
	return Styles{
		Text:   fg(p.Text),
		Strong: fg(p.Text).Bold(true),
		Muted:  fg(p.Muted),
		Faint:  quiet(p.Faint),

		Accent:  fg(p.Accent),
		Title:   fg(p.Heading).Bold(true),
		Tab:     fg(p.Muted),
		TabHere: fg(p.Accent).Bold(true),
		Cursor:  fg(p.Accent).Bold(true),
		Match:   fg(p.Accent).Bold(true).Underline(true),
		Rule:    quiet(p.Border),
		Frame:   fg(p.BorderFocus),

		Input:       fg(p.Text),
		InputHere:   on(fg(p.Text), p.FocusBg, func(bool) cells.Style { return fg(p.Text).Underline(true) }),
		Placeholder: quiet(p.Faint).Italic(true),

		Pressed: pressed.Bold(true),
		Dimmed:  quiet(p.Border),

		Required: fg(p.Required),
		Proposed: fg(p.Info),
		Note:     fg(p.Note),
		Success:  fg(p.Success),
		Warning:  fg(p.Warning),
		Danger:   fg(p.Danger),
		Info:     fg(p.Info),
		Keycap:   fg(p.Text),

		Added:       fg(p.Code.Added),
		Removed:     fg(p.Code.Removed),
		AddedWord:   on(fg(p.Code.Added), p.AddedBg, fg(p.Code.Added).Reverse).Bold(true),
		RemovedWord: on(fg(p.Code.Removed), p.RemovedBg, fg(p.Code.Removed).Reverse).Bold(true),
		Moved:       fg(p.Info),

		focus:         newPlane(p, p.FocusBg).covering(p.CodeBg, p.Surface),
		surface:       newPlane(p, p.Surface),
		added:         newPlane(p, p.AddedBg),
		removed:       newPlane(p, p.RemovedBg),
		chip:          Ground(p, p.FocusBg),
		reversed:      pressed,
		reversedEdge:  fg(p.Accent).Background(Color(p.Accent)),
		focusReversed: p.FocusReversed,
		button:        fg(p.Text).Background(Color(p.FocusBg)),
		buttonMain:    fg(p.Accent).Background(Color(p.FocusBg)).Bold(true),

		buttonDanger:  fg(p.Danger).Background(Color(p.FocusBg)).Bold(true),
		pressedDanger: pressedDanger.Bold(true),
	}
}

// plainStyles are the styles of a terminal without colours.
func plainStyles() Styles {
	plain := cells.Style{}
	bold, faint := plain.Bold(true), plain.Faint(true)
	return Styles{
		Text: plain, Strong: bold, Muted: plain, Faint: faint,
		Accent: bold, Title: bold, Tab: plain, TabHere: bold.Underline(true), Cursor: bold, Match: plain.Reverse(true), Rule: faint, Frame: plain,
		Input: plain, InputHere: plain.Underline(true), Placeholder: faint,
		Pressed: bold.Reverse(true), Dimmed: faint,
		reversed: plain.Reverse(true), reversedEdge: plain.Reverse(true), button: plain, buttonMain: bold, buttonDanger: bold, pressedDanger: bold.Reverse(true),
		Required: bold, Proposed: plain, Note: plain,
		Success: bold, Warning: bold, Danger: bold, Info: plain, Keycap: bold,
		Added: plain, Removed: plain, AddedWord: plain.Reverse(true), RemovedWord: plain.Reverse(true), Moved: plain,
	}
}

// Color is a palette's colour for Lip Gloss.
func Color(c themes.Color) color.Color {
	if c == "" {
		return lipgloss.NoColor{}
	}
	return lipgloss.Color(string(c))
}
