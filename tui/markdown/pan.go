package markdown

import (
	"fmt"

	"planb/tui/cells"
)

// PanCells is how many cells one key press pans.
const PanCells = 8

// Pan says which columns of a Doc are in view. All blocks that are wider than the
// viewport pan together, each no further than its own end. The rest of the text does
// not move. The zero value is not panned.
type Pan struct {
	Left   int // cells panned
	Room   int // cells of the viewport
	Last   int // the greatest value of Left
	widest int // cells of the widest block
}

// Fit sets the viewport to room cells, and pans back if that shows more of doc.
func (p *Pan) Fit(doc Doc, room int) {
	p.Room, p.widest = room, room
	for _, b := range doc.Wide {
		p.widest = max(p.widest, b.Width)
	}
	p.Last = p.widest - room
	p.Left = max(min(p.Left, p.Last), 0)
}

// By pans by cells to the right, or to the left if cells is negative. It reports
// whether there is anything to pan.
func (p *Pan) By(cells int) bool {
	p.Left = max(min(p.Left+cells, p.Last), 0)
	return p.Last > 0
}

// Lines returns doc.Lines[from:to] as they are in view.
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

// Position says which cells are in view, and of how many; empty if all are. Arrows say that it is
// about the width: the text may be a table, which has columns and cells of its own.
func (p *Pan) Position() string {
	if p.Last <= 0 {
		return ""
	}
	return fmt.Sprintf("←→ %d–%d of %d", p.Left+1, p.Left+p.Room, p.widest)
}
