package askscreen

import (
	"reflect"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/tui/form"
	"planb/tui/wording"
)

// An ask may be open in several panes. This is how one of them learns of the
// others, and what it does about them.

// endedPatience is how long a form that ended elsewhere stays while something else waits
// and no key is pressed. After that time the person is away.
const endedPatience = 10 * time.Minute

// retake shows what was begun in another pane that has closed, unless something was
// entered here meanwhile. After a failure the form that is here stays.
func (h *Screen) retake(msg askReread) tea.Cmd {
	same := msg.Ask.ID == h.Ask.ID && msg.Ask.Open() && reflect.DeepEqual(msg.Entry, h.form.Input().Entry)
	if msg.err != nil || msg.Ask.ID != h.Ask.ID || h.phase != phaseOpen || same || h.touched() {
		return nil
	}
	return h.take(msg.askOpened)
}

// sayOthers says once that the form is open elsewhere, too.
func (h *Screen) sayOthers(others bool) {
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

// overtaken reacts to an ask that another pane settled or its agent withdrew. A form that
// the person entered says so and stays until they close it, so that nothing moves under
// their hands and their next keys do not go to the agent's prompt. A pane with a form that
// was not entered goes on by itself.
func (h *Screen) overtaken() tea.Cmd {
	if h.Answerable() || h.options.ReadOnly {
		return h.form.Update(form.AskChanged{Ask: h.Ask}) // expired, or opened again
	}
	if h.touched() {
		h.lost = append(h.lost, wording.Overtaken(h.Ask, h.form.Entry()))
	}
	if h.options.Place != "" && !h.touched() && !h.form.Attended() {
		return h.goOn()
	}
	h.lastInput = h.options.Now()
	return h.form.Update(form.AskChanged{Ask: h.Ask})
}

// overIsInTheWay reports whether the form ended elsewhere and the person left it alone
// since, while something else waits. waiting counts both.
func (h *Screen) overIsInTheWay(waiting int) bool {
	over := h.options.Place != "" && !h.Answerable() && !h.options.ReadOnly && !h.tooLate
	return over && waiting > 1 && h.options.Now().Sub(h.lastInput) >= endedPatience
}

// goOn leaves a form that ended elsewhere. It first stores what was entered on the ask's
// record, because a pane that came up by itself closes with everything it printed.
func (h *Screen) goOn() tea.Cmd {
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

// keptLate goes on to the next form, which says what became of the entry. If the ask keeps
// no more replies, this form stays, so that the person can copy the entry.
func (h *Screen) keptLate(msg keptLate) tea.Cmd {
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
func (h *Screen) touched() bool { return h.Touched(h.form.Entry()) }
