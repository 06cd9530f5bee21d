package diagram

import (
	"slices"
	"strings"
)

// seqLimits are the widths at which labels are wrapped, one after another until
// the diagram is narrow enough.
func seqLimits() []int {
	return []int{36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10}
}

// seqShort are the widths above which a word is told in the legend, where
// wrapping is not enough.
func seqShort() []int { return []int{16, 14, 12, 10, 8, 7, 6, 5, 4} }

// seqPanned is where labels are wrapped in a drawing that has to be panned anyway.
const seqPanned = 14

// seqLayout is a sequence diagram laid out in cells.
type seqLayout struct {
	*seqTexts
	limit int // cells at which labels are wrapped
	short int // cells above which words are told in the legend; 0 for none

	heads  []label // the lines of the participants' labels
	lines  []label // the lines of the steps' texts
	legend []string
	keys   int // in the legend

	left, right []int           // cells that a participant and what is at it take on both sides of its lifeline
	gaps        []int           // cells from a lifeline to the next one
	spans       []seqSpan       // what needs room between two lifelines
	frames      map[int]seqArea // by the step that opens them
	within      map[int]int     // by the step of each label of a frame, the one that opens it
	x           []int           // lifelines
	width       int
}

// seqSpan is room between two lifelines.
type seqSpan struct{ from, to, cells int }

// seqArea is where something is: so many cells left of one lifeline, and so many
// right of another.
type seqArea struct {
	from, to       int
	before, behind int
}

func noArea() seqArea { return seqArea{from: -1, to: -1} }

// add makes the area that takes in another.
func (a *seqArea) add(b seqArea) {
	if b.from < 0 {
		return
	}
	if a.from < 0 {
		*a = b
		return
	}
	switch {
	case b.from < a.from:
		a.from, a.before = b.from, b.before
	case b.from == a.from:
		a.before = max(a.before, b.before)
	}
	switch {
	case b.to > a.to:
		a.to, a.behind = b.to, b.behind
	case b.to == a.to:
		a.behind = max(a.behind, b.behind)
	}
}

// seqTexts is a sequence diagram with its labels cut into words, which is done
// once for all widths that are tried.
type seqTexts struct {
	*sequence
	ascii  bool
	people []breakable
	said   []label     // by step
	texts  []breakable // the same
	bars   []seqBars
}

// seqBars are the cells that activations take right of the lifelines that a
// message leaves and reaches.
type seqBars struct{ from, to int }

func newSeqTexts(s *sequence, ascii bool) *seqTexts {
	t := &seqTexts{sequence: s, ascii: ascii, bars: make([]seqBars, len(s.steps))}
	for _, p := range s.people {
		t.people = append(t.people, newBreakable(p.shown(ascii)))
	}
	active := make([]int, len(s.people))
	for i, step := range s.steps {
		said := step.shown()
		t.said = append(t.said, said)
		t.texts = append(t.texts, newBreakable(said))
		switch step.kind {
		case seqMessage:
			soon := active[step.to]
			for _, next := range s.steps[i+1:] {
				if next.kind != seqActivate {
					break
				}
				if next.from == step.to {
					soon++
				}
			}
			t.bars[i] = seqBars{max(active[step.from]-1, 0), max(soon-1, 0)}
		case seqActivate:
			active[step.from]++
		case seqDeactivate:
			active[step.from] = max(active[step.from]-1, 0)
		}
	}
	return t
}

// shown is the text of a step as it stands in the drawing: behind the number of a
// message, or between brackets.
func (s seqStep) shown() label {
	if len(s.text) == 0 {
		return pick(s.number == "", nil, label{s.number + "."})
	}
	text := slices.Clone(s.text)
	last := len(text) - 1
	switch {
	case s.number != "":
		text[0] = s.number + ". " + text[0]
	case (s.kind == seqOpen || s.kind == seqNext) && s.frame != "rect":
		text[0] = "[" + strings.TrimPrefix(text[0], "[")
		text[last] = strings.TrimSuffix(text[last], "]") + "]"
	}
	return text
}

