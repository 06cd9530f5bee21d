package prompt

import (
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/cells"
	"planb/tui/screen"
)

// dialogWidth is the most cells a dialog has.
const dialogWidth = 64

// leastBeside is the least cells beside a dialog in which words behind it still tell something.
const leastBeside = 9

// dialogPad returns the cells between the surface's own margin and the text of a dialog.
func dialogPad(width int) int {
	if width < 48 {
		return 1
	}
	return 2
}

// Pen holds what a dialog needs to draw itself.
type Pen struct {
	Styles *screen.Styles
	// Width and Height are the cells of the screen that the dialog lies on.
	Width, Height int
	// Input draws the input in a width; nil for a dialog without one.
	Input func(width int) screen.Block
	// Status is a message below the items; empty for none.
	Status string
	Tone   screen.Tone // of the status
	// Waits is set while no key chooses an item: the items are muted, their letters dimmed, and
	// none has the focus.
	Waits bool
	// Vivid is the line of the screen that is not dimmed, besides the last one; 0 for none.
	Vivid int
}

// Over draws the dialog in the middle of lines, on a surface of its own. Everything around
// it is dimmed, except the last line, which has the dialog's keys, and the vivid one. The caret
// and the hits of the block are places of the screen.
func (d *Dialog) Over(p Pen, behind []string) screen.Block {
	lines := append(make([]string, 0, max(len(behind), p.Height)), behind...)
	for len(lines) < p.Height {
		lines = append(lines, "")
	}
	st := p.Styles
	edge := d.edge(st)
	last := len(lines) - 1
	copy(lines, st.Dim(lines[:last]))
	if p.Vivid > 0 && p.Vivid < len(behind) {
		lines[p.Vivid] = behind[p.Vivid]
	}
	width := min(d.width(), p.Width-2)
	inside, pad := width-2, dialogPad(width)
	b := d.lay(p, inside-2-2*pad, p.Height-2)
	above := 0
	if len(b.Lines)+4 <= p.Height-2 { // an empty row above and below
		above = 1
	}
	rows := make([]string, above, len(b.Lines)+2)
	for i, line := range b.Lines {
		line = strings.Repeat(" ", pad) + line
		if i >= b.Focus.Top && i < b.Focus.Top+b.Lit {
			line = st.Focused(line, inside-2)
		}
		rows = append(rows, line)
	}
	rows = append(rows, make([]string, above)...)
	title := " " + cells.Cut(d.Tone.Glyph()+d.Title, inside-4) + " "
	box := []string{edge.Render("╭─") + st.Title.Render(title) +
		edge.Render(strings.Repeat("─", max(0, inside-1-ansi.StringWidth(title)))+"╮")}
	for _, line := range st.OnSurface(rows, inside) {
		box = append(box, edge.Render("│")+line+edge.Render("│"))
	}
	box = append(box, edge.Render("╰"+strings.Repeat("─", inside)+"╯"))
	top, left := max(0, (p.Height-len(box))/2), (p.Width-width)/2
	margin := strings.Repeat(" ", min(left, 1)) // keeps the words that the box cuts apart from it
	for i, line := range box {
		if at := top + i; at < len(lines) {
			if left < leastBeside {
				lines[at] = ""
			}
			lines[at] = cells.Overlay(lines[at], margin+line+margin, left-len(margin), width+2*len(margin), p.Width)
		}
	}
	x, y := left+2+pad, top+1+above
	over := screen.Block{Lines: lines}
	if b.Caret != nil {
		over.Caret = &screen.Place{X: x + b.Caret.X, Y: y + b.Caret.Y}
	}
	for _, h := range b.Hits {
		h.X, h.Y = x+h.X, y+h.Y
		over.Hits = append(over.Hits, h)
	}
	return over
}

// width returns the cells of the box. A plain list of items is as narrow as it can be;
// sentences and an input get the full width.
func (d *Dialog) width() int {
	if len(d.Says) > 0 || d.Input != nil {
		return dialogWidth
	}
	widest := 0
	for _, it := range d.Items {
		if it.About != "" {
			return dialogWidth
		}
		widest = max(widest, ansi.StringWidth(it.Label))
	}
	return max(widest+16, 40)
}

func (d *Dialog) edge(st *screen.Styles) cells.Style {
	switch d.Tone {
	case screen.ToneBad:
		return st.Danger
	case screen.ToneWarn:
		return st.Warning
	case screen.ToneGood:
		return st.Success
	}
	return st.Frame
}

