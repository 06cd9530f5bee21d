package themes

// solarized returns Solarized (ethanschoonover.com/solarized).
func solarized() family {
	return family{name: "solarized", dark: "solarized-dark", light: "solarized-light", themes: []Theme{
		solarizedDark(), solarizedLight(),
	}}
}

// solarizedDark has its text in the tone Solarized has for emphasis: the one for bodies is too faint.
func solarizedDark() Theme {
	const (
		base03  = "#002b36"
		base02  = "#073642"
		base01  = "#586e75"
		base0   = "#839496"
		base1   = "#93a1a1"
		base2   = "#eee8d5"
		yellow  = "#b58900"
		orange  = "#cb4b16"
		red     = "#dc322f"
		magenta = "#d33682"
		violet  = "#6c71c4"
		blue    = "#268bd2"
		cyan    = "#2aa198"
		green   = "#859900"
	)
	return Theme{Name: "solarized-dark", Dark: true, Backgrounds: []Color{base03}, Palette: Palette{
		Background:  base03,
		Text:        base2,
		Muted:       "#98a6a6", // base1, lightened
		Faint:       "#8a9c9e", // base0, lightened
		Accent:      "#35a9a0", // cyan, lightened
		AccentText:  base03,
		FocusBg:     base02,
		Border:      base01,
		BorderFocus: cyan,
		Success:     "#8ea219", // green, lightened
		Warning:     "#bf921a", // yellow, lightened
		Danger:      "#ff695d", // red, lightened
		Info:        "#3f9fe8", // blue, lightened
		Required:    "#f57243", // orange, lightened
		Note:        "#8c93e9", // violet, lightened
		Heading:     "#bf921a", // yellow, lightened
		Link:        "#3f9fe8", // blue, lightened
		CodeBg:      base02,
		AddedBg:     "#113820",
		RemovedBg:   "#24343b",
		Code: Code{
			Keyword:  "#8ea219", // green, lightened
			String:   "#35a9a0", // cyan, lightened
			Number:   "#fe60a6", // magenta, lightened
			Comment:  "#879ea5", // base01, lightened
			Function: "#3f9fe8", // blue, lightened
			Type:     "#bf921a", // yellow, lightened
			Added:    "#8ea219", // green, lightened
			Removed:  "#ff695d", // red, lightened
		},
	}}
}

// solarizedLight has its text in the tone Solarized has for emphasis, too.
func solarizedLight() Theme {
	const (
		base02  = "#073642"
		base01  = "#586e75"
		base00  = "#657b83"
		base1   = "#93a1a1"
		base2   = "#eee8d5"
		base3   = "#fdf6e3"
		yellow  = "#b58900"
		orange  = "#cb4b16"
		red     = "#dc322f"
		magenta = "#d33682"
		violet  = "#6c71c4"
		blue    = "#268bd2"
		cyan    = "#2aa198"
		green   = "#859900"
	)
	return Theme{Name: "solarized-light", Backgrounds: []Color{base3}, Palette: Palette{
		Background:  base3,
		Text:        base02,
		Muted:       "#4d6269", // base01, darkened
		Faint:       "#556b73", // base00, darkened
		Accent:      "#01746d", // cyan, darkened
		AccentText:  base3,
		FocusBg:     base2,
		Border:      base1,
		BorderFocus: "#0f938a", // cyan, darkened
		Success:     "#606e04", // green, darkened
		Warning:     "#846306", // yellow, darkened
		Danger:      "#cc1d20", // red, darkened
		Info:        "#036cab", // blue, darkened
		Required:    "#ba3e00", // orange, darkened
		Note:        "#5b5fb0", // violet, darkened
		Heading:     "#846306", // yellow, darkened
		Link:        "#036cab", // blue, darkened
		CodeBg:      base2,
		AddedBg:     "#eae8c3",
		RemovedBg:   "#fbd9c9",
		Code: Code{
			Keyword:  "#606e04", // green, darkened
			String:   "#01746d", // cyan, darkened
			Number:   "#c12173", // magenta, darkened
			Comment:  "#5e6b6b", // base1, darkened
			Function: "#036cab", // blue, darkened
			Type:     "#846306", // yellow, darkened
			Added:    "#5e6d01", // green, darkened
			Removed:  "#c6131a", // red, darkened
		},
	}}
}