// shown is what the head of a participant says: its label, below what it is where
// that has a symbol of its own in a browser.
func (p *participant) shown(ascii bool) label {
	if p.kind == "participant" || p.kind == "actor" {
		return p.label
	}
	return append(label{pick(ascii, "<<"+p.kind+">>", "«"+p.kind+"»")}, p.label...)
}

// layOut lays a diagram out for a width: labels are wrapped narrower and narrower,
// then long words go to the legend, and then it is as wide as it has to be.
func layOut(s *sequence, width int, ascii bool) *seqLayout {
	texts := newSeqTexts(s, ascii)
	var l *seqLayout
	for _, limit := range seqLimits() {
		if l = newSeqLayout(texts, limit, 0, width); width <= 0 || l.width <= width {
			return l
		}
	}
	for _, short := range seqShort() {
		if l = newSeqLayout(texts, min(short, 10), short, width); l.width <= width {
			return l
		}
	}
	return newSeqLayout(texts, seqPanned, 0, 0)
}

func newSeqLayout(t *seqTexts, limit, short, width int) *seqLayout {
	n := len(t.people)
	l := &seqLayout{
		seqTexts: t, limit: limit, short: short,
		left: make([]int, n), right: make([]int, n), gaps: make([]int, max(n-1, 0)),
		frames: map[int]seqArea{}, within: map[int]int{}, lines: make([]label, len(t.steps)),
	}
	l.shortenHeads()
	for i := range t.people {
		l.left[i], l.right[i] = l.headReach(i)
	}
	heads := [2][]int{slices.Clone(l.left), slices.Clone(l.right)}
	l.measure()
	l.separate(heads[0], heads[1])
	l.place(width)
	l.fill()
	return l
}

// shortenHeads wraps the labels of participants. Where that leaves one too wide,
// the beginnings of its words stand for it, or a key if another one begins alike.
func (l *seqLayout) shortenHeads() {
	seen := map[string]bool{}
	for i, text := range l.seqTexts.people {
		if l.short == 0 || text.least <= l.short {
			l.heads = append(l.heads, text.wrap(l.limit))
			continue
		}
		cut, _ := l.sequence.people[i].label.shorten(l.short, cutSign(l.ascii))
		if seen[cut.String()] {
			cut = label{l.key()}
		}
		seen[cut.String()] = true
		l.heads = append(l.heads, cut)
		l.tell(cut, l.sequence.people[i].shown(l.ascii))
	}
}

// tell puts into the legend what a short label stands for.
func (l *seqLayout) tell(short, full label) {
	l.legend = append(l.legend, short.String()+": "+full.String())
}

// key stands for a label that the legend tells: (a) to (z), then (aa).
func (l *seqLayout) key() string {
	letters := ""
	for n := l.keys; ; n = n/26 - 1 {
		letters = string(rune('a'+n%26)) + letters
		if n < 26 {
			break
		}
	}
	l.keys++
	return "(" + letters + ")"
}

// keyCells is how wide a key can be.
func (l *seqLayout) keyCells() int {
	switch n := len(l.steps) + len(l.heads); {
	case n <= 26:
		return 3
	case n <= 26+26*26:
		return 4
	}
	return 5
}

// place puts the lifelines where they are. What a span needs is shared by all
// gaps in it; if that becomes too wide, the last one takes it all.
func (l *seqLayout) place(width int) {
	slices.SortStableFunc(l.spans, func(a, b seqSpan) int { return (a.to - a.from) - (b.to - b.from) })
	least := l.positions(l.gaps, l.spans)
	even := slices.Clone(l.gaps)
	for _, s := range l.spans {
		between := even[s.from:s.to]
		for missing := s.cells - sum(between); missing > 0; {
			share := (missing + len(between) - 1) / len(between)
			for i := range between {
				between[i] += min(share, missing)
				missing -= min(share, missing)
			}
		}
	}
	l.x = l.positions(even, nil)
	if l.width = l.extent(l.x); width > 0 && l.width > width {
		l.x = least
		l.width = l.extent(least)
	}
}

