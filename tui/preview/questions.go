package preview

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/marks"
	"planb/tui/wording"
)

// Asked adds a question with its options, or in a tight preview its label alone.
func (l *Lines) Asked(q questions.Question) {
	l.label(q)
	if l.form < brief {
		l.options(q)
	}
}

// Answered adds a question with what a reply says to it.
func (l *Lines) Answered(q questions.Question, r questions.Reply) {
	if l.form >= brief {
		l.inOneLine("", q, r)
		return
	}
	l.label(q)
	if value, ok := r.Answers[q.ID]; ok && !value.IsZero() {
		l.Hang(l.Styles.Accent.Render, "→ ", wording.Answer(q, value))
	} else {
		l.Say(l.Styles.Faint.Render, "  left open", 1)
	}
	if note := r.Notes[q.ID]; !note.Blank() {
		l.Hang(l.Styles.Note.Render, "  Note: ", note.Raw())
	}
}

func (l *Lines) label(q questions.Question) {
	if l.form >= brief {
		l.Add(l.Styles.Strong.Render(q.Label.Line()))
		return
	}
	l.Text(l.Styles.Strong.Render, q.Label, 3)
}

// inOneLine adds a question and its answer on one line, behind a drawn mark.
func (l *Lines) inOneLine(mark string, q questions.Question, r questions.Reply) {
	label, room := q.Label.Line(), l.room-ansi.StringWidth(mark)
	value, ok := r.Answers[q.ID]
	if !ok || value.IsZero() {
		l.Add(mark + l.Styles.Strong.Render(cells.Cut(label, room)))
		return
	}
	answer := "→ " + safe.New(wording.Answer(q, value)).Line()
	if note := r.Notes[q.ID]; !note.Blank() {
		answer += cells.Gap + note.Line()
	}
	label = cells.Cut(label, max(room-ansi.StringWidth(answer)-1, room/3))
	l.Add(mark + l.Styles.Strong.Render(label) + " " + l.Styles.Accent.Render(answer))
}

// options adds what can be answered: the options, or else the kind of answer.
func (l *Lines) options(q questions.Question) {
	if kind := wording.AnswerKind(q); kind != "" {
		l.Say(l.Styles.Faint.Render, "  "+kind, 1)
	}
	for _, option := range q.Options {
		l.Say(l.Styles.Muted.Render, "  • "+option.Shown().Line(), 1)
	}
}

// Pending adds a question of an open form with its mark, and below it the answer
// entered so far. Without one it says what can be answered.
func (l *Lines) Pending(q questions.Question, r questions.Reply) {
	const most = 2
	value, mark := r.Answers[q.ID], "  "
	switch {
	case !value.IsZero():
		mark = l.Styles.Success.Render(marks.Answered) + " "
	case q.Required:
		mark = l.Styles.Required.Render(marks.Required) + " "
	}
	if l.form >= brief {
		l.inOneLine(mark, q, r)
		return
	}
	l.behind(mark, l.Styles.Strong.Render, q.Label, most)
	if value.IsZero() {
		l.behind("  ", l.Styles.Muted.Render, safe.New(choices(q)), most)
		return
	}
	l.behind("  ", l.Styles.Accent.Render, safe.New(wording.Answer(q, value)), most)
}

// choices names in one line what a question can be answered with.
func choices(q questions.Question) string {
	if kind := wording.AnswerKind(q); kind != "" {
		return kind
	}
	names := make([]string, len(q.Options))
	for i, option := range q.Options {
		names[i] = option.Shown().Line()
	}
	return strings.Join(names, "\u00a0· ") // a line breaks behind the dot
}
