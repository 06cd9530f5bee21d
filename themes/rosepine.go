package themes

// rosePine returns the three variants of Rosé Pine (rosepinetheme.com/palette).
func rosePine() family {
	return family{name: "rose-pine", dark: "rose-pine-main", light: "rose-pine-dawn", themes: []Theme{
		rosePineMain(), rosePineMoon(), rosePineDawn(),
	}}
}

// rosePineMain is the original.
func rosePineMain() Theme {
	const (
		base      = "#191724"
		overlay   = "#26233a"
		highlight = "#524f67"
		muted     = "#6e6a86"
		subtle    = "#908caa"
		text      = "#e0def4"
		love      = "#eb6f92"
		gold      = "#f6c177"
		rose      = "#ebbcba"
		pine      = "#31748f"
		foam      = "#9ccfd8"
		iris      = "#c4a7e7"
	)
	return Theme{Name: "rose-pine-main", Dark: true, Backgrounds: []Color{base}, Palette: Palette{
		Background:  base,
		Text:        text,
		Muted:       "#9692b0", // subtle, lightened
		Faint:       "#8d89a6", // muted, lightened
		Accent:      iris,
		AccentText:  base,
		FocusBg:     overlay,
		Border:      highlight,
		BorderFocus: iris,
		Success:     foam,
		Warning:     gold,
		Danger:      love,
		Info:        "#5395b1", // pine, lightened
		Required:    gold,
		Note:        rose,
		Heading:     rose,
		Link:        foam,
		CodeBg:      overlay,
		AddedBg:     "#3b4753",
		RemovedBg:   "#452437",
		Code: Code{
			Keyword:  "#5395b1", // pine, lightened
			String:   gold,
			Number:   iris,
			Comment:  "#8d89a6", // muted, lightened
			Function: rose,
			Type:     foam,
			Added:    foam,
			Removed:  love,
		},
	}}
}

// rosePineMoon is the softer dark one.
func rosePineMoon() Theme {
	const (
		base      = "#232136"
		overlay   = "#393552"
		highlight = "#56526e"
		muted     = "#6e6a86"
		subtle    = "#908caa"
		text      = "#e0def4"
		love      = "#eb6f92"
		gold      = "#f6c177"
		rose      = "#ea9a97"
		pine      = "#3e8fb0"
		foam      = "#9ccfd8"
		iris      = "#c4a7e7"
	)
	return Theme{Name: "rose-pine-moon", Dark: true, Backgrounds: []Color{base}, Palette: Palette{
		Background:  base,
		Text:        text,
		Muted:       "#aeaaca", // subtle, lightened
		Faint:       "#a4a0be", // muted, lightened
		Accent:      iris,
		AccentText:  base,
		FocusBg:     overlay,
		Border:      highlight,
		BorderFocus: iris,
		Success:     foam,
		Warning:     gold,
		Danger:      "#f77a9d", // love, lightened
		Info:        "#5dadcf", // pine, lightened
		Required:    gold,
		Note:        rose,
		Heading:     rose,
		Link:        foam,
		CodeBg:      overlay,
		AddedBg:     "#424e60",
		RemovedBg:   "#4f2e46",
		Code: Code{
			Keyword:  "#5dadcf", // pine, lightened
			String:   gold,
			Number:   iris,
			Comment:  "#a4a0be", // muted, lightened
			Function: rose,
			Type:     foam,
			Added:    foam,
			Removed:  "#f77a9d", // love, lightened
		},
	}}
}

// rosePineDawn is the light one.
func rosePineDawn() Theme {
	const (
		base      = "#faf4ed"
		overlay   = "#f2e9e1"
		highlight = "#cecacd"
		muted     = "#9893a5"
		subtle    = "#797593"
		text      = "#575279"
		love      = "#b4637a"
		gold      = "#ea9d34"
		rose      = "#d7827e"
		pine      = "#286983"
		foam      = "#56949f"
		iris      = "#907aa9"
	)
	return Theme{Name: "rose-pine-dawn", Backgrounds: []Color{base}, Palette: Palette{
		Background:  base,
		Text:        text,
		Muted:       "#625e7b", // subtle, darkened
		Faint:       "#6c6778", // muted, darkened
		Accent:      "#75608d", // iris, darkened
		AccentText:  base,
		FocusBg:     overlay,
		Border:      highlight,
		BorderFocus: iris,
		Success:     "#33727c", // foam, darkened
		Warning:     "#945d01", // gold, darkened
		Danger:      "#a05169", // love, darkened
		Info:        pine,
		Required:    "#945d01", // gold, darkened
		Note:        "#a25250", // rose, darkened
		Heading:     "#a25250", // rose, darkened
		Link:        "#33727c", // foam, darkened
		CodeBg:      overlay,
		AddedBg:     "#e3e9e5",
		RemovedBg:   "#f6e3e2",
		Code: Code{
			Keyword:  pine,
			String:   "#945d01", // gold, darkened
			Number:   "#75608d", // iris, darkened
			Comment:  "#6c6778", // muted, darkened
			Function: "#a25250", // rose, darkened
			Type:     "#33727c", // foam, darkened
			Added:    "#31707b", // foam, darkened
			Removed:  "#9d4f66", // love, darkened
		},
	}}
}
