package bolt

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"go.etcd.io/bbolt"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// owed is what a store must hold for one process, by what the process said: confirmed
// deeds must be there, deeds that had begun may be.
type owed struct {
	who     string
	session string
	asks    map[string]*owedAsk // by title
	plans   []string            // the texts of the versions
	file    int                 // the version that its plan file holds, 0: there is none
	sides   map[string]bool     // the sessions beside it, by id: whether each is there
	shelved bool                // the session is in the archive
	begun   *deed               // what was not confirmed when the power went
}

// owedAsk is an ask as it must be found; begun has the other possibilities.
type owedAsk struct {
	title, id               string
	state                   questions.State
	text                    string // of the outcome
	entry                   string
	asked, shown, delivered bool
}

// owes computes what the store must hold.
func owes(deeds []deed) []*owed {
	by := map[string]*owed{}
	for _, d := range deeds {
		o := by[d.Who]
		if o == nil {
			o = &owed{who: d.Who, asks: map[string]*owedAsk{}, sides: map[string]bool{}}
			by[d.Who] = o
		}
		o.begun = nil
		if !d.Done {
			o.begun = &d
			continue
		}
		o.confirm(d)
	}
	var all []*owed
	for _, who := range slices.Sorted(maps.Keys(by)) {
		all = append(all, by[who])
	}
	return all
}

func (o *owed) confirm(d deed) {
	switch d.What {
	case archives:
		o.shelved = true
		return
	case opensSide, deletes:
		o.sides[d.Title] = d.What == opensSide
		return
	case shows, entries, delivers: // no change of the session
	default:
		o.shelved = false
	}
	switch d.What {
	case opens:
		o.session = d.Session
		return
	case plansOn, filesPlan:
		o.plans = append(o.plans, d.text())
		if d.What == filesPlan {
			o.file = len(o.plans)
		}
		return
	case asks:
		o.asks[d.Title] = &owedAsk{title: d.Title, id: d.Ask, state: questions.Pending, asked: true}
		return
	}
	a := o.asks[d.Title]
	switch d.What {
	case asksAgain: // nothing of it shows
	case shows:
		a.shown = true
	case entries:
		a.entry = d.text()
	case delivers:
		a.delivered = true
	default:
		outcome := d.outcome()
		a.state, a.text = outcome.State, said(outcome)
		if a.state == questions.Answered {
			a.entry = ""
		}
	}
}

// check compares the store with what it owes.
func (o *owed) check(ctx context.Context, s *store.Store) error {
	if o.session == "" {
		return nil // whether the session is there is all the same
	}
	session, err := s.Session(ctx, o.session)
	if err != nil {
		return err
	}
	if session.InArchive() != o.shelved && o.begun == nil {
		return fmt.Errorf("the session of %s is in the archive: %v, want %v", o.who, session.InArchive(), o.shelved)
	}
	return errors.Join(o.checkAsks(ctx, s), o.checkPlans(ctx, s), o.checkSides(ctx, s))
}

// checkSides checks the other sessions: each is complete or unknown.
func (o *owed) checkSides(ctx context.Context, s *store.Store) error {
	var errs []error
	for id, there := range o.sides {
		asks, err := s.Asks(ctx, id)
		unknown := errors.As(err, new(*store.UnknownError))
		if err != nil && !unknown {
			return err
		}
		if unknown == there && (o.begun == nil || o.begun.What != deletes || o.begun.Title != id) {
			errs = append(errs, fmt.Errorf("the session %s beside that of %s is there: %v, want %v", id, o.who, !unknown, there))
		}
		if _, err := s.PlanText(ctx, id, 1); !unknown && (err != nil || len(asks) != 1) {
			errs = append(errs, fmt.Errorf("of the session %s beside that of %s there are %d asks, %w", id, o.who, len(asks), err))
		}
	}
	return errors.Join(errs...)
}

func (o *owed) checkAsks(ctx context.Context, s *store.Store) error {
	list, err := s.Asks(ctx, o.session)
	if err != nil {
		return err
	}
	var errs []error
	found := map[string]bool{}
	var open, undelivered []string
	for _, a := range list {
		ask, err := s.Ask(ctx, a.ID)
		if err != nil {
			return err
		}
		want := o.asks[ask.Spec.Title.Raw()]
		if want == nil && o.begun != nil && o.begun.What == asks && o.begun.Title == ask.Spec.Title.Raw() {
			want = &owedAsk{title: o.begun.Title, id: ask.ID, state: questions.Pending}
		}
		if want == nil || want.id != ask.ID || found[want.title] {
			errs = append(errs, fmt.Errorf("there is an ask %s %q that nobody asked", ask.ID, ask.Spec.Title.Raw()))
			continue
		}
		found[want.title] = true
		if ask.Open() {
			open = append(open, ask.ID)
		}
		if ask.Undelivered() {
			undelivered = append(undelivered, ask.ID)
		}
		errs = append(errs, o.checkAsk(ctx, s, want, ask))
	}
	for title := range o.asks {
		if !found[title] {
			errs = append(errs, fmt.Errorf("the ask %q is lost", title))
		}
	}
	return errors.Join(append(errs, o.checkLists(ctx, s, open, undelivered))...)
}

