package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/ask"
	"planb/tui/editor/external"
	"planb/tui/screen"
	"planb/tui/wording"
)

// plainHost serves asks in plain lines, as an askScreen does on a screen that is
// drawn.
type plainHost struct {
	AskOptions
	ask.State
	host *ask.Host
	talk *plainTalk

	entered bool // the person has begun to answer the ask
	receipt string
}

// plainScreen is one ask in plain lines.
type plainScreen interface {
	// converse asks until there is an outcome; errLater, errLeft and errEnded say
	// that there is none.
	converse() (questions.Outcome, error)
	// entry is what was entered so far.
	entry() questions.Entry
	// edited is the plan as the person edited it, if they did.
	edited() safe.Text
}

// askPlainly is Ask in plain lines.
func askPlainly(ctx context.Context, o AskOptions) (AskResult, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Command == "" {
		o.Command = "planb"
	}
	return newPlainHost(o, newPlainTalk(ctx, o.Terminal)).run(ctx)
}

func newPlainHost(o AskOptions, talk *plainTalk) *plainHost {
	host := ask.NewHost(o.Store, ask.Options{ID: o.ID, Place: o.Place, NeedsPlan: true, By: o.By})
	return &plainHost{AskOptions: o, host: host, talk: talk}
}

// run serves, gives the claims back, and tells the pane what was settled.
func (h *plainHost) run(ctx context.Context) (AskResult, error) {
	err := h.serve(ctx)
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), screen.ClosePatience)
	defer cancel()
	err = errors.Join(err, h.host.Close(after, askPlan{terminalDied: h.TerminalDied}.ending(err)))
	if h.receipt != "" && h.Leave != nil {
		err = errors.Join(err, h.Leave(after, h.receipt))
	}
	return AskResult{Ask: h.First, Settled: h.Settled}, err
}

// serve shows what there is to show, one ask after another.
func (h *plainHost) serve(ctx context.Context) error {
	opened := open(h.host, h.host.Start)
	for opened.err == nil && !opened.None {
		screen, err := h.one(ctx, opened)
		switch {
		case errors.Is(err, errLeft): // nobody is there to answer what else waits
			return nil
		case err != nil:
			return err
		case h.Next() != "":
			next, standing, err := h.goOn(screen)
			if err != nil {
				return err
			}
			if standing {
				opened = next
				continue
			}
		}
		if h.Place == "" {
			return nil
		}
		h.Closed++
		opened = open(h.host, func() (ask.Opened, error) { return h.host.Next(h.Ask.ID, h.Aside) })
	}
	return opened.err
}

// one has one ask answered.
func (h *plainHost) one(ctx context.Context, opened askOpened) (plainScreen, error) {
	h.Show(opened.Opened)
	unasked := h.ByItself || h.Unasked()
	if opened.Unopened != nil {
		if err := h.talk.say("%s", wording.Sentence(opened.Unopened)); err != nil {
			return nil, err
		}
	}
	if opened.ReadOnly {
		return nil, h.talk.say("%s", plainBlock(wording.AskText(h.Ask, h.Now().Location())))
	}
	h.host.MarkShown(h.Ask)
	screen := h.screen(plainInput{Input: opened.Input, Now: h.Now, Environ: h.Terminal.Environ})
	h.Begin(screen.entry())
	h.entered = !unasked
	watching, stop := context.WithCancel(ctx)
	defer stop()
	h.talk.news = h.watch(watching)
	h.talk.answers = h.Ask.ID
	err := h.enter(opened.Waiting)
	if words := external.LeftWords(opened.left); err == nil && words != nil {
		err = h.talk.say("%s", strings.Join(words, "\n"))
	}
	if err == nil {
		err = h.settle(screen)
	}
	return screen, h.finish(screen, err)
}

func (h *plainHost) screen(input plainInput) plainScreen {
	save := func(d questions.Entry) error { return h.save(h.talk.ctx, d) }
	if input.Plan != nil {
		return newPlainReview(h.talk, input, save, func() bool { return h.Next() != "" })
	}
	return newPlainForm(h.talk, input, save)
}

// who is the agent, as it names itself.
func (h *plainHost) who() string {
	return wording.Asker(h.Ask, h.Session)
}

// enter lets a form that came unasked wait until the person means it: a line that was
// being typed for something else answers nothing.
func (h *plainHost) enter(waits int) error {
	if h.entered {
		return nil
	}
	ring := ""
	if h.Bell && !h.Attended() {
		ring = screen.BEL
	}
	more := ""
	if waits > 1 {
		more = fmt.Sprintf(" %s here.", wording.Waiting(waits))
	}
	if err := h.talk.say("%s%s asks: %s.%s", ring, h.who(), h.Ask.Spec.Title.Line(), more); err != nil {
		return err
	}
	prompt := "Type answer to begin, or later to put it off:"
	if waits > 1 {
		prompt = fmt.Sprintf("Type answer to begin, later to put it off, or later all to put off all from %s:", h.who())
	}
	for !h.entered {
		line, err := h.talk.ask(prompt)
		if err != nil {
			return err
		}
		switch strings.ToLower(line) {
		case "answer":
			h.entered = true
		case "later", "/later":
			return errLater
		case "later all", "/later all":
			h.host.PutOffAgent(h.Ask.Client)
			return errLater
		}
	}
	return nil
}

