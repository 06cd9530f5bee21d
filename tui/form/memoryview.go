package form

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/prompt"
	"planb/tui/screen"
	"planb/tui/wording"
)

// unfit says why an earlier answer cannot be reused.
func (r *recalled) unfit() string {
	if r.Question.Kind == questions.Scale {
		return "That was on another scale."
	}
	if len(r.Question.Options) > 0 {
		return "That is not offered any more."
	}
	return "That does not fit here."
}

// beginning cuts a text to what a row may show. A row is drawn often, and its text may
// have megabytes.
func beginning(text safe.Text) string {
	const most = 1 << 10
	raw := text.Raw()
	if len(raw) <= most {
		return text.Line()
	}
	return safe.New(strings.ToValidUTF8(raw[:most], "")).Line() + "…"
}

// words returns an earlier answer in the words of its question at that time. written
// turns the text that the person wrote into a string.
func (r *recalled) words(written func(safe.Text) string) string {
	shown := func(item string) string {
		for _, o := range r.Question.Options {
			if o.Value.Raw() == item {
				return o.Shown().Line()
			}
		}
		return written(safe.New(item))
	}
	if n, ok := r.Answer.Number(); ok {
		text := questions.FormatNumber(n)
		if q := r.Question; r.value.IsZero() && q.Range != nil {
			text += " of " + questions.FormatNumber(q.Min) + " to " + questions.FormatNumber(q.Max)
		}
		return text
	}
	if text, ok := r.Answer.Text(); ok {
		return shown(text)
	}
	items, _ := r.Answer.Items()
	for i := range items {
		items[i] = shown(items[i])
	}
	return strings.Join(items, ", ")
}

// The words before an earlier answer on its line.
const (
	leadBefore = "answered before: "
	leadSame   = "as before: "
)

// drawEarlier draws the line with the earlier answer.
func (q *questionnaire) drawEarlier(e *control, p field.Pen, b *screen.Block) {
	was := q.earlierTo(e)
	if was == nil || q.host.Stage() == over {
		return
	}
	same := !was.value.IsZero() && q.answerNow(e).Equal(was.value)
	lead := leadBefore
	if same {
		lead = leadSame
	}
	if p.Width < Narrow && p.Height >= twoRowsHeight {
		for _, line := range q.earlierRows(e, was, lead, p) {
			b.Add(line)
			b.HitLast(clickEarlier, p.Width)
		}
		return
	}
	key := ""
	if p.Here {
		key = q.earlierHint(e, was, same, p.Width < Narrow)
	}
	if p.Width < Narrow {
		lead = "before: "
	}
	st := p.Styles
	room := p.Width - ansi.StringWidth(lead)
	if key != "" {
		room -= ansi.StringWidth(key) + 2
	}
	b.Add(st.Faint.Render(lead+q.datedTo(e, was, p.Width, room)) + spaced(st.Muted.Render(key), key != ""))
	b.HitLast(clickEarlier, p.Width)
}

// twoRowsHeight is the least height of the questions in which an earlier answer may have two rows.
const twoRowsHeight = 24

// earlierRows draws an earlier answer in two rows, for narrow questions beside a panel: the answer
// with its note, and below it when and where it was given. Both rows say something without the
// focus, too, so that no question moves with it.
func (q *questionnaire) earlierRows(e *control, was *recalled, lead string, p field.Pen) []string {
	const indent = "  "
	text, rest := was.line, ""
	if note := was.noteUnlike(e); note != "" {
		text += " ✎ " + note
	}
	room := p.Width - ansi.StringWidth(lead)
	if !was.whole {
		rest = cells.Longest(room-ansi.StringWidth(text), " ("+was.rest(false)+")", " ("+was.rest(true)+")")
	}
	given := wording.Ago(was.At, q.host.now())
	if was.Session.ID != q.host.Input().Session.ID {
		given = cells.Join(given, was.Session.Title.Line())
	}
	key := ""
	room = p.Width - len(indent)
	if p.Here {
		same := lead == leadSame
		key = cells.Longest(room-ansi.StringWidth(given)-2, q.earlierHint(e, was, same, false), q.earlierHint(e, was, same, true))
		room -= ansi.StringWidth(spaced(key, key != ""))
	}
	st := p.Styles
	return []string{
		st.Faint.Render(lead + cells.Cut(text, p.Width-ansi.StringWidth(lead+rest)) + rest),
		st.Faint.Render(indent+cells.Cut(given, room)) + spaced(st.Muted.Render(key), key != ""),
	}
}

// noteUnlike returns the earlier note. It is empty if the question has that note now: the note's
// own row shows it.
func (r *recalled) noteUnlike(e *control) string {
	if r.Note.Blank() || e.note.Text() == r.Note.Raw() {
		return ""
	}
	return r.note
}

