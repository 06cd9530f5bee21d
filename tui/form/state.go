package form

import (
	"slices"

	"planb/questions"
	"planb/tui/editor"
	"planb/tui/form/field"
	"planb/tui/keymap"
)

// formState is what a form knows: its questions, what was answered, where the
// cursor is. It knows no terminal.
type formState struct {
	spec     questions.Spec
	tabs     []questions.Tab
	controls []*control
	readOnly bool

	zone   zone
	tab    int
	at     []int // by tab: which of its questions has the focus
	button button

	changes  int // counts what the person changed
	revision int // counts all that answers depends on
	known    answersKnown
	// jumped says that the last key chose an option by its number and so went on.
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

// answersKnown is what the answers amount to, at a revision.
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

// load takes over an entry's answers and notes. In a form that can be answered, the
// focus goes where it was.
func (s *formState) load(entry questions.Entry) {
	for _, e := range s.controls {
		e.load(entry.Fields[e.q.ID])
	}
	s.touch()
	if i := s.index(entry.Focus); i >= 0 && !s.readOnly {
		s.focusQuestion(i, field.Straight)
	}
}

// save is the answers and notes as they are now, and the question with the focus.
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

// Blank reports whether an entry's part holds nothing.
func Blank(d questions.Field) bool {
	return d.Text.IsZero() && len(d.Picked) == 0 && d.Other.IsZero() && !d.OtherPicked && d.Number == nil && d.Note.IsZero()
}

// touch notes that an answer may have changed.
func (s *formState) touch() {
	s.changes++
	s.revision++
}

// answers is what the form amounts to if it were submitted now.
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

// complete reports whether a form that can be answered is, to the last question.
func (s *formState) complete() bool { return !s.readOnly && len(s.answers().unanswered) == 0 }

// tabOpen reports whether a tab has required questions without an answer, and
// tabDone whether all of its questions have one.
func (s *formState) tabOpen(tab int) bool { return s.tabHasAny(tab, s.answers().missing) }
func (s *formState) tabDone(tab int) bool {
	return len(s.tabs[tab].Questions) > 0 && !s.tabHasAny(tab, s.answers().unanswered)
}

func (s *formState) tabHasAny(tab int, ids []string) bool {
	return slices.ContainsFunc(s.tabs[tab].Questions, func(i int) bool {
		return slices.Contains(ids, s.controls[i].q.ID)
	})
}

// focused is the question with the focus; nil on an introduction and outside
// the body.
func (s *formState) focused() *control {
	if s.zone != inBody {
		return nil
	}
	return s.current()
}

// current is the question of the tab that has, or last had, the focus.
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

// atLast reports whether no question comes after the one with the focus.
func (s *formState) atLast() bool {
	return s.tab == len(s.tabs)-1 && s.at[s.tab] == len(s.tabs[s.tab].Questions)-1
}

// index is the place of a question in the form, -1 if it has none of that id.
func (s *formState) index(id string) int {
	return slices.IndexFunc(s.controls, func(e *control) bool { return e.q.ID == id })
}

// text is where letters go now; nil where they are commands.
func (s *formState) text() *editor.Editor {
	if e := s.focused(); e != nil {
		return e.text()
	}
	return nil
}

// noting reports whether a note on a question is being written.
func (s *formState) noting() bool {
	e := s.focused()
	return e != nil && e.noting
}

// act does one action: first what the question with the focus makes of it,
// then what the form does.
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
			return keymap.Changed // what was written under "Other…" may have ended
		case keymap.Settled:
			e.alert = ""
			s.touch()
			if s.choiceNext() {
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

// absorbs reports whether a key asks for what the key before did already: Enter
// goes on from what a number chose, and that went on by itself. Taken for more,
// it would choose in the next question, or submit.
func (s *formState) absorbs(p keymap.Press) bool {
	jumped := s.jumped
	s.jumped = false
	return jumped && p.Act == keymap.Enter
}

// submit is what pressing Submit finds.
type submit uint8

const (
	submitSend   submit = iota // everything is there
	submitOpen                 // optional questions are open
	submitMissed               // a required question is open: the focus went there
)

// trySubmit reports whether the form can be sent. If a required question is
// open, the focus goes to the first of them and each says so.
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
