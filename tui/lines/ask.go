package lines

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/ask"
	"planb/tui/editor/external"
	"planb/tui/screen"
	"planb/tui/wording"
)

// AskOptions says what Ask asks, and how.
type AskOptions struct {
	Store    ask.Store
	Terminal screen.Terminal
	ID       string           // the long id of the first ask; empty: the first of the place's queue
	Place    string           // whose queue to serve; empty: none
	ByItself bool             // the first ask comes up by itself, so that the person has to enter it
	By       string           // names the person, user@host
	Now      func() time.Time // nil means time.Now
	Command  string           // how this program is called; empty means "planb"
	Quiet    bool             // no receipt is printed
	Bell     bool             // rings when an ask comes up by itself
	// TerminalDied reports that the terminal died with all its panes; it may be nil.
	TerminalDied func() bool
}

// AskResult is what came of it.
type AskResult struct {
	Ask     store.Ask // the first ask, as it is at the end; zero if none was asked
	Settled int       // how many asks were settled here
	Receipt string    // what to tell the person where they are then; empty if nothing was settled
}

// host serves asks line by line, as the screen of asks does with drawn forms.
type host struct {
	AskOptions
	ask.State
	host *ask.Host
	talk *talk

	entered bool // the person has begun to answer the ask
	receipt string
}

// conversation answers one ask.
type conversation interface {
	// converse asks until there is an outcome. If there is none, the error is errLater,
	// errLeft or errEnded.
	converse() (questions.Outcome, error)
	// entry returns what was entered so far.
	entry() questions.Entry
	// edited returns the plan as the person edited it; zero if they did not.
	edited() safe.Text
}

// Ask has an ask answered, and with a Place whatever else waits there. It returns when
// nothing is left to ask, the person leaves, ctx ends or the input does. By then it has
// saved what was entered and given the claims back.
func Ask(ctx context.Context, o AskOptions) (AskResult, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Command == "" {
		o.Command = "planb"
	}
	return newHost(o, newTalk(ctx, o.Terminal)).run(ctx)
}

func newHost(o AskOptions, t *talk) *host {
	asks := ask.NewHost(o.Store, ask.Options{ID: o.ID, Place: o.Place, NeedsPlan: true, By: o.By})
	return &host{AskOptions: o, host: asks, talk: t}
}

// run serves the asks and gives the claims back.
func (h *host) run(ctx context.Context) (AskResult, error) {
	err := h.serve(ctx)
	after, cancel := context.WithTimeout(context.WithoutCancel(ctx), screen.ClosePatience)
	defer cancel()
	err = errors.Join(err, h.host.Close(after, ask.EndingOf(err, h.TerminalDied)))
	return AskResult{Ask: h.First, Settled: h.Settled, Receipt: h.receipt}, err
}

