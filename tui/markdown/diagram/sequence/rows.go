package sequence

// rows holds the rows of everything in a diagram, from 0.
type rows struct {
	heads, headsEnd int   // the first row of the heads, and the row below them
	steps           []int // the first row of each step
	ends            []int // the row below each step
	from, to        []int // the first and last row of each lifeline
	bottom          int   // the row below the last step
	feet            int   // the first row of the heads at the bottom; 0 if there are none
	height          int
}

// longDiagram is the least number of rows with which a diagram repeats its heads at the
// bottom.
const longDiagram = 28

// rows finds the rows of everything. The heads begin at row top.
func (l *layout) rows(top int) rows {
	n := len(l.heads)
	r := rows{
		heads: top, steps: make([]int, len(l.Steps)), ends: make([]int, len(l.Steps)),
		from: make([]int, n), to: make([]int, n),
	}
	r.headsEnd = top
	for i, p := range l.Diagram.People {
		if !p.Created {
			r.headsEnd = max(r.headsEnd, top+l.headRows(i))
		}
	}
	for i := range n {
		r.from[i], r.to[i] = r.headsEnd, -1
	}
	y := r.headsEnd
	for i, step := range l.Steps {
		r.steps[i] = y
		y += l.stepRows(i, step)
		r.ends[i] = y
		if step.Kind != Message {
			continue
		}
		if step.Creates {
			r.from[step.To] = y
		}
		if step.Destroys >= 0 {
			r.to[step.Destroys] = l.arrowRow(i, r.steps[i])
		}
	}
	r.bottom, r.height = y, y+1
	feet := 0
	for i, p := range l.Diagram.People {
		if r.to[i] < 0 {
			r.to[i] = y
			feet = max(feet, l.headRows(i))
		}
		if p.Created && r.from[i] == r.headsEnd {
			r.from[i] = y // cannot be: the reader refuses a participant that is never created
		}
	}
	if y-r.headsEnd >= longDiagram && feet > 0 {
		r.feet, r.height = y, y+feet
	}
	return r
}

func (l *layout) headRows(i int) int {
	if l.isActor(i) {
		return actorRows + len(l.heads[i])
	}
	return 2 + len(l.heads[i])
}

// actorRows is the height of the figure of an actor.
const actorRows = 3

// headMiddle returns the row of a head to which a message points.
func (l *layout) headMiddle(i int) int {
	if l.isActor(i) {
		return 1
	}
	return (2 + len(l.heads[i])) / 2
}

func (l *layout) stepRows(i int, step Step) int {
	lines := len(l.lines[i])
	switch step.Kind {
	case Message:
		switch {
		case step.From == step.To:
			return max(lines, 2)
		case step.Creates:
			return l.arrowRow(i, 0) + l.headRows(step.To) - l.headMiddle(step.To)
		}
		return lines + 1
	case Note:
		return lines + 2
	case Open, Next:
		if l.titleBeside(i) {
			return 1
		}
		return 1 + lines
	case Close:
		return 1
	}
	return 0
}

// titleBeside reports whether the text of a frame fits into its border beside the
// word.
func (l *layout) titleBeside(i int) bool {
	if len(l.lines[i]) != 1 {
		return len(l.lines[i]) == 0
	}
	from, to := l.frameEdges(l.within[i])
	return l.lines[i].Width()+len(l.frameWord(i))+1 <= to-from-5
}

// arrowRow returns the row of a message's line, if the message begins in row y.
func (l *layout) arrowRow(i, y int) int {
	step := l.Steps[i]
	switch {
	case step.From == step.To:
		return y + max(len(l.lines[i]), 2) - 1
	case step.Creates:
		return y + max(len(l.lines[i]), l.headMiddle(step.To))
	}
	return y + len(l.lines[i])
}
