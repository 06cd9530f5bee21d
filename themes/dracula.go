package themes

// dracula returns Dracula and its light twin Alucard (draculatheme.com/spec).
func dracula() family {
	return family{name: "dracula", dark: "dracula-dark", light: "dracula-light", themes: []Theme{
		draculaDark(), draculaLight(),
	}}
}

// draculaDark is Dracula.
func draculaDark() Theme {
	const (
		background = "#282a36"
		lighter    = "#343746"
		foreground = "#f8f8f2"
		comment    = "#6272a4"
		cyan       = "#8be9fd"
		green      = "#50fa7b"
		orange     = "#ffb86c"
		pink       = "#ff79c6"
		purple     = "#bd93f9"
		red        = "#ff5555"
		yellow     = "#f1fa8c"
	)
	return Theme{Name: "dracula-dark", Dark: true, Backgrounds: []Color{background}, Palette: Palette{
		Background:  background,
		Text:        foreground,
		Muted:       "#c5c8d9", // between foreground and comment
		Faint:       "#8e9fd4", // comment, lightened
		Accent:      pink,
		AccentText:  background,
		FocusBg:     lighter,
		Border:      comment,
		BorderFocus: pink,
		Success:     green,
		Warning:     orange,
		Danger:      "#fe7772", // red, lightened
		Info:        cyan,
		Required:    orange,
		Note:        yellow,
		Heading:     purple,
		Link:        cyan,
		CodeBg:      lighter,
		AddedBg:     "#326048",
		RemovedBg:   "#4e2f36",
		Code: Code{
			Keyword:  pink,
			String:   yellow,
			Number:   purple,
			Comment:  "#8e9fd4", // comment, lightened
			Function: green,
			Type:     cyan,
			Added:    green,
			Removed:  "#fd7b75", // red, lightened
		},
	}}
}

// draculaLight is Alucard.
func draculaLight() Theme {
	const (
		background = "#fffbeb"
		lighter    = "#ece9df"
		selection  = "#cfcfde"
		foreground = "#1f1f1f"
		comment    = "#6c664b"
		cyan       = "#036a96"
		green      = "#14710a"
		orange     = "#a34d14"
		pink       = "#a3144d"
		purple     = "#644ac9"
		red        = "#cb3a2a"
		yellow     = "#846e15"
	)
	return Theme{Name: "dracula-light", Backgrounds: []Color{background}, Palette: Palette{
		Background:  background,
		Text:        foreground,
		Muted:       "#46443b", // between foreground and comment
		Faint:       comment,
		Accent:      pink,
		AccentText:  background,
		FocusBg:     lighter,
		Border:      selection,
		BorderFocus: pink,
		Success:     green,
		Warning:     orange,
		Danger:      "#c23122", // red, darkened
		Info:        cyan,
		Required:    orange,
		Note:        "#7d6706", // yellow, darkened
		Heading:     purple,
		Link:        cyan,
		CodeBg:      lighter,
		AddedBg:     "#d1e4c0",
		RemovedBg:   "#ffdfcf",
		Code: Code{
			Keyword:  pink,
			String:   "#7d6706", // yellow, darkened
			Number:   purple,
			Comment:  comment,
			Function: green,
			Type:     cyan,
			Added:    green,
			Removed:  "#c02f20", // red, darkened
		},
	}}
}
