package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/screen"
)

// Sizes of a form in cells.
const (
	readWidth   = 100 // longest line of text that reads well
	wideWidth   = 160 // with an illustration beside it
	sideWidth   = 100 // from here the illustration is beside the options
	roomyHeight = 16  // from here rules and spacing are drawn
	narrow      = 56  // below this, words give way to glyphs
)

// canvas is the lines of one frame. What is drawn is indented by left.
type canvas struct {
	styles        *screen.Styles
	lines         []string
	left          int
	width, height int
	caret         *field.Place
	roomy         bool
	hits          []hit
}

// hit is cells that do something when clicked.
type hit struct {
	x, y, width, height int
	click               func(x, y int) tea.Cmd
}

func (c *canvas) add(line string) { c.lines = append(c.lines, line) }

// rest is how many lines are still free.
func (c *canvas) rest() int { return c.height - len(c.lines) }

// spread makes the canvas so many cells wide, in the middle of a whole.
func (c *canvas) spread(width, whole int) {
	c.width = min(width, whole)
	c.left = (whole - c.width) / 2
}

// content joins the lines, cut to the frame's size.
func (c *canvas) content() string {
	margin := strings.Repeat(" ", c.left)
	lines := c.lines[:min(len(c.lines), c.height)]
	out := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			out[i] = margin + ansi.Truncate(line, c.width, "")
		}
	}
	return strings.Join(out, "\n")
}

// hit makes cells of the canvas do something when clicked.
func (c *canvas) hit(x, y, width, height int, click func(x, y int) tea.Cmd) {
	c.hits = append(c.hits, hit{c.left + x, y, width, height, click})
}

// leastRuled is the cells that words on the left of a rule need at least.
const leastRuled = 8

// rule is a line across, with a few words in it on the left and the right.
func (c *canvas) rule(left, right string) string {
	width, st := c.width, c.styles
	lead, tail := "", ""
	if right != "" {
		tail = " " + cells.Cut(right, width-4) + " ─"
	}
	if room := width - max(12, ansi.StringWidth(tail)+6); left != "" && room >= leastRuled {
		lead = "── " + cells.Cut(left, room) + " "
	}
	middle := max(0, width-ansi.StringWidth(lead)-ansi.StringWidth(tail))
	if lead == "" && tail == "" {
		return st.Rule.Render(strings.Repeat("─", width))
	}
	var line strings.Builder
	if lead != "" {
		line.WriteString(st.Rule.Render("── ") + st.Faint.Render(strings.TrimPrefix(lead, "── ")))
	}
	line.WriteString(st.Rule.Render(strings.Repeat("─", middle)))
	if tail != "" {
		line.WriteString(st.Faint.Render(strings.TrimSuffix(tail, "─")) + st.Rule.Render("─"))
	}
	return line.String()
}

// rowButton is one of the buttons in a row.
type rowButton struct {
	label string
	style lipgloss.Style
	does  func() tea.Cmd
}

// buttons draws buttons so many cells apart, to be clicked in the next line of the
// canvas, and says how many cells they take. The caller adds that line, with what
// stands beside the buttons.
func (c *canvas) buttons(gap int, buttons []rowButton) (line string, cells int) {
	for i, b := range buttons {
		if i > 0 {
			line += strings.Repeat(" ", gap)
			cells += gap
		}
		label := " " + b.label + " "
		width := ansi.StringWidth(label)
		c.hit(cells, len(c.lines), width, 1, func(int, int) tea.Cmd { return b.does() })
		line += b.style.Render(label)
		cells += width
	}
	return line, cells
}