// lay draws the inside of the box in at most rows rows.
func (d *Dialog) lay(p Pen, width, rows int) screen.Block {
	st := p.Styles
	var b screen.Block
	says := d.Says
	if d.Next != nil {
		says = append(slices.Clip(says), d.Next())
	}
	for i, text := range says {
		if i > 0 {
			b.Add("")
		}
		for _, line := range cells.PartLines(text, width) {
			b.Add(st.Text.Render(line))
		}
	}
	var input screen.Block
	below := len(d.Items) + 5 // the rows that the sentences leave: to the items, a message, and empty ones
	if d.Input != nil {
		input = p.Input(width)
		below = len(input.Lines) + 3 + len(d.Items)
		if d.layButtons(&screen.Block{}, st, width) {
			below -= len(d.Items) - 1
		}
		if p.Status != "" {
			below += 2
		}
	}
	// Cut the sentences, so that all items stay visible.
	if most := max(1, rows-below); len(b.Lines) > most {
		b.Lines = append(b.Lines[:most-1], st.Muted.Render("…"))
	}
	if len(b.Lines) > 0 {
		b.Add("")
	}
	if d.Input != nil {
		for i := range input.Hits {
			input.Hits[i].At = InInput
		}
		b.Append(input, "", 0)
		b.Add("")
	}
	if p.Status != "" { // it goes before what follows from the items
		rows -= 2
	}
	top := len(b.Lines)
	switch buttons := d.layButtons(&b, st, width); {
	case !buttons:
		d.layItems(&b, p, width, rows)
	case p.Waits:
		copy(b.Lines[top:], st.Mute(b.Lines[top:]))
	}
	if p.Waits {
		b.Lit = 0
	}
	if p.Status != "" {
		b.Add("")
		b.Add(st.Toned(p.Tone, cells.Cut(p.Tone.Glyph()+p.Status, width)))
	}
	return b
}

// layButtons draws the items of a dialog without letters as a row of buttons. It returns
// false if they have letters or do not fit.
func (d *Dialog) layButtons(b *screen.Block, st *screen.Styles, width int) bool {
	if d.Lettered() {
		return false
	}
	line, x := "", 0
	var hits []screen.Hit
	for i, it := range d.Items {
		if i > 0 {
			line += " "
			x++
		}
		drawn := st.Button(it.Label, i == 0, i == d.At)
		if it.Tone == screen.ToneBad {
			drawn = st.DangerButton(it.Label, i == d.At)
		}
		hits = append(hits, screen.Hit{X: x, Y: len(b.Lines), Width: ansi.StringWidth(drawn), At: i})
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

// Rows of the screen that stay in view beside airy items, with the box.
const (
	rowsBeside     = 10
	rowsBesideLong = 7 // what follows from an item takes several rows, so that only an empty row shows where it ends
)

// layItems draws the items with as much around them as there is room for. If there are more
// items than rows, it draws those around the one with the focus.
func (d *Dialog) layItems(b *screen.Block, p Pen, width, rows int) {
	room := max(1, rows-len(b.Lines))
	beside := rowsBeside
	for _, it := range d.Items {
		if cells.LineCount(it.About, max(width-it.indent(), 1)) > 1 {
			beside = rowsBesideLong
		}
	}
	for look := airy; look > tight; look-- {
		items := d.drawItems(p, width, d.Items, 0, look)
		if len(items.Lines) <= room && (look < airy || len(items.Lines)+beside <= room) {
			b.Append(items, "", 0)
			return
		}
	}
	first := 0
	if len(d.Items) > room {
		first = min(max(0, d.At-room/2), len(d.Items)-room)
	}
	last := min(len(d.Items), first+room)
	b.Append(d.drawItems(p, width, d.Items[first:last], first, tight), "", 0)
}

// indent is how many cells stand before the texts of an item.
func (it Item) indent() int {
	if it.Mark == "" {
		return 0
	}
	return ansi.StringWidth(it.Mark) + 1
}

// drawItems draws a run of items that begins with the item number first. Their letters stand
// at the right.
func (d *Dialog) drawItems(p Pen, width int, items []Item, first int, look itemLook) screen.Block {
	st := p.Styles
	var b screen.Block
	for i, it := range items {
		if look >= grouped && it.Apart || look == airy && it.About != "" && i > 0 {
			b.Add("")
		}
		top := len(b.Lines)
		lead, label := "", st.ItemTitle(first+i == d.At).Render(it.Label)
		switch {
		case it.Mark != "":
			lead = st.Toned(it.Tone, it.Mark) + " "
		case it.Tone != screen.ToneCalm:
			label = st.Toned(it.Tone, it.Label)
		}
		row := cells.Sides(lead+label, st.Muted.Render(it.Letter), width)
		if p.Waits {
			row = cells.Sides(st.Muted.Render(ansi.Strip(lead+label)), st.Dimmed.Render(it.Letter), width)
		}
		b.Add(row)
		b.HitLast(first+i, width)
		if look >= told && it.About != "" {
			indent := it.indent()
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
