package cells

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// The marks at the edges of lines that go on there.
const (
	goesOnLeft  = "‹"
	goesOnRight = "›"
)

// Panned returns the part of a styled line that is in view: room cells from left on. The first
// still cells do not move. If the line goes on beyond an edge, a mark stands there. Panned cuts
// no character in half: it shows blanks for a wide one that is half in view.
func Panned(line string, left, room, still int) string {
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

// take appends the cells from the one up to the other, each with the style it has there. It
// appends nothing for cells behind the line's end.
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