func spaced(text string, shown bool) string {
	if !shown {
		return ""
	}
	return "  " + text
}

// datedTo returns an earlier answer with its note, its date and, if there is room, its
// session. It cuts what does not fit; the zoom shows everything.
func (q *questionnaire) datedTo(e *control, was *recalled, width, room int) string {
	date := " · " + wording.Ago(was.At, q.host.now())
	if now := q.host.now(); width >= wideLine && !wording.SameDay(was.At.In(now.Location()), now) {
		date += ", " + wording.Moment(was.At, now)
	}
	rest := ""
	if !was.whole {
		rest = " (" + was.rest(width < Narrow) + ")"
	}
	const least = 12 // fewer cells of a text tell the reader nothing
	text := was.line
	if room-ansi.StringWidth(rest+date) < min(ansi.StringWidth(text), least) {
		date = ""
	}
	after := rest + date
	left := max(1, room-ansi.StringWidth(after))
	if note := was.noteUnlike(e); note != "" {
		text += cells.Cut(" ✎ "+note, max(2, left-ansi.StringWidth(text)))
	}
	text = cells.Cut(text, left)
	left -= ansi.StringWidth(text)
	if date == "" || was.Session.Title.Blank() || was.Session.ID == q.host.Input().Session.ID || left < least {
		return text + after
	}
	return text + after + cells.Cut(" · "+was.Session.Title.Line(), left)
}

// wideLine is the least width at which the line has the exact date, too.
const wideLine = 90

// rest says why not all of the earlier answer can be reused; brief asks for fewer words.
func (r *recalled) rest(brief bool) string {
	switch {
	case !r.value.IsZero() && brief:
		return "in part"
	case !r.value.IsZero():
		return "not all is offered now"
	case r.Question.Kind == questions.Scale:
		return "another scale"
	case len(r.Question.Options) == 0:
		return "does not fit here"
	case brief:
		return "gone"
	}
	return "not offered now"
}

// earlierHint names the key for the earlier answer and what it does now. It is empty if
// the key does nothing.
func (q *questionnaire) earlierHint(e *control, was *recalled, same, brief bool) string {
	switch key := q.earlierKey(e); {
	case key == "" || was.value.IsZero():
		return ""
	case q.memory.offered && brief:
		return "press " + key + " to take all"
	case q.memory.offered:
		return "press " + key + " to take all over"
	case same && was.before != nil:
		return "press " + key + " to undo"
	case same:
		return ""
	case brief:
		return "press " + key + " to take it"
	default:
		return "press " + key + " to take it over"
	}
}

// aboutEarlier returns the whole earlier answer, for the zoom.
func (q *questionnaire) aboutEarlier(e *control) string {
	was := q.earlierTo(e)
	if was == nil {
		return ""
	}
	where := ""
	if !was.Session.Title.Blank() {
		where = ", in “" + was.Session.Title.Line() + "”"
	}
	text := "Answered before, " + wording.Moment(was.At, q.host.now()) + where + ":\n\n" + was.words(safe.Text.Raw)
	if !was.Note.Blank() {
		text += "\n\n✎ " + was.Note.Raw()
	}
	if !was.whole {
		text += "\n\n(" + was.rest(false) + ")"
	}
	if was.Question.Label != e.q.Label {
		text += "\n\nThe question was: " + was.Question.Label.Raw()
	}
	return text
}

// earlierItems returns the menu's items for the earlier answer. On the page with all answers
// they would be about a question that is not under the cursor there.
func (q *questionnaire) earlierItems() (items []prompt.Item) {
	e := q.state.focused()
	here := q.summary == nil && e != nil && q.earlierTo(e) != nil
	switch {
	case q.memory.offered:
		items = append(items, prompt.Item{Letter: "a", Label: "Take over your earlier answers", Does: q.reusePrior, Apart: true})
	case here && !e.noting && !q.earlierTo(e).value.IsZero():
		items = append(items, prompt.Item{Letter: "a", Label: "Take over your earlier answer", Does: q.reuseEarlier, Apart: true})
	}
	if here {
		items = append(items, prompt.Item{Letter: "b", Label: "Read what you answered before", Does: q.readEarlier, Apart: len(items) == 0})
	}
	return items
}

// readEarlier shows the whole earlier answer on the whole screen.
func (q *questionnaire) readEarlier() tea.Cmd {
	q.host.CloseDialog()
	if e := q.state.current(); e != nil {
		q.host.unfold(&textPage{q.host, "Answered before", safe.New(q.aboutEarlier(e))})
	}
	return nil
}
