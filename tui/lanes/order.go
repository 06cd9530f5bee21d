package lanes

// mostOrdered is with how many lanes at most their order is sought.
const mostOrdered = 12

// pass is a line from one lane to another one, and a lane that goes on in the same row.
type pass struct{ from, to, lane int }

// passes counts how often each one occurs. The line crosses the lane if that lies between.
type passes map[pass]int

// add adds a line, with the lanes of a row that belong to a node.
func (p passes) add(from, to int, owner []int) {
	for lane, node := range owner {
		if node != 0 && lane != from && lane != to {
			p[pass{from, to, lane}]++
		}
	}
}

// crossings is how often lines cross lanes.
func (p passes) crossings(column []int) (n int) {
	for of, count := range p {
		from, to, lane := column[of.from], column[of.to], column[of.lane]
		if min(from, to) < lane && lane < max(from, to) {
			n += count
		}
	}
	return n
}

// order returns a column for each of the lanes, so that fewer lines cross: it exchanges two lanes
// as long as that helps. It returns nil if the lanes stay as they are.
func (p passes) order(lanes int) []int {
	if lanes > mostOrdered {
		return nil
	}
	column := make([]int, lanes)
	for i := range column {
		column[i] = i
	}
	first := p.crossings(column)
	for fewest := first; fewest > 0; {
		a, b := 0, 0
		for i := range column {
			for j := range i {
				column[i], column[j] = column[j], column[i]
				if n := p.crossings(column); n < fewest {
					fewest, a, b = n, i, j
				}
				column[i], column[j] = column[j], column[i]
			}
		}
		if column[a], column[b] = column[b], column[a]; a == b {
			break
		}
	}
	if p.crossings(column) == first {
		return nil
	}
	return column
}
