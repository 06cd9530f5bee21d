package askscreen

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/store"
	reviewing "planb/tui/review"
	"planb/tui/screen"
	"planb/tui/wording"
)

// While a review is open here, the agent may submit its plan again. This file goes on to the
// new review, with everything that the person said.

// askFollowed brings the ask that replaced another one.
type askFollowed struct {
	askOpened
	from string // the id of the replaced ask
}

// follow goes on to the ask that took this one's place. While the person is writing, it
// waits until they are done, so that no key goes to the other form. Until then their entry
// is saved under the next ask.
func (s *Screen) follow() tea.Cmd {
	if s.form.Busy() {
		if !s.form.Give() {
			return nil
		}
		cmds := []tea.Cmd{s.form.Update(screen.Relaid{}), s.entryChanged(s.state.Ask.ID)}
		if s.review != nil { // the version that was written since is submitted by now
			cmds = append(cmds, s.form.Update(reviewing.Written{AskID: s.state.Ask.ID}))
		}
		return tea.Batch(cmds...)
	}
	if s.form.IsSending() {
		s.state.Decided()
	}
	s.phase = phaseMoving
	return s.openFollowed(s.state.Ask.ID, s.state.Following())
}

// followed shows the form of the next ask. If that ask has ended by now, the person's words
// came too late for it, too.
func (s *Screen) followed(msg askFollowed) tea.Cmd {
	if s.phase != phaseMoving || msg.from != s.state.Ask.ID {
		return nil
	}
	s.phase = phaseOpen
	if msg.err != nil {
		s.form.Resume(screen.ToneBad, "The plan was submitted again, and that cannot be opened: %s", wording.Sentence(msg.err))
		return s.form.Update(screen.Relaid{}) // the next look tries again
	}
	news, touched := s.placeTaken(msg.Ask), s.touched()
	opened, standing := s.state.Follow(msg.Opened, s.form.Entry())
	if !standing {
		return s.overtaken()
	}
	s.news = news
	if s.review != nil && opened.Plan.Begun != nil && s.review.Entry().Review.Digest != opened.Ask.Spec.Plan.Digest {
		opened.Plan.Begun.Line = s.review.Entry().Cursor.Line
	}
	if touched {
		s.rang = opened.Ask.ID // who writes here need not be called
	}
	msg.Opened = opened
	return tea.Batch(s.show(msg.askOpened), s.entryChanged(s.state.Ask.ID))
}

// placeTaken says what has come up in place of the ask.
func (s *Screen) placeTaken(next store.Ask) string {
	before, now := s.state.Ask.Spec.Plan, next.Spec.Plan
	if before == nil || now == nil {
		return "This has taken the place of the form that was here."
	}
	what := fmt.Sprintf("v%d was submitted", now.Number)
	if before.Digest == now.Digest {
		what = fmt.Sprintf("v%d was submitted again", now.Number)
	}
	if s.state.WasDecided() {
		return "Not sent: " + what + " first. All you said is here."
	}
	return what + " while you read: this is it, with all you said."
}
