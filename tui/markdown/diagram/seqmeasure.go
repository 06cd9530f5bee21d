package diagram

import "slices"

// headReach returns how many cells the head of a participant takes left and right of
// its lifeline.
func (l *seqLayout) headReach(i int) (left, right int) {
	cells := max(l.heads[i].width(), 1) + 4
	if l.isActor(i) {
		cells = max(cells-4, actorCells)
	}
	return (cells - 1) / 2, cells / 2
}

// actorCells is the width of the figure of an actor.
const actorCells = 3

func (l *seqLayout) isActor(i int) bool { return l.sequence.people[i].kind == "actor" }

// cells returns how many cells the text of a step needs at least.
func (l *seqLayout) cells(step int) int {
	text := l.texts[step]
	if l.short > 0 && text.least > l.short {
		short, _ := l.labels[step].shorten(l.short, cutSign(l.ascii))
		return max(short.width(), l.keyCells())
	}
	return text.wrap(l.limit).width()
}

// measure finds how much room the steps need.
func (l *seqLayout) measure() {
	type frame struct {
		seqArea
		step   int
		titles []int // the cells that each of its labels needs
	}
	open := []frame{{seqArea: noArea(), step: -1}}
	for i, step := range l.steps {
		top := &open[len(open)-1]
		switch step.kind {
		case seqMessage:
			top.add(l.measureMessage(i, step))
		case seqNote:
			top.add(l.measureNote(i, step))
		case seqOpen:
			l.within[i] = i
			open = append(open, frame{seqArea: noArea(), step: i, titles: []int{l.titleCells(i)}})
		case seqNext:
			l.within[i] = top.step
			top.titles = append(top.titles, l.titleCells(i))
		case seqClose:
			area := top.seqArea
			if area.from < 0 { // the frame is empty
				if len(l.heads) == 0 {
					open = open[:len(open)-1]
					continue
				}
				area = seqArea{from: 0, to: len(l.heads) - 1}
			}
			area.before += framePad
			area.behind += framePad
			need := slices.Max(top.titles) + 5 - area.before - area.behind
			if area.from == area.to {
				area.behind = max(area.behind, area.behind+need)
			} else {
				l.spans = append(l.spans, seqSpan{area.from, area.to, need})
			}
			l.frames[top.step] = area
			l.reserve(area)
			open = open[:len(open)-1]
			open[len(open)-1].add(area)
		}
	}
}

// framePad is the distance between the border of a frame and its contents.
const framePad = 2

// titleCells returns the width of a frame's label: its word, with the text beside it
// or below.
func (l *seqLayout) titleCells(step int) int {
	word := len(l.frameWord(step))
	lines := l.texts[step].wrap(l.limit)
	if len(lines) == 1 {
		return word + 1 + l.cells(step)
	}
	return max(word, l.cells(step))
}

// frameWord returns the word in the border of a frame.
func (l *seqLayout) frameWord(step int) string {
	if l.steps[step].frame == "rect" {
		return ""
	}
	return l.steps[step].frame
}

// reserve makes room for an area left and right of its lifelines.
func (l *seqLayout) reserve(a seqArea) {
	l.left[a.from] = max(l.left[a.from], a.before)
	l.right[a.to] = max(l.right[a.to], a.behind)
}

// measureMessage makes room for a message and returns its area.
func (l *seqLayout) measureMessage(i int, step seqStep) seqArea {
	bars := l.bars[i]
	if step.from == step.to {
		a := seqArea{from: step.from, to: step.from, behind: max(bars.from, bars.to) + selfCells}
		if cells := l.cells(i); cells > 0 {
			a.behind += 1 + cells
		}
		l.reserve(a)
		return a
	}
	from, to := min(step.from, step.to), max(step.from, step.to)
	need := max(l.cells(i)+3, 4)
	a := seqArea{from: from, to: to}
	if step.from < step.to {
		need += bars.from
		a.behind = bars.to
	} else {
		need += bars.to
		a.behind = bars.from
	}
	if step.creates {
		before, behind := l.headReach(step.to)
		if step.to == to {
			need += before
			a.behind = behind
		} else {
			need += behind
			a.before = before
		}
	}
	l.spans = append(l.spans, seqSpan{from, to, need})
	return a
}

// selfCells is how far a message from a participant to itself leads away from the
// lifeline.
const selfCells = 3

// noteOut is how far the border of a note over two participants reaches beyond their
// lifelines.
const noteOut = 2

// measureNote makes room for a note and returns its area.
func (l *seqLayout) measureNote(i int, step seqStep) seqArea {
	cells := l.cells(i) + 4
	a := seqArea{from: step.from, to: step.to}
	switch {
	case step.place == noteLeft:
		a.before = cells + 1
	case step.place == noteRight:
		a.behind = cells + 1
	case step.from == step.to:
		a.before, a.behind = (cells-1)/2, cells/2
	default:
		a.before, a.behind = noteOut, noteOut
		l.spans = append(l.spans, seqSpan{step.from, step.to, cells - 2*noteOut - 1})
	}
	l.reserve(a)
	return a
}

// separate finds the least distances between neighbouring lifelines. A box around
// participants also encloses their notes and messages to themselves.
func (l *seqLayout) separate(headLeft, headRight []int) {
	for g := range l.groups {
		group := &l.groups[g]
		if group.first < 0 {
			continue
		}
		l.left[group.first] += framePad
		l.right[group.last] += framePad
		need := label{group.label.String()}.width() + 5 - l.left[group.first] - l.right[group.last]
		if group.first == group.last {
			l.right[group.last] = max(l.right[group.last], l.right[group.last]+need)
		} else {
			l.spans = append(l.spans, seqSpan{group.first, group.last, need})
		}
	}
	for i := range l.gaps {
		gap := max(l.right[i], l.left[i+1], headRight[i]+headLeft[i+1]) + 2
		if l.sequence.people[i].group != l.sequence.people[i+1].group {
			gap = max(gap, l.right[i]+l.left[i+1]+2)
		}
		l.gaps[i] = gap
	}
}
