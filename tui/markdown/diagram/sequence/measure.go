package sequence

import (
	"slices"

	"planb/tui/markdown/diagram/label"
)

// headReach returns how many cells the head of a participant takes left and right of
// its lifeline.
func (l *layout) headReach(i int) (left, right int) {
	cells := max(l.heads[i].Width(), 1) + 4
	if l.isActor(i) {
		cells = max(cells-4, actorCells)
	}
	return (cells - 1) / 2, cells / 2
}

// actorCells is the width of the figure of an actor.
const actorCells = 3

func (l *layout) isActor(i int) bool { return l.Diagram.People[i].Kind == "actor" }

// cells returns how many cells the text of a step needs at least.
func (l *layout) cells(step int) int {
	text := l.texts[step]
	if l.short > 0 && text.Least > l.short {
		short, _ := l.labels[step].Shorten(l.short, label.CutSign(l.ascii))
		return max(short.Width(), l.keyCells())
	}
	return text.Wrap(l.limit).Width()
}

// measure finds how much room the steps need.
func (l *layout) measure() {
	type frame struct {
		area
		step   int
		titles []int // the cells that each of its labels needs
	}
	open := []frame{{area: noArea(), step: -1}}
	for i, step := range l.Steps {
		top := &open[len(open)-1]
		switch step.Kind {
		case Message:
			top.add(l.measureMessage(i, step))
		case Note:
			top.add(l.measureNote(i, step))
		case Open:
			l.within[i] = i
			open = append(open, frame{area: noArea(), step: i, titles: []int{l.titleCells(i)}})
		case Next:
			l.within[i] = top.step
			top.titles = append(top.titles, l.titleCells(i))
		case Close:
			a := top.area
			if a.from < 0 { // the frame is empty
				if len(l.heads) == 0 {
					open = open[:len(open)-1]
					continue
				}
				a = area{from: 0, to: len(l.heads) - 1}
			}
			a.before += framePad
			a.behind += framePad
			need := slices.Max(top.titles) + 5 - a.before - a.behind
			if a.from == a.to {
				a.behind = max(a.behind, a.behind+need)
			} else {
				l.spans = append(l.spans, span{a.from, a.to, need})
			}
			l.frames[top.step] = a
			l.reserve(a)
			open = open[:len(open)-1]
			open[len(open)-1].add(a)
		}
	}
}

// framePad is the distance between the border of a frame and its contents.
const framePad = 2

// titleCells returns the width of a frame's label: its word, with the text beside it
// or below.
func (l *layout) titleCells(step int) int {
	word := len(l.frameWord(step))
	lines := l.texts[step].Wrap(l.limit)
	if len(lines) == 1 {
		return word + 1 + l.cells(step)
	}
	return max(word, l.cells(step))
}

// frameWord returns the word in the border of a frame.
func (l *layout) frameWord(step int) string {
	if l.Steps[step].Frame == "rect" {
		return ""
	}
	return l.Steps[step].Frame
}

// reserve makes room for an area left and right of its lifelines.
func (l *layout) reserve(a area) {
	l.left[a.from] = max(l.left[a.from], a.before)
	l.right[a.to] = max(l.right[a.to], a.behind)
}

// measureMessage makes room for a message and returns its area.
func (l *layout) measureMessage(i int, step Step) area {
	bars := l.bars[i]
	if step.From == step.To {
		a := area{from: step.From, to: step.From, behind: max(bars.from, bars.to) + selfCells}
		if cells := l.cells(i); cells > 0 {
			a.behind += 1 + cells
		}
		l.reserve(a)
		return a
	}
	from, to := min(step.From, step.To), max(step.From, step.To)
	need := max(l.cells(i)+3, 4)
	a := area{from: from, to: to}
	if step.From < step.To {
		need += bars.from
		a.behind = bars.to
	} else {
		need += bars.to
		a.behind = bars.from
	}
	if step.Creates {
		before, behind := l.headReach(step.To)
		if step.To == to {
			need += before
			a.behind = behind
		} else {
			need += behind
			a.before = before
		}
	}
	l.spans = append(l.spans, span{from, to, need})
	return a
}

// selfCells is how far a message from a participant to itself leads away from the
// lifeline.
const selfCells = 3

// noteOut is how far the border of a note over two participants reaches beyond their
// lifelines.
const noteOut = 2

// measureNote makes room for a note and returns its area.
func (l *layout) measureNote(i int, step Step) area {
	cells := l.cells(i) + 4
	a := area{from: step.From, to: step.To}
	switch {
	case step.Place == LeftOf:
		a.before = cells + 1
	case step.Place == RightOf:
		a.behind = cells + 1
	case step.From == step.To:
		a.before, a.behind = (cells-1)/2, cells/2
	default:
		a.before, a.behind = noteOut, noteOut
		l.spans = append(l.spans, span{step.From, step.To, cells - 2*noteOut - 1})
	}
	l.reserve(a)
	return a
}

// separate finds the least distances between neighbouring lifelines. A box around
// participants also encloses their notes and messages to themselves.
func (l *layout) separate(headLeft, headRight []int) {
	for g := range l.Groups {
		group := &l.Groups[g]
		if group.First < 0 {
			continue
		}
		l.left[group.First] += framePad
		l.right[group.Last] += framePad
		need := label.Label{group.Label.String()}.Width() + 5 - l.left[group.First] - l.right[group.Last]
		if group.First == group.Last {
			l.right[group.Last] = max(l.right[group.Last], l.right[group.Last]+need)
		} else {
			l.spans = append(l.spans, span{group.First, group.Last, need})
		}
	}
	for i := range l.gaps {
		gap := max(l.right[i], l.left[i+1], headRight[i]+headLeft[i+1]) + 2
		if l.Diagram.People[i].Group != l.Diagram.People[i+1].Group {
			gap = max(gap, l.right[i]+l.left[i+1]+2)
		}
		l.gaps[i] = gap
	}
}
