package tui

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/ask"
)

// plainHost serves asks in plain lines, as an askScreen does on a screen that is
// drawn: one after another, each with its draft, its claim and its outcome.
type plainHost struct {
	AskOptions
	host  *ask.Host
	talk  *plainTalk
	aside []string // asks the person put off, or that have ended

	result  AskResult
	receipt string
	next    string // the ask that has taken the place of the one before
}

// plainScreen is one ask in plain lines.
type plainScreen interface {
	// converse asks until there is an outcome; errLater, errLeft and errEnded say
	// that there is none.
	converse() (questions.Outcome, error)
	// draft is what was entered so far.
	draft() questions.Draft
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
	return &plainHost{AskOptions: o, host: ask.NewHost(o.Store, ask.Options{ID: o.ID, Place: o.Place, By: o.By}), talk: talk}
}

// run serves, gives the claims back, and tells the pane what was settled.
func (h *plainHost) run(ctx context.Context) (AskResult, error) {
	err := h.serve(ctx)
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), closePatience)
	defer cancel()
	err = errors.Join(err, h.host.Close(after))
	if h.receipt != "" && h.Leave != nil {
		err = errors.Join(err, h.Leave(after, h.receipt))
	}
	return h.result, err
}

// serve shows what there is to show, one ask after another.
func (h *plainHost) serve(ctx context.Context) error {
	opened := open(h.host, h.host.Start)
	for {
		h.aside = append(h.aside, opened.Aside...)
		if opened.err != nil || opened.None {
			return opened.err
		}
		err := h.one(ctx, opened)
		switch {
		case err != nil:
			return err
		case h.next != "":
			next := h.next
			h.next = ""
			opened = open(h.host, func() (ask.Opened, error) { return h.host.Follow(opened.Ask.ID, next, h.aside) })
			continue
		case h.Place == "":
			return nil
		}
		opened = open(h.host, func() (ask.Opened, error) { return h.host.Next(opened.Ask.ID, h.aside) })
	}
}

// one has one ask answered.
func (h *plainHost) one(ctx context.Context, opened askOpened) error {
	input := formInput{Input: opened.Input, Left: opened.left}
	input.Now, input.Environ = h.Now, h.Terminal.Environ
	if h.result.Ask.ID == "" {
		h.result.Ask = input.Ask
	}
	if input.ReadOnly {
		return h.talk.say("%s", plainBlock(AskText(input.Ask, h.Now().Location())))
	}
	h.host.MarkShown(input.Ask)
	if input.Plan != nil && input.Plan.Problem != nil {
		return fmt.Errorf("this plan cannot be reviewed: %w", input.Plan.Problem)
	}
	watching, stop := context.WithCancel(ctx)
	defer stop()
	watch := &plainWatch{host: h, ask: input.Ask.ID, waits: input.AgentWaits, who: (&form{in: input}).who()}
	h.talk.news = watch.start(watching)
	h.talk.answers = input.Ask.ID
	screen := h.screen(input, watch)
	err := h.begin(opened)
	if words := leftWords(input.Left); err == nil && words != nil {
		err = h.talk.say("%s", strings.Join(words, "\n"))
	}
	var outcome questions.Outcome
	if err == nil {
		outcome, err = h.outcome(screen, input, watch)
	}
	return h.finish(screen, input, watch, outcome, err)
}

func (h *plainHost) screen(input formInput, watch *plainWatch) plainScreen {
	save := func(d questions.Draft) error { return h.save(h.talk.ctx, input.Ask.ID, d) }
	if input.Plan != nil {
		return newPlainReview(h.talk, input, save, watch.gaveWay)
	}
	return newPlainForm(h.talk, input, save)
}

// begin lets a form that came unasked wait until the person means it: a line
// that was being typed for something else answers nothing.
func (h *plainHost) begin(opened askOpened) error {
	if !h.Grace && len(h.aside)+h.result.Settled == 0 {
		return nil
	}
	ring := ""
	if h.Bell && len(h.aside)+h.result.Settled == 0 {
		ring = bel
	}
	more := ""
	if opened.Waiting > 1 {
		more = fmt.Sprintf(" %s here.", waiting(opened.Waiting))
	}
	input := formInput{Input: opened.Input}
	if err := h.talk.say("%s%s asks: %s.%s", ring, (&form{in: input}).who(), input.Ask.Spec.Title.Line(), more); err != nil {
		return err
	}
	for {
		line, err := h.talk.ask("Type go to begin, or later to put it off:")
		switch line = strings.ToLower(line); {
		case err != nil:
			return err
		case line == "go":
			return nil
		case line == "later" || line == "/later":
			return errLater
		}
	}
}

