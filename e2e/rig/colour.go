package rig

import (
	"fmt"
	"image/color"

	"planb/themes"
)

// RGB converts a colour of a palette. It panics on any other notation than
// #rrggbb.
func RGB(c themes.Color) color.RGBA {
	var r, g, b uint8
	if _, err := fmt.Sscanf(string(c), "#%02x%02x%02x", &r, &g, &b); err != nil {
		panic(fmt.Sprintf("the colour %q is not #rrggbb: %v", c, err))
	}
	return color.RGBA{r, g, b, 255}
}

// HexColor writes a colour as #rrggbb.
func HexColor(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
