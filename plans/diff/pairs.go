package diff

// How much work goes into finding which removed line became which added one,
// and into their words; beyond it they are taken in their order, or not compared.
const (
	maxPairsTried = 400     // pairs of lines of one change
	maxTriedBytes = 4 << 20 // bytes of lines tried, in the whole diff
	maxMarkBytes  = 4 << 20 // bytes of lines of which words are compared, in the whole diff
	lineBytes     = 64      // what a line counts beside its text: comparing an empty one costs, too
)

// pairing finds the lines that became similar ones.
type pairing struct {
	diff   *Diff
	book   wordbook
	tried  int
	marked int
}

// Pairs finds which texts of a list became similar ones of another, each of
// which were removed and added at one place. The pairs of their indices rise on
// both sides.
func Pairs(before, after []string) [][2]int {
	size := 0
	for _, list := range [][]string{before, after} {
		for _, text := range list {
			size += len(text)
		}
	}
	if size > maxMarkBytes {
		return nil
	}
	var p pairing
	read := func(texts []string) []wording {
		list := make([]wording, len(texts))
		for i, text := range texts {
			list[i] = p.book.read(text)
		}
		return list
	}
	olds, news := read(before), read(after)
	var pairs [][2]int
	for _, pair := range p.match(olds, news) {
		if _, _, ok := p.book.compare(olds[pair[0]], news[pair[1]]); ok {
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// changes pairs the lines of every change, but those of sections that moved.
func (p *pairing) changes(moved func(Line) bool) {
	lines := p.diff.Lines
	for i := 0; i < len(lines); {
		var old, new []int
		at := i
		for ; at < len(lines) && lines[at].Op != Same; at++ {
			switch {
			case moved(lines[at]):
			case lines[at].Op == Removed:
				old = append(old, at)
			default:
				new = append(new, at)
			}
		}
		p.pair(old, new)
		i = at + 1
	}
}

// pair pairs removed lines with added ones, and marks the words that differ.
func (p *pairing) pair(old, new []int) {
	if len(old) == 0 || len(new) == 0 {
		return
	}
	for _, list := range [][]int{old, new} {
		for _, i := range list {
			p.marked += lineBytes + len(p.diff.Lines[i].Text)
		}
	}
	if p.marked > maxMarkBytes {
		return
	}
	olds, news := p.read(old), p.read(new)
	for _, pair := range p.match(olds, news) {
		removed, added, ok := p.book.compare(olds[pair[0]], news[pair[1]])
		if !ok {
			continue
		}
		a, b := old[pair[0]], new[pair[1]]
		p.diff.Lines[a].Words, p.diff.Lines[a].Pair = removed, b+1
		p.diff.Lines[b].Words, p.diff.Lines[b].Pair = added, a+1
	}
}

func (p *pairing) read(at []int) []wording {
	list := make([]wording, len(at))
	for i, line := range at {
		list[i] = p.book.read(p.diff.Lines[line].Text)
	}
	return list
}

// match chooses pairs that rise on both sides so that they are as alike as can
// be, all in all.
func (p *pairing) match(old, new []wording) [][2]int {
	n, m := len(old), len(new)
	words := 0
	for _, list := range [][]wording{old, new} {
		for _, w := range list {
			words += w.sum
		}
	}
	if n*m > maxPairsTried || p.tried+words*max(n, m) > maxTriedBytes {
		return inOrder(n, m)
	}
	p.tried += words * max(n, m)
	// best[i][j] is the best sum of what lies from i and j on.
	best, alike := grid(n+1, m+1), grid(n, m)
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1])
			if alike[i][j] = p.book.alike(old[i], new[j]); alike[i][j] >= leastAlike {
				best[i][j] = max(best[i][j], alike[i][j]+best[i+1][j+1])
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < n && j < m; {
		switch best[i][j] {
		case best[i+1][j]:
			i++
		case best[i][j+1]:
			j++
		default:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		}
	}
	return pairs
}

func inOrder(n, m int) [][2]int {
	pairs := make([][2]int, min(n, m))
	for i := range pairs {
		pairs[i] = [2]int{i, i}
	}
	return pairs
}

func grid(n, m int) [][]float64 {
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, m)
	}
	return rows
}
