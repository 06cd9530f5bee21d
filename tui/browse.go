package tui

import (
	"cmp"
	"context"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/keymap"
	"planb/tui/retro"
	"planb/tui/screen"
)

// BrowseStore is what looking around needs of the store: what answering an ask
// needs, and reading sessions and plans, one by one and many.
type BrowseStore interface {
	AskStore
	sessionsReader
	sessionsTidier
	retro.Store
}

type sessionsReader interface {
	Sessions(ctx context.Context, after string, limit int) (list []store.Session, next string, err error)
	Waiting(ctx context.Context) ([]store.Ask, error)
	Standing(ctx context.Context) (store.Standing, error)
	Snooze(ctx context.Context, id string, until time.Time) error
	Asks(ctx context.Context, session string) ([]store.Ask, error)
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
	b := o.browser(true)
	if o.Terminal.Plain() {
		return newPlainInbox(ctx, o, b).run()
	}
	return terminal{o.Terminal}.run(ctx, newSessionsScreen(b))
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
	b := o.browser(false)
	if o.Session == "" {
		return terminal{o.Terminal}.run(ctx, newSessionsScreen(b))
	}
	found, err := o.Store.Session(ctx, o.Session)
	if err != nil {
		if !store.AboutOneRecord(err) {
			return err
		}
		found = store.Session{ID: o.Session, Err: err} // what hangs on it can be looked at all the same
	}
	return terminal{o.Terminal}.run(ctx, o.story(b.past(), found))
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

func (o Options) browser(answers bool) browser {
	if o.Now == nil {
		o.Now = time.Now
	}
	return browser{
		store: o.Store, by: o.By, now: o.Now, answers: answers,
		command: o.Command, environ: o.Terminal.Environ, keys: o.Terminal.Keys,
		copies: o.Copies, rings: o.Rings, announce: o.Announce, after: screen.After,
	}
}

// browser is what the screens for looking around share.
type browser struct {
	store   BrowseStore
	by      string
	now     func() time.Time
	answers bool // open asks can be answered
	command string
	environ []string
	keys    keymap.Keys // the keys the person wants
	copies  Copies

	rings    Rings
	announce func(ctx context.Context, text string) error
	after    func(time.Duration, tea.Msg) tea.Cmd
}

func (b browser) past() retro.Deps {
	return retro.Deps{Store: b.store, Keys: b.keys, Environ: b.environ, Now: b.now, OpenForm: b.form, After: b.after}
}

// form is the screen of one ask: to be answered if it can be, else to be read.
func (b browser) form(f retro.Form) screen.Screen {
	return newAskScreen(b.store, askPlan{
		id:       f.Ask.ID,
		read:     !b.answers || !f.Ask.Open(),
		by:       b.by,
		now:      b.now,
		command:  b.command,
		environ:  b.environ,
		keys:     b.keys,
		beside:   beside{f.Others, b.rings.Title},
		question: f.Question,
		found:    f.Found,
	})
}
