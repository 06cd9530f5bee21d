package diagram

import (
	"github.com/charmbracelet/x/ansi"
)

// seqPainter paints a sequence diagram after its layout.
type seqPainter struct {
	*seqLayout
	*canvas
	rows seqRows
}

// paint lays a sequence diagram out and paints it, within a width if possible.
func (s *sequence) paint(c *canvas, width int) (legend []string, err error) {
	p := newSeqPainter(layOut(s, width, c.ascii), c)
	if p.width > maxCells/max(p.rows.height, 1) {
		return nil, errTooLarge
	}
	p.paint()
	return append(p.legend, p.links...), nil
}

func newSeqPainter(l *seqLayout, c *canvas) *seqPainter {
	p := &seqPainter{seqLayout: l, canvas: c}
	top := 0
	if len(l.groups) > 0 {
		top++
	}
	p.rows = l.rows(top)
	return p
}

// paint paints the parts in an order in which later ones cover earlier ones.
func (p *seqPainter) paint() {
	p.drawGroups()
	p.drawLifelines()
	p.drawFrames()
	p.drawBars()
	for i, step := range p.steps {
		switch step.kind {
		case seqMessage:
			p.drawMessage(i, step)
		case seqNote:
			p.drawNote(i, step)
		case seqOpen, seqNext:
			p.drawTitle(i)
		}
	}
	for i, person := range p.sequence.people {
		if !person.created {
			p.drawHead(i, p.rows.headsEnd-p.headRows(i), down)
		}
		if p.rows.feet > 0 && !person.destroyed {
			p.drawHead(i, p.rows.feet, up)
		}
	}
}

// drawGroups draws the boxes around participants.
func (p *seqPainter) drawGroups() {
	for _, g := range p.groups {
		if g.first < 0 {
			continue
		}
		from, to := p.x[g.first]-p.left[g.first], p.x[g.last]+p.right[g.last]
		top := p.rows.heads - 1
		p.box(from, top, to-from+1, p.rows.height-top+1, false, light, Group)
		if len(g.label) > 0 {
			label := " " + g.label.String() + " "
			p.text(from+(to-from+1-ansi.StringWidth(label))/2, top, label, GroupTitle)
		}
	}
}

func (p *seqPainter) drawLifelines() {
	for i, x := range p.x {
		if p.rows.from[i] <= p.rows.to[i] {
			p.vertical(x, p.rows.from[i]-1, p.rows.to[i], light, Lifeline)
		}
	}
}

// drawBars draws activations as heavy lines on the lifelines. A second activation of
// the same participant stands beside the first.
func (p *seqPainter) drawBars() {
	since := make([][]int, len(p.x))
	end := func(i, row int) {
		n := len(since[i]) - 1
		if from := since[i][n]; row > from {
			p.vertical(p.x[i]+n, from, row, heavy, Mark)
		}
		since[i] = since[i][:n]
	}
	for k, step := range p.steps {
		row := min(max(p.rows.steps[k]-1, p.rows.from[step.from]), p.rows.to[step.from])
		switch {
		case step.kind == seqActivate:
			since[step.from] = append(since[step.from], row)
		case step.kind == seqDeactivate && len(since[step.from]) > 0:
			end(step.from, row)
		}
	}
	for i := range since {
		for len(since[i]) > 0 {
			end(i, p.rows.to[i])
		}
	}
}

// drawFrames draws the outlines of loops and other frames, and the lines between their
// parts.
func (p *seqPainter) drawFrames() {
	var open []int
	for k, step := range p.steps {
		switch step.kind {
		case seqOpen:
			open = append(open, k)
		case seqNext:
			from, to := p.frameEdges(open[len(open)-1])
			p.horizontal(from, to, p.rows.steps[k], dotted, Group)
		case seqClose:
			opened := open[len(open)-1]
			open = open[:len(open)-1]
			from, to := p.frameEdges(opened)
			how := light
			if p.steps[opened].frame == "rect" {
				how = dotted
			}
			top := p.rows.steps[opened]
			p.box(from, top, to-from+1, p.rows.steps[k]-top+1, false, how, Group)
		}
	}
}

// drawTitle writes the word and the text of a frame, or of a part of it.
func (p *seqPainter) drawTitle(k int) {
	x, _ := p.frameEdges(p.within[k])
	y := p.rows.steps[k]
	word, lines := p.frameWord(k), p.lines[k]
	if word == "" {
		return
	}
	at := x + 2 + p.text(x+2, y, " "+word+" ", GroupTitle)
	if p.titleBeside(k) {
		if len(lines) == 1 {
			p.text(at, y, lines[0]+" ", EdgeText)
		}
		return
	}
	for i, line := range lines {
		p.text(x+framePad+1, y+1+i, " "+line+" ", EdgeText) // behind the first lifeline
	}
}

