package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/screen"
)

// Sizes of a form in cells.
const (
	ReadWidth   = 100 // most cells of a line of text that reads well
	WideWidth   = 160 // most cells of a form with an illustration beside the questions
	sideWidth   = 100 // least cells for an illustration beside the options
	roomyHeight = 16  // least rows for rules and spacing
	airyHeight  = 30  // least rows for an empty row below the title
	Narrow      = 56  // below this width, glyphs replace words
)

// Canvas holds the lines of one frame, without their indent of left cells.
type Canvas struct {
	styles        *screen.Styles
	Lines         []string
	left          int
	Width, Height int
	Caret         *screen.Place
	vivid         int  // the line that a dialog leaves as it is; 0 for none
	border        int  // the column of a border that runs down to the last line; 0 for none
	roomy         bool // high enough for rules and spacing
	spacious      bool // and for an empty row below the title, with the progress beside the tabs
	hits          []hit
}

// hit is a rectangle of cells that does something when clicked.
type hit struct {
	x, y, width, height int
	click               func(x, y int) tea.Cmd
}

func (c *Canvas) Add(line string) { c.Lines = append(c.Lines, line) }

// rest returns the number of lines that are still free.
func (c *Canvas) rest() int { return c.Height - len(c.Lines) }

// spread sets the canvas's width, and centres it in the whole width.
func (c *Canvas) spread(width, whole int) {
	c.Width = min(width, whole)
	c.left = (whole - c.Width) / 2
}

// content joins the lines, cut to the frame's size.
func (c *Canvas) content() string {
	margin := strings.Repeat(" ", c.left)
	lines := c.Lines[:min(len(c.Lines), c.Height)]
	out := make([]string, len(lines))
	for i, line := range lines {
		if line != "" {
			out[i] = margin + ansi.Truncate(line, c.Width, "")
		}
	}
	return strings.Join(out, "\n")
}

// Hit makes a rectangle of cells clickable. click gets the cell's place in the rectangle.
func (c *Canvas) Hit(x, y, width, height int, click func(x, y int) tea.Cmd) {
	c.hits = append(c.hits, hit{c.left + x, y, width, height, click})
}

const (
	bareCells  = 12 // cells of a rule that its words at the left leave bare
	leastRuled = 8  // least cells for the words at the left of a rule
	ruledCells = 9  // cells that a rule with words in it needs beside them
)

// rule draws a line across the canvas, with drawn words in it at the left and the right.
func (c *Canvas) rule(left, right string) string { return c.ruleOver(c.Width, left, right) }

// besideOnRule returns the cells for the words at the left of a rule with such words at the right.
func besideOnRule(width int, right string) int {
	return width - max(bareCells, ansi.StringWidth(right)+ruledCells)
}

// ruleOver draws a line across the canvas, with the words within its first cells.
func (c *Canvas) ruleOver(width int, left, right string) string {
	st := c.styles
	lead, tail := "", ""
	if ansi.StringWidth(right) > 0 {
		tail = " " + cells.Cut(right, width-4) + " " + st.Rule.Render("─")
	}
	if room := width - max(bareCells, ansi.StringWidth(tail)+6); ansi.StringWidth(left) > 0 && room >= leastRuled {
		lead = st.Rule.Render("──") + " " + cells.Cut(left, room) + " "
	}
	middle, rest := max(0, width-ansi.StringWidth(lead)-ansi.StringWidth(tail)), c.Width-width
	if tail == "" {
		middle, rest = middle+rest, 0
	}
	line := lead + st.Rule.Render(strings.Repeat("─", middle)) + tail
	if rest > 0 {
		line += st.Rule.Render(strings.Repeat("─", rest))
	}
	return line
}

// join draws where a border in column x meets line y, if that is a rule there: light where
// the rule is thin, heavy where it is thick.
func (c *Canvas) join(y, x int, light, heavy string) {
	if y < 0 || y >= len(c.Lines) {
		return
	}
	st := c.styles
	switch ansi.Strip(ansi.Cut(c.Lines[y], x, x+1)) {
	case "─":
		c.Lines[y] = cells.Overlay(c.Lines[y], st.Rule.Render(light), x, 1, c.Width)
	case "━":
		c.Lines[y] = cells.Overlay(c.Lines[y], st.TabHere.Underline(false).Render(heavy), x, 1, c.Width)
	}
}

// Button is one of the buttons in a row.
type Button struct {
	Label         string
	Main, Focused bool // as in screen.Styles.Button
	Does          func() tea.Cmd
}

// Buttons draws buttons with gap cells between them, and makes them clickable in the next
// line of the canvas. It returns that line and its cells. The caller adds the line, with
// anything that stands beside the buttons.
func (c *Canvas) Buttons(gap int, buttons []Button) (line string, cells int) {
	for i, b := range buttons {
		if i > 0 {
			line += strings.Repeat(" ", gap)
			cells += gap
		}
		label := c.styles.Button(b.Label, b.Main, b.Focused)
		width := ansi.StringWidth(label)
		c.Hit(cells, len(c.Lines), width, 1, func(int, int) tea.Cmd { return b.Does() })
		line += label
		cells += width
	}
	return line, cells
}
