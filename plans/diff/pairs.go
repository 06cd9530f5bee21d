package diff

// Limits of the work on pairs. Beyond the first two, lines are paired in their
// order. Beyond maxMarkBytes, lines are neither paired nor compared.
const (
	maxPairsTried = 400     // pairs of lines in one change
	maxTriedBytes = 4 << 20 // bytes of lines tried, in the whole diff
	maxMarkBytes  = 4 << 20 // bytes of lines whose words are compared, in the whole diff
	lineBytes     = 64      // added to each line's length: comparing an empty line costs, too
)

// pairing pairs each removed line with the similar line that it became.
type pairing struct {
	diff   *Diff
	book   wordbook
	tried  int
	marked int
}

// Pairs finds which text of before became which text of after. It returns pairs of
// indices into the two lists, rising on both sides. It returns nil if the texts
// are too long to compare.
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

// changes pairs the lines of every change, except those of moved sections.
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

// pair pairs removed lines with added ones and marks the words that differ.
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

// match chooses the pairs, rising on both sides, with the greatest total
// likeness. It pairs lines in their order if the search would take too long.
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
	// best[i][j] is the greatest total likeness of pairs from old[i:] and new[j:].
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