// checkAsk compares one ask; d is the deed that may have changed it besides.
func (o *owed) checkAsk(ctx context.Context, s *store.Store, want *owedAsk, ask store.Ask) error {
	var d deed
	if o.begun != nil && o.begun.Title == want.title {
		d = *o.begun
	}
	var errs []error
	settled := false
	switch {
	case ask.Outcome.State == want.state && said(ask.Outcome) == want.text:
	case d.settles() && ask.Outcome.State == d.outcome().State && said(ask.Outcome) == said(d.outcome()):
		settled = true
	default:
		errs = append(errs, fmt.Errorf("%q is %s, %.40q; it was left %s, %.40q",
			want.title, ask.Outcome.State, said(ask.Outcome), want.state, want.text))
	}
	if shown := !ask.Shown.IsZero(); shown != want.shown && d.What != shows {
		errs = append(errs, fmt.Errorf("%q has been shown: %v, and was left with %v", want.title, shown, want.shown))
	}
	if delivered := !ask.Delivered.IsZero(); delivered != want.delivered && d.What != delivers {
		errs = append(errs, fmt.Errorf("%q is delivered: %v, and was left with %v", want.title, delivered, want.delivered))
	}
	entry, _, err := s.Entry(ctx, ask.ID)
	if err != nil {
		return err
	}
	text := entry.Fields[powerQuestion].Text.Raw()
	if text != want.entry && (d.What != entries || text != d.text()) && (!settled || text != "") {
		errs = append(errs, fmt.Errorf("%q has the entry %.40q, and was left with %.40q", want.title, text, want.entry))
	}
	if len(ask.TooLate) > 0 {
		errs = append(errs, fmt.Errorf("%q has %d outcomes too many", want.title, len(ask.TooLate)))
	}
	return errors.Join(errs...)
}

func (d deed) settles() bool {
	switch d.What {
	case answers, discusses, declines, withdraws:
		return true
	}
	return false
}

// checkLists checks that the ways to find an ask agree with the ask.
func (o *owed) checkLists(ctx context.Context, s *store.Store, open, undelivered []string) error {
	due, err := s.Undelivered(ctx, o.session)
	if err != nil {
		return err
	}
	queue, err := s.Queue(ctx, o.who)
	if err != nil {
		return err
	}
	return errors.Join(sameAsks("undelivered", due, undelivered), sameAsks("queued", queue, open))
}

func sameAsks(what string, list []store.Ask, want []string) error {
	var got []string
	for _, a := range list {
		got = append(got, a.ID)
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s are %v, want %v", what, got, want)
	}
	return nil
}

func (o *owed) checkPlans(ctx context.Context, s *store.Store) error {
	list, err := s.Plans(ctx, o.session)
	if err != nil {
		return err
	}
	want, file := o.plans, o.file
	if o.begun != nil && (o.begun.What == plansOn || o.begun.What == filesPlan) && len(list) == len(want)+1 {
		want = append(slices.Clip(want), o.begun.text())
		if o.begun.What == filesPlan {
			file = len(want)
		}
	}
	if known, ok, err := s.PlanFile(ctx, powerFile(o.who)); err != nil || known.Number != file || ok != (file > 0) {
		return fmt.Errorf("the plan file of %s holds version %d, want %d, %w", o.who, known.Number, file, err)
	}
	if len(list) != len(want) {
		return fmt.Errorf("%s has %d plans, and saved %d", o.who, len(list), len(want))
	}
	for i, plan := range list {
		text, err := s.PlanText(ctx, o.session, plan.Number)
		if err != nil {
			return err
		}
		if plan.Number != i+1 || text.Raw() != want[i] {
			return fmt.Errorf("plan %d of %s is version %d, %.40q; it was saved as %.40q", i+1, o.who, plan.Number, text.Raw(), want[i])
		}
	}
	return nil
}

// judgeStore opens the store at the path as planb does. It checks that the store holds
// all that it must hold, and that planb can go on with it.
func judgeStore(ctx context.Context, path string, deeds []deed) error {
	e, err := Open(ctx, path, Options{})
	if err != nil {
		return err
	}
	defer e.Close()
	s := store.New(e, store.Options{By: "heir@desk"})
	for _, o := range owes(deeds) {
		if err := o.check(ctx, s); err != nil {
			return err
		}
	}
	if err := checkPages(path); err != nil {
		return err
	}
	if err := goOn(ctx, s); err != nil {
		return fmt.Errorf("going on: %w", err)
	}
	return checkPages(path)
}

// goOn asks and answers.
func goOn(ctx context.Context, s *store.Store) error {
	session, err := s.CreateSession(ctx, store.Session{Title: safe.New("heir")})
	if err != nil {
		return err
	}
	ask, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: powerForm("heir"), Place: "heir", Timeout: time.Hour})
	if err != nil {
		return err
	}
	d := deed{What: answers, Text: "heir"}
	if _, err := s.Settle(ctx, ask.ID, d.outcome()); err != nil {
		return err
	}
	got, err := s.Ask(ctx, ask.ID)
	if err == nil && said(got.Outcome) != "heir" {
		err = fmt.Errorf("the answer is %q", said(got.Outcome))
	}
	return err
}

// checkPages has bbolt check all of its file.
func checkPages(path string) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("bbolt panics: %v", p)
		}
	}()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{ReadOnly: true, PreLoadFreelist: true})
	if err != nil {
		return err
	}
	defer db.Close()
	return db.View(func(tx *bbolt.Tx) error {
		var errs []error
		for err := range tx.Check() {
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
}
