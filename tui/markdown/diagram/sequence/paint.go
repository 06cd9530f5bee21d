package sequence

import (
	"github.com/charmbracelet/x/ansi"

	"planb/tui/markdown/diagram/canvas"
)

// painter paints a sequence diagram after its layout.
type painter struct {
	*layout
	*canvas.Canvas
	rows rows
}

// Paint lays a sequence diagram out and paints it, within a width in cells if possible;
// 0 or less is no limit. It returns the legend of the labels that it shortened, and the
// links of the participants. The only error is canvas.ErrTooLarge.
func (s *Diagram) Paint(c *canvas.Canvas, width int) (legend []string, err error) {
	p := newPainter(layOut(s, width, c.ASCII), c)
	if p.width > canvas.MaxCells/max(p.rows.height, 1) {
		return nil, canvas.ErrTooLarge
	}
	p.paint()
	return append(p.legend, p.Links...), nil
}

func newPainter(l *layout, c *canvas.Canvas) *painter {
	p := &painter{layout: l, Canvas: c}
	top := 0
	if len(l.Groups) > 0 {
		top++
	}
	p.rows = l.rows(top)
	return p
}

// paint paints the parts in an order in which later ones cover earlier ones.
func (p *painter) paint() {
	p.drawGroups()
	p.drawLifelines()
	p.drawFrames()
	p.drawBars()
	for i, step := range p.Steps {
		switch step.Kind {
		case Message:
			p.drawMessage(i, step)
		case Note:
			p.drawNote(i, step)
		case Open, Next:
			p.drawTitle(i)
		}
	}
	for i, person := range p.Diagram.People {
		if !person.Created {
			p.drawHead(i, p.rows.headsEnd-p.headRows(i), canvas.Down)
		}
		if p.rows.feet > 0 && !person.Destroyed {
			p.drawHead(i, p.rows.feet, canvas.Up)
		}
	}
}

// drawGroups draws the boxes around participants.
func (p *painter) drawGroups() {
	for _, g := range p.Groups {
		if g.First < 0 {
			continue
		}
		from, to := p.x[g.First]-p.left[g.First], p.x[g.Last]+p.right[g.Last]
		top := p.rows.heads - 1
		p.Box(from, top, to-from+1, p.rows.height-top+1, false, canvas.Light, canvas.Group)
		if len(g.Label) > 0 {
			label := " " + g.Label.String() + " "
			p.Text(from+(to-from+1-ansi.StringWidth(label))/2, top, label, canvas.GroupTitle)
		}
	}
}

func (p *painter) drawLifelines() {
	for i, x := range p.x {
		if p.rows.from[i] <= p.rows.to[i] {
			p.Vertical(x, p.rows.from[i]-1, p.rows.to[i], canvas.Light, canvas.Lifeline)
		}
	}
}

