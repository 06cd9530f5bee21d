package form

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/screen"
)

// frame is the last drawing of a form.
type frame struct {
	width, height int
	painted       screen.Frame
	hits          []hit
	stale         bool // it changed since it was drawn
}

// clicked does a click on a cell; nil if nothing there can be clicked.
func (f *frame) clicked(x, y int) tea.Cmd {
	for i := len(f.hits) - 1; i >= 0; i-- {
		h := f.hits[i]
		if x >= h.x && x < h.x+h.width && y >= h.y && y < h.y+h.height {
			return h.click(x-h.x, y-h.y)
		}
	}
	return nil
}

// paint draws the form as it is now, and keeps the cells that can be clicked.
func (f *Form) paint() {
	f.frame.stale = false
	f.frame.hits = nil
	f.frame.painted = screen.Frame{Title: cells.Join("planb", f.besideTitle(), cells.Cut(f.in.Ask.Spec.Title.Line(), 60))}
	if f.look == nil || f.frame.width <= 0 || f.frame.height <= 0 {
		return
	}
	c := &Canvas{styles: &f.look.Styles, Height: f.frame.height, roomy: f.frame.height >= roomyHeight, spacious: f.frame.height >= airyHeight}
	switch {
	case f.sheet != nil:
		f.drawSheet(c)
	case f.body.Covers() == CoversAll:
		c.spread(f.frame.width, f.frame.width)
		f.body.Draw(c, c.Height)
	default:
		c.spread(f.body.Measure(), f.frame.width)
		f.drawForm(c)
	}
	if f.dialog != nil {
		f.drawDialog(c)
	}
	f.frame.painted.Content, f.frame.hits = c.content(), c.hits
	if c.Caret != nil {
		f.frame.painted.Cursor = tea.NewCursor(c.left+c.Caret.X, c.Caret.Y)
	}
}

// besideTitle returns the part of the window's title on asks that wait elsewhere.
func (f *Form) besideTitle() string {
	if f.in.Beside == 0 || !f.in.Titled {
		return ""
	}
	return fmt.Sprintf("%d more waiting", f.in.Beside)
}

// drawForm draws header, body and footer.
func (f *Form) drawForm(c *Canvas) {
	f.drawTitle(c)
	if !f.airless() {
		f.drawAir(c)
	}
	if !f.body.DrawHead(c) && c.roomy {
		c.Add(c.rule("", ""))
	}
	if f.airless() {
		f.drawAir(c)
	}
	if f.body.Covers() == CoversBody {
		f.drawNotices(c)
	}
	footer := 2
	if c.roomy || f.speaks() {
		footer = 3
	}
	more := f.body.Draw(c, c.rest()-footer)
	if c.roomy {
		c.Add(f.divider(c, more))
		if more = ""; c.border > 0 {
			c.join(len(c.Lines)-1, c.border, "┴", "┷")
		}
	} else if f.speaks() {
		c.Add(" " + f.statusWithin(c.Width-2))
	}
	f.body.DrawButtons(c, more)
	c.Add(" " + f.keyLine(c.Width-2))
}

// speaks reports whether the form has a message for the person that no dialog shows.
func (f *Form) speaks() bool {
	return f.status.text != "" && f.dialog == nil && f.gate.stage == gateOpen && f.stage != sending
}

// divider draws the row above the buttons: a rule with the message to the person and the
// position of the view in it. The position stands below what it counts: left of a border that
// runs down to the rule. A message that needs the room replaces the position, or the rule.
func (f *Form) divider(c *Canvas, more string) string {
	faint, room := f.look.Styles.Faint, c.Width
	if c.border > 0 {
		room = c.border
	}
	if !f.speaks() {
		reminder := f.reminder(besideOnRule(room, more))
		if reminder != "" { // it also counts for what is written in a dialog
			c.vivid = len(c.Lines)
		}
		return c.ruleOver(room, faint.Render(reminder), faint.Render(more))
	}
	said := f.statusWithin(c.Width - 2)
	needs, beside := ansi.StringWidth(said), 2+ansi.StringWidth(more)
	switch {
	case needs+max(bareCells, beside+ruledCells) <= room:
		return c.ruleOver(room, said, faint.Render(more))
	case c.border > 0 && needs+bareCells <= c.Width:
		return c.rule(said, "")
	case c.border > 0 || needs+2+beside > room: // the message is more pressing than the position
		more = ""
	}
	return cells.Sides(" "+said, faint.Render(more), c.Width-1)
}

// statusWithin draws the message to the person in at most room cells.
func (f *Form) statusWithin(room int) string {
	return f.look.Styles.Toned(f.status.tone, cells.Cut(f.status.tone.Glyph()+f.status.text, room))
}

// reminder tells a person who writes a text that it is no place for secrets, in at most so many
// cells.
func (f *Form) reminder(room int) string {
	if f.in.ReadOnly || !f.writing() || f.frame.width < 60 {
		return ""
	}
	if kept, _ := f.body.Lends(); f.dialog == nil && kept == nil { // a search or a filter
		return ""
	}
	return reminderWithin(room)
}

func reminderWithin(room int) string {
	return cells.Longest(room, "saved as plain text: type no passwords or secret keys", "type no passwords or secret keys", "no passwords or secrets")
}