func sum(numbers []int) int {
	total := 0
	for _, n := range numbers {
		total += n
	}
	return total
}

// positions are the lifelines as far left as gaps and spans let them be.
func (l *seqLayout) positions(gaps []int, spans []seqSpan) []int {
	x := make([]int, len(l.heads))
	ending := make([][]seqSpan, len(l.heads))
	for _, s := range spans {
		ending[s.to] = append(ending[s.to], s)
	}
	for i := range x {
		if i > 0 {
			x[i] = x[i-1] + gaps[i-1]
		} else {
			x[0] = l.left[0]
		}
		for _, s := range ending[i] {
			x[i] = max(x[i], x[s.from]+s.cells)
		}
	}
	// What reaches over the left of others, too.
	out := 0
	for i := range x {
		out = max(out, l.left[i]-x[i])
	}
	for i := range x {
		x[i] += out
	}
	return x
}

// extent is how many cells the diagram takes.
func (l *seqLayout) extent(x []int) int {
	width := 0
	for i := range x {
		width = max(width, x[i]+l.right[i]+1)
	}
	return width
}

// fill breaks the texts for the room they have now. Where one has a word that is
// too wide, the beginnings of its words stand for it, or a key if another one
// begins alike.
func (l *seqLayout) fill() {
	seen := map[string]string{} // the texts that short ones stand for
	for i, step := range l.steps {
		text, room := l.texts[i], l.room(i, step)
		if l.short == 0 || text.least <= room {
			l.lines[i] = text.wrap(max(room, 1))
			continue
		}
		full := l.said[i].String()
		short, _ := l.said[i].shorten(room, cutSign(l.ascii))
		as := short.String()
		if other, taken := seen[as]; taken && other != full {
			short = label{l.key()}
			as = short.String()
		}
		l.lines[i] = short
		if _, told := seen[as]; !told && step.number == "" {
			l.tell(short, l.said[i])
		} else if !told {
			l.legend = append(l.legend, full)
		}
		seen[as] = full
	}
}

// room is how many cells there are for the text of a step.
func (l *seqLayout) room(i int, step seqStep) int {
	switch step.kind {
	case seqMessage:
		if step.from == step.to {
			return max(l.cells(i), l.limit)
		}
		start, end := l.ends(i)
		return max(start, end) - min(start, end) - 3
	case seqNote:
		if step.from != step.to {
			return l.x[step.to] - l.x[step.from] + 2*noteOut + 1 - 4
		}
	case seqOpen, seqNext:
		from, to := l.frameEdges(l.within[i])
		inside := to - from - 5
		if beside := inside - len(l.frameWord(i)) - 1; l.texts[i].wrap(0).width() <= beside {
			return beside
		}
		return inside
	}
	return l.cells(i)
}

// frameEdges are the columns of a frame's left and right border.
func (l *seqLayout) frameEdges(opened int) (left, right int) {
	a, has := l.frames[opened]
	if !has {
		return 0, 0
	}
	return l.x[a.from] - a.before, l.x[a.to] + a.behind
}

// ends are the cells in which the line of a message begins and ends.
func (l *seqLayout) ends(i int) (start, end int) {
	step, bars := l.steps[i], l.bars[i]
	start, end = l.x[step.from], l.x[step.to]
	if step.from < step.to {
		start += bars.from
	} else {
		end += bars.to
	}
	if step.creates {
		before, behind := l.headReach(step.to)
		if l.isActor(step.to) {
			before, behind = actorCells/2, actorCells/2
		}
		if step.from < step.to {
			end -= before
		} else {
			end += behind
		}
	}
	return start, end
}
