package tui

import (
	"cmp"
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/keymap"
	"planb/tui/retro"
	"planb/tui/screen"
)

// BrowseStore is what looking around needs of the store, and answering what waits.
type BrowseStore interface {
	AskStore
	inboxStore
}

// inboxStore is what the inbox needs of the store.
type inboxStore interface {
	retro.Store
	waitingReader
	sessionsTidier
	Settle(ctx context.Context, id string, outcome questions.Outcome) (store.Ask, error)
	Snooze(ctx context.Context, id string, until time.Time) error
	Entry(ctx context.Context, askID string) (questions.Entry, bool, error)
}

// inboxDeps is what the inbox is given.
type inboxDeps struct {
	store   inboxStore
	keys    keymap.Keys
	environ []string // for the person's pager and editor, and which terminal they have
	by      string   // names the person, user@host
	now     func() time.Time
	answers bool // what waits is listed and can be answered; else only sessions are
	// form makes the screen of an ask: to be answered if it can be, else to be read.
	form   func(retro.Form) screen.Screen
	copies Copies // nil if there are none
	rings  Rings
	// announce shows one line of any text to the person outside this program, where they
	// are now; nil if there is no such place. Rings.Message uses it.
	announce func(ctx context.Context, text string) error
	// after sends a message in some time: screen.After, but for tests.
	after func(time.Duration, tea.Msg) tea.Cmd
}

func (d inboxDeps) past() retro.Deps {
	return retro.Deps{Store: d.store, Keys: d.keys, Environ: d.environ, Now: d.now, OpenForm: d.form, After: d.after}
}

// Options says what Companion and Retro show, and where.
type Options struct {
	Store    BrowseStore
	Terminal screen.Terminal
	// Session is the long id of the session that Retro shows; empty shows the
	// list of all. Companion always starts with its list.
	Session string
	Plan    int              // the version of the session's plan to open right away; 0 for none
	Ask     string           // the long id of the session's ask to open right away; empty for none
	By      string           // names the person who answers, user@host
	Now     func() time.Time // nil means time.Now
	// Command is how this program is called again, for the lines that say how
	// to come back; empty means "planb".
	Command string
	// Copies are the readable copies of plans, which are deleted with their
	// session; nil if there are none.
	Copies Copies
	// Rings says how Companion makes itself heard.
	Rings Rings
	// Announce shows one line of any text to the person outside this program,
	// where they are now; nil if there is no such place. Rings.Message uses it.
	Announce func(ctx context.Context, text string) error
}

// Companion shows what waits for the person and all sessions, as they are at
// every moment, and lets them answer. It returns when they leave, ctx ends, the
// terminal is gone or a signal comes; a half-filled form is saved by then.
func Companion(ctx context.Context, o Options) error {
	if o.Terminal.Plain() {
		return newPlainInbox(ctx, o).run()
	}
	return terminal{o.Terminal}.run(ctx, newSessionsScreen(o.inbox(true)))
}

// Retro shows all sessions, or one: what was asked and answered, and every
// version of the plan. It changes nothing but which sessions the person archives
// or deletes. An unknown Options.Session is a *store.UnknownError.
//
// Where nothing is drawn, it shows nothing: the error names the commands that do.
func Retro(ctx context.Context, o Options) error {
	if o.Terminal.Plain() {
		return errors.New(pastInLines(o.program()))
	}
	d := o.inbox(false)
	if o.Session == "" {
		return terminal{o.Terminal}.run(ctx, newSessionsScreen(d))
	}
	found, err := o.Store.Session(ctx, o.Session)
	if err != nil {
		if !store.AboutOneRecord(err) {
			return err
		}
		found = store.Session{ID: o.Session, Err: err} // what hangs on it can be looked at all the same
	}
	return terminal{o.Terminal}.run(ctx, o.story(d.past(), found))
}

// story is the session's story, with what is to be looked at first over it.
func (o Options) story(d retro.Deps, session store.Session) screen.Screen {
	switch {
	case o.Ask != "":
		return retro.NewSessionAtAsk(d, session, o.Ask)
	case o.Plan > 0:
		return retro.NewSessionAtPlan(d, session, o.Plan)
	}
	return retro.NewSession(d, session)
}

// program is how this program is called.
func (o Options) program() string { return safe.New(cmp.Or(o.Command, "planb")).Line() }

// inbox is what the list is given: one in which the person answers, or the past alone.
func (o Options) inbox(answers bool) inboxDeps {
	if o.Now == nil {
		o.Now = time.Now
	}
	return inboxDeps{
		store: o.Store, keys: o.Terminal.Keys, environ: o.Terminal.Environ, by: o.By, now: o.Now,
		answers: answers, form: o.forms(answers), copies: o.Copies,
		rings: o.Rings, announce: o.Announce, after: screen.After,
	}
}

// forms opens the forms of asks: to be answered, or to be read only.
func (o Options) forms(answers bool) func(retro.Form) screen.Screen {
	return func(f retro.Form) screen.Screen {
		return newAskScreen(o.Store, askPlan{
			id:       f.Ask.ID,
			read:     !answers || !f.Ask.Open(),
			by:       o.By,
			now:      o.Now,
			command:  o.Command,
			environ:  o.Terminal.Environ,
			keys:     o.Terminal.Keys,
			beside:   beside{f.Others, o.Rings.Title},
			question: f.Question,
			found:    f.Found,
		})
	}
}
