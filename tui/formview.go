package tui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
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
)

// paint draws the form as it is now and remembers what can be clicked.
func (f *form) paint() {
	f.stale = false
	f.hits = f.hits[:0]
	f.painted = screen.Frame{Title: cells.Join("planb", f.besideTitle(), cells.Cut(f.state.spec.Title.Line(), 60))}
	f.docs.shelf.begin()
	if f.look == nil || f.width <= 0 || f.height <= 0 {
		return
	}
	c := f.newCanvas()
	switch {
	case f.sheet != nil:
		f.drawSheet(c)
	case f.review != nil && f.review.covers():
		f.review.drawOver(c)
	case f.summary != nil:
		f.drawSummary(c)
	default:
		f.drawForm(c)
	}
	if f.dialog != nil {
		f.drawDialog(c)
	}
	f.painted.Content = c.content()
	if c.caret != nil {
		f.painted.Cursor = tea.NewCursor(c.left+c.caret.X, c.caret.Y)
	}
}

// besideTitle is what the window's title says of what else waits.
func (f *form) besideTitle() string {
	if f.in.Beside.others == 0 || !f.in.Beside.titled {
		return ""
	}
	return fmt.Sprintf("%d more waiting", f.in.Beside.others)
}

// canvas is the lines of one frame. What is drawn is indented by left.
type canvas struct {
	lines         []string
	left          int
	width, height int
	caret         *field.Place
	roomy         bool
}

// newCanvas lays the frame out: as wide as reads well, in the middle.
func (f *form) newCanvas() *canvas {
	most := readWidth
	if f.review != nil || f.illustrated() {
		most = wideWidth
	}
	width := min(f.width, most)
	return &canvas{
		left: (f.width - width) / 2, width: width, height: f.height,
		roomy: f.height >= roomyHeight,
	}
}

func (c *canvas) add(line string) { c.lines = append(c.lines, line) }

// rest is how many lines are still free.
func (c *canvas) rest() int { return c.height - len(c.lines) }

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
func (f *form) hit(c *canvas, x, y, width, height int, click func(x, y int) tea.Cmd) {
	f.hits = append(f.hits, formHit{c.left + x, y, width, height, click})
}

// drawForm draws header, body and footer.
func (f *form) drawForm(c *canvas) {
	f.drawHeader(c)
	f.drawNotices(c)
	footer := 2
	if c.roomy {
		footer = 3
	}
	more := ""
	if f.review != nil {
		more = f.review.draw(c, c.rest()-footer)
	} else {
		more = f.drawBody(c, c.rest()-footer)
	}
	if c.roomy {
		c.add(f.rule(c.width, f.reminder(c.width, more), more))
		more = ""
	}
	f.drawFooter(c, more)
}

// reminder is said quietly, always: what is typed here is no secret.
// Beside much of where the view is it is said in fewer words.
func (f *form) reminder(width int, more string) string {
	const whole, brief, ruled = "kept as plain text: no passwords or keys", "no passwords or keys", 9
	switch {
	case f.state.readOnly || width < 60:
		return ""
	case width-ansi.StringWidth(more)-ruled < ansi.StringWidth(whole):
		return brief
	}
	return whole
}

// rule is a line across, with a few words in it on the left and the right.
func (f *form) rule(width int, left, right string) string {
	st := &f.look.Styles
	lead, tail := "", ""
	if right != "" {
		tail = " " + cells.Cut(right, width-4) + " ─"
	}
	if room := width - max(12, ansi.StringWidth(tail)+6); left != "" && room >= leastTitle/2 {
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
