package tui

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/markdown"
)

// panCells is how far one key pans.
const panCells = 8

// The marks at the edges of lines that go on there.
const (
	goesOnLeft  = "‹"
	goesOnRight = "›"
)

// panned is the part of a styled line that is in view: room cells from left on.
// The first still cells stay where they are. A line that goes on beyond an edge
// ends there in a mark. No character is cut in half: of one that is half in view
// its half is empty.
func panned(line string, left, room, still int) string {
	if room <= 0 {
		return ""
	}
	cells := ansi.StringWidth(line)
	if left <= 0 && cells <= room {
		return line
	}
	left = max(left, 0)
	still = max(min(still, room-2), 0)
	if cells <= still {
		return line
	}
	var out cutter
	out.take(line, 0, still)
	from, to := still+left, left+room
	before, after := left > 0, cells > to
	if before {
		out.mark(goesOnLeft)
		from++
	}
	if after {
		to--
	}
	out.take(line, from, to)
	if after {
		out.mark(goesOnRight)
	}
	return strings.TrimRight(out.String(), " ")
}

// cutter puts a line together from parts of others.
type cutter struct {
	strings.Builder
	style string // the sequences in force where the line ends
}

// take appends the cells from the one up to the other, each with the style it has
// there. Where the line is shorter it appends nothing.
func (c *cutter) take(line string, from, to int) {
	style, at, state := "", 0, byte(0)
	whole := false // the last character was taken as it is
	for len(line) > 0 {
		seq, cells, n, next := ansi.DecodeSequence(line, state, nil)
		line, state = line[n:], next
		if at >= to && cells > 0 {
			break
		}
		switch {
		case ansi.HasCsiPrefix(seq):
			if style += seq; seq == ansi.ResetStyle || seq == "\x1b[0m" {
				style = ""
			}
			continue
		case cells == 0: // it belongs to the character before it
			if whole {
				c.WriteString(seq)
			}
			continue
		}
		end := at + cells
		whole = at >= from && end <= to
		if end > from {
			c.restyle(style)
			if !whole {
				seq = strings.Repeat(" ", min(end, to)-max(at, from))
			}
			c.WriteString(seq)
		}
		at = end
	}
	c.restyle("")
}

// mark appends a mark, without a style.
func (c *cutter) mark(mark string) {
	c.restyle("")
	c.WriteString(mark)
}

// restyle puts other sequences in force.
func (c *cutter) restyle(style string) {
	if style == c.style {
		return
	}
	if c.style != "" {
		c.WriteString(ansi.ResetStyle)
	}
	c.WriteString(style)
	c.style = style
}

// pan is which columns of a text are in view: of those of its blocks that are
// wider than their place, all from left on. The rest of the text stays.
type pan struct {
	left       int // cells panned
	room, last int // of the place it was drawn in last, and how far it can be panned there
	widest     int // cells of the widest block
}

// fit takes over the place a text is drawn in, and pans no further than that
// needs.
func (p *pan) fit(doc markdown.Doc, room int) {
	p.room, p.widest = room, room
	for _, b := range doc.Wide {
		p.widest = max(p.widest, b.Width)
	}
	p.last = p.widest - room
	p.left = max(min(p.left, p.last), 0)
}

// by pans by so many cells, and reports whether there was anything to pan.
func (p *pan) by(cells int) bool {
	p.left = max(min(p.left+cells, p.last), 0)
	return p.last > 0
}

// lines are those of a text, from the one up to the other, as they are in view.
func (p *pan) lines(doc markdown.Doc, from, to int) []string {
	lines := make([]string, 0, to-from)
	blocks := doc.Wide
	for i := from; i < to; i++ {
		for len(blocks) > 0 && blocks[0].To <= i {
			blocks = blocks[1:]
		}
		left, still := 0, 0
		if len(blocks) > 0 && blocks[0].From <= i {
			left, still = min(p.left, max(blocks[0].Width-p.room, 0)), blocks[0].Still
		}
		lines = append(lines, panned(doc.Lines[i], left, p.room, still))
	}
	return lines
}

// position says which columns of how many are in view; empty if all are.
func (p *pan) position() string {
	if p.last <= 0 {
		return ""
	}
	return fmt.Sprintf("cols %d–%d of %d", p.left+1, p.left+p.room, p.widest)
}
