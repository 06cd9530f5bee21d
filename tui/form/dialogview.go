package form

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/form/field"
)

// dialogWidth is the most cells a dialog has.
const dialogWidth = 64

// dialogPad returns the cells between the surface's own margin and the text of a dialog.
func dialogPad(width int) int {
	if width < 48 {
		return 1
	}
	return 2
}

// drawDialog draws the dialog in the middle of the canvas, on a surface of its own.
// Everything around it is dimmed, except the last line, which has the dialog's keys.
func (f *Form) drawDialog(c *Canvas) {
	c.Caret = nil
	c.hits = nil // nothing below the dialog can be clicked
	for len(c.Lines) < c.Height {
		c.Add("")
	}
	st, edge := &f.look.Styles, f.edge()
	last := len(c.Lines) - 1
	copy(c.Lines, st.Dim(c.Lines[:last]))
	width := min(f.dialog.width(), c.Width-2)
	inside, pad := width-2, dialogPad(width)
	b := f.layDialog(inside-2-2*pad, c.Height-2)
	above := 0
	if len(b.Lines)+4 <= c.Height-2 { // an empty row above and below
		above = 1
	}
	lines := make([]string, above, len(b.Lines)+2)
	for i, line := range b.Lines {
		line = strings.Repeat(" ", pad) + line
		if i >= b.Focus.Top && i < b.Focus.Top+b.Lit {
			line = st.Focused(line, inside-2)
		}
		lines = append(lines, line)
	}
	lines = append(lines, make([]string, above)...)
	title := " " + cells.Cut(toneGlyph(f.dialog.tone)+f.dialog.title, inside-4) + " "
	box := []string{edge.Render("╭─") + st.Title.Render(title) +
		edge.Render(strings.Repeat("─", max(0, inside-1-ansi.StringWidth(title)))+"╮")}
	for _, line := range st.OnSurface(lines, inside) {
		box = append(box, edge.Render("│")+line+edge.Render("│"))
	}
	box = append(box, edge.Render("╰"+strings.Repeat("─", inside)+"╯"))
	top, left := max(0, (c.Height-len(box))/2), (c.Width-width)/2
	margin := strings.Repeat(" ", min(left, 1)) // keeps the words that the box cuts apart from it
	for i, line := range box {
		if at := top + i; at < len(c.Lines) {
			c.Lines[at] = cells.Overlay(c.Lines[at], margin+line+margin, left-len(margin), width+2*len(margin), c.Width)
		}
	}
	x, y := left+2+pad, top+1+above
	if b.Caret != nil {
		c.Caret = &field.Place{X: x + b.Caret.X, Y: y + b.Caret.Y}
	}
	d := f.dialog
	for _, h := range b.Hits {
		from := h.From
		c.Hit(x+h.X, y+h.Y, h.Width, 1, func(x, y int) tea.Cmd { return d.click(h.At, x, y+from.Y) })
	}
}

// width returns the cells of the box. A plain list of items is as narrow as it can be;
// sentences and an input get the full width.
func (d *Dialog) width() int {
	if len(d.Says) > 0 || d.input != nil {
		return dialogWidth
	}
	widest := 0
	for _, it := range d.items {
		if it.About != "" {
			return dialogWidth
		}
		widest = max(widest, ansi.StringWidth(it.Label))
	}
	return max(widest+16, 40)
}

func (f *Form) edge() cells.Style {
	st := &f.look.Styles
	switch f.dialog.tone {
	case ToneBad:
		return st.Danger
	case ToneWarn:
		return st.Warning
	case ToneGood:
		return st.Success
	}
	return st.Frame
}

// layDialog draws the inside of the box in at most rows rows.
func (f *Form) layDialog(width, rows int) field.Block {
	d, st := f.dialog, &f.look.Styles
	var b field.Block
	says := d.Says
	if d.next != nil {
		says = append(slices.Clip(says), d.next())
	}
	for i, text := range says {
		if i > 0 {
			b.Add("")
		}
		for _, line := range cells.PartLines(text, width) {
			b.Add(st.Text.Render(line))
		}
	}
	// Cut the sentences, so that all items stay visible.
	if most := max(1, rows-len(d.items)-5); len(b.Lines) > most {
		b.Lines = append(b.Lines[:most-1], st.Muted.Render("…"))
	}
	if len(b.Lines) > 0 {
		b.Add("")
	}
	if d.input != nil {
		f.layDialogInput(&b, width)
	}
	if !f.layButtons(&b, width) {
		f.layItems(&b, width, rows)
	}
	if f.status.text != "" {
		b.Add("")
		b.Add(f.toned(f.status.tone, cells.Cut(toneGlyph(f.status.tone)+f.status.text, width)))
	}
	return b
}

