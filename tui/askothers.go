package tui

import (
	"reflect"

	tea "charm.land/bubbletea/v2"
)

// An ask may be open in several panes. This is how one of them learns of the
// others, and what it does about them.

// retake takes over what was begun in another pane, which has closed, unless
// something was entered here meanwhile. A failure tells nothing: the form that
// is here is as good as before.
func (h *askScreen) retake(msg askReread) tea.Cmd {
	same := msg.input.Ask.ID == h.ask.ID && msg.input.Ask.Open() && reflect.DeepEqual(msg.input.Draft, h.form.in.Draft)
	if msg.err != nil || msg.input.Ask.ID != h.ask.ID || h.phase != phaseOpen || same || h.touched() {
		return nil
	}
	return h.take(msg.askOpened)
}

// sayOthers says once, quietly, that the form is open elsewhere too.
func (h *askScreen) sayOthers(others bool) {
	if others && !h.others && h.form.status == "" {
		const briefWidth = 60
		notice := "Also open in another pane."
		if h.width >= briefWidth || h.width == 0 {
			notice += " The first to submit counts."
		}
		h.form.say(toneCalm, "%s", notice)
	}
	h.others = others
}

// overtaken follows an ask that another pane settled, or its agent took back.
// A form into which something was entered says so and stays; a pane that popped
// up unasked and that nobody touched goes on to what waits next.
func (h *askScreen) overtaken() tea.Cmd {
	if h.answerable() || h.plan.read {
		return h.form.Update(askChanged{Ask: h.ask}) // expired, or opened again
	}
	if h.touched() {
		h.lost = append(h.lost, overtaken(h.ask, h.form.draft()))
	} else if h.plan.place != "" {
		if h.receipt == "" {
			h.receipt = endedElsewhere(h.ask, h.session)
		}
		return h.move()
	}
	return h.form.Update(askChanged{Ask: h.ask})
}

// touched reports whether something was entered here. Where the cursor stands
// is no entry.
func (h *askScreen) touched() bool {
	now, begun := h.form.draft(), h.begun
	now.Focus, begun.Focus = "", ""
	return !reflect.DeepEqual(now, begun)
}
