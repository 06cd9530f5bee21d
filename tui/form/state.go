package form

import (
	"fmt"
	"slices"

	"planb/questions"
	"planb/tui/editor"
	"planb/tui/form/field"
	"planb/tui/keymap"
	"planb/tui/marks"
)

// formState holds a form's questions, their answers and the place of the cursor. It
// knows no terminal.
type formState struct {
	spec     questions.Spec
	tabs     []questions.Tab
	controls []*control
	readOnly bool

	zone   zone
	tab    int
	at     []int // by tab: which of its questions has the focus
	button button

	changes  int // counts the person's changes
	revision int // counts the changes of anything that answers reads
	known    answersKnown
	// jumped says that the last key was a digit that answered a question and moved the
	// focus on.
	jumped bool
}

// zone is the part of a form that has the focus.
type zone uint8

const (
	inBody zone = iota
	inTabs
	inFooter
)

// button is one of the footer's buttons.
type button uint8

const (
	buttonBack button = iota
	buttonNext
	buttonSubmit
	buttonSummary // all answers on one page
	buttonMenu
)

// answersKnown is the reply that the answers make, as of a revision.
type answersKnown struct {
	revision   int
	reply      questions.Reply
	missing    []string
	unanswered []string
}

func newFormState(spec questions.Spec, readOnly bool) *formState {
	s := &formState{spec: spec, tabs: spec.Tabs(), readOnly: readOnly, revision: 1}
	s.at = make([]int, len(s.tabs))
	for _, q := range spec.Questions {
		s.controls = append(s.controls, newControl(q, readOnly))
	}
	return s
}

// load fills the form with an entry's answers and notes. In a form that can be answered,
// it also puts the focus on the entry's question.
func (s *formState) load(entry questions.Entry) {
	for _, e := range s.controls {
		e.load(entry.Fields[e.q.ID])
	}
	s.touch()
	if i := s.index(entry.Focus); i >= 0 && !s.readOnly && s.focused() != s.controls[i] {
		s.focusQuestion(i, field.Straight)
	}
}

// save returns the current answers and notes, and the id of the question with the focus.
func (s *formState) save() (fields map[string]questions.Field, focus string) {
	fields = map[string]questions.Field{}
	for _, e := range s.controls {
		if part := e.save(); !Blank(part) {
			fields[e.q.ID] = part
		}
	}
	if e := s.focused(); e != nil {
		focus = e.q.ID
	}
	return fields, focus
}

// Blank reports whether an entry has nothing for a question: no answer and no note.
func Blank(d questions.Field) bool {
	return d.Text.IsZero() && len(d.Picked) == 0 && d.Other.IsZero() && !d.OtherPicked && d.Number == nil && d.Note.IsZero()
}

// touch notes that an answer may have changed.
func (s *formState) touch() {
	s.changes++
	s.revision++
}

// answers returns the reply that submitting the form would send now.
func (s *formState) answers() answersKnown {
	if s.known.revision != s.revision {
		fields, _ := s.save()
		reply := questions.Entry{Fields: fields}.Reply(s.spec)
		s.known = answersKnown{
			revision:   s.revision,
			reply:      reply,
			missing:    s.spec.Missing(reply),
			unanswered: s.spec.Unanswered(reply),
		}
	}
	return s.known
}

// answered counts the questions that have an answer.
func (s *formState) answered() int {
	return len(s.spec.Questions) - len(s.answers().unanswered)
}

// complete reports whether the form can be answered and every question has an answer.
func (s *formState) complete() bool { return !s.readOnly && len(s.answers().unanswered) == 0 }

// tabOpen reports whether a required question of the tab has no answer.
func (s *formState) tabOpen(tab int) bool { return s.tabHasAny(tab, s.answers().missing) }

// tabMark returns the mark of a tab that lacks no required answer: ✓ if all its questions are
// answered, else how many are if any was required.
func (s *formState) tabMark(tab int) string {
	done, required, in := 0, false, s.tabs[tab].Questions
	for _, i := range in {
		asked := s.controls[i].q
		required = required || asked.Required
		if !slices.Contains(s.answers().unanswered, asked.ID) {
			done++
		}
	}
	switch {
	case len(in) > 0 && done == len(in):
		return marks.Answered
	case required:
		return fmt.Sprintf("%d/%d", done, len(in))
	}
	return ""
}

