package themes

// PrintedOn returns the palette of what a command prints into a terminal with a dark or a
// light background: the colours of planb's own theme for it. Text has the terminal's own
// colour, and nothing a background.
func PrintedOn(dark bool) Palette {
	name := DefaultLight
	if dark {
		name = DefaultDark
	}
	return mustFind(name).Theme.Printed()
}

// Printed returns the palette of what a command prints in the theme. Text has the terminal's
// own colour, and nothing a background, because a command paints no ground.
func (t Theme) Printed() Palette {
	p := t.Palette
	p.Text, p.AccentText, p.Background = "", "", ""
	p.FocusBg, p.Surface, p.CodeBg, p.AddedBg, p.RemovedBg = "", "", "", "", ""
	return p
}

// Printed returns the palette of what a command prints into a terminal whose background it
// does not know: the hues of planb's own themes, as light as they must be to have 3.8:1 both
// on white and on black. Text has the terminal's own colour.
func Printed() Palette {
	return Palette{
		Muted: "#7f8185", Faint: "#7f8185", Border: "#7f8185",
		Accent: "#00927e", BorderFocus: "#00927e",
		Success: "#3e923b", Warning: "#a87900", Danger: "#d65952", Info: "#4783cd", Required: "#c36933", Note: "#9a70ba",
		Heading: "#9b7d3c", Link: "#2088c6",
		Code: Code{
			Keyword: "#9a70ba", String: "#3e923b", Number: "#c36933", Comment: "#7f8185", Function: "#2088c6", Type: "#9b7d3c",
			Added: "#3e923b", Removed: "#d65952",
		},
	}
}

// PrintedSixteen is Printed for a terminal with sixteen colours. It leaves out the
// bright ones: in some terminals they are greys, or pale on white.
func PrintedSixteen() Palette {
	return Palette{
		Accent: "6", BorderFocus: "6", Success: "2", Warning: "3", Danger: "1", Info: "4", Required: "3", Note: "5", Heading: "3", Link: "4",
		Code: Code{Keyword: "5", String: "2", Number: "3", Function: "4", Type: "3", Added: "2", Removed: "1"},
	}
}
