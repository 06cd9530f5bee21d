package diagram

// seqRows holds the rows of everything in a diagram, from 0.
type seqRows struct {
	heads, headsEnd int   // the first row of the heads, and the row below them
	steps           []int // the first row of each step
	ends            []int // the row below each step
	from, to        []int // the first and last row of each lifeline
	bottom          int   // the row below the last step
	feet            int   // the first row of the heads at the bottom; 0 if there are none
	height          int
}

// seqLong is the least number of rows with which a diagram repeats its heads at the
// bottom.
const seqLong = 28

// rows finds the rows of everything. The heads begin at row top.
func (l *seqLayout) rows(top int) seqRows {
	n := len(l.heads)
	r := seqRows{
		heads: top, steps: make([]int, len(l.steps)), ends: make([]int, len(l.steps)),
		from: make([]int, n), to: make([]int, n),
	}
	r.headsEnd = top
	for i, p := range l.sequence.people {
		if !p.created {
			r.headsEnd = max(r.headsEnd, top+l.headRows(i))
		}
	}
	for i := range n {
		r.from[i], r.to[i] = r.headsEnd, -1
	}
	y := r.headsEnd
	for i, step := range l.steps {
		r.steps[i] = y
		y += l.stepRows(i, step)
		r.ends[i] = y
		if step.kind != seqMessage {
			continue
		}
		if step.creates {
			r.from[step.to] = y
		}
		if step.destroys >= 0 {
			r.to[step.destroys] = l.arrowRow(i, r.steps[i])
		}
	}
	r.bottom, r.height = y, y+1
	feet := 0
	for i, p := range l.sequence.people {
		if r.to[i] < 0 {
			r.to[i] = y
			feet = max(feet, l.headRows(i))
		}
		if p.created && r.from[i] == r.headsEnd {
			r.from[i] = y // cannot be: the reader refuses a participant that is never created
		}
	}
	if y-r.headsEnd >= seqLong && feet > 0 {
		r.feet, r.height = y, y+feet
	}
	return r
}

// headRows returns the height of a participant's head.
func (l *seqLayout) headRows(i int) int {
	if l.isActor(i) {
		return actorRows + len(l.heads[i])
	}
	return 2 + len(l.heads[i])
}

// actorRows is the height of the figure of an actor.
const actorRows = 3

// headMiddle returns the row of a head to which a message points.
func (l *seqLayout) headMiddle(i int) int {
	if l.isActor(i) {
		return 1
	}
	return (2 + len(l.heads[i])) / 2
}

// stepRows returns the height of a step.
func (l *seqLayout) stepRows(i int, step seqStep) int {
	lines := len(l.lines[i])
	switch step.kind {
	case seqMessage:
		switch {
		case step.from == step.to:
			return max(lines, 2)
		case step.creates:
			return l.arrowRow(i, 0) + l.headRows(step.to) - l.headMiddle(step.to)
		}
		return lines + 1
	case seqNote:
		return lines + 2
	case seqOpen, seqNext:
		if l.titleBeside(i) {
			return 1
		}
		return 1 + lines
	case seqClose:
		return 1
	}
	return 0
}

// titleBeside reports whether the text of a frame fits into its border beside the
// word.
func (l *seqLayout) titleBeside(i int) bool {
	if len(l.lines[i]) != 1 {
		return len(l.lines[i]) == 0
	}
	from, to := l.frameEdges(l.within[i])
	return l.lines[i].width()+len(l.frameWord(i))+1 <= to-from-5
}

// arrowRow returns the row of a message's line, if the message begins in row y.
func (l *seqLayout) arrowRow(i, y int) int {
	step := l.steps[i]
	switch {
	case step.from == step.to:
		return y + max(len(l.lines[i]), 2) - 1
	case step.creates:
		return y + max(len(l.lines[i]), l.headMiddle(step.to))
	}
	return y + len(l.lines[i])
}
