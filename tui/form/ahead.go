package form

import (
	"planb/questions"
	"planb/tui/form/field"
	"planb/tui/form/rendering"
)

// lookAhead has illustrations rendered that the next key may show, the likeliest first:
// of the options beside the cursor, of the questions and tabs beside this one, and of
// those that a number or a jump leads to.
func (q *questionnaire) lookAhead(width int) {
	s := q.state
	in := s.tabs[s.tab].Questions
	if e := s.current(); e != nil {
		if c, ok := e.field.(field.Illustrated); ok {
			q.aheadRows(s.index(e.q.ID), width, c.Row()+1, c.Row()-1)
		}
	}
	for _, n := range []int{s.at[s.tab] + 1, s.at[s.tab] - 1, 0, len(in) - 1} {
		if n >= 0 && n < len(in) {
			q.aheadQuestion(in[n], width)
		}
	}
	for _, tab := range []int{s.tab + 1, s.tab - 1, 0, len(s.tabs) - 1} {
		if tab >= 0 && tab < len(s.tabs) && len(s.tabs[tab].Questions) > 0 {
			other := s.tabs[tab].Questions
			q.aheadQuestion(other[s.at[tab]], width)
			q.aheadQuestion(other[0], width)
		}
	}
	if missing := s.answers().missing; len(missing) > 0 {
		q.aheadQuestion(s.index(missing[0]), width)
	}
	if e := s.current(); e != nil {
		if c, ok := e.field.(field.Illustrated); ok {
			q.aheadRows(s.index(e.q.ID), width, c.Row()+2, c.Row()-2, 0, 1, 2, 3, 4, 5, 6, 7, 8)
		}
	}
	if ref, _, text, ok := q.panelText(); ok {
		width, _ := q.host.Size()
		q.docs.Ahead(ref, text, min(width-zoomMargin, ReadWidth))
	}
}

// panelCells returns the width of the panel's text, for the tabs that have a panel.
func (q *questionnaire) panelCells(c *Canvas) int {
	if c.Width >= sideWidth {
		return q.panel.Split.beside(c.Width) - 4
	}
	return c.Width - 2
}

// aheadQuestion has the illustrations rendered that a question may show when the focus
// comes to it: from above, from below, or straight.
func (q *questionnaire) aheadQuestion(question, width int) {
	if c, ok := q.state.controls[question].field.(field.Illustrated); ok {
		q.aheadRows(question, width, c.Row(), 0, len(c.Options())-1)
	}
}

// aheadRows has the illustrations rendered that a question shows with the cursor on these
// rows.
func (q *questionnaire) aheadRows(question, width int, rows ...int) {
	e := q.state.controls[question]
	c := e.field.(field.Illustrated)
	for _, row := range rows {
		if row < 0 || row >= len(c.Options()) {
			continue
		}
		q.aheadOption(e.q, question, c.IllustrationAt(row), width)
		if option := c.Options()[row]; option >= 0 && !c.HasIllustration(option) {
			// If the person chooses this option and takes it back, the panel shows the first illustration.
			q.aheadOption(e.q, question, c.FirstIllustration(), width)
		}
	}
}

func (q *questionnaire) aheadOption(asked questions.Question, question, option, width int) {
	if option != field.NoOption {
		q.docs.Ahead(rendering.Ref{Part: rendering.Illustration, Question: question, Option: option}, asked.Options[option].Markdown, width)
	}
}
