package diff

// Row is one row of a side-by-side view: a line of the old text on the left, and a
// line of the new text on the right. They are the same line if nothing changed.
type Row struct {
	Left, Right int // indices in Diff.Lines; -1 for none
}

// Rows lays d.Lines[from:to] out side by side. Paired lines stand beside each
// other. Lines that moved stand alone. All other lines stand beside each
// other in their order.
func (d *Diff) Rows(from, to int) []Row {
	rows := make([]Row, 0, to-from)
	for i := from; i < to; {
		if d.Lines[i].Op == Same {
			rows = append(rows, Row{i, i})
			i++
			continue
		}
		mid := i
		for mid < to && d.Lines[mid].Op == Removed {
			mid++
		}
		end := mid
		for end < to && d.Lines[end].Op == Added {
			end++
		}
		rows = d.beside(rows, i, mid, end)
		i = end
	}
	return rows
}

// beside appends the rows of one change: the removed lines d.Lines[from:mid] and
// the added lines d.Lines[mid:to].
func (d *Diff) beside(rows []Row, from, mid, to int) []Row {
	left, right := from, mid
	for left < mid || right < to {
		for ; left < mid && d.Lines[left].Move > 0; left++ {
			rows = append(rows, Row{left, -1})
		}
		for ; right < to && d.Lines[right].Move > 0; right++ {
			rows = append(rows, Row{-1, right})
		}
		switch {
		case left == mid && right == to:
		case left == mid, right < to && d.waits(left, right, to):
			rows = append(rows, Row{-1, right})
			right++
		case right == to, d.waits(right, left, mid):
			rows = append(rows, Row{left, -1})
			left++
		default:
			rows = append(rows, Row{left, right})
			left, right = left+1, right+1
		}
	}
	return rows
}

// waits reports whether a line must wait for its pair, which comes later on the
// other side, between at and end.
func (d *Diff) waits(line, at, end int) bool {
	pair := d.Lines[line].Pair - 1
	return pair > at && pair < end
}
