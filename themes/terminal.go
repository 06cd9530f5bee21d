package themes

// terminal returns the themes made of the terminal's own sixteen colours, for
// whoever has set these to their liking.
//
// What they look like is known to nobody but the person, so their contrast can't
// be measured. What can be promised comes from three rules:
//
//   - No background is painted. What would need one is underlined or reversed:
//     that way round, too, it has just the contrast of a colour that is read.
//   - Text, and what explains, is the terminal's own colour. The greys 0, 7, 8
//     and 15 are never used: in some palettes one of them is the background.
//   - Of the hues, dark uses those that are light in every usual palette: green,
//     yellow and cyan, and of red and magenta the bright ones, since the plain
//     ones are dark in the palettes of xterm, of Linux and of Windows. Light uses
//     red, blue and magenta, the only ones that are not pale there. The other
//     bright ones are greys in Solarized's terminal palette.
func terminal() family {
	const (
		red, green, yellow, blue, magenta, cyan = "1", "2", "3", "4", "5", "6"
		brightRed, brightMagenta                = "9", "13"
	)
	return family{name: terminalFamily, dark: "terminal-dark", light: "terminal-light", themes: []Theme{
		{Name: "terminal-dark", Dark: true, Palette: Palette{
			Accent:      cyan,
			BorderFocus: cyan,
			Success:     green,
			Warning:     yellow,
			Danger:      brightRed,
			Info:        cyan,
			Required:    yellow,
			Note:        brightMagenta,
			Heading:     yellow,
			Link:        cyan,
			Code: Code{
				Keyword:  brightMagenta,
				String:   green,
				Number:   yellow,
				Function: cyan,
				Type:     yellow,
				Added:    green,
				Removed:  brightRed,
			},
		}},
		{Name: "terminal-light", Palette: Palette{
			Accent:      blue,
			BorderFocus: blue,
			Success:     blue,
			Warning:     magenta,
			Danger:      red,
			Info:        blue,
			Required:    red,
			Note:        magenta,
			Heading:     magenta,
			Link:        blue,
			Code: Code{
				Keyword:  magenta,
				String:   blue,
				Number:   red,
				Function: blue,
				Type:     magenta,
				Added:    blue,
				Removed:  red,
			},
		}},
	}}
}
