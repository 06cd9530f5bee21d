package tuitest

import "planb/themes"

// Look is a size of the window and a theme. Golden screens are drawn in several looks.
type Look struct {
	Width, Height int
	Theme         themes.Theme
}

// Looks returns each size in the dark and the light theme, and without colours.
func Looks(sizes [][2]int) (looks []Look) {
	for _, size := range sizes {
		for _, theme := range []themes.Theme{themes.Default(true), themes.Default(false), themes.None()} {
			looks = append(looks, Look{size[0], size[1], theme})
		}
	}
	return looks
}
