package themes

// planb returns planb's own two. They stand on the terminal's background, which
// is left as it is.
func planb() family {
	return family{name: defaultFamily, dark: DefaultDark, light: DefaultLight, themes: []Theme{
		{
			// Night at sea: cool grey text, sea green for what is chosen, warm
			// sand for headings. Nothing is fully saturated.
			Name:        DefaultDark,
			Dark:        true,
			Backgrounds: []Color{"#000000", "#1e1e2e"},
			Palette: Palette{
				Text:        "#d7dee8",
				Muted:       "#b8bbbf",
				Faint:       "#9b9fa7",
				Accent:      "#6fd3c1",
				AccentText:  "#0b1f1c",
				FocusBg:     "#263238",
				Border:      "#4a5568",
				BorderFocus: "#6fd3c1",
				Success:     "#8fd18a",
				Warning:     "#e8c170",
				Danger:      "#f28b82",
				Info:        "#86b7f5",
				Required:    "#f5a97f",
				Note:        "#d3b1f0",
				Heading:     "#f0d6a2",
				Link:        "#7cc4f8",
				CodeBg:      "#2c2e2e",
				AddedBg:     "#1e3d26",
				RemovedBg:   "#541c20",
				Code: Code{
					Keyword:  "#c9a9f5",
					String:   "#a8d49a",
					Number:   "#f0b38a",
					Comment:  "#9b9fa7",
					Function: "#7cc4f8",
					Type:     "#ecd08f",
					Added:    "#8fd18a",
					Removed:  "#f28b82",
				},
			},
		},
		{
			// Paper by daylight: slate ink, the same sea green gone deep, ochre
			// headings.
			Name:        DefaultLight,
			Backgrounds: []Color{"#ffffff", "#fafafa"},
			Palette: Palette{
				Text:        "#26282e",
				Muted:       "#4c5058",
				Faint:       "#62666e",
				Accent:      "#0a6f62",
				AccentText:  "#ffffff",
				FocusBg:     "#ebefee",
				Border:      "#bfbfbf",
				BorderFocus: "#0a6f62",
				Success:     "#266b28",
				Warning:     "#7d5200",
				Danger:      "#ab231b",
				Info:        "#1f5bb5",
				Required:    "#963c00",
				Note:        "#7a28a8",
				Heading:     "#7a4a00",
				Link:        "#1a59a8",
				CodeBg:      "#eef1f5",
				AddedBg:     "#d7f2d9",
				RemovedBg:   "#fde0dc",
				Code: Code{
					Keyword:  "#7a28a8",
					String:   "#2b662a",
					Number:   "#8a4b00",
					Comment:  "#62666e",
					Function: "#1a59a8",
					Type:     "#6f5200",
					Added:    "#266b28",
					Removed:  "#ab231b",
				},
			},
		},
	}}
}
