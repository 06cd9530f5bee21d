package tui

import (
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/tui/form"
	"planb/tui/wording"
)

// An ask may be open in several panes. This is how one of them learns of the
// others, and what it does about them.

// endedPatience is how long a form that ended elsewhere stays without a key while
// something else waits. By then the person is away.
const endedPatience = 10 * time.Minute

// retake takes over what was begun in another pane, which has closed, unless
// something was entered here meanwhile. A failure tells nothing: the form that
// is here is as good as before.
func (h *askScreen) retake(msg askReread) tea.Cmd {
	same := msg.Ask.ID == h.Ask.ID && msg.Ask.Open() && reflect.DeepEqual(msg.Entry, h.form.Input().Entry)
	if msg.err != nil || msg.Ask.ID != h.Ask.ID || h.phase != phaseOpen || same || h.touched() {
		return nil
	}
	return h.take(msg.askOpened)
}

// sayOthers says once, quietly, that the form is open elsewhere too.
func (h *askScreen) sayOthers(others bool) {
	if others && !h.Others {
		const briefWidth = 60
		notice := "Also open in another pane."
		if h.width >= briefWidth || h.width == 0 {
			notice += " The first to submit counts."
		}
		h.form.Mention(form.ToneCalm, notice)
	}
	h.Others = others
}

// overtaken follows an ask that another pane settled, or its agent took back. A form
// that the person entered says so, and stays until they close it: nothing moves under
// their hands, and what they go on typing does not fall to the agent's prompt. A pane
// whose form nobody entered goes on by itself.
func (h *askScreen) overtaken() tea.Cmd {
	if h.Answerable() || h.plan.read {
		return h.form.Update(form.AskChanged{Ask: h.Ask}) // expired, or opened again
	}
	if h.touched() {
		h.lost = append(h.lost, wording.Overtaken(h.Ask, h.form.Entry()))
	}
	if h.plan.place != "" && !h.touched() && !h.form.Attended() {
		return h.goOn()
	}
	h.lastInput = h.plan.now()
	return h.form.Update(form.AskChanged{Ask: h.Ask})
}

// overIsInTheWay reports whether the form that is here ended elsewhere and was left
// alone since, while something else waits. Waiting counts both.
func (h *askScreen) overIsInTheWay(waiting int) bool {
	over := h.plan.place != "" && !h.Answerable() && !h.plan.read && !h.tooLate
	return over && waiting > 1 && h.plan.now().Sub(h.lastInput) >= endedPatience
}

// goOn leaves a form that ended elsewhere. What was entered into it is written
// on the ask's record first: a pane that popped up closes at its end, and what
// it prints goes with it.
func (h *askScreen) goOn() tea.Cmd {
	if h.receipt == "" {
		h.receipt = wording.EndedElsewhere(h.Ask, h.Session)
	}
	switch {
	case h.OnRecord():
		h.news = wording.LeftBehind(h.Ask, nil)
		return h.move()
	case !h.touched(), h.tooLate:
		return h.move()
	}
	h.phase = phaseMoving
	return h.keepLate()
}

// keptLate goes on to the next form, on which it says what became of what was
// entered here. What the ask keeps no more of stays, for the person to take.
func (h *askScreen) keptLate(msg keptLate) tea.Cmd {
	if msg.ask.ID != h.Ask.ID || h.phase != phaseMoving {
		return nil
	}
	if form.TooLateToKeep(msg.err) {
		h.phase, h.tooLate = phaseOpen, true
		return h.form.Update(form.Settled{AskID: h.Ask.ID, Ask: h.Ask, Err: msg.err})
	}
	h.news = wording.LeftBehind(msg.ask, msg.err)
	return h.move()
}

// touched reports whether something was entered here.
func (h *askScreen) touched() bool { return h.Touched(h.form.Entry()) }
