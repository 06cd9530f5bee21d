package markdown

import (
	"fmt"

	"planb/tui/cells"
)

// PanCells is how many cells one key pans.
const PanCells = 8

// Pan says which columns of a Doc are in view. All of its blocks that are wider than
// their place are panned together, the narrow ones only as far as they need; the rest
// of the text stays. The zero value is not panned.
type Pan struct {
	Left       int // cells panned
	Room, Last int // of the place it was drawn in last, and how far it can be panned there
	widest     int // cells of the widest block
}

// Fit takes over how many cells the place has that doc is drawn in, and pans back
// what is panned further than that needs.
func (p *Pan) Fit(doc Doc, room int) {
	p.Room, p.widest = room, room
	for _, b := range doc.Wide {
		p.widest = max(p.widest, b.Width)
	}
	p.Last = p.widest - room
	p.Left = max(min(p.Left, p.Last), 0)
}

// By pans by so many cells, to the left if they are negative, and reports whether there was anything to pan.
func (p *Pan) By(cells int) bool {
	p.Left = max(min(p.Left+cells, p.Last), 0)
	return p.Last > 0
}

// Lines are the lines of doc with the indices from up to to, as they are in view.
func (p *Pan) Lines(doc Doc, from, to int) []string {
	lines := make([]string, 0, to-from)
	blocks := doc.Wide
	for i := from; i < to; i++ {
		for len(blocks) > 0 && blocks[0].To <= i {
			blocks = blocks[1:]
		}
		left, still := 0, 0
		if len(blocks) > 0 && blocks[0].From <= i {
			left, still = min(p.Left, max(blocks[0].Width-p.Room, 0)), blocks[0].Still
		}
		lines = append(lines, cells.Panned(doc.Lines[i], left, p.Room, still))
	}
	return lines
}

// Position says which columns of how many are in view; empty if all are.
func (p *Pan) Position() string {
	if p.Last <= 0 {
		return ""
	}
	return fmt.Sprintf("cols %d–%d of %d", p.Left+1, p.Left+p.Room, p.widest)
}
