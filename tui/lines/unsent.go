package lines

import (
	"context"
	"errors"
	"strings"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/tui/ask"
	"planb/tui/editor/external"
	"planb/tui/wording"
)

// If the store refuses to keep something, the conversation stays open, as a drawn form
// does. It tries again every second, and the person can save or print what they entered.

var (
	errTaken = errors.New("the store has it now") // ends the wait for a line
	errBack  = errors.New("back to the questions")
)

// sendOutcome writes an outcome. It returns errEnded if another one came first, and
// errBack if the write fails and the person wants to go back to the form.
func (h *host) sendOutcome(screen conversation, outcome questions.Outcome) error {
	try := func() error {
		now, err := h.host.Settle(h.Ask, outcome, editedWith(screen, outcome))
		switch h.Done(now, err) {
		case ask.Counted:
			return nil
		case ask.TooLate, ask.Replaced:
			return errEnded
		}
		if _, full := errors.AsType[*store.TooLateError](err); full { // its end says what was entered, for the person to take
			return errEnded
		}
		return err
	}
	return h.stay("Not sent", screen, try)
}

// saveToLeave saves what was entered before the person leaves. If that fails, it returns
// errBack if the person wants to stay, and errLater if they leave all the same.
func (h *host) saveToLeave(screen conversation) error {
	if !h.Unsaved(screen.entry()) {
		return nil
	}
	return h.stay("Not saved", screen, func() error { return h.save(h.talk.ctx, screen.entry()) })
}

// stay tries until a write succeeds, and meanwhile offers to save or print the answers.
func (h *host) stay(lead string, screen conversation, try func() error) error {
	failed := try()
	if failed == nil || errors.Is(failed, errEnded) {
		return failed
	}
	hope := "Everything you entered is still here."
	if kv.Passing(failed) {
		lead += " yet"
		hope += " It is tried again every second."
	}
	if err := h.talk.say("%s: %s. %s", lead, strings.TrimSuffix(wording.Refused(failed), "."), hope); err != nil {
		return err
	}
	trying, stop := context.WithCancel(h.talk.ctx)
	defer stop()
	news := h.talk.news
	defer func() { h.talk.news = news }()
	h.talk.news = nil
	if kv.Passing(failed) {
		h.talk.news = watchForNews(trying, func() []func() error { return []func() error{func() error { return triedAgain(try()) }} })
	}
	for {
		line, err := h.talk.ask("Type file to save your answers to a file, print to read them out, back to change them, or later to leave:")
		switch {
		case errors.Is(err, errTaken):
			return h.talk.say("")
		case err != nil:
			return err
		}
		if err := h.takeAlong(strings.ToLower(bareWord(line)), screen); err != nil {
			return err
		}
	}
}

// triedAgain turns the result of another try into what ends the wait for a line. A
// failure ends nothing.
func triedAgain(err error) error {
	switch {
	case err == nil:
		return errTaken
	case errors.Is(err, errEnded):
		return err
	}
	return nil
}

// takeAlong does what the person wants with answers that could not be stored.
func (h *host) takeAlong(word string, screen conversation) error {
	switch word {
	case "file":
		path, err := external.SaveAnswers(h.Ask.ID, wording.Unsent(h.Ask.Spec, screen.entry()))
		if err != nil {
			return h.talk.say("Not saved to a file: %s", wording.Sentence(err))
		}
		return h.talk.say("Saved: %s", safe.New(path).Line())
	case "print":
		return h.talk.say("%s", strings.Join(wording.Entered("Your answers: ", h.Ask, screen.entry()), "\n"))
	case "back":
		return errBack
	case "later":
		return errLater
	}
	return nil
}
