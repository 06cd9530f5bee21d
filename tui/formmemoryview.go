package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/form/field"
	"planb/tui/wording"
)

// unfit says why an earlier answer cannot be taken over.
func (r *recalled) unfit() string {
	if r.Question.Kind == questions.Scale {
		return "That was on another scale."
	}
	if len(r.Question.Options) > 0 {
		return "That is not offered any more."
	}
	return "That does not fit here."
}

// beginning is as much of a text as a row may show, which is drawn often and may
// be of a text of megabytes.
func beginning(text safe.Text) string {
	const most = 1 << 10
	raw := text.Raw()
	if len(raw) <= most {
		return text.Line()
	}
	return safe.New(strings.ToValidUTF8(raw[:most], "")).Line() + "…"
}

// words is an earlier answer as it was shown then, with what the person wrote as
// written makes it.
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

// Ways of an answer to stand to what was answered before.
const (
	leadBefore = "answered before: "
	leadSame   = "as before: "
)

// drawEarlier draws the line of what was answered before.
func (f *form) drawEarlier(e *control, p field.Pen, b *field.Block) {
	was := f.earlierTo(e)
	if was == nil || f.stage == over {
		return
	}
	same := !was.value.IsZero() && f.answerNow(e).Equal(was.value)
	key := ""
	if p.Here {
		key = f.earlierHint(e, was, same, p.Width < narrow)
	}
	lead := leadBefore
	if same {
		lead = leadSame
	}
	if p.Width < narrow {
		lead = "before: "
	}
	st := p.Styles
	room := p.Width - ansi.StringWidth(lead)
	if key != "" {
		room -= ansi.StringWidth(key) + 2
	}
	b.Add(st.Faint.Render(lead+f.datedTo(was, p.Width, room)) + spaced(st.Muted.Render(key), key != ""))
	b.HitLast(clickEarlier, p.Width)
}

func spaced(text string, is bool) string {
	if !is {
		return ""
	}
	return "  " + text
}

// datedTo is an earlier answer with its note, its date and, where there is room,
// its session. What does not fit is cut: the zoom shows it all.
func (f *form) datedTo(was *recalled, width, room int) string {
	date := " · " + wording.Ago(was.At, f.in.Now())
	if now := f.in.Now(); width >= wideLine && !wording.SameDay(was.At.In(now.Location()), now) {
		date += ", " + wording.Moment(was.At, now)
	}
	rest := ""
	if !was.whole {
		rest = " (" + was.rest(width < narrow) + ")"
	}
	const least = 12 // cells of anything that still says something
	text := was.line
	if room-ansi.StringWidth(rest+date) < min(ansi.StringWidth(text), least) {
		date = ""
	}
	after := rest + date
	left := max(1, room-ansi.StringWidth(after))
	if !was.Note.Blank() {
		text += cells.Cut(" ✎ "+was.note, max(2, left-ansi.StringWidth(text)))
	}
	text = cells.Cut(text, left)
	left -= ansi.StringWidth(text)
	if date == "" || was.Session.Title.Blank() || was.Session.ID == f.in.Session.ID || left < least {
		return text + after
	}
	return text + after + cells.Cut(" · "+was.Session.Title.Line(), left)
}

// wideLine is the width from which the line has the exact date, too.
const wideLine = 90

// rest says what of an answer does not fit.
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

// earlierHint is the key of the moment; empty if none does anything.
func (f *form) earlierHint(e *control, was *recalled, same, brief bool) string {
	switch key := f.earlierKey(e); {
	case key == "" || was.value.IsZero():
		return ""
	case f.prior && brief:
		return key + " takes all"
	case f.prior:
		return key + " takes all over"
	case same && was.before != nil:
		return key + " puts back"
	case same:
		return ""
	case brief:
		return key + " takes it"
	default:
		return key + " takes it over"
	}
}

// aboutEarlier is what was answered before in full, for the zoom.
func (f *form) aboutEarlier(e *control) string {
	was := f.earlierTo(e)
	if was == nil {
		return ""
	}
	where := ""
	if !was.Session.Title.Blank() {
		where = ", in “" + was.Session.Title.Line() + "”"
	}
	text := "Answered before, " + wording.Moment(was.At, f.in.Now()) + where + ":\n\n" + was.words(safe.Text.Raw)
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

// earlierItems are what the menu offers of it.
func (f *form) earlierItems() (items []item) {
	e := f.state.focused()
	here := e != nil && f.earlierTo(e) != nil
	switch {
	case f.prior:
		items = append(items, item{letter: "a", label: "Take over your earlier answers", does: (*form).takePrior, apart: true})
	case here && !e.noting && !f.earlierTo(e).value.IsZero():
		items = append(items, item{letter: "a", label: "Take over your earlier answer", does: (*form).takeEarlier, apart: true})
	}
	if here {
		items = append(items, item{letter: "b", label: "Read what you answered before", does: readEarlier, apart: len(items) == 0})
	}
	return items
}

// readEarlier shows what was answered before on the whole screen.
func readEarlier(f *form) tea.Cmd {
	f.dialog = nil
	if e := f.state.current(); e != nil {
		f.sheet = &sheet{title: "Answered before", text: safe.New(f.aboutEarlier(e)), plain: true}
	}
	return nil
}