func (f *Form) layDialogInput(b *field.Block, width int) {
	d := f.dialog
	p := field.Pen{Styles: &f.look.Styles, Width: width, Here: d.writing(), Wrap: f.wraps.wrap}
	input := field.DrawInput(p, d.input, field.InputLook{Shows: d.shows, Rows: 4, Least: 2, Mark: "› ", Filled: true})
	for i := range input.Hits {
		input.Hits[i].At = inInput
	}
	b.Append(input, "", 0)
	b.Add("")
}

// layButtons draws the items of a dialog without letters as a row of buttons. It returns
// false if they have letters or do not fit.
func (f *Form) layButtons(b *field.Block, width int) bool {
	d, st := f.dialog, &f.look.Styles
	if d.lettered() {
		return false
	}
	line, x := "", 0
	var hits []field.Hit
	for i, it := range d.items {
		if i > 0 {
			line += " "
			x++
		}
		drawn := st.Button(it.Label, i == 0, i == d.At)
		if it.Tone == ToneBad {
			drawn = st.DangerButton(it.Label, i == d.At)
		}
		hits = append(hits, field.Hit{X: x, Y: len(b.Lines), Width: ansi.StringWidth(drawn), At: i})
		line += drawn
		x += ansi.StringWidth(drawn)
	}
	if x > width {
		return false
	}
	b.Add(line)
	b.Hits = append(b.Hits, hits...)
	return true
}

// itemLook is how much stands around the items of a dialog. Each look adds to the one before.
type itemLook uint8

const (
	tight   itemLook = iota
	grouped          // an empty row between the groups
	told             // below each item what follows from it
	airy             // an empty row before each item that says what follows from it
)

// rowsBeside is how many rows of the form stay in view beside airy items, with the box.
const rowsBeside = 10

// layItems draws the items with as much around them as there is room for. If there are more
// items than rows, it draws those around the one with the focus.
func (f *Form) layItems(b *field.Block, width, rows int) {
	d := f.dialog
	room := max(1, rows-len(b.Lines))
	for look := airy; look > tight; look-- {
		items := f.drawItems(width, d.items, 0, look)
		if len(items.Lines) <= room && (look < airy || len(items.Lines)+rowsBeside <= room) {
			b.Append(items, "", 0)
			return
		}
	}
	first := 0
	if len(d.items) > room {
		first = min(max(0, d.At-room/2), len(d.items)-room)
	}
	last := min(len(d.items), first+room)
	b.Append(f.drawItems(width, d.items[first:last], first, tight), "", 0)
}

// drawItems draws a run of items that begins with the item number first. Their letters stand
// at the right.
func (f *Form) drawItems(width int, items []Item, first int, look itemLook) field.Block {
	d, st := f.dialog, &f.look.Styles
	var b field.Block
	for i, it := range items {
		if look >= grouped && it.Apart || look == airy && it.About != "" && i > 0 {
			b.Add("")
		}
		top := len(b.Lines)
		lead, label := "", st.ItemTitle(first+i == d.At).Render(it.Label)
		switch {
		case it.Mark != "":
			lead = f.toned(it.Tone, it.Mark) + " "
		case it.Tone != ToneCalm:
			label = f.toned(it.Tone, it.Label)
		}
		b.Add(cells.Sides(lead+label, st.Muted.Render(it.Letter), width))
		b.HitLast(first+i, width)
		if look >= told && it.About != "" {
			indent := ansi.StringWidth(lead)
			for _, line := range cells.Lines(it.About, max(width-indent, 1)) {
				b.Add(strings.Repeat(" ", indent) + st.Muted.Render(line))
				b.HitLast(first+i, width)
			}
		}
		if first+i == d.At {
			b.FocusOn(top, true)
		}
	}
	return b
}

// lettered reports whether the items have letters.
func (d *Dialog) lettered() bool { return len(d.items) > 0 && d.items[0].Letter != "" }