func (s seqArrow) stroke() stroke {
	if s.dashed {
		return dotted
	}
	return light
}

func (p *seqPainter) drawMessage(k int, step seqStep) {
	y := p.arrowRow(k, p.rows.steps[k])
	if step.from == step.to {
		p.drawSelf(k, step, y)
		return
	}
	if step.creates {
		p.drawHead(step.to, y-p.headMiddle(step.to), down)
	}
	start, end := p.ends(k)
	d := right
	toward := 1
	if end < start {
		d, toward = left, -1
	}
	from, to := start, end
	if step.arrow.tail != noMark {
		from += toward
	}
	if step.arrow.head != noMark {
		to -= toward
	}
	p.horizontal(from, to, y, step.arrow.stroke(), Edge)
	if m := step.arrow.tail; m != noMark {
		p.mark(from, y, m, d.opposite(), Edge)
	}
	if m := step.arrow.head; m != noMark {
		p.mark(to, y, m, d, Edge)
	}
	if step.arrow.fromDot {
		p.mark(start, y, circleMark, d, Edge)
	}
	if step.arrow.toDot {
		p.mark(end, y, circleMark, d, Edge)
	}
	if step.destroys >= 0 {
		p.mark(p.x[step.destroys], y, crossMark, d, Edge)
	}
	lines := p.lines[k]
	least, most := min(start, end)+1, max(start, end)-1
	for i, line := range lines {
		line = " " + line + " " // keeps the text away from lifelines that it covers
		p.text(least+(most-least+1-ansi.StringWidth(line))/2, y-len(lines)+i, line, EdgeText)
	}
}

// drawSelf draws a message that a participant sends to itself.
func (p *seqPainter) drawSelf(k int, step seqStep, y int) {
	top := p.rows.steps[k]
	x := p.x[step.from]
	start, end := x+p.bars[k].from, x+p.bars[k].to
	out := max(start, end) + selfCells
	how := step.arrow.stroke()
	p.horizontal(start, out, top, how, Edge)
	p.vertical(out, top, y, how, Edge)
	to := end
	if step.arrow.head != noMark {
		to++
	}
	p.horizontal(to, out, y, how, Edge)
	p.round(out, top)
	p.round(out, y)
	if m := step.arrow.head; m != noMark {
		p.mark(to, y, m, left, Edge)
	}
	if m := step.arrow.tail; m != noMark {
		p.mark(start+1, top, m, left, Edge)
	}
	if step.destroys >= 0 {
		p.mark(x, y, crossMark, left, Edge)
	}
	for i, line := range p.lines[k] {
		p.text(out+2, top+i, line, EdgeText)
	}
}

func (p *seqPainter) drawNote(k int, step seqStep) {
	lines := p.lines[k]
	cells := lines.width() + 4
	from := p.x[step.from]
	switch {
	case step.place == noteLeft:
		from -= cells + 1
	case step.place == noteRight:
		from += 2
	case step.from == step.to:
		from -= (cells - 1) / 2
	default:
		from -= noteOut
		cells = p.x[step.to] - p.x[step.from] + 1 + 2*noteOut
	}
	y := p.rows.steps[k]
	p.clear(from, y, cells, len(lines)+2)
	p.box(from, y, cells, len(lines)+2, true, light, Note)
	for i, line := range lines {
		p.text(from+2+(cells-4-ansi.StringWidth(line))/2, y+1+i, line, NoteText)
	}
}

// drawHead draws the head of a participant. lifeline is the direction in which the
// lifeline leaves it.
func (p *seqPainter) drawHead(i, y int, lifeline direction) {
	lines := p.heads[i]
	before, behind := p.headReach(i)
	x := p.x[i] - before
	cells := before + behind + 1
	if p.isActor(i) {
		p.clear(x, y, cells, p.headRows(i))
		p.drawFigure(p.x[i], y)
		for n, line := range lines {
			p.text(x+(cells-ansi.StringWidth(line))/2, y+actorRows+n, line, Text)
		}
		return
	}
	p.clear(x, y, cells, len(lines)+2)
	p.box(x, y, cells, len(lines)+2, false, light, Border)
	edge := y
	if lifeline == down {
		edge = y + len(lines) + 1
	}
	p.arm(p.x[i], edge, lifeline, light, Border)
	for n, line := range lines {
		p.text(x+(cells-ansi.StringWidth(line))/2, y+1+n, line, Text)
	}
}

// drawFigure draws the figure of an actor around a column.
func (p *seqPainter) drawFigure(x, y int) {
	for i, row := range [actorRows][2]string{{" o ", " o "}, {"/|\\", "╱│╲"}, {"/ \\", "╱ ╲"}} {
		p.text(x-1, y+i, pick(p.ascii, row[0], row[1]), Border)
	}
}