// drawBars draws activations as heavy lines on the lifelines. A second activation of
// the same participant stands beside the first.
func (p *painter) drawBars() {
	since := make([][]int, len(p.x))
	end := func(i, row int) {
		n := len(since[i]) - 1
		if from := since[i][n]; row > from {
			p.Vertical(p.x[i]+n, from, row, canvas.Heavy, canvas.Mark)
		}
		since[i] = since[i][:n]
	}
	for k, step := range p.Steps {
		row := min(max(p.rows.steps[k]-1, p.rows.from[step.From]), p.rows.to[step.From])
		switch {
		case step.Kind == Activate:
			since[step.From] = append(since[step.From], row)
		case step.Kind == Deactivate && len(since[step.From]) > 0:
			end(step.From, row)
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
func (p *painter) drawFrames() {
	var open []int
	for k, step := range p.Steps {
		switch step.Kind {
		case Open:
			open = append(open, k)
		case Next:
			from, to := p.frameEdges(open[len(open)-1])
			p.Horizontal(from, to, p.rows.steps[k], canvas.Dotted, canvas.Group)
		case Close:
			opened := open[len(open)-1]
			open = open[:len(open)-1]
			from, to := p.frameEdges(opened)
			how := canvas.Light
			if p.Steps[opened].Frame == "rect" {
				how = canvas.Dotted
			}
			top := p.rows.steps[opened]
			p.Box(from, top, to-from+1, p.rows.steps[k]-top+1, false, how, canvas.Group)
		}
	}
}

// drawTitle writes the word and the text of a frame, or of a part of it.
func (p *painter) drawTitle(k int) {
	x, _ := p.frameEdges(p.within[k])
	y := p.rows.steps[k]
	word, lines := p.frameWord(k), p.lines[k]
	if word == "" {
		return
	}
	at := x + 2 + p.Text(x+2, y, " "+word+" ", canvas.GroupTitle)
	if p.titleBeside(k) {
		if len(lines) == 1 {
			p.Text(at, y, lines[0]+" ", canvas.EdgeText)
		}
		return
	}
	for i, line := range lines {
		p.Text(x+framePad+1, y+1+i, " "+line+" ", canvas.EdgeText) // behind the first lifeline
	}
}

func (s Arrow) stroke() canvas.Stroke {
	if s.Dashed {
		return canvas.Dotted
	}
	return canvas.Light
}

func (p *painter) drawMessage(k int, step Step) {
	y := p.arrowRow(k, p.rows.steps[k])
	if step.From == step.To {
		p.drawSelf(k, step, y)
		return
	}
	if step.Creates {
		p.drawHead(step.To, y-p.headMiddle(step.To), canvas.Down)
	}
	start, end := p.ends(k)
	d := canvas.Right
	toward := 1
	if end < start {
		d, toward = canvas.Left, -1
	}
	from, to := start, end
	if step.Arrow.Tail != canvas.NoSign {
		from += toward
	}
	if step.Arrow.Head != canvas.NoSign {
		to -= toward
	}
	p.Horizontal(from, to, y, step.Arrow.stroke(), canvas.Edge)
	if m := step.Arrow.Tail; m != canvas.NoSign {
		p.Sign(from, y, m, d.Opposite(), canvas.Edge)
	}
	if m := step.Arrow.Head; m != canvas.NoSign {
		p.Sign(to, y, m, d, canvas.Edge)
	}
	if step.Arrow.FromDot {
		p.Sign(start, y, canvas.CircleSign, d, canvas.Edge)
	}
	if step.Arrow.ToDot {
		p.Sign(end, y, canvas.CircleSign, d, canvas.Edge)
	}
	if step.Destroys >= 0 {
		p.Sign(p.x[step.Destroys], y, canvas.CrossSign, d, canvas.Edge)
	}
	lines := p.lines[k]
	least, most := min(start, end)+1, max(start, end)-1
	for i, line := range lines {
		line = " " + line + " " // keeps the text away from lifelines that it covers
		p.Text(least+(most-least+1-ansi.StringWidth(line))/2, y-len(lines)+i, line, canvas.EdgeText)
	}
}

// drawSelf draws a message that a participant sends to itself.
func (p *painter) drawSelf(k int, step Step, y int) {
	top := p.rows.steps[k]
	x := p.x[step.From]
	start, end := x+p.bars[k].from, x+p.bars[k].to
	out := max(start, end) + selfCells
	how := step.Arrow.stroke()
	p.Horizontal(start, out, top, how, canvas.Edge)
	p.Vertical(out, top, y, how, canvas.Edge)
	to := end
	if step.Arrow.Head != canvas.NoSign {
		to++
	}
	p.Horizontal(to, out, y, how, canvas.Edge)
	p.Round(out, top)
	p.Round(out, y)
	if m := step.Arrow.Head; m != canvas.NoSign {
		p.Sign(to, y, m, canvas.Left, canvas.Edge)
	}
	if m := step.Arrow.Tail; m != canvas.NoSign {
		p.Sign(start+1, top, m, canvas.Left, canvas.Edge)
	}
	if step.Destroys >= 0 {
		p.Sign(x, y, canvas.CrossSign, canvas.Left, canvas.Edge)
	}
	for i, line := range p.lines[k] {
		p.Text(out+2, top+i, line, canvas.EdgeText)
	}
}

func (p *painter) drawNote(k int, step Step) {
	lines := p.lines[k]
	cells := lines.Width() + 4
	from := p.x[step.From]
	switch {
	case step.Place == LeftOf:
		from -= cells + 1
	case step.Place == RightOf:
		from += 2
	case step.From == step.To:
		from -= (cells - 1) / 2
	default:
		from -= noteOut
		cells = p.x[step.To] - p.x[step.From] + 1 + 2*noteOut
	}
	y := p.rows.steps[k]
	p.Clear(from, y, cells, len(lines)+2)
	p.Box(from, y, cells, len(lines)+2, true, canvas.Light, canvas.Note)
	for i, line := range lines {
		p.Text(from+2+(cells-4-ansi.StringWidth(line))/2, y+1+i, line, canvas.NoteText)
	}
}

// drawHead draws the head of a participant. lifeline is the direction in which the
// lifeline leaves it.
func (p *painter) drawHead(i, y int, lifeline canvas.Direction) {
	lines := p.heads[i]
	before, behind := p.headReach(i)
	x := p.x[i] - before
	cells := before + behind + 1
	if p.isActor(i) {
		p.Clear(x, y, cells, p.headRows(i))
		p.drawFigure(p.x[i], y)
		for n, line := range lines {
			p.Text(x+(cells-ansi.StringWidth(line))/2, y+actorRows+n, line, canvas.Text)
		}
		return
	}
	p.Clear(x, y, cells, len(lines)+2)
	p.Box(x, y, cells, len(lines)+2, false, canvas.Light, canvas.Border)
	edge := y
	if lifeline == canvas.Down {
		edge = y + len(lines) + 1
	}
	p.Arm(p.x[i], edge, lifeline, canvas.Light, canvas.Border)
	for n, line := range lines {
		p.Text(x+(cells-ansi.StringWidth(line))/2, y+1+n, line, canvas.Text)
	}
}

// drawFigure draws the figure of an actor around a column.
func (p *painter) drawFigure(x, y int) {
	for i, row := range [actorRows][2]string{{" o ", " o "}, {"/|\\", "╱│╲"}, {"/ \\", "╱ ╲"}} {
		p.Text(x-1, y+i, canvas.Pick(p.ASCII, row[0], row[1]), canvas.Border)
	}
}
