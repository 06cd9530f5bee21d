package themes

// gruvbox returns Gruvbox in its medium contrast (github.com/morhetz/gruvbox).
func gruvbox() family {
	return family{name: "gruvbox", dark: "gruvbox-dark", light: "gruvbox-light", themes: []Theme{
		gruvboxDark(), gruvboxLight(),
	}}
}

// gruvboxDark uses the bright colours, as Gruvbox does on dark.
func gruvboxDark() Theme {
	const (
		bg     = "#282828"
		bg1    = "#3c3836"
		bg3    = "#665c54"
		fg     = "#ebdbb2"
		fg3    = "#bdae93"
		fg4    = "#a89984"
		red    = "#fb4934"
		green  = "#b8bb26"
		yellow = "#fabd2f"
		blue   = "#83a598"
		purple = "#d3869b"
		aqua   = "#8ec07c"
		orange = "#fe8019"
	)
	return Theme{Name: "gruvbox-dark", Dark: true, Backgrounds: []Color{bg}, Palette: Palette{
		Background:  bg,
		Text:        fg,
		Muted:       fg3,
		Faint:       "#b0a18c", // fg4, lightened
		Accent:      aqua,
		AccentText:  bg,
		FocusBg:     bg1,
		Border:      bg3,
		BorderFocus: aqua,
		Success:     green,
		Warning:     yellow,
		Danger:      "#fe7a66", // red, lightened
		Info:        "#88aa9d", // blue, lightened
		Required:    orange,
		Note:        "#da8ca1", // purple, lightened
		Heading:     yellow,
		Link:        "#88aa9d", // blue, lightened
		CodeBg:      bg1,
		AddedBg:     "#484828",
		RemovedBg:   "#4f2d29",
		Code: Code{
			Keyword:  "#fe7a66", // red, lightened
			String:   green,
			Number:   "#da8ca1", // purple, lightened
			Comment:  "#b0a18c", // fg4, lightened
			Function: aqua,
			Type:     yellow,
			Added:    green,
			Removed:  "#fe7a66", // red, lightened
		},
	}}
}

// gruvboxLight uses the faded colours, as Gruvbox does on light.
func gruvboxLight() Theme {
	const (
		bg     = "#fbf1c7"
		bg1    = "#ebdbb2"
		bg3    = "#bdae93"
		fg     = "#3c3836"
		fg3    = "#665c54"
		fg4    = "#7c6f64"
		red    = "#9d0006"
		green  = "#79740e"
		yellow = "#b57614"
		blue   = "#076678"
		purple = "#8f3f71"
		aqua   = "#427b58"
		orange = "#af3a03"
	)
	return Theme{Name: "gruvbox-light", Backgrounds: []Color{bg}, Palette: Palette{
		Background:  bg,
		Text:        fg,
		Muted:       "#60564f", // fg3, darkened
		Faint:       "#6b5e53", // fg4, darkened
		Accent:      "#336c4a", // aqua, darkened
		AccentText:  "#fff6d0", // bg, lightened
		FocusBg:     bg1,
		Border:      bg3,
		BorderFocus: aqua,
		Success:     "#676201", // green, darkened
		Warning:     "#885600", // yellow, darkened
		Danger:      red,
		Info:        blue,
		Required:    "#ad3800", // orange, darkened
		Note:        purple,
		Heading:     "#885600", // yellow, darkened
		Link:        blue,
		CodeBg:      bg1,
		AddedBg:     "#e4dca4",
		RemovedBg:   "#e3b295",
		Code: Code{
			Keyword:  red,
			String:   "#676201", // green, darkened
			Number:   purple,
			Comment:  "#6b5e53", // fg4, darkened
			Function: "#336c4a", // aqua, darkened
			Type:     "#885600", // yellow, darkened
			Added:    "#676201", // green, darkened
			Removed:  red,
		},
	}}
}
