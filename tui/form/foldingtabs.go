package form

import (
	"slices"

	"planb/questions"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/marks"
	"planb/tui/screen"
	"planb/tui/wording"
)

// leastAlike is the least number of questions alike in a tab that folds them.
const leastAlike = 3

// foldingTabs reports of each tab whether all its questions are single choices with the same
// options. They are a list to go through: whoever has read the options once knows them.
func foldingTabs(spec questions.Spec, tabs []questions.Tab) []bool {
	folding := make([]bool, len(tabs))
	for i, tab := range tabs {
		folding[i] = len(tab.Questions) >= leastAlike && !slices.ContainsFunc(tab.Questions, func(n int) bool {
			return !alike(spec.Questions[tab.Questions[0]], spec.Questions[n])
		})
	}
	return folding
}

func alike(a, b questions.Question) bool {
	return a.Kind == questions.Single && b.Kind == questions.Single && a.Other == b.Other && slices.Equal(a.Options, b.Options)
}

// folds reports whether the questions of the tab fold, because they do not fit into the rows.
func (q *questionnaire) folds(p field.Pen) bool {
	if !q.folding[q.state.tab] {
		return false
	}
	rows := 0
	for _, i := range q.state.tabs[q.state.tab].Questions {
		rows += len(q.drawAside(i, p, false).Lines)
	}
	return rows > p.Height
}

// drawFolded draws what a question without the focus shows in a list of questions alike: its
// label, its answer and its note.
func (q *questionnaire) drawFolded(i int, p field.Pen) screen.Block {
	e := q.state.controls[i]
	const indent = "  "
	var b screen.Block
	lines := q.labelLines(e, p)
	if value := q.answerNow(e); !value.IsZero() {
		answer := marks.Chosen + " " + briefly(wording.AnswerBy(summaryDot, e.q, value)).Line()
		lines = cells.AddMark(lines, p.Styles.Accent.Render(cells.Cut(answer, p.Width-len(indent))), indent, p.Width)
	}
	if e.alert != "" {
		lines = append(lines, p.Styles.Danger.Render("▲ "+e.alert))
	}
	for _, line := range lines {
		b.Add(line)
		b.HitLast(clickLabel, p.Width)
	}
	q.drawNote(e, false, p, &b)
	for n := range b.Hits {
		b.Hits[n].At += i*hitSpan + hitZero
	}
	return b
}