// serve asks one ask after another.
func (h *host) serve(ctx context.Context) error {
	opened, err := h.host.Start()
	for err == nil && !opened.None {
		screen, failed := h.one(ctx, opened)
		switch {
		case errors.Is(failed, errLeft): // the person is gone, and cannot answer what else waits
			return nil
		case failed != nil:
			return failed
		case h.Next() != "":
			next, standing, failed := h.goOn(screen)
			if failed != nil {
				return failed
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
		opened, err = h.host.Next(h.Ask.ID, h.Aside)
	}
	return err
}

// one asks one ask and says what became of it.
func (h *host) one(ctx context.Context, opened ask.Opened) (conversation, error) {
	h.Show(opened)
	unasked := h.ByItself || h.Unasked()
	if opened.Unopened != nil {
		if err := h.talk.say("%s", wording.Sentence(opened.Unopened)); err != nil {
			return nil, err
		}
	}
	if opened.ReadOnly {
		return nil, h.talk.say("%s", block(wording.AskText(h.Ask, h.Now().Location())))
	}
	h.host.MarkShown(h.Ask)
	screen := h.screen(input{Input: opened.Input, Now: h.Now, Environ: h.Terminal.Environ})
	h.host.Took(h.Ask.ID, opened.Kept)
	h.Begin(screen.entry())
	h.entered = !unasked
	watching, stop := context.WithCancel(ctx)
	defer stop()
	h.talk.news = h.watch(watching)
	h.talk.answers = h.Ask.ID
	err := h.enter(opened.Waiting)
	if err == nil {
		err = h.sayLeft(opened)
	}
	if err == nil {
		err = h.settle(screen)
	}
	return screen, h.finish(screen, err)
}

// sayLeft tells of files that the person's editor left of the ask.
func (h *host) sayLeft(opened ask.Opened) error {
	if opened.Others { // another pane's editor may be at work
		return nil
	}
	if words := external.LeftWords(external.LeftBehind(opened.Ask.ID)); words != nil {
		return h.talk.say("%s", strings.Join(words, "\n"))
	}
	return nil
}

func (h *host) screen(in input) conversation {
	save := func(d questions.Entry) error { return h.save(h.talk.ctx, d) }
	if in.Plan != nil {
		return newReview(h.talk, in, save, func() bool { return h.Next() != "" })
	}
	return newForm(h.talk, in, save)
}

// who returns the agent's name for itself.
func (h *host) who() string {
	return wording.Asker(h.Ask, h.Session)
}

// enter waits until the person wants to begin with an ask that came by itself. A line that
// they were typing for another program answers nothing.
func (h *host) enter(waits int) error {
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
func (h *host) settle(screen conversation) error {
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

// editedWith returns the plan as the person edited it, if it goes with the outcome.
func editedWith(screen conversation, o questions.Outcome) safe.Text {
	if o.State != questions.Answered {
		return safe.Text{}
	}
	return screen.edited()
}

// finish says what became of the ask. Its error ends everything.
func (h *host) finish(screen conversation, err error) error {
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
	h.receipt = wording.Receipt(h.Ask, h.Session, h.Waits, h.Settled, h.host.Approved())
	if h.Quiet {
		return nil
	}
	return h.talk.say("%s", spoken(h.receipt))
}

// ended says that the ask was settled elsewhere, and stores on its record what was
// entered here. A line that the person is typing was meant for that ask, so it must not
// reach a shell. In a place of its own planb goes on at once, because the next ask may wait.
func (h *host) ended(screen conversation) error {
	err := h.sayEnded(screen)
	if err != nil || h.Place != "" || !h.talk.lines.reading {
		return err
	}
	return h.talk.drop("Press Enter to go on:")
}

func (h *host) sayEnded(screen conversation) error {
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

// save stores what was entered.
func (h *host) save(ctx context.Context, entry questions.Entry) error {
	_, err := h.host.SaveLast(ctx, h.Ask.ID, entry)
	if err == nil {
		h.Saved(entry)
	}
	return err
}

// goOn opens the ask that took the place of this one, with what was entered here.
// standing is false if that ask has ended, too, or cannot be opened.
func (h *host) goOn(screen conversation) (next ask.Opened, standing bool, err error) {
	entry := screen.entry()
	err = errors.Join(h.talk.say("\nNothing was sent: the plan was submitted again. What comes up has all you said."), h.saveOrPrint(h.talk.ctx, entry))
	if err != nil {
		return next, false, err
	}
	next, failed := h.host.Follow(h.Ask.ID, h.Following(), entry, h.Aside)
	if failed != nil {
		return next, false, h.unfollowed(entry, failed)
	}
	if next, standing = h.Follow(next, entry); !standing {
		err = h.ended(screen)
	}
	return next, standing, err
}

// unfollowed prints what was entered here, because the ask that took the place of this one
// cannot be opened. It puts that ask off.
func (h *host) unfollowed(entry questions.Entry, failed error) error {
	lines := []string{"That cannot be opened: " + wording.Sentence(failed)}
	if h.Touched(entry) {
		lines = append(lines, wording.Entered("You had entered: ", h.Ask, entry)...)
	}
	h.PutOff()
	return h.talk.say("%s", strings.Join(lines, "\n"))
}

// saveOrPrint saves what was entered, and prints what cannot be saved.
func (h *host) saveOrPrint(ctx context.Context, entry questions.Entry) error {
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
func (h *host) leave(drawn conversation) error {
	saving, cancel := context.WithTimeout(context.WithoutCancel(h.talk.ctx), screen.ClosePatience)
	defer cancel()
	if err := h.saveOrPrint(saving, drawn.entry()); err != nil {
		return err
	}
	return h.talk.say("%s", wording.WayBack(h.Command, h.PutOff()))
}