// waiting counts what waits.
func waiting(n int) string {
	if n == 1 {
		return "1 form waits"
	}
	return fmt.Sprintf("%d forms wait", n)
}

// outcome asks for an outcome until it is in the store.
func (h *plainHost) outcome(screen plainScreen, input formInput, watch *plainWatch) (questions.Outcome, error) {
	for {
		outcome, err := screen.converse()
		if err != nil {
			return outcome, err
		}
		if err := input.Ask.Spec.CheckOutcome(outcome); err != nil {
			if err := h.talk.say("This can't be sent as it is: %s", safe.New(err.Error()).Block()); err != nil {
				return outcome, err
			}
			continue
		}
		outcome.By, outcome.At = h.By, h.Now()
		now, err := h.host.Settle(input.Ask, outcome, editedWith(screen, outcome))
		if err == nil {
			return now.Outcome, nil
		}
		if _, tooLate := errors.AsType[*questions.SettledError](err); tooLate && now.ID != "" {
			watch.ended, watch.onRecord = now, true
			return outcome, errEnded
		}
		if tooLateToKeep(err) { // its end says what was entered, for the person to take
			watch.ended = now
			return outcome, errEnded
		}
		if err := h.talk.say("It could not be sent, and nothing of it is lost: %s", sentence(err)); err != nil {
			return outcome, err
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

// finish says what became of an ask; its error ends the whole conversation.
func (h *plainHost) finish(screen plainScreen, input formInput, watch *plainWatch, outcome questions.Outcome, err error) error {
	shown := input.Ask
	switch {
	case errors.Is(err, errEnded):
		h.aside = append(h.aside, shown.ID)
		shown.Outcome = watch.ended.Outcome
		return h.ended(screen, input, shown, watch.onRecord)
	case errors.Is(err, errLater), errors.Is(err, errLeft):
		h.aside = append(h.aside, shown.ID)
		return h.leave(screen, input, err)
	case err != nil:
		return err
	}
	shown.Outcome = outcome
	h.note(shown)
	h.result.Settled++
	h.receipt = receipt(shown, input.Session, watch.waits, h.result.Settled)
	if h.Quiet {
		return nil
	}
	return h.talk.say("%s", spoken(h.receipt))
}

// note keeps what became of the first ask.
func (h *plainHost) note(ask store.Ask) {
	if ask.ID == h.result.Ask.ID {
		h.result.Ask = ask
	}
}

// ended says that the ask was settled elsewhere, and puts what was entered here on
// its record.
func (h *plainHost) ended(screen plainScreen, input formInput, ask store.Ask, onRecord bool) error {
	h.note(ask)
	draft := screen.draft()
	if next := ask.Outcome.Next; next != "" {
		return h.follow(input, next, draft)
	}
	if reflect.DeepEqual(draft, input.Draft) {
		return h.talk.say("\n%s.", spoken(endedElsewhere(ask, input.Session)))
	}
	if err := h.talk.say("\n%s", overtaken(ask, draft)); err != nil || onRecord {
		return err
	}
	return h.host.KeepLate(ask, draft)
}

// save keeps what was entered, as the draft of the ask or of the one that has taken
// its place.
func (h *plainHost) save(ctx context.Context, id string, draft questions.Draft) error {
	_, err := h.host.SaveLast(ctx, id, draft)
	if next := gaveWay(err); next != "" {
		_, err = h.host.SaveLast(ctx, next, draft)
	}
	return err
}

// follow has the ask come up that has taken the place of this one, with what was
// entered here.
func (h *plainHost) follow(input formInput, next string, draft questions.Draft) error {
	h.next = next
	err := h.talk.say("\nNothing was sent: the plan was submitted again. What comes up has all you said.")
	if failed := h.save(h.talk.ctx, next, draft); failed != nil {
		for _, line := range lostDraft(input.Ask, draft, failed) {
			err = errors.Join(err, h.talk.say("%s", line))
		}
	}
	return err
}

// leave saves what was entered and says how to come back.
func (h *plainHost) leave(screen plainScreen, input formInput, why error) error {
	draft := screen.draft()
	saving, cancel := context.WithTimeout(context.WithoutCancel(h.talk.ctx), closePatience)
	defer cancel()
	if err := h.save(saving, input.Ask.ID, draft); err != nil {
		for _, line := range lostDraft(input.Ask, draft, err) {
			if err := h.talk.say("%s", line); err != nil {
				return err
			}
		}
	}
	if err := h.talk.say("\n%s", wayBack(h.Command, input.Ask)); err != nil {
		return err
	}
	if errors.Is(why, errLeft) {
		h.Place = "" // nobody is there to answer what else waits
	}
	return nil
}
