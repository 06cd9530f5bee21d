package tui

import (
	"image/color"

	"charm.land/lipgloss/v2"

	"planb/themes"
)

// styles are the palette's meanings as Lip Gloss styles. Screens use these and
// never a colour. Without colours, bold, underline, faint and reverse video say
// the same.
type styles struct {
	text, strong, muted, faint lipgloss.Style

	accent  lipgloss.Style // the cursor, what is chosen
	title   lipgloss.Style // a screen's title
	tab     lipgloss.Style
	tabHere lipgloss.Style
	cursor  lipgloss.Style // the row or button that has the focus
	match   lipgloss.Style // what was looked for, where it was found
	rule    lipgloss.Style
	frame   lipgloss.Style // border of what lies over a screen

	input       lipgloss.Style // text in a field
	inputHere   lipgloss.Style // text in the field that has the focus
	placeholder lipgloss.Style

	button, buttonHere, buttonMain lipgloss.Style

	required, proposed, note               lipgloss.Style
	success, warning, danger, info, keycap lipgloss.Style

	added, removed         lipgloss.Style // a line of a text that was put in, or taken out
	addedWord, removedWord lipgloss.Style // the words that are what changed in such a line
	moved                  lipgloss.Style // what stands elsewhere than before
}

// newStyles makes the styles of a palette.
func newStyles(p themes.Palette) styles {
	if p.Colorless() {
		return plainStyles()
	}
	fg := func(c themes.Color) lipgloss.Style { return lipgloss.NewStyle().Foreground(paint(c)) }
	// on stands on a background; where the palette has none, what stands in for it.
	on := func(s lipgloss.Style, bg themes.Color, otherwise func(bool) lipgloss.Style) lipgloss.Style {
		if bg == "" {
			return otherwise(true)
		}
		return s.Background(paint(bg))
	}
	// quiet is drawn with less light where the palette has no colour for it.
	quiet := func(c themes.Color) lipgloss.Style { return fg(c).Faint(c == "") }
	button := fg(p.AccentText).Background(paint(p.Accent))
	if p.AccentText == "" {
		button = fg(p.Accent).Reverse(true)
	}
	return styles{
		text:   fg(p.Text),
		strong: fg(p.Text).Bold(true),
		muted:  fg(p.Muted),
		faint:  quiet(p.Faint),

		accent:  fg(p.Accent),
		title:   fg(p.Heading).Bold(true),
		tab:     fg(p.Muted),
		tabHere: fg(p.Accent).Bold(true),
		cursor:  fg(p.Accent).Bold(true),
		match:   underlined(fg(p.Accent).Bold(true)),
		rule:    quiet(p.Border),
		frame:   fg(p.BorderFocus),

		input:       fg(p.Text),
		inputHere:   on(fg(p.Text), p.FocusBg, func(bool) lipgloss.Style { return underlined(fg(p.Text)) }),
		placeholder: quiet(p.Faint).Italic(true),

		button:     fg(p.Muted),
		buttonHere: button.Bold(true),
		buttonMain: fg(p.Accent).Bold(true),

		required: fg(p.Required),
		proposed: fg(p.Info),
		note:     fg(p.Note),
		success:  fg(p.Success),
		warning:  fg(p.Warning),
		danger:   fg(p.Danger),
		info:     fg(p.Info),
		keycap:   fg(p.Text),

		added:       fg(p.Code.Added),
		removed:     fg(p.Code.Removed),
		addedWord:   on(fg(p.Code.Added), p.AddedBg, fg(p.Code.Added).Reverse).Bold(true),
		removedWord: on(fg(p.Code.Removed), p.RemovedBg, fg(p.Code.Removed).Reverse).Bold(true),
		moved:       fg(p.Info),
	}
}

// plainStyles are the styles of a terminal without colours.
func plainStyles() styles {
	plain := lipgloss.NewStyle()
	bold, faint := plain.Bold(true), plain.Faint(true)
	return styles{
		text: plain, strong: bold, muted: plain, faint: faint,
		accent: bold, title: bold, tab: plain, tabHere: underlined(bold), cursor: bold, match: plain.Reverse(true), rule: faint, frame: plain,
		input: plain, inputHere: underlined(plain), placeholder: faint,
		button: plain, buttonHere: bold.Reverse(true), buttonMain: bold,
		required: bold, proposed: plain, note: plain,
		success: bold, warning: bold, danger: bold, info: plain, keycap: bold,
		added: plain, removed: plain, addedWord: plain.Reverse(true), removedWord: plain.Reverse(true), moved: plain,
	}
}

// underlined is a style that underlines, too. Lip Gloss does that character by
// character, which takes the clusters of emoji and of many scripts apart.
func underlined(style lipgloss.Style) lipgloss.Style {
	return style.Transform(func(text string) string { return "\x1b[4m" + text + "\x1b[24m" })
}

// paint is a palette's colour for Lip Gloss.
func paint(c themes.Color) color.Color {
	if c == "" {
		return lipgloss.NoColor{}
	}
	return lipgloss.Color(string(c))
}
