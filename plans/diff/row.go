package diff

// Row is one row of a view side by side: a line of the old text at the left, one
// of the new text at the right, both the same where nothing changed.
type Row struct {
	Left, Right int // indices in Diff.Lines; -1 for none
}

// Rows lays the lines from one index up to another out side by side. Lines that
// became similar ones stand beside these; the others stand side by side as they
// come, but for those of sections that moved, which have nothing beside them.
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

// beside appends the rows of one change: removed from from up to mid, added from
// there up to to.
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

// waits reports whether a line has to wait for its pair, which comes between
// at and end on the other side.
func (d *Diff) waits(line, at, end int) bool {
	pair := d.Lines[line].Pair - 1
	return pair > at && pair < end
}
