package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// A form remembers: under the label of a question that was answered before in
// the project one faint line says what was answered then, and one key takes it
// over. Nothing is ever filled in by itself.
//
// The lines are there when the form appears, or come when nothing moves under
// anybody's fingers: before the first key, else when the focus goes to another
// question.

// recalled is what was answered to a question before.
type recalled struct {
	store.Earlier
	value  questions.Value // what of it can be the answer now; zero if nothing can
	field  questions.Field // the same, with the note, as it is loaded
	whole  bool            // that is all of it
	before *questions.Field
}

// earlierFound brings what was answered before and could not be waited for.
type earlierFound struct {
	AskID   string
	Earlier map[string]store.Earlier // by question id
}

// recall makes lines of what was answered before.
func (f *form) recall(earlier map[string]store.Earlier) {
	if f.state.readOnly || f.review != nil {
		return
	}
	for _, e := range f.state.entries {
		was, ok := earlier[e.q.ID]
		if !ok || f.in.carriedFrom != "" && was.Ask == f.in.carriedFrom {
			continue
		}
		is := f.fitted(e.q, was)
		if known := f.memory[e.q.ID]; known != nil {
			is.before = known.before
		}
		if f.memory == nil {
			f.memory = map[string]*recalled{}
		}
		f.memory[e.q.ID] = is
		e.version++
	}
}

// fitted says what of an earlier answer can be the question's answer now.
func (f *form) fitted(q questions.Question, was store.Earlier) *recalled {
	is := &recalled{Earlier: was}
	if is.value, is.whole = q.Refit(was.Question, was.Answer); is.value.IsZero() {
		return is
	}
	reply := questions.Reply{Answers: map[string]questions.Value{q.ID: is.value}}
	is.field = f.state.spec.DraftFrom(reply).Fields[q.ID]
	is.field.Note = was.Note
	return is
}

// recallPrior makes lines of the earlier answers to the whole form while they
// are on offer: the line says what the key would take over.
func (f *form) recallPrior() {
	if !f.prior {
		return
	}
	prior := f.in.Prior
	for _, q := range f.state.spec.Questions {
		answer := prior.Outcome.Reply.Answers[q.ID]
		if answer.IsZero() {
			continue
		}
		if f.whole == nil {
			f.whole = map[string]*recalled{}
		}
		was := store.Earlier{Ask: prior.ID, Question: q, Answer: answer, Note: prior.Outcome.Reply.Notes[q.ID], At: prior.Outcome.At}
		if was.Session.ID = prior.Session; prior.Session == f.in.Session.ID {
			was.Session = f.in.Session
		}
		f.whole[q.ID] = f.fitted(q, was)
	}
}

// earlierTo is what was answered to a question before; nil: nothing was.
func (f *form) earlierTo(e *entry) *recalled {
	if f.prior && f.whole[e.q.ID] != nil {
		return f.whole[e.q.ID]
	}
	known, prior := f.memory[e.q.ID], f.whole[e.q.ID]
	if known == nil || prior != nil && prior.At.After(known.At) {
		return prior
	}
	return known
}

// letIn takes what came late, once it moves nothing that somebody looks at.
func (f *form) letIn(before *entry) {
	if f.lately == nil || f.begun && f.state.focused() == before {
		return
	}
	f.recall(f.lately)
	f.lately = nil
}

// hands notes that the person has begun.
func (f *form) hands(msg tea.Msg) {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg, tea.MouseClickMsg, tea.MouseWheelMsg:
		f.begun = f.begun || !f.grace
	}
}

// answerNow is the answer as it would be sent.
func (f *form) answerNow(e *entry) questions.Value { return f.state.answers().reply.Answers[e.q.ID] }

// takeEarlier makes the earlier answer that of the question with the focus, or
// puts back what was there. While the answers to the whole form are on offer, it
// takes them.
func (f *form) takeEarlier() tea.Cmd {
	f.dialog = nil
	if f.prior {
		return f.takePrior()
	}
	e := f.state.current()
	if e == nil || f.state.zone != inBody || e.noting || f.state.readOnly {
		return nil
	}
	was := f.earlierTo(e)
	switch {
	case was == nil:
		f.say(toneCalm, "Nothing was answered to this before.")
		return nil
	case was.value.IsZero():
		f.say(toneWarn, "%s", was.unfit())
		return nil
	case f.putBack(e, was):
		return nil
	case f.answerNow(e).Equal(was.value):
		f.say(toneCalm, "That is your answer already.")
		return nil
	}
	before, field := e.save(), was.field
	if !before.Note.Blank() {
		field.Note = before.Note // what was written now stays
	}
	e.load(field)
	e.alert = ""
	was.before = &before
	f.state.touch()
	f.say(toneGood, "Taken over. %s puts back what was there.", f.earlierKey(e))
	return nil
}