// settle asks for an outcome until it is in the store.
func (h *plainHost) settle(screen plainScreen) error {
	for {
		outcome, err := screen.converse()
		if errors.Is(err, errLater) {
			if stays := h.saveToLeave(screen); errors.Is(stays, errBack) {
				continue
			} else if stays != nil {
				return stays
			}
		}
		if err != nil {
			return err
		}
		if err := h.Ask.Spec.CheckOutcome(outcome); err != nil {
			if err := h.talk.say("This can't be sent as it is: %s", safe.New(err.Error()).Block()); err != nil {
				return err
			}
			continue
		}
		outcome.By, outcome.At = h.By, h.Now()
		if err := h.sendOutcome(screen, outcome); !errors.Is(err, errBack) {
			return err
		}
	}
}

// editedWith is the plan as the person edited it, if that goes with an outcome.
func editedWith(screen plainScreen, o questions.Outcome) safe.Text {
	if o.State != questions.Answered {
		return safe.Text{}
	}
	return screen.edited()
}

// finish says what became of the ask; its error ends the whole conversation.
func (h *plainHost) finish(screen plainScreen, err error) error {
	switch {
	case errors.Is(err, errEnded) && h.Next() != "":
		return nil
	case errors.Is(err, errEnded):
		return h.ended(screen)
	case errors.Is(err, errLater):
		return h.leave(screen)
	case errors.Is(err, errLeft):
		return errors.Join(h.leave(screen), errLeft)
	case err != nil:
		return err
	}
	h.receipt = wording.Receipt(h.Ask, h.Session, h.Waits, h.Settled)
	if h.Quiet {
		return nil
	}
	return h.talk.say("%s", spoken(h.receipt))
}

// ended says that the ask was settled elsewhere, and puts what was entered here on
// its record.
func (h *plainHost) ended(screen plainScreen) error {
	entry := screen.entry()
	h.Aside = append(h.Aside, h.Ask.ID)
	if !h.Touched(entry) {
		return h.talk.say("\n%s.", spoken(wording.EndedElsewhere(h.Ask, h.Session)))
	}
	if err := h.talk.say("\n%s", wording.Overtaken(h.Ask, entry)); err != nil || !h.Unkept(entry) {
		return err
	}
	if err := h.host.KeepLate(h.Ask, entry); err != nil {
		return h.talk.say("It is printed here only, and kept nowhere: %s", wording.Sentence(err))
	}
	return nil
}

// save keeps what was entered.
func (h *plainHost) save(ctx context.Context, entry questions.Entry) error {
	_, err := h.host.SaveLast(ctx, h.EntryOf(), entry)
	if err == nil {
		h.Saved(entry)
	}
	return err
}

// goOn opens the ask that has taken the place of this one, with what was entered
// here. It reports false if that one has ended, too, or cannot be opened.
func (h *plainHost) goOn(screen plainScreen) (next askOpened, standing bool, err error) {
	entry := screen.entry()
	err = errors.Join(h.talk.say("\nNothing was sent: the plan was submitted again. What comes up has all you said."), h.saveOrPrint(h.talk.ctx, entry))
	if err != nil {
		return next, false, err
	}
	next = open(h.host, func() (ask.Opened, error) { return h.host.Follow(h.Ask.ID, h.Next(), h.Aside) })
	if next.err != nil {
		return next, false, h.unfollowed(entry, next.err)
	}
	next.Opened, standing = h.Follow(next.Opened, entry)
	if !standing {
		err = h.ended(screen)
	}
	return next, standing, err
}

// unfollowed puts the ask that has taken the place of this one aside, as it cannot be
// opened, and prints what was entered here.
func (h *plainHost) unfollowed(entry questions.Entry, failed error) error {
	lines := []string{"That cannot be opened: " + wording.Sentence(failed)}
	if h.Touched(entry) {
		lines = append(lines, wording.Entered("You had entered: ", h.Ask, entry)...)
	}
	h.PutOff()
	return h.talk.say("%s", strings.Join(lines, "\n"))
}

// saveOrPrint saves what was entered, and prints what cannot be saved.
func (h *plainHost) saveOrPrint(ctx context.Context, entry questions.Entry) error {
	if !h.Unsaved(entry) {
		return nil
	}
	failed := h.save(ctx, entry)
	if failed == nil {
		return nil
	}
	return h.talk.say("%s", strings.Join(wording.LostEntry(h.Ask, entry, failed), "\n"))
}

// leave saves what was entered and says how to come back.
func (h *plainHost) leave(drawn plainScreen) error {
	saving, cancel := context.WithTimeout(context.WithoutCancel(h.talk.ctx), screen.ClosePatience)
	defer cancel()
	if err := h.saveOrPrint(saving, drawn.entry()); err != nil {
		return err
	}
	return h.talk.say("\n%s", wording.WayBack(h.Command, h.PutOff()))
}
