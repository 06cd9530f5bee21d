package themes

// tokyoNight returns Tokyo Night (github.com/folke/tokyonight.nvim).
func tokyoNight() family {
	return family{name: "tokyo-night", dark: "tokyo-night-night", light: "tokyo-night-day", themes: []Theme{
		tokyoNightNight(), tokyoNightStorm(), tokyoNightDay(),
	}}
}

// tokyoNightNight is the darkest.
func tokyoNightNight() Theme {
	const (
		bg        = "#1a1b26"
		highlight = "#292e42"
		black     = "#414868"
		fg        = "#c0caf5"
		fgDark    = "#a9b1d6"
		comment   = "#565f89"
		blue      = "#7aa2f7"
		blue1     = "#2ac3de"
		cyan      = "#7dcfff"
		green     = "#9ece6a"
		green1    = "#73daca"
		magenta   = "#bb9af7"
		orange    = "#ff9e64"
		purple    = "#9d7cd8"
		red       = "#f7768e"
		yellow    = "#e0af68"
	)
	return Theme{Name: "tokyo-night-night", Dark: true, Backgrounds: []Color{bg}, Palette: Palette{
		Background:  bg,
		Text:        fg,
		Muted:       fgDark,
		Faint:       "#8a94c2", // comment, lightened
		Accent:      blue,
		AccentText:  bg,
		FocusBg:     highlight,
		Border:      black,
		BorderFocus: blue,
		Success:     green,
		Warning:     yellow,
		Danger:      red,
		Info:        blue1,
		Required:    orange,
		Note:        green1,
		Heading:     magenta,
		Link:        cyan,
		CodeBg:      highlight,
		AddedBg:     "#3c4a38",
		RemovedBg:   "#492c3a",
		Code: Code{
			Keyword:  "#a685e2", // purple, lightened
			String:   green,
			Number:   orange,
			Comment:  "#8a94c2", // comment, lightened
			Function: blue,
			Type:     blue1,
			Added:    green,
			Removed:  red,
		},
	}}
}

// tokyoNightStorm is the same on a lighter background.
func tokyoNightStorm() Theme {
	const (
		bg        = "#24283b"
		highlight = "#292e42"
		black     = "#414868"
		fg        = "#c0caf5"
		fgDark    = "#a9b1d6"
		comment   = "#565f89"
		blue      = "#7aa2f7"
		blue1     = "#2ac3de"
		cyan      = "#7dcfff"
		green     = "#9ece6a"
		green1    = "#73daca"
		magenta   = "#bb9af7"
		orange    = "#ff9e64"
		purple    = "#9d7cd8"
		red       = "#f7768e"
		yellow    = "#e0af68"
	)
	return Theme{Name: "tokyo-night-storm", Dark: true, Backgrounds: []Color{bg}, Palette: Palette{
		Background:  bg,
		Text:        fg,
		Muted:       fgDark,
		Faint:       "#8a94c2", // comment, lightened
		Accent:      blue,
		AccentText:  bg,
		FocusBg:     highlight,
		Border:      black,
		BorderFocus: blue,
		Success:     green,
		Warning:     yellow,
		Danger:      red,
		Info:        blue1,
		Required:    orange,
		Note:        green1,
		Heading:     magenta,
		Link:        cyan,
		CodeBg:      highlight,
		AddedBg:     "#415046",
		RemovedBg:   "#4a2c41",
		Code: Code{
			Keyword:  "#a685e2", // purple, lightened
			String:   green,
			Number:   orange,
			Comment:  "#8a94c2", // comment, lightened
			Function: blue,
			Type:     blue1,
			Added:    green,
			Removed:  red,
		},
	}}
}

// tokyoNightDay is the light one.
func tokyoNightDay() Theme {
	const (
		bg      = "#e1e2e7"
		bgDark  = "#d0d5e3"
		black   = "#a1a6c5"
		fg      = "#3760bf"
		fgDark  = "#6172b0"
		comment = "#848cb5"
		blue    = "#2e7de9"
		blue1   = "#188092"
		cyan    = "#007197"
		green   = "#587539"
		green1  = "#387068"
		magenta = "#9854f1"
		orange  = "#b15c00"
		purple  = "#7847bd"
		red     = "#f52a65"
		yellow  = "#8c6c3e"
	)
	return Theme{Name: "tokyo-night-day", Backgrounds: []Color{bg}, Palette: Palette{
		Background:  bg,
		Text:        "#1d419e", // fg, darkened
		Muted:       "#42508c", // fgDark, darkened
		Faint:       "#535a80", // comment, darkened
		Accent:      "#0158bc", // blue, darkened
		AccentText:  bg,
		FocusBg:     bgDark,
		Border:      black,
		BorderFocus: "#2575e0", // blue, darkened
		Success:     "#476428", // green, darkened
		Warning:     "#765728", // yellow, darkened
		Danger:      "#b60945", // red, darkened
		Info:        "#006675", // blue1, darkened
		Required:    "#904a00", // orange, darkened
		Note:        "#2c645d", // green1, darkened
		Heading:     "#7b30ce", // magenta, darkened
		Link:        "#046385", // cyan, darkened
		CodeBg:      bgDark,
		AddedBg:     "#cfd6ce",
		RemovedBg:   "#e7cbda",
		Code: Code{
			Keyword:  "#7241b6", // purple, darkened
			String:   "#476428", // green, darkened
			Number:   "#904a00", // orange, darkened
			Comment:  "#535a80", // comment, darkened
			Function: "#0158bc", // blue, darkened
			Type:     "#006675", // blue1, darkened
			Added:    "#476428", // green, darkened
			Removed:  "#b50444", // red, darkened
		},
	}}
}
