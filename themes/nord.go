package themes

// nord returns Nord in its dark and its bright ambiance (nordtheme.com).
func nord() family {
	return family{name: "nord", dark: "nord-dark", light: "nord-light", themes: []Theme{
		nordDark(), nordLight(),
	}}
}

// nordDark stands on Polar Night.
func nordDark() Theme {
	const (
		nord0  = "#2e3440"
		nord1  = "#3b4252"
		nord3  = "#4c566a"
		nord4  = "#d8dee9"
		nord6  = "#eceff4"
		nord7  = "#8fbcbb"
		nord8  = "#88c0d0"
		nord9  = "#81a1c1"
		nord11 = "#bf616a"
		nord12 = "#d08770"
		nord13 = "#ebcb8b"
		nord14 = "#a3be8c"
		nord15 = "#b48ead"
	)
	return Theme{Name: "nord-dark", Dark: true, Backgrounds: []Color{nord0}, Palette: Palette{
		Background:  nord0,
		Text:        nord6,
		Muted:       nord4,
		Faint:       "#a3afc6", // nord3, lightened
		Accent:      nord8,
		AccentText:  nord0,
		FocusBg:     nord1,
		Border:      nord3,
		BorderFocus: nord8,
		Success:     nord14,
		Warning:     nord13,
		Danger:      "#f6929a", // nord11, lightened
		Info:        "#92b2d3", // nord9, lightened
		Required:    "#e89d85", // nord12, lightened
		Note:        "#caa4c3", // nord15, lightened
		Heading:     nord13,
		Link:        "#92b2d3", // nord9, lightened
		CodeBg:      nord1,
		AddedBg:     "#3e474b",
		RemovedBg:   "#513c47",
		Code: Code{
			Keyword:  "#92b2d3", // nord9, lightened
			String:   nord14,
			Number:   "#caa4c3", // nord15, lightened
			Comment:  "#a3afc6", // nord3, lightened
			Function: nord8,
			Type:     nord7,
			Added:    nord14,
			Removed:  "#f6929a", // nord11, lightened
		},
	}}
}

// nordLight stands on Snow Storm.
func nordLight() Theme {
	const (
		nord0  = "#2e3440"
		nord2  = "#434c5e"
		nord3  = "#4c566a"
		nord5  = "#e5e9f0"
		nord6  = "#eceff4"
		nord7  = "#8fbcbb"
		nord8  = "#88c0d0"
		nord9  = "#81a1c1"
		nord10 = "#5e81ac"
		nord11 = "#bf616a"
		nord12 = "#d08770"
		nord13 = "#ebcb8b"
		nord14 = "#a3be8c"
		nord15 = "#b48ead"
	)
	return Theme{Name: "nord-light", Backgrounds: []Color{nord6}, Palette: Palette{
		Background:  nord6,
		Text:        nord0,
		Muted:       nord2,
		Faint:       nord3,
		Accent:      "#476993", // nord10, darkened
		AccentText:  nord6,
		FocusBg:     nord5,
		Border:      nord9,
		BorderFocus: nord10,
		Success:     "#587042", // nord14, darkened
		Warning:     "#816423", // nord13, darkened
		Danger:      "#a64b55", // nord11, darkened
		Info:        "#476993", // nord10, darkened
		Required:    "#9a5641", // nord12, darkened
		Note:        "#7f5c79", // nord15, darkened
		Heading:     "#9a5641", // nord12, darkened
		Link:        "#476993", // nord10, darkened
		CodeBg:      nord5,
		AddedBg:     "#dee4e0",
		RemovedBg:   "#ecdee4",
		Code: Code{
			Keyword:  "#476993", // nord10, darkened
			String:   "#587042", // nord14, darkened
			Number:   "#7f5c79", // nord15, darkened
			Comment:  nord3,
			Function: "#3a707f", // nord8, darkened
			Type:     "#45706f", // nord7, darkened
			Added:    "#546c3d", // nord14, darkened
			Removed:  "#a14651", // nord11, darkened
		},
	}}
}
