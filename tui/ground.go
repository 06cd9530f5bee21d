package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/screen"
)

// ground fills the whole window with a palette's background. Text that sets no colour of
// its own gets the palette's, because the terminal's may not be readable there. The
// background is painted cell by cell. To set the terminal's own background would not do:
// it would stay when planb is killed, and not every terminal and multiplexer allows it.
type ground struct {
	palette themes.Palette
	sgr     string // sets text and background
	// solid paints blanks that cannot be left to erasing: GNU screen erases with
	// the terminal's background, unless it was told otherwise.
	solid bool

	// What was painted last, which is asked for again at every message.
	content, painted string
	width, height    int
}

func newGround(p themes.Palette, solid bool) ground {
	g := ground{palette: p, solid: solid}
	if p.Painted() {
		g.sgr = ansi.Style{}.ForegroundColor(screen.Color(p.Text)).BackgroundColor(screen.Color(p.Background)).String()
	}
	return g
}

// someMore is how many blanks a line gets beyond the width. Terminals do not agree on how
// many cells some clusters take, and cut what is too much.
const someMore = 4

// paint puts the ground under content, which may hold no sequences but SGR.
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
	if g.solid {
		g.painted = strings.ReplaceAll(g.painted, " ", "\u00a0")
	}
	return g.painted
}

// line writes a line and sets the ground again after each sequence that resets colours.
// Lip Gloss, Glamour and planb reset them with a sequence that does nothing else.
func (g *ground) line(out *strings.Builder, line string) {
	ink := true // since the last reset nothing was set that shows on a blank
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
		params := line[start+2 : end-1]
		out.WriteString(line[:start])
		switch params {
		case "", "0", "39", "49":
			if ink && strings.TrimLeft(line[end:], " ") == "" {
				// What follows is blank to the end, and as good in the last word's colour.
				out.WriteString(line[end:])
				return
			}
			ink = true
			out.WriteString(ansi.ResetStyle)
			out.WriteString(g.sgr)
			// A blank between two words may have the second one's colour: to change it
			// there and back is half of what a frame would cost.
			rest := line[end:]
			words := strings.TrimLeft(rest, " ")
			gap := len(rest) - len(words)
			if next, ok := inkAt(words); ok && gap > 0 && gap <= shortGap {
				out.WriteString(next)
				out.WriteString(rest[:gap])
				end += gap + len(next)
			}
		default:
			out.WriteString(line[start:end])
			ink = ink && onlyInk(params)
		}
		line = line[end:]
	}
	out.WriteString(line)
}

// inkAt returns the sequence that a text begins with, if a blank looks the same with it.
func inkAt(text string) (sequence string, ok bool) {
	params, found := strings.CutPrefix(text, "\x1b[")
	params, _, ended := strings.Cut(params, "m")
	if !found || !ended || params == "" || !onlyInk(params) {
		return "", false
	}
	return text[:len("\x1b[")+len(params)+1], true
}

// shortGap is how many blanks may get the next word's colour. Wider gaps keep their own,
// because they are not sent again while they stay the same from frame to frame.
const shortGap = 3

// onlyInk reports whether a blank looks the same with a sequence of these parameters: a
// colour of text, bold, faint or italic.
func onlyInk(params string) bool {
	parts := strings.Split(params, ";")
	for i := 0; i < len(parts); i++ {
		switch parts[i] {
		case "1", "2", "3":
		case "38":
			if i+1 < len(parts) && parts[i+1] == "2" {
				i += 4
			} else {
				i += 2
			}
		default:
			return false
		}
	}
	return true
}
