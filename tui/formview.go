package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/screen"
)

// frame is what a form has drawn, and where.
type frame struct {
	width, height int
	painted       screen.Frame
	hits          []hit
	stale         bool // it changed since it was drawn
}

// clicked is what a click on a cell does; nil where nothing can be clicked.
func (f *frame) clicked(x, y int) tea.Cmd {
	for i := len(f.hits) - 1; i >= 0; i-- {
		h := f.hits[i]
		if x >= h.x && x < h.x+h.width && y >= h.y && y < h.y+h.height {
			return h.click(x-h.x, y-h.y)
		}
	}
	return nil
}

// paint draws the form as it is now and remembers what can be clicked.
func (f *form) paint() {
	f.frame.stale = false
	f.frame.hits = nil
	f.frame.painted = screen.Frame{Title: cells.Join("planb", f.besideTitle(), cells.Cut(f.in.Ask.Spec.Title.Line(), 60))}
	if f.look == nil || f.frame.width <= 0 || f.frame.height <= 0 {
		return
	}
	c := &canvas{styles: &f.look.Styles, height: f.frame.height, roomy: f.frame.height >= roomyHeight}
	switch {
	case f.sheet != nil:
		f.drawSheet(c)
	case f.body.covers() == coversAll:
		c.spread(f.frame.width, f.frame.width)
		f.body.draw(c, c.height)
	default:
		c.spread(f.body.measure(), f.frame.width)
		f.drawForm(c)
	}
	if f.dialog != nil {
		f.drawDialog(c)
	}
	f.frame.painted.Content, f.frame.hits = c.content(), c.hits
	if c.caret != nil {
		f.frame.painted.Cursor = tea.NewCursor(c.left+c.caret.X, c.caret.Y)
	}
}

// besideTitle is what the window's title says of what else waits.
func (f *form) besideTitle() string {
	if f.in.Beside == 0 || !f.in.Titled {
		return ""
	}
	return fmt.Sprintf("%d more waiting", f.in.Beside)
}

// drawForm draws header, body and footer.
func (f *form) drawForm(c *canvas) {
	f.drawTitle(c)
	if !f.body.drawHead(c) && c.roomy {
		c.add(c.rule("", ""))
	}
	if f.body.covers() == coversBody {
		f.drawNotices(c)
	}
	footer := 2
	if c.roomy {
		footer = 3
	}
	more := f.body.draw(c, c.rest()-footer)
	if c.roomy {
		c.add(c.rule(f.reminder(c.width, more), more))
		more = ""
	}
	f.body.drawButtons(c, more)
	c.add(" " + f.lastLine(c.width-2))
}

// reminder is said quietly, always: what is typed here is no secret.
// Beside much of where the view is it is said in fewer words.
func (f *form) reminder(width int, more string) string {
	const whole, brief, ruled = "kept as plain text: no passwords or keys", "no passwords or keys", 9
	switch {
	case f.in.ReadOnly || width < 60:
		return ""
	case width-ansi.StringWidth(more)-ruled < ansi.StringWidth(whole):
		return brief
	}
	return whole
}
