package sequence

import (
	"slices"
	"strings"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/label"
)

// wrapLimits returns the widths at which labels wrap. The layout tries one after
// another until the diagram is narrow enough.
func wrapLimits() []int {
	return []int{36, 34, 32, 30, 28, 26, 24, 22, 20, 18, 17, 16, 15, 14, 13, 12, 11, 10}
}

// shortLimits returns the widths above which a word is shortened, with its full text in
// the legend. The layout tries them if wrapping is not enough.
func shortLimits() []int { return []int{16, 14, 12, 10, 8, 7, 6, 5, 4} }

// pannedLimit is the width at which labels wrap in a drawing that must be panned.
const pannedLimit = 14

// layout is a sequence diagram laid out in cells.
type layout struct {
	*prepared
	limit int // the width at which labels wrap, in cells
	short int // the width above which words are shortened, in cells; 0 if they are not

	heads  []label.Label // the lines of the participants' labels
	lines  []label.Label // the lines of the steps' texts
	legend []string
	keys   int // how many keys the legend has

	left, right []int        // cells on both sides of each lifeline for the participant, its notes and loops
	gaps        []int        // cells from each lifeline to the next one
	spans       []span       // room that is needed between two lifelines
	frames      map[int]area // by the step that opens the frame
	within      map[int]int  // for the step of each label of a frame, the step that opens the frame
	x           []int        // the column of each lifeline
	width       int
}

// span asks for room, in cells, between two lifelines.
type span struct{ from, to, cells int }

// area is an area from some cells left of one lifeline to some cells right of
// another.
type area struct {
	from, to       int // participants; -1 if the area is empty
	before, behind int // cells left of from, and right of to
}

func noArea() area { return area{from: -1, to: -1} }

