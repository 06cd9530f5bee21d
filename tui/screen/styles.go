package screen

import (
	"image/color"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/cells"
)

// Styles are the palette's meanings as Lip Gloss styles. Screens use these and
// never a colour. Without colours, bold, underline, faint and reverse video say
// the same.
type Styles struct {
	Text, Strong, Muted, Faint lipgloss.Style

	Accent  lipgloss.Style // chosen options, and planb's own colour
	Title   lipgloss.Style // a screen's title
	Tab     lipgloss.Style
	TabHere lipgloss.Style
	Cursor  lipgloss.Style // marks of the focus outside of a focused row
	Match   lipgloss.Style // words that a search found
	Rule    lipgloss.Style
	Frame   lipgloss.Style // the border of a dialog

	Input       lipgloss.Style // text in a field
	InputHere   lipgloss.Style // text in the field that has the focus
	Placeholder lipgloss.Style

	Pressed lipgloss.Style // the button or the tab that has the focus
	Dimmed  lipgloss.Style // what lies behind a dialog

	Required, Proposed, Note               lipgloss.Style
	Success, Warning, Danger, Info, Keycap lipgloss.Style

	Added, Removed         lipgloss.Style // a line of a text that was put in, or taken out
	AddedWord, RemovedWord lipgloss.Style // the words that are what changed in such a line
	Moved                  lipgloss.Style // a text that stands at another place than before

	// What the pieces of surface.go are drawn with.
	focus, surface     plane
	added, removed     plane
	chip               cells.Ground
	reversed           lipgloss.Style // a focused row on no ground
	button, buttonMain lipgloss.Style
}

// NewStyles makes the styles of a palette.
func NewStyles(p themes.Palette) Styles {
	if p.Colorless() {
		return plainStyles()
	}
	fg := func(c themes.Color) lipgloss.Style { return lipgloss.NewStyle().Inline(true).Foreground(Color(c)) }
	// on puts a style on a background. If the palette has none, it returns the other style.
	on := func(s lipgloss.Style, bg themes.Color, otherwise func(bool) lipgloss.Style) lipgloss.Style {
		if bg == "" {
			return otherwise(true)
		}
		return s.Background(Color(bg))
	}
	// quiet is drawn with less light where the palette has no colour for it.
	quiet := func(c themes.Color) lipgloss.Style { return fg(c).Faint(c == "") }
	pressed := fg(p.AccentText).Background(Color(p.Accent))
	if p.AccentText == "" {
		pressed = fg(p.Accent).Reverse(true)
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
		Match:   underlined(fg(p.Accent).Bold(true)),
		Rule:    quiet(p.Border),
		Frame:   fg(p.BorderFocus),

		Input:       fg(p.Text),
		InputHere:   on(fg(p.Text), p.FocusBg, func(bool) lipgloss.Style { return underlined(fg(p.Text)) }),
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

		focus:      newPlane(p, p.FocusBg, ansi.AttrBold),
		surface:    newPlane(p, p.Surface),
		added:      newPlane(p, p.AddedBg),
		removed:    newPlane(p, p.RemovedBg),
		chip:       Ground(p, p.FocusBg),
		reversed:   fg(p.Accent).Reverse(true).Bold(true),
		button:     fg(p.Text).Background(Color(p.FocusBg)),
		buttonMain: fg(p.Accent).Background(Color(p.FocusBg)).Bold(true),
	}
}

// plainStyles are the styles of a terminal without colours.
func plainStyles() Styles {
	plain := lipgloss.NewStyle().Inline(true)
	bold, faint := plain.Bold(true), plain.Faint(true)
	return Styles{
		Text: plain, Strong: bold, Muted: plain, Faint: faint,
		Accent: bold, Title: bold, Tab: plain, TabHere: underlined(bold), Cursor: bold, Match: plain.Reverse(true), Rule: faint, Frame: plain,
		Input: plain, InputHere: underlined(plain), Placeholder: faint,
		Pressed: bold.Reverse(true), Dimmed: faint,
		reversed: bold.Reverse(true), button: plain, buttonMain: bold,
		Required: bold, Proposed: plain, Note: plain,
		Success: bold, Warning: bold, Danger: bold, Info: plain, Keycap: bold,
		Added: plain, Removed: plain, AddedWord: plain.Reverse(true), RemovedWord: plain.Reverse(true), Moved: plain,
	}
}

// underlined is a style that underlines, too. Lip Gloss does that character by
// character, which takes the clusters of emoji and of many scripts apart.
func underlined(style lipgloss.Style) lipgloss.Style {
	return style.Transform(func(text string) string { return "\x1b[4m" + text + "\x1b[24m" })
}

// Struck is a style that strikes text through, too, in one piece as underlined does.
func Struck(style lipgloss.Style) lipgloss.Style {
	return style.Transform(func(text string) string { return "\x1b[9m" + text + "\x1b[29m" })
}

// Color is a palette's colour for Lip Gloss.
func Color(c themes.Color) color.Color {
	if c == "" {
		return lipgloss.NoColor{}
	}
	return lipgloss.Color(string(c))
}
