package tui

import (
	"strings"

	"planb/themes"
	"planb/tui/cells"
	"planb/tui/screen"
)

// ground fills the whole window with a palette's background. Text that sets no colour of
// its own gets the palette's, because the terminal's may not be readable there. The
// background is painted cell by cell. To set the terminal's own background would not do:
// it would stay when planb is killed, and not every terminal and multiplexer allows it.
type ground struct {
	palette themes.Palette
	under   cells.Ground
	// solid paints blanks that cannot be left to erasing: GNU screen erases with
	// the terminal's background, unless it was told otherwise.
	solid bool

	// The last painting, because the window asks for it again at every message.
	content, painted string
	width, height    int
}

func newGround(p themes.Palette, solid bool) ground {
	g := ground{palette: p, solid: solid}
	if p.Painted() {
		g.under = screen.Ground(p, p.Background)
	}
	return g
}

// someMore is how many blanks a line gets beyond the width. Terminals disagree about the cells
// of some clusters, and cut blanks that do not fit.
const someMore = 4

// paint puts the ground under content, which may hold no sequences but SGR.
func (g *ground) paint(content string, width, height int) string {
	if !g.palette.Painted() && !g.solid {
		return content
	}
	if content == g.content && width == g.width && height == g.height {
		return g.painted
	}
	g.content, g.width, g.height = content, width, height
	g.painted = g.fill(content, width, height)
	return g.painted
}

// fill puts the ground under the content, as far as the palette has one.
func (g *ground) fill(content string, width, height int) string {
	lines := strings.Split(content, "\n")
	if !g.palette.Painted() {
		for i, line := range lines {
			if strings.Contains(line, "48;") { // a row on a ground of its own
				lines[i] = solidBlanks(line)
			}
		}
		return strings.Join(lines, "\n")
	}
	lines = append(lines, make([]string, max(height-len(lines), 0))...)
	for i, line := range lines {
		lines[i] = g.under.Paint(line, width+someMore)
	}
	filled := strings.Join(lines, "\n")
	if g.solid {
		return solidBlanks(filled)
	}
	return filled
}

func solidBlanks(text string) string { return strings.ReplaceAll(text, " ", "\u00a0") }
