package cells

import (
	"image/color"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Ground is a background that lies under styled lines. It survives the sequences inside a
// line that reset all colours.
type Ground struct {
	sgr     string
	covered []string // SGR parameters of backgrounds that the ground covers
}

// NewGround returns the ground of a style, which sets the background and what text gets that
// sets no style of its own.
func NewGround(style ansi.Style) Ground { return Ground{sgr: style.String()} }

// Covering returns the ground for lines in which these backgrounds give way to it. All other
// backgrounds in a line lie on the ground.
func (g Ground) Covering(backgrounds ...color.Color) Ground {
	for _, c := range backgrounds {
		params := strings.TrimSuffix(strings.TrimPrefix(ansi.NewStyle().BackgroundColor(c).String(), "\x1b["), "m")
		g.covered = append(g.covered, params)
	}
	return g
}

// uncovered returns the parameters of a sequence without the backgrounds that the ground
// covers.
func (g Ground) uncovered(params string) string {
	for _, background := range g.covered {
		if !strings.Contains(params, background) {
			continue
		}
		bounded := strings.Replace(";"+params+";", ";"+background+";", ";", 1)
		params = strings.Trim(bounded, ";")
	}
	return params
}

// Paint returns a line on the ground, filled or cut to the width. The line may hold no
// sequences but SGR.
func (g Ground) Paint(line string, width int) string {
	cells := ansi.StringWidth(line)
	if cells > width {
		line, cells = Cut(line, width), width
	}
	var out strings.Builder
	out.WriteString(g.sgr)
	g.write(&out, line)
	out.WriteString(strings.Repeat(" ", max(width-cells, 0)))
	out.WriteString(ansi.ResetStyle)
	return out.String()
}

// write writes a line and sets the ground again after each sequence that resets colours.
// Lip Gloss, Glamour and planb reset them with a sequence that does nothing else.
func (g Ground) write(out *strings.Builder, line string) {
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
				// The rest is blank. Blanks look the same in the last word's colour.
				out.WriteString(line[end:])
				return
			}
			out.WriteString(ansi.ResetStyle)
			out.WriteString(g.sgr)
			if ink {
				inked, length := inkedGap(line[end:])
				out.WriteString(inked)
				end += length
			}
			ink = true
		default:
			if params = g.uncovered(params); params != "" {
				out.WriteString("\x1b[" + params + "m")
				ink = ink && onlyInk(params)
			}
		}
		line = line[end:]
	}
	out.WriteString(line)
}

// inkedGap returns the blanks at the beginning of a text in the colour of the word behind
// them, and the length of both in the text. Without it, changing the colour there and back
// would be half of the bytes of a frame.
func inkedGap(text string) (inked string, length int) {
	words := strings.TrimLeft(text, " ")
	gap := len(text) - len(words)
	next, ok := inkAt(words)
	if !ok || gap == 0 || gap > shortGap {
		return "", 0
	}
	return next + text[:gap], gap + len(next)
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