// putBack undoes a takeEarlier, as long as its answer stands.
func (f *form) putBack(e *entry, was *recalled) bool {
	if was == nil || was.before == nil || !f.answerNow(e).Equal(was.value) {
		return false
	}
	e.load(*was.before)
	was.before = nil
	f.state.touch()
	f.say(toneCalm, "As it was before.")
	return true
}

// clearsTaken reports whether Backspace was pressed right after an answer was
// taken over, and then undoes that.
func (f *form) clearsTaken(p press) bool {
	e := f.state.focused()
	if p.act != actBackspace || e == nil || e.text() != nil || e.onNote || f.prior {
		return false
	}
	return f.putBack(e, f.earlierTo(e))
}

// earlierKey is the key that takes over where the question is now.
func (f *form) earlierKey(e *entry) string {
	if e.text() != nil {
		return keyLabel(f.keys.inText, actPrior)
	}
	return f.keys.label(actPrior)
}

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

// words is an earlier answer as it was shown then.
func (r *recalled) words() string {
	shown := func(item string) string {
		for _, o := range r.Question.Options {
			if o.Value.Raw() == item {
				return o.Shown().Line()
			}
		}
		return safe.New(item).Line()
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
func (f *form) drawEarlier(e *entry, p pen, b *block) {
	was := f.earlierTo(e)
	if was == nil || f.stage == over {
		return
	}
	same := !was.value.IsZero() && f.answerNow(e).Equal(was.value)
	key := ""
	if p.here {
		key = f.earlierHint(e, was, same, p.width < narrow)
	}
	lead := leadBefore
	if same {
		lead = leadSame
	}
	if p.width < narrow {
		lead = "before: "
	}
	st := p.styles
	room := p.width - ansi.StringWidth(lead)
	if key != "" {
		room -= ansi.StringWidth(key) + 2
	}
	b.add(st.faint.Render(lead+f.datedTo(was, p.width, room)) + spaced(st.muted.Render(key), key != ""))
	b.hitLast(clickEarlier, p.width)
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
	date := " · " + ago(was.At, f.in.Now())
	if exact := moment(was.At, f.in.Now()); width >= wideLine && !strings.HasSuffix(date, exact) {
		date += ", " + exact
	}
	if !was.whole {
		date = " (" + was.rest() + ")" + date
	}
	const least = 12 // cells of anything that still says something
	text := was.words()
	if room-ansi.StringWidth(date) < min(ansi.StringWidth(text), least) {
		date = ""
	}
	left := max(1, room-ansi.StringWidth(date))
	if !was.Note.Blank() {
		text += cutTo(" ✎ "+was.Note.Line(), max(2, left-ansi.StringWidth(text)))
	}
	text = cutTo(text, left)
	left -= ansi.StringWidth(text)
	if title := was.Session.Title; title.Blank() || was.Session.ID == f.in.Session.ID || left < least {
		return text + date
	}
	return text + date + cutTo(" · "+was.Session.Title.Line(), left)
}

// wideLine is the width from which the line has the exact date, too.
const wideLine = 90

// rest says what of an answer does not fit.
func (r *recalled) rest() string {
	if !r.value.IsZero() {
		return "not all is offered now"
	}
	if r.Question.Kind == questions.Scale {
		return "another scale"
	}
	return "not offered now"
}

// earlierHint is the key of the moment; empty if none does anything.
func (f *form) earlierHint(e *entry, was *recalled, same, brief bool) string {
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
func (f *form) aboutEarlier(e *entry) string {
	was := f.earlierTo(e)
	if was == nil {
		return ""
	}
	where := ""
	if !was.Session.Title.Blank() {
		where = ", in “" + was.Session.Title.Line() + "”"
	}
	text := "Answered before, " + moment(was.At, f.in.Now()) + where + ":\n\n" + was.words()
	if answer, ok := was.Answer.Text(); ok && len(was.Question.Options) == 0 {
		text = strings.TrimSuffix(text, was.words()) + answer // with its lines
	}
	if !was.Note.Blank() {
		text += "\n\n✎ " + was.Note.Raw()
	}
	if !was.whole {
		text += "\n\n(" + was.rest() + ")"
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
