package themes

// catppuccin returns the four flavours of Catppuccin (catppuccin.com/palette).
func catppuccin() family {
	return family{name: "catppuccin", dark: "catppuccin-mocha", light: "catppuccin-latte", themes: []Theme{
		catppuccinMocha(), catppuccinMacchiato(), catppuccinFrappe(), catppuccinLatte(),
	}}
}

// catppuccinMocha is the darkest flavour.
func catppuccinMocha() Theme {
	const (
		base     = "#1e1e2e"
		crust    = "#11111b"
		surface0 = "#313244"
		surface2 = "#585b70"
		overlay2 = "#9399b2"
		subtext1 = "#bac2de"
		text     = "#cdd6f4"
		lavender = "#b4befe"
		blue     = "#89b4fa"
		green    = "#a6e3a1"
		yellow   = "#f9e2af"
		peach    = "#fab387"
		red      = "#f38ba8"
		mauve    = "#cba6f7"
		pink     = "#f5c2e7"
	)
	return Theme{Name: "catppuccin-mocha", Dark: true, Backgrounds: []Color{base}, Palette: Palette{
		Background:  base,
		Text:        text,
		Muted:       subtext1,
		Faint:       "#959bb4", // overlay2, lightened
		Accent:      mauve,
		AccentText:  crust,
		FocusBg:     surface0,
		Border:      surface2,
		BorderFocus: lavender,
		Success:     green,
		Warning:     yellow,
		Danger:      red,
		Info:        blue,
		Required:    peach,
		Note:        pink,
		Heading:     lavender,
		Link:        blue,
		CodeBg:      surface0,
		AddedBg:     "#41514c",
		RemovedBg:   "#4d3649",
		Code: Code{
			Keyword:  mauve,
			String:   green,
			Number:   peach,
			Comment:  "#959bb4", // overlay2, lightened
			Function: blue,
			Type:     yellow,
			Added:    green,
			Removed:  red,
		},
	}}
}

// catppuccinMacchiato is the second darkest.
func catppuccinMacchiato() Theme {
	const (
		base     = "#24273a"
		crust    = "#181926"
		surface0 = "#363a4f"
		surface2 = "#5b6078"
		overlay2 = "#939ab7"
		subtext1 = "#b8c0e0"
		text     = "#cad3f5"
		lavender = "#b7bdf8"
		blue     = "#8aadf4"
		green    = "#a6da95"
		yellow   = "#eed49f"
		peach    = "#f5a97f"
		red      = "#ed8796"
		mauve    = "#c6a0f6"
		pink     = "#f5bde6"
	)
	return Theme{Name: "catppuccin-macchiato", Dark: true, Backgrounds: []Color{base}, Palette: Palette{
		Background:  base,
		Text:        text,
		Muted:       subtext1,
		Faint:       "#9ea5c2", // overlay2, lightened
		Accent:      mauve,
		AccentText:  crust,
		FocusBg:     surface0,
		Border:      surface2,
		BorderFocus: lavender,
		Success:     green,
		Warning:     yellow,
		Danger:      red,
		Info:        blue,
		Required:    peach,
		Note:        pink,
		Heading:     lavender,
		Link:        blue,
		CodeBg:      surface0,
		AddedBg:     "#465652",
		RemovedBg:   "#493445",
		Code: Code{
			Keyword:  mauve,
			String:   green,
			Number:   peach,
			Comment:  "#9ea5c2", // overlay2, lightened
			Function: blue,
			Type:     yellow,
			Added:    green,
			Removed:  red,
		},
	}}
}

// catppuccinFrappe is the lightest of the dark ones.
func catppuccinFrappe() Theme {
	const (
		base     = "#303446"
		crust    = "#232634"
		surface0 = "#414559"
		surface2 = "#626880"
		overlay2 = "#949cbb"
		subtext1 = "#b5bfe2"
		text     = "#c6d0f5"
		lavender = "#babbf1"
		blue     = "#8caaee"
		green    = "#a6d189"
		yellow   = "#e5c890"
		peach    = "#ef9f76"
		red      = "#e78284"
		mauve    = "#ca9ee6"
		pink     = "#f4b8e4"
	)
	return Theme{Name: "catppuccin-frappe", Dark: true, Backgrounds: []Color{base}, Palette: Palette{
		Background:  base,
		Text:        text,
		Muted:       subtext1,
		Faint:       "#abb3d3", // overlay2, lightened
		Accent:      "#cfa3eb", // mauve, lightened
		AccentText:  crust,
		FocusBg:     surface0,
		Border:      surface2,
		BorderFocus: lavender,
		Success:     green,
		Warning:     yellow,
		Danger:      "#fe999a", // red, lightened
		Info:        "#95b4f8", // blue, lightened
		Required:    "#f1a178", // peach, lightened
		Note:        pink,
		Heading:     lavender,
		Link:        "#95b4f8", // blue, lightened
		CodeBg:      surface0,
		AddedBg:     "#475451",
		RemovedBg:   "#56414f",
		Code: Code{
			Keyword:  "#cfa3eb", // mauve, lightened
			String:   green,
			Number:   "#f1a178", // peach, lightened
			Comment:  "#abb3d3", // overlay2, lightened
			Function: "#95b4f8", // blue, lightened
			Type:     yellow,
			Added:    green,
			Removed:  "#fe999a", // red, lightened
		},
	}}
}

// catppuccinLatte is the light one.
func catppuccinLatte() Theme {
	const (
		base     = "#eff1f5"
		crust    = "#dce0e8"
		surface2 = "#acb0be"
		overlay2 = "#7c7f93"
		subtext1 = "#5c5f77"
		text     = "#4c4f69"
		lavender = "#7287fd"
		blue     = "#1e66f5"
		green    = "#40a02b"
		yellow   = "#df8e1d"
		peach    = "#fe640b"
		red      = "#d20f39"
		mauve    = "#8839ef"
		pink     = "#ea76cb"
	)
	return Theme{Name: "catppuccin-latte", Backgrounds: []Color{base}, Palette: Palette{
		Background:  base,
		Text:        "#4b4e68", // text, darkened
		Muted:       "#565971", // subtext1, darkened
		Faint:       "#5f6275", // overlay2, darkened
		Accent:      "#812ee6", // mauve, darkened
		AccentText:  base,
		FocusBg:     crust,
		Border:      surface2,
		BorderFocus: "#6174e8", // lavender, darkened
		Success:     "#1e7303", // green, darkened
		Warning:     "#8d5600", // yellow, darkened
		Danger:      "#c70033", // red, darkened
		Info:        "#0b55e3", // blue, darkened
		Required:    "#ad4000", // peach, darkened
		Note:        "#a4358a", // pink, darkened
		Heading:     "#4856c8", // lavender, darkened
		Link:        "#0b55e3", // blue, darkened
		CodeBg:      crust,
		AddedBg:     "#d2e5d2",
		RemovedBg:   "#f5d8e3",
		Code: Code{
			Keyword:  "#812ee6", // mauve, darkened
			String:   "#1e7303", // green, darkened
			Number:   "#ad4000", // peach, darkened
			Comment:  "#5f6275", // overlay2, darkened
			Function: "#0b55e3", // blue, darkened
			Type:     "#8d5600", // yellow, darkened
			Added:    "#1e7303", // green, darkened
			Removed:  "#c40533", // red, darkened
		},
	}}
}