// add extends the area to hold another one.
func (a *area) add(b area) {
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

// prepared is a sequence diagram with its labels cut into words. This is done once for
// all widths that the layout tries.
type prepared struct {
	*Diagram
	ascii  bool
	people []label.Breakable
	labels []label.Label     // by step
	texts  []label.Breakable // labels, cut into words
	bars   []bars
}

// bars holds the cells that activations take right of the lifelines of a message's
// sender and receiver.
type bars struct{ from, to int }

func prepare(s *Diagram, ascii bool) *prepared {
	t := &prepared{Diagram: s, ascii: ascii, bars: make([]bars, len(s.Steps))}
	for _, p := range s.People {
		t.people = append(t.people, label.NewBreakable(p.shown(ascii)))
	}
	active := make([]int, len(s.People))
	for i, step := range s.Steps {
		text := step.shown()
		t.labels = append(t.labels, text)
		t.texts = append(t.texts, label.NewBreakable(text))
		switch step.Kind {
		case Message:
			soon := active[step.To]
			for _, next := range s.Steps[i+1:] {
				if next.Kind != Activate {
					break
				}
				if next.From == step.To {
					soon++
				}
			}
			t.bars[i] = bars{max(active[step.From]-1, 0), max(soon-1, 0)}
		case Activate:
			active[step.From]++
		case Deactivate:
			active[step.From] = max(active[step.From]-1, 0)
		}
	}
	return t
}

// shown returns the text of a step as it stands in the drawing: behind the number of a
// message, or in brackets in a frame.
func (s Step) shown() label.Label {
	switch {
	case len(s.Text) == 0 && s.Number == "":
		return nil
	case len(s.Text) == 0:
		return label.Label{s.Number + "."}
	}
	text := slices.Clone(s.Text)
	last := len(text) - 1
	switch {
	case s.Number != "":
		text[0] = s.Number + ". " + text[0]
	case (s.Kind == Open || s.Kind == Next) && s.Frame != "rect":
		text[0] = "[" + strings.TrimPrefix(text[0], "[")
		text[last] = strings.TrimSuffix(text[last], "]") + "]"
	}
	return text
}

// shown returns the text of a participant's head: its label. A kind that has its own
// symbol in a browser stands above the label.
func (p *Participant) shown(ascii bool) label.Label {
	if p.Kind == "participant" || p.Kind == "actor" {
		return p.Label
	}
	return append(label.Label{canvas.Pick(ascii, "<<"+p.Kind+">>", "«"+p.Kind+"»")}, p.Label...)
}

// layOut lays a diagram out for a width. It wraps labels narrower and narrower, then
// shortens long words. If the diagram still does not fit, it is laid out for panning.
func layOut(s *Diagram, width int, ascii bool) *layout {
	texts := prepare(s, ascii)
	var l *layout
	for _, limit := range wrapLimits() {
		if l = newLayout(texts, limit, 0, width); width <= 0 || l.width <= width {
			return l
		}
	}
	for _, short := range shortLimits() {
		if l = newLayout(texts, min(short, 10), short, width); l.width <= width {
			return l
		}
	}
	return newLayout(texts, pannedLimit, 0, 0)
}

func newLayout(t *prepared, limit, short, width int) *layout {
	n := len(t.people)
	l := &layout{
		prepared: t, limit: limit, short: short,
		left: make([]int, n), right: make([]int, n), gaps: make([]int, max(n-1, 0)),
		frames: map[int]area{}, within: map[int]int{}, lines: make([]label.Label, len(t.Steps)),
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
func (l *layout) shortenHeads() {
	seen := map[string]bool{}
	for i, text := range l.prepared.people {
		if l.short == 0 || text.Least <= l.short {
			l.heads = append(l.heads, text.Wrap(l.limit))
			continue
		}
		cut, _ := l.Diagram.People[i].Label.Shorten(l.short, label.CutSign(l.ascii))
		if seen[cut.String()] {
			cut = label.Label{l.key()}
		}
		seen[cut.String()] = true
		l.heads = append(l.heads, cut)
		l.addLegend(cut, l.Diagram.People[i].shown(l.ascii))
	}
}

// addLegend adds the full text of a shortened label to the legend.
func (l *layout) addLegend(short, full label.Label) {
	l.legend = append(l.legend, short.String()+": "+full.String())
}

// key returns a new key for a label in the legend: (a) to (z), then (aa).
func (l *layout) key() string {
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
func (l *layout) keyCells() int {
	switch n := len(l.Steps) + len(l.heads); {
	case n <= 26:
		return 3
	case n <= 26+26*26:
		return 4
	}
	return 5
}

// place sets the columns of the lifelines. All gaps in a span share the room that the
// span needs. If the diagram becomes too wide, the last gap gets all of it.
func (l *layout) place(width int) {
	slices.SortStableFunc(l.spans, func(a, b span) int { return (a.to - a.from) - (b.to - b.from) })
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
func (l *layout) positions(gaps []int, spans []span) []int {
	x := make([]int, len(l.heads))
	ending := make([][]span, len(l.heads))
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
func (l *layout) extent(x []int) int {
	width := 0
	for i := range x {
		width = max(width, x[i]+l.right[i]+1)
	}
	return width
}

// fill wraps each text to its room. A text with a word that is too wide is shortened to
// the beginnings of its words. If another text would then look the same, fill puts a
// key in its place.
func (l *layout) fill() {
	seen := map[string]string{} // the full text of each short one
	for i, step := range l.Steps {
		text, room := l.texts[i], l.room(i, step)
		if l.short == 0 || text.Least <= room {
			l.lines[i] = text.Wrap(max(room, 1))
			continue
		}
		full := l.labels[i].String()
		short, _ := l.labels[i].Shorten(room, label.CutSign(l.ascii))
		shown := short.String()
		if other, ok := seen[shown]; ok && other != full {
			short = label.Label{l.key()}
			shown = short.String()
		}
		l.lines[i] = short
		if _, ok := seen[shown]; !ok && step.Number == "" {
			l.addLegend(short, l.labels[i])
		} else if !ok {
			l.legend = append(l.legend, full)
		}
		seen[shown] = full
	}
}

// room returns how many cells there are for the text of a step.
func (l *layout) room(i int, step Step) int {
	switch step.Kind {
	case Message:
		if step.From == step.To {
			return max(l.cells(i), l.limit)
		}
		start, end := l.ends(i)
		return max(start, end) - min(start, end) - 3
	case Note:
		if step.From != step.To {
			return l.x[step.To] - l.x[step.From] + 2*noteOut + 1 - 4
		}
	case Open, Next:
		from, to := l.frameEdges(l.within[i])
		inside := to - from - 5
		if beside := inside - len(l.frameWord(i)) - 1; l.texts[i].Wrap(0).Width() <= beside {
			return beside
		}
		return inside
	}
	return l.cells(i)
}

// frameEdges returns the columns of a frame's left and right border.
func (l *layout) frameEdges(opened int) (left, right int) {
	a, ok := l.frames[opened]
	if !ok {
		return 0, 0
	}
	return l.x[a.from] - a.before, l.x[a.to] + a.behind
}

// ends returns the columns in which the line of a message begins and ends.
func (l *layout) ends(i int) (start, end int) {
	step, bars := l.Steps[i], l.bars[i]
	start, end = l.x[step.From], l.x[step.To]
	if step.From < step.To {
		start += bars.from
	} else {
		end += bars.to
	}
	if step.Creates {
		before, behind := l.headReach(step.To)
		if l.isActor(step.To) {
			before, behind = actorCells/2, actorCells/2
		}
		if step.From < step.To {
			end -= before
		} else {
			end += behind
		}
	}
	return start, end
}
