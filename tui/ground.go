package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
)

// ground fills the whole window with a palette's background, under everything
// that is drawn: whatever sets no colour of its own gets the palette's text on
// its background, since the terminal's text may not be readable there. It is
// painted cell by cell. Setting the terminal's background instead would stay
// behind when planb is killed, and not every terminal and multiplexer lets it be
// set.
type ground struct {
	palette themes.Palette
	sgr     string // sets text and background

	// What was painted last, which is asked for again at every message.
	content, painted string
	width, height    int
}

func newGround(p themes.Palette) ground {
	g := ground{palette: p}
	if p.Painted() {
		g.sgr = ansi.Style{}.ForegroundColor(paint(p.Text)).BackgroundColor(paint(p.Background)).String()
	}
	return g
}

// someMore is how many blanks a line gets beyond the width: terminals do not
// agree on how many cells some clusters take, and what is too much is cut.
const someMore = 4

// paint lays the ground under content, which holds no sequences but SGR.
func (g *ground) paint(content string, width, height int) string {
	if g.sgr == "" {
		return content
	}
	if content == g.content && width == g.width && height == g.height {
		return g.painted
	}
	g.content, g.width, g.height = content, width, height
	var out strings.Builder
	lines := strings.Split(content, "\n")
	for i := range max(height, len(lines)) {
		line := ""
		if i < len(lines) {
			line = lines[i]
		}
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(g.sgr)
		g.line(&out, line)
		out.WriteString(strings.Repeat(" ", max(width-ansi.StringWidth(line), 0)+someMore))
		out.WriteString(ansi.ResetStyle)
	}
	g.painted = out.String()
	return g.painted
}

// line writes a line in which the ground comes back wherever colours are taken
// away. Lip Gloss, Glamour and our own drawing do that with a sequence of its own.
func (g *ground) line(out *strings.Builder, line string) {
	for {
		start := strings.Index(line, "\x1b[")
		if start < 0 {
			break
		}
		length := strings.IndexByte(line[start:], 'm')
		if length < 0 {
			break
		}
		end := start + length + 1
		out.WriteString(line[:end])
		switch line[start+2 : end-1] {
		case "", "0", "39", "49":
			out.WriteString(g.sgr)
		}
		line = line[end:]
	}
	out.WriteString(line)
}
