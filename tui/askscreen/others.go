package askscreen

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/wording"
)

// An ask may be open in several panes. This file says how a pane learns of the others, and
// what it does then.

// endedPatience is how long a form that ended elsewhere stays while something else waits
// and no key is pressed. After that time the person is away.
const endedPatience = 10 * time.Minute

// writingPause is how long the person has not pressed a key when they are taken to have stopped
// writing here, and may be writing in another pane.
const writingPause = 5 * time.Second

// enteredElsewhere reports whether the store holds what another pane entered and this form does
// not show, and may show now.
func (s *Screen) enteredElsewhere(stored *questions.Entry) bool {
	return stored != nil && s.yields() && !stored.Same(s.form.Entry()) && !stored.Same(s.form.Input().Entry)
}

// yields reports whether the form may be read again: the store has all that was entered here,
// and the person does not write now. A comment on a plan is kept once it is done, so the form
// waits for that. A text in a form is kept while it is typed.
func (s *Screen) yields() bool {
	switch {
	case s.unsaved():
		return false
	case !s.form.Busy():
		return true
	}
	return s.review == nil && s.form.InText() && s.options.Now().Sub(s.lastInput) >= writingPause
}

// showReread shows what was entered in another pane, unless something was entered here
// meanwhile. The question that the person is at stays. After a failure the form that is here
// stays.
func (s *Screen) showReread(msg askReread) tea.Cmd {
	if msg.err != nil || msg.Ask.ID != s.state.Ask.ID || s.phase != phaseOpen {
		return nil
	}
	before := s.form.Entry()
	switch {
	case !msg.Ask.Open():
		return s.glance() // which finds out what came of it
	case !s.yields(), msg.Entry.Same(before):
		return nil
	}
	msg.Entry.Focus = before.Focus
	s.state.Reread(before)
	if s.review != nil {
		return s.show(msg.askOpened)
	}
	s.host.Took(s.state.Ask.ID, msg.Kept)
	cmd := s.form.Update(form.EnteredElsewhere{AskID: s.state.Ask.ID, Entry: msg.Entry})
	s.state.Begin(s.form.Entry())
	return cmd
}

// sayOthers says once that the form is open elsewhere, too.
func (s *Screen) sayOthers(others bool) {
	if others && !s.state.Others {
		const briefWidth = 60
		notice := "Also open in another pane."
		if s.width >= briefWidth || s.width == 0 {
			notice += " The first to submit counts."
		}
		s.form.Mention(screen.ToneCalm, notice)
	}
	s.state.Others = others
}

// overtaken reacts to an ask that another pane settled or its agent withdrew. A form that
// the person entered says so and stays until they close it, so that nothing moves under
// their hands and their next keys do not go to the agent's prompt. A pane with a form that
// was not entered goes on by itself.
func (s *Screen) overtaken() tea.Cmd {
	if s.state.Answerable() || s.options.ReadOnly {
		return s.form.Update(form.AskChanged{Ask: s.state.Ask}) // expired, or opened again
	}
	if s.touched() {
		s.lost = append(s.lost, wording.Overtaken(s.state.Ask, s.form.Entry()))
	}
	if s.options.Place != "" && !s.touched() && !s.form.Attended() {
		return s.goOn()
	}
	s.lastInput = s.options.Now()
	return s.form.Update(form.AskChanged{Ask: s.state.Ask})
}

// overIsInTheWay reports whether the form ended elsewhere and the person left it alone
// since, while something else waits. waiting counts both.
func (s *Screen) overIsInTheWay(waiting int) bool {
	over := s.options.Place != "" && !s.state.Answerable() && !s.options.ReadOnly && !s.tooLate
	return over && waiting > 1 && s.options.Now().Sub(s.lastInput) >= endedPatience
}

// goOn leaves a form that ended elsewhere. It first stores what was entered on the ask's
// record, because a pane that came up by itself closes with everything it printed.
func (s *Screen) goOn() tea.Cmd {
	if s.receipt == "" {
		s.receipt = wording.EndedElsewhere(s.state.Ask, s.state.Session)
	}
	switch {
	case s.state.OnRecord():
		s.news = wording.LeftBehind(s.state.Ask, nil)
		return s.move()
	case !s.touched(), s.tooLate:
		return s.move()
	}
	s.phase = phaseKeeping
	return s.keepLate()
}

// keptLate goes on to the next form, which says what became of the entry. If the ask keeps
// no more replies, this form stays, so that the person can copy the entry.
func (s *Screen) keptLate(msg keptLate) tea.Cmd {
	if msg.ask.ID != s.state.Ask.ID || s.phase != phaseKeeping {
		return nil
	}
	if form.TooLateToKeep(msg.err) {
		s.phase, s.tooLate = phaseOpen, true
		return s.form.Update(form.Settled{AskID: s.state.Ask.ID, Ask: s.state.Ask, Err: msg.err})
	}
	s.news = wording.LeftBehind(msg.ask, msg.err)
	return s.move()
}

// touched reports whether something was entered here.
func (s *Screen) touched() bool { return s.state.Touched(s.form.Entry()) }
