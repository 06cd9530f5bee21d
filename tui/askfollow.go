package tui

import (
	"errors"
	"fmt"
	"reflect"

	tea "charm.land/bubbletea/v2"

	"planb/plans/review"
	"planb/questions"
	"planb/store"
)

// A review may give way to the next one of its plan while it is open here. This is
// how the screen goes on to that one, with everything that was said.

// askFollowed brings the form of the ask that has taken the place of another.
type askFollowed struct {
	askOpened
	from string // the id of that other
}

// follow goes on to the ask that has taken this one's place. While the person is
// writing it waits until they are done: what is typed is neither cut off nor goes
// elsewhere. Until then their draft is kept as that of the next ask.
func (h *askScreen) follow(next string) tea.Cmd {
	h.next = next
	if h.form.busy() {
		if h.form.replaced {
			return nil
		}
		h.form.replaced = true
		return tea.Batch(h.form.Update(relaid{}), h.draftChanged(h.ask.ID))
	}
	h.asked = h.asked || h.form.stage == sending
	h.phase = phaseMoving
	return h.openFollowed(h.ask.ID, next)
}

// followed puts up the form that was followed. One that has ended by now has an
// outcome that the person's words came too late for.
func (h *askScreen) followed(msg askFollowed) tea.Cmd {
	if h.phase != phaseMoving || msg.from != h.ask.ID {
		return nil
	}
	h.phase = phaseOpen
	if msg.err != nil {
		h.form.stage = filling
		h.form.say(toneBad, "The plan was submitted again, and that cannot be opened: %s", sentence(msg.err))
		return h.form.Update(relaid{}) // the next look tries again
	}
	if msg.ReadOnly {
		h.next = ""
		ended := h.ask
		ended.Outcome = msg.Ask.Outcome
		h.setAsk(ended)
		return h.overtaken(msg.Waiting)
	}
	was, input := h.form, &msg.Input
	draft, touched := was.draft(), h.touched()
	ahead := !reflect.DeepEqual(draft, h.saved)
	if ahead {
		input.Draft = draft
	}
	h.news = h.placeTaken(input.Ask)
	if was.review != nil && input.Plan != nil && was.review.state.digest != input.Ask.Spec.Plan.Digest {
		input.Plan.Begun = review.BegunOn(was.review.in.Version, was.review.state.text, input.Plan.Text)
		input.Plan.Begun.Line = was.review.state.cursor.line
	}
	if h.first.ID == h.ask.ID {
		h.first = input.Ask
	}
	if touched {
		h.rang = input.Ask.ID // who writes here need not be called
	}
	h.next, h.asked, h.unasked = "", false, true
	cmd := h.take(msg.askOpened)
	if touched {
		h.begun = questions.Draft{}
	}
	if ahead {
		h.saved = questions.Draft{}
		cmd = tea.Batch(cmd, h.draftChanged(h.ask.ID))
	}
	return cmd
}

// placeTaken says what has come up in place of the ask.
func (h *askScreen) placeTaken(next store.Ask) string {
	was, is := h.ask.Spec.Plan, next.Spec.Plan
	if was == nil || is == nil {
		return "This has taken the place of the form that was here."
	}
	what := fmt.Sprintf("v%d was submitted", is.Number)
	if was.Digest == is.Digest {
		what = fmt.Sprintf("v%d was submitted again", is.Number)
	}
	if h.asked {
		return "Not sent: " + what + " first. All you said is here."
	}
	return what + " while you read: this is it, with all you said."
}

// gaveWay is the id of the ask that an outcome lost to one that had taken the place
// of its own; empty if it did not.
func gaveWay(err error) string {
	won := new(questions.SettledError)
	if errors.As(err, &won) {
		return won.Winner.Next
	}
	return ""
}

// draftTo is whose draft the form's is.
func (h *askScreen) draftTo() string {
	if h.next != "" {
		return h.next
	}
	return h.ask.ID
}

// busy reports whether the person is writing something: a comment, a message, a
// search, or in their own editor.
func (f *form) busy() bool {
	return f.editing || f.pasting || f.dialog != nil && f.dialog.input != nil || f.writing()
}

// replacedNotice says that another ask waits to take this one's place.
func (f *form) replacedNotice() (notice, bool) {
	return notice{
		tone: toneWarn, text: "The plan was submitted again: that comes up when you finish writing this.",
		brief: "Submitted again: finish, and it comes up",
	}, f.replaced
}
