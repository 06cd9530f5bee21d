package diagram

import (
	"slices"
	"strings"
)

// seqLimits returns the widths at which labels wrap. The layout tries one after
// another until the diagram is narrow enough.
func seqLimits() []int {
	return []int{36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10}
}

// seqShort returns the widths above which a word is shortened, with its full text in
// the legend. The layout tries them if wrapping is not enough.
func seqShort() []int { return []int{16, 14, 12, 10, 8, 7, 6, 5, 4} }

// seqPanned is the width at which labels wrap in a drawing that must be panned.
const seqPanned = 14

// seqLayout is a sequence diagram laid out in cells.
type seqLayout struct {
	*seqTexts
	limit int // the width at which labels wrap, in cells
	short int // the width above which words are shortened, in cells; 0 if they are not

	heads  []label // the lines of the participants' labels
	lines  []label // the lines of the steps' texts
	legend []string
	keys   int // how many keys the legend has

	left, right []int           // cells on both sides of each lifeline for the participant, its notes and loops
	gaps        []int           // cells from each lifeline to the next one
	spans       []seqSpan       // room that is needed between two lifelines
	frames      map[int]seqArea // by the step that opens the frame
	within      map[int]int     // for the step of each label of a frame, the step that opens the frame
	x           []int           // the column of each lifeline
	width       int
}

// seqSpan asks for room, in cells, between two lifelines.
type seqSpan struct{ from, to, cells int }

// seqArea is an area from some cells left of one lifeline to some cells right of
// another.
type seqArea struct {
	from, to       int // participants; -1 if the area is empty
	before, behind int // cells left of from, and right of to
}

func noArea() seqArea { return seqArea{from: -1, to: -1} }

// add extends the area to hold another one.
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

// seqTexts is a sequence diagram with its labels cut into words. This is done once for
// all widths that the layout tries.
type seqTexts struct {
	*sequence
	ascii  bool
	people []breakable
	labels []label     // by step
	texts  []breakable // labels, cut into words
	bars   []seqBars
}

// seqBars holds the cells that activations take right of the lifelines of a message's
// sender and receiver.
type seqBars struct{ from, to int }

func newSeqTexts(s *sequence, ascii bool) *seqTexts {
	t := &seqTexts{sequence: s, ascii: ascii, bars: make([]seqBars, len(s.steps))}
	for _, p := range s.people {
		t.people = append(t.people, newBreakable(p.shown(ascii)))
	}
	active := make([]int, len(s.people))
	for i, step := range s.steps {
		text := step.shown()
		t.labels = append(t.labels, text)
		t.texts = append(t.texts, newBreakable(text))
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

// shown returns the text of a step as it stands in the drawing: behind the number of a
// message, or in brackets in a frame.
func (s seqStep) shown() label {
	switch {
	case len(s.text) == 0 && s.number == "":
		return nil
	case len(s.text) == 0:
		return label{s.number + "."}
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

// shown returns the text of a participant's head: its label. A kind that has its own
// symbol in a browser stands above the label.
func (p *participant) shown(ascii bool) label {
	if p.kind == "participant" || p.kind == "actor" {
		return p.label
	}
	return append(label{pick(ascii, "<<"+p.kind+">>", "«"+p.kind+"»")}, p.label...)
}

// layOut lays a diagram out for a width. It wraps labels narrower and narrower, then
// shortens long words. If the diagram still does not fit, it is laid out for panning.
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

// shortenHeads wraps the labels of participants. If a label is still too wide, it is
// shortened to the beginnings of its words, or to a key if another label begins alike.
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
		l.addLegend(cut, l.sequence.people[i].shown(l.ascii))
	}
}

// addLegend adds the full text of a shortened label to the legend.
func (l *seqLayout) addLegend(short, full label) {
	l.legend = append(l.legend, short.String()+": "+full.String())
}

// key returns a new key for a label in the legend: (a) to (z), then (aa).
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

// keyCells returns the width of the widest key, in cells.
func (l *seqLayout) keyCells() int {
	switch n := len(l.steps) + len(l.heads); {
	case n <= 26:
		return 3
	case n <= 26+26*26:
		return 4
	}
	return 5
}

// place sets the columns of the lifelines. All gaps in a span share the room that the
// span needs. If the diagram becomes too wide, the last gap gets all of it.
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

// positions returns the columns of the lifelines, as far left as gaps and spans allow.
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
	// A participant other than the first may reach furthest to the left.
	out := 0
	for i := range x {
		out = max(out, l.left[i]-x[i])
	}
	for i := range x {
		x[i] += out
	}
	return x
}

// extent returns the width of the diagram, in cells.
func (l *seqLayout) extent(x []int) int {
	width := 0
	for i := range x {
		width = max(width, x[i]+l.right[i]+1)
	}
	return width
}

// fill wraps the texts to the room that they have. If a text has a word that is too
// wide, it is shortened to the beginnings of its words, or to a key if another text
// begins alike.
func (l *seqLayout) fill() {
	seen := map[string]string{} // the full text of each short one
	for i, step := range l.steps {
		text, room := l.texts[i], l.room(i, step)
		if l.short == 0 || text.least <= room {
			l.lines[i] = text.wrap(max(room, 1))
			continue
		}
		full := l.labels[i].String()
		short, _ := l.labels[i].shorten(room, cutSign(l.ascii))
		shown := short.String()
		if other, ok := seen[shown]; ok && other != full {
			short = label{l.key()}
			shown = short.String()
		}
		l.lines[i] = short
		if _, ok := seen[shown]; !ok && step.number == "" {
			l.addLegend(short, l.labels[i])
		} else if !ok {
			l.legend = append(l.legend, full)
		}
		seen[shown] = full
	}
}

// room returns how many cells there are for the text of a step.
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

// frameEdges returns the columns of a frame's left and right border.
func (l *seqLayout) frameEdges(opened int) (left, right int) {
	a, ok := l.frames[opened]
	if !ok {
		return 0, 0
	}
	return l.x[a.from] - a.before, l.x[a.to] + a.behind
}

// ends returns the columns in which the line of a message begins and ends.
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
