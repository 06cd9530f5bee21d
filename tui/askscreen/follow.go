package askscreen

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/store"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/wording"
)

// While a review is open here, the agent may submit its plan again. This file goes on to the
// new review, with everything that was said.

// askFollowed brings the ask that took the place of another one.
type askFollowed struct {
	askOpened
	from string // the id of that other
}

// follow goes on to the ask that took this one's place. While the person is writing, it
// waits until they are done, so that no key goes to the other form. Until then their entry
// is saved as that of the next ask.
func (h *Screen) follow() tea.Cmd {
	if h.form.Busy() {
		if !h.form.Give() {
			return nil
		}
		return tea.Batch(h.form.Update(screen.Relaid{}), h.entryChanged(h.Ask.ID))
	}
	if h.form.IsSending() {
		h.Decided()
	}
	h.phase = phaseMoving
	return h.openFollowed(h.Ask.ID, h.Next())
}

// followed shows the form of the next ask. If that ask has ended by now, the person's words
// came too late for it, too.
func (h *Screen) followed(msg askFollowed) tea.Cmd {
	if h.phase != phaseMoving || msg.from != h.Ask.ID {
		return nil
	}
	h.phase = phaseOpen
	if msg.err != nil {
		h.form.Resume(form.ToneBad, "The plan was submitted again, and that cannot be opened: %s", wording.Sentence(msg.err))
		return h.form.Update(screen.Relaid{}) // the next look tries again
	}
	news, was, touched := h.placeTaken(msg.Ask), h.form, h.touched()
	opened, standing := h.Follow(msg.Opened, was.Entry())
	if !standing {
		return h.overtaken()
	}
	h.news = news
	if h.review != nil && opened.Plan.Begun != nil && h.review.Entry().Review.Digest != opened.Ask.Spec.Plan.Digest {
		opened.Plan.Begun.Line = h.review.Entry().Cursor.Line
	}
	if touched {
		h.rang = opened.Ask.ID // who writes here need not be called
	}
	msg.Opened = opened
	return tea.Batch(h.take(msg.askOpened), h.entryChanged(h.Ask.ID))
}

// placeTaken says what has come up in place of the ask.
func (h *Screen) placeTaken(next store.Ask) string {
	was, is := h.Ask.Spec.Plan, next.Spec.Plan
	if was == nil || is == nil {
		return "This has taken the place of the form that was here."
	}
	what := fmt.Sprintf("v%d was submitted", is.Number)
	if was.Digest == is.Digest {
		what = fmt.Sprintf("v%d was submitted again", is.Number)
	}
	if h.WasDecided() {
		return "Not sent: " + what + " first. All you said is here."
	}
	return what + " while you read: this is it, with all you said."
}