func (s *formState) tabHasAny(tab int, ids []string) bool {
	return slices.ContainsFunc(s.tabs[tab].Questions, func(i int) bool {
		return slices.Contains(ids, s.controls[i].q.ID)
	})
}

// focused returns the question with the focus. It is nil on an introduction, and while
// the tabs or the footer have the focus.
func (s *formState) focused() *control {
	if s.zone != inBody {
		return nil
	}
	return s.current()
}

// current returns the question of this tab that has the focus, or had it last. It is nil
// on an introduction.
func (s *formState) current() *control {
	if len(s.tabs) == 0 {
		return nil
	}
	in := s.tabs[s.tab].Questions
	if len(in) == 0 {
		return nil
	}
	return s.controls[in[s.at[s.tab]]]
}

// atLast reports whether the form's last question has the focus.
func (s *formState) atLast() bool {
	return s.tab == len(s.tabs)-1 && s.at[s.tab] == len(s.tabs[s.tab].Questions)-1
}

// index returns the place of a question in the form, or -1 for an unknown id.
func (s *formState) index(id string) int {
	return slices.IndexFunc(s.controls, func(e *control) bool { return e.q.ID == id })
}

// text returns the editor that letters go to. It is nil while letters are commands.
func (s *formState) text() *editor.Editor {
	if e := s.focused(); e != nil {
		return e.text()
	}
	return nil
}

// invitesText reports whether a letter begins a text.
func (s *formState) invitesText() bool {
	e := s.focused()
	return e != nil && e.invitesText()
}

// noting reports whether the person is writing a note on a question.
func (s *formState) noting() bool {
	e := s.focused()
	return e != nil && e.noting
}

// act does one action. The question with the focus gets it first; the form gets what
// the question does not use.
func (s *formState) act(p keymap.Press) keymap.Effect {
	if e := s.focused(); e != nil {
		switch did := e.act(p); did {
		case keymap.Changed:
			e.alert = ""
			s.touch()
			return keymap.Changed
		case keymap.LeaveUp:
			s.neighbour(-1)
			return keymap.Moved
		case keymap.LeaveDown:
			s.neighbour(1)
			return keymap.Moved
		case keymap.Advance:
			s.advance()
			return keymap.Changed // the person may have just ended writing under "Other…"
		case keymap.Settled:
			e.alert = ""
			s.touch()
			if s.choiceNext(e) {
				s.advance()
				s.jumped = true
			}
			return keymap.Changed
		case keymap.Moved:
			return keymap.Moved
		}
	}
	return s.walk(p.Act)
}

// absorbs reports whether a key is to do nothing, because the key before did the same
// already. A number answers a question and moves on by itself; many people press Enter or Tab
// after it. That Enter would choose something in the next question, or submit; that Tab would
// pass over a question that nobody has read.
func (s *formState) absorbs(p keymap.Press) bool {
	jumped := s.jumped
	s.jumped = false
	return jumped && (p.Act == keymap.Enter || p.Act == keymap.Next)
}

// submit says whether the form can be sent.
type submit uint8

const (
	submitSend   submit = iota // every question has an answer
	submitOpen                 // only optional questions are open
	submitMissed               // a required question is open; the focus went there
)

// trySubmit reports whether the form can be sent. If required questions are open, each
// of them shows an alert and the focus goes to the first.
func (s *formState) trySubmit() submit {
	for _, e := range s.controls {
		e.alert = ""
	}
	known := s.answers()
	if len(known.missing) > 0 {
		for _, id := range known.missing {
			s.controls[s.index(id)].alert = "An answer is required."
		}
		s.focusQuestion(s.index(known.missing[0]), field.Straight)
		return submitMissed
	}
	if len(known.unanswered) > 0 {
		return submitOpen
	}
	return submitSend
}
