package tui

import (
	"context"
	"errors"
	"time"

	rules "planb/plans/tasks"
	"planb/store"
	kept "planb/store/tasks"
	"planb/tui/askscreen"
	"planb/tui/inbox"
	"planb/tui/lines"
	"planb/tui/retro"
	"planb/tui/screen"
	"planb/tui/tasks"
)

// InboxStore is the part of the store that the inbox and past sessions need, with the forms that
// open over them.
type InboxStore interface {
	askscreen.Store
	inbox.Store
}

// Options says what Inbox and Retro show, and where.
type Options struct {
	Store    InboxStore
	Terminal screen.Terminal
	// Session is the long id of the session that Retro shows. If it is empty, Retro lists
	// all sessions.
	Session string
	Plan    int              // the version of the session's plan to open right away; 0 for none
	Ask     string           // the long id of the session's ask to open right away; empty for none
	By      string           // names the person who answers, user@host
	Now     func() time.Time // nil means time.Now
	// Command is the command that runs this program, for the lines that say how to come
	// back; empty means "planb".
	Command string
	// Copies are the readable copies of plans; they are deleted with their session. It is nil
	// if there are none.
	Copies inbox.Copies
	// Rings says how Inbox tells the person that a form came in.
	Rings inbox.Rings
	// Announce shows a line to the person outside of this program, for Rings.Message. It is
	// nil if nothing can show one.
	Announce func(ctx context.Context, text string) error
	// Tasks opens the plans of tasks that Inbox lists, Drafts the drafts. Without a Store it
	// lists none.
	Tasks  TasksOptions
	Drafts DraftsOptions
}

// Inbox shows what waits for the person and all sessions, as they are at
// every moment, and lets them answer. It returns when they leave, ctx ends, the
// terminal is gone or a signal comes; a half-filled form is saved by then.
func Inbox(ctx context.Context, o Options) error {
	if o.Terminal.Plain() {
		ctx, stop := untilSignal(ctx)
		defer stop()
		return lines.Inbox(ctx, lines.InboxOptions{Store: o.Store, Tasks: o.Tasks.deps(), Drafts: o.Drafts.deps(), Terminal: o.Terminal, By: o.By, Now: o.Now, Command: o.Command, Bell: o.Rings.Bell})
	}
	return terminal{o.Terminal}.run(ctx, inbox.New(o.inbox(true)))
}

// Retro shows all sessions, or one: what was asked and answered, and every
// version of the plan. It changes nothing but which sessions the person archives
// or deletes. An unknown Options.Session is a *store.UnknownError.
//
// With ACCESSIBLE=1 it shows nothing; the error names the commands that print the same.
func Retro(ctx context.Context, o Options) error {
	if o.Terminal.Plain() {
		return errors.New(lines.Past(o.Command))
	}
	d := o.inbox(false)
	if o.Session == "" {
		return terminal{o.Terminal}.run(ctx, inbox.New(d))
	}
	found, err := o.Store.Session(ctx, o.Session)
	if err != nil {
		if !store.AboutOneRecord(err) {
			return err
		}
		found = store.Session{ID: o.Session, Err: err} // its asks and plans can be shown all the same
	}
	return terminal{o.Terminal}.run(ctx, o.story(d.Past(), found))
}

// TasksOptions says what Tasks shows, and where.
type TasksOptions struct {
	Store    *store.Store
	Terminal screen.Terminal
	Plan     string           // the id of a plan or of a task; empty for the list of all plans
	By       string           // names the person, user@host
	Command  string           // as in Options
	Now      func() time.Time // nil means time.Now
	// Visit brings the person to the place of an agent; nil if nothing can.
	Visit func(ctx context.Context, place string) error
}

// Tasks shows plans of tasks as they are at every moment. It returns as Inbox does.
func Tasks(ctx context.Context, o TasksOptions) error {
	d := o.deps()
	if o.Terminal.Plain() {
		ctx, stop := untilSignal(ctx)
		defer stop()
		return lines.Tasks(ctx, lines.TasksOptions{Desk: d, Store: o.Store, Terminal: o.Terminal, Plan: o.Plan, By: o.By, Now: o.Now, Command: o.Command})
	}
	if o.Plan == "" {
		return terminal{o.Terminal}.run(ctx, tasks.NewList(d))
	}
	return terminal{o.Terminal}.run(ctx, tasks.New(d, o.Plan))
}

// deps returns what the screens of tasks are given; nothing without a store.
func (o TasksOptions) deps() tasks.Deps {
	if o.Store == nil {
		return tasks.Deps{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	past := Options{Store: o.Store, Terminal: o.Terminal, By: o.By, Now: o.Now, Command: o.Command}
	return tasks.Deps{
		Store: o.Store.Tasks(), Decide: o.Store.Tasks(), Watcher: o.Store, Review: o.review, Visit: o.Visit,
		Keys: o.Terminal.Keys, Environ: o.Terminal.Environ, Past: past.inbox(true).Past(), By: o.By, Now: o.Now, After: screen.After,
	}
}

// review opens the review in which the person approves a plan, or joins the one that is open.
func (o TasksOptions) review(ctx context.Context, id string) (store.Ask, error) {
	by := kept.Caller{Actor: rules.User, Name: o.By}
	plan, err := o.Store.Tasks().Plan(ctx, by, id)
	if err != nil {
		return store.Ask{}, err
	}
	ask, err := o.Store.ReviewTasks(ctx, by, id, store.TaskReview{NewSession: func(ctx context.Context) (string, error) {
		made, err := o.Store.CreateSession(ctx, store.Session{Title: plan.Title})
		return made.ID, err
	}})
	if err != nil {
		return store.Ask{}, err
	}
	opened, _, err := o.Store.OpenAsk(ctx, ask)
	return opened, err
}

// story is the story of the session, with the ask or the plan version of the options over
// it.
func (o Options) story(d retro.Deps, session store.Session) screen.Screen {
	switch {
	case o.Ask != "":
		return retro.NewSessionAtAsk(d, session, o.Ask)
	case o.Plan > 0:
		return retro.NewSessionAtPlan(d, session, o.Plan)
	}
	return retro.NewSession(d, session)
}

// inbox returns the dependencies of the inbox. Without answers it lists past sessions only.
func (o Options) inbox(answers bool) inbox.Deps {
	if o.Now == nil {
		o.Now = time.Now
	}
	return inbox.Deps{
		Store: o.Store, Keys: o.Terminal.Keys, Environ: o.Terminal.Environ, By: o.By, Now: o.Now,
		Answers: answers, OpenForm: o.forms(answers), Copies: o.Copies,
		Rings: o.Rings, Announce: o.Announce, Tasks: o.Tasks.deps(), Drafts: o.Drafts.deps(), After: screen.After,
	}
}

// forms opens the forms of asks. Without answers they can only be read.
func (o Options) forms(answers bool) func(retro.Form) screen.Screen {
	return func(f retro.Form) screen.Screen {
		return askscreen.New(o.Store, askscreen.Options{
			ID:       f.Ask.ID,
			ReadOnly: !answers || !f.Ask.Open(),
			Told:     true,
			By:       o.By,
			Now:      o.Now,
			Command:  o.Command,
			Environ:  o.Terminal.Environ,
			Keys:     o.Terminal.Keys,
			Panel:    o.Terminal.Panel,
			Beside:   askscreen.Beside{Others: f.Others, Titled: o.Rings.Title},
			Question: f.Question,
			Found:    f.Found,
		})
	}
}
