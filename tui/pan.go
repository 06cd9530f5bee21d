package tui

import (
	"fmt"

	"planb/tui/cells"
	"planb/tui/markdown"
)

// panCells is how far one key pans.
const panCells = 8

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
		lines = append(lines, cells.Panned(doc.Lines[i], left, p.room, still))
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
