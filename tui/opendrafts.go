package tui

import (
	"context"
	"strings"
	"time"

	rules "planb/drafts"
	"planb/drafts/report"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
	"planb/tui/drafts"
	"planb/tui/lines"
	"planb/tui/screen"
)

// DraftsOptions says what Drafts shows, and where.
type DraftsOptions struct {
	Store    *store.Store
	Terminal screen.Terminal
	Draft    string           // the id of a draft; empty for the list of all drafts
	By       string           // names the person, user@host
	Command  string           // as in Options
	Now      func() time.Time // nil means time.Now
	// OpenReport shows the report of a draft outside of this program, and says where it is. It
	// is nil if nothing can.
	OpenReport func(ctx context.Context, w runs.Whole) (said string, err error)
}

// Drafts shows drafts as they are at every moment. It returns as Inbox does.
func Drafts(ctx context.Context, o DraftsOptions) error {
	d := o.deps()
	if o.Terminal.Plain() {
		ctx, stop := untilSignal(ctx)
		defer stop()
		return lines.Drafts(ctx, lines.DraftsOptions{Desk: d, Store: o.Store, Terminal: o.Terminal, Draft: o.Draft, By: o.By, Now: o.Now, Command: o.Command})
	}
	if o.Draft == "" {
		return terminal{o.Terminal}.run(ctx, drafts.NewList(d))
	}
	return terminal{o.Terminal}.run(ctx, drafts.New(d, o.Draft))
}

// deps returns what the screens of drafts are given; nothing without a store.
func (o DraftsOptions) deps() drafts.Deps {
	if o.Store == nil {
		return drafts.Deps{}
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	forms := Options{Store: o.Store, Terminal: o.Terminal, By: o.By, Now: o.Now, Command: o.Command}
	return drafts.Deps{
		Store: o.Store.Drafts(), Asks: o.Store.Asks, Watcher: o.Store, Gate: o.gate, OpenReport: o.OpenReport, SaveReport: o.saveReport,
		Section: rules.Draft.Markdown, Schedule: rules.Draft.Schedule,
		OpenForm: forms.forms(true), Keys: o.Terminal.Keys, Environ: o.Terminal.Environ, By: o.By, Now: o.Now, After: screen.After,
	}
}

// gate opens the form of a step that the person writes, or joins the one that is open. If the
// person answered that form before and gets it again, its outcome counts as delivered, because
// the answer is in the draft. A reply that no agent has read yet goes on as the note of the new
// form, with the answers of that time.
func (o DraftsOptions) gate(ctx context.Context, w runs.Whole, step rules.Step) (store.Ask, error) {
	form, err := w.Form(step)
	if err != nil {
		return store.Ask{}, err
	}
	ask := store.Ask{
		Session: w.Session, Spec: form, Subject: store.Subject{Kind: runs.SubjectKind, ID: w.Gate(step).Subject()},
		Client: store.Client{Name: safe.New("planb-draft"), Title: safe.New("planb draft")},
	}
	opened, attached, err := o.Store.OpenAsk(ctx, ask)
	if err != nil || !attached || opened.Open() {
		return opened, err
	}
	before, err := o.Store.Ask(ctx, opened.ID)
	if err == nil {
		err = o.Store.Deliver(ctx, opened.ID)
	}
	if err != nil {
		return store.Ask{}, err
	}
	opened, _, err = o.Store.OpenAsk(ctx, ask)
	if err != nil || before.Outcome.State != questions.Discuss {
		return opened, err
	}
	entry := form.EntryAgain(before.Spec, before.Outcome.Reply)
	entry.Note = safe.New(strings.TrimSpace(entry.Note.Raw() + "\n\n" + before.Outcome.Message.Raw()))
	return opened, o.Store.SaveEntry(ctx, opened.ID, entry)
}

// saveReport saves the report of a draft as the next version of its session's plan.
func (o DraftsOptions) saveReport(ctx context.Context, w runs.Whole) (version int, err error) {
	plan, _, err := o.Store.SavePlan(ctx, w.Session, w.Title.Raw(), string(report.Markdown(w.Draft)))
	return plan.Number, err
}
