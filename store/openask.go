package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// MaxOpen is how many asks of a session may be open.
const MaxOpen = 20

// TooManyError says that a session already has MaxOpen open asks.
type TooManyError struct {
	Session string
	Open    int
}

func (e *TooManyError) Error() string {
	return fmt.Sprintf("%d asks of session %s are open, the most there may be", e.Open, e.Session)
}

// indexRecord is the value of an index entry. It names the ask's session and project.
type indexRecord struct {
	ledger.Header
	Session string `json:"session"`
	belonging
}

type sameRecord struct {
	ledger.Header
	Ask string `json:"ask"`
}

// OpenAsk stores a new ask. It uses Session, Spec, Subject, Place, Own, Client and Timeout
// of its argument and fills the rest. If the session has the same ask (the same spec and
// subject) open or undelivered, OpenAsk returns that one, and attached is true: an open one
// is pending again from now on, with the new place and timeout; an undelivered one is
// returned as it stands. The error is *UnknownError for an unknown session, *SubjectError
// for a subject without a Settler, and *TooManyError if MaxOpen asks of the session are
// open.
//
// A plan has one open review. The new ask replaces an older review of the same plan in the
// same commit: the older review is withdrawn, and its Outcome.Next is the new ask. The new
// ask gets the older one's entry unchanged, although the person wrote it about another
// version. If the plan is a file, an older version does not replace a later one: OpenAsk
// then returns the ask of the later one, and attached is true.
//
// A review of tasks does not open if it was overtaken since ReviewTasks prepared it. After a
// verdict on the plan OpenAsk returns the ask of that verdict, and attached is true. If the
// tasks were changed, or no longer wait for an approval, the error is a *tasks.Error.
func (s *Store) OpenAsk(ctx context.Context, ask Ask) (opened Ask, attached bool, err error) {
	session, ok := ledger.CanonicalID(ask.Session)
	if !ok {
		return Ask{}, false, &UnknownError{What: "session", ID: ask.Session}
	}
	if err := s.checkSubject(ask.Subject); err != nil {
		return Ask{}, false, err
	}
	if ask.Timeout < 0 {
		return Ask{}, false, fmt.Errorf("an ask's timeout is %v; it must not be negative", ask.Timeout)
	}
	text := ask.Spec.Canonical()
	if text == nil {
		return Ask{}, false, errors.New("the form cannot be written as JSON: one of its numbers is infinite or not a number")
	}
	spec, err := ledger.NewBlob("form", text)
	if err != nil {
		return Ask{}, false, err
	}
	id, err := s.ledger.NewID()
	if err != nil {
		return Ask{}, false, err
	}
	now := s.ledger.Clock()
	o := &opening{s: s, spec: spec, ask: Ask{
		ID:      id,
		Session: session,
		Spec:    ask.Spec,
		Digest:  spec.Ref.Digest,
		Subject: ask.Subject,
		Place:   ask.Place,
		Own:     ask.Own,
		Client:  ask.Client,
		Created: now,
		Asked:   now,
		Timeout: ask.Timeout,
		Outcome: questions.Outcome{State: questions.Pending},
	}}
	if err := s.ledger.Commit(ctx, func(c *ledger.Change) error { return o.plan(ctx, c) }); err != nil {
		return Ask{}, false, err
	}
	if o.found != "" {
		found, err := s.Ask(ctx, o.found)
		return found, true, err
	}
	return o.ask, false, nil
}

// opening is one call of OpenAsk.
type opening struct {
	s     *Store
	ask   Ask
	spec  *ledger.Blob
	found string // id of the same ask, if there is one
}

func (o *opening) plan(ctx context.Context, c *ledger.Change) error {
	o.found = ""
	records, err := o.s.ledger.Get(ctx,
		sessionKey(o.ask.Session), sameKey(o.ask.Session, o.ask.sameness()), queueKey(o.ask.Place))
	if err != nil {
		return err
	}
	owner, same, queue := records[0], records[1], records[2]
	session, err := o.s.readSession(owner, o.ask.Session)
	if err != nil {
		return err
	}
	c.Check(same)
	if same.Exists() {
		if same.Op == c.Op {
			return nil // an earlier try happened
		}
		entry, err := ledger.Decode[sameRecord](o.s.ledger, same)
		if err != nil {
			return err
		}
		attached, err := o.attach(ctx, c, entry.Ask, owner, session, queue)
		if attached || err != nil {
			return err
		}
	}
	var replaced []openReview
	if o.ask.Spec.Plan != nil {
		if replaced, err = o.openReviews(ctx); err != nil {
			return err
		}
		if o.found = o.laterThan(replaced); o.found != "" {
			return nil
		}
		if o.found, err = o.verdictMeanwhile(ctx); o.found != "" || err != nil {
			return err
		}
	}
	if err := o.s.checkOpen(ctx, o.ask.Session, len(replaced)); err != nil {
		return err
	}
	if err := o.s.touch(c, owner, session.Asks+1, session.Plans); err != nil {
		return err
	}
	if err := o.s.enqueue(c, queue, o.ask.Place, o.ask.ID, idsOf(replaced)...); err != nil {
		return err
	}
	if err := o.giveWay(ctx, c, replaced); err != nil {
		return err
	}
	return o.write(ctx, c, session.Session)
}

// checkOpen refuses a new ask if MaxOpen asks of its session are open. Asks that the
// new one replaces do not count. Two asks that are asked at once conflict on the
// session's record.
func (s *Store) checkOpen(ctx context.Context, session string, givingWay int) error {
	page, _, err := s.ledger.Page(ctx, openOf(session), "", MaxOpen+givingWay)
	if err != nil {
		return err
	}
	if open := len(page) - givingWay; open >= MaxOpen {
		return &TooManyError{Session: session, Open: open}
	}
	return nil
}

func (o *opening) write(ctx context.Context, c *ledger.Change, session Session) error {
	c.CanWait = true
	ask := o.ask
	if check := o.s.openers[ask.Subject.Kind]; check != nil {
		if err := check(ctx, c, ask.Subject.ID); err != nil {
			return err
		}
	}
	err := c.Put(askKey(ask.ID), askRecord{
		Header:  ledger.NewHeader(),
		Ask:     ask,
		Title:   ask.Spec.Title,
		Plan:    ask.Spec.Plan,
		Spec:    o.spec.Ref,
		Outcome: outcomeRecord{Outcome: ask.Outcome},
	})
	if err != nil {
		return err
	}
	if err := putIndexes(c, ask, o.s.belonging(session)); err != nil {
		return err
	}
	return o.s.ledger.Keep(ctx, c, o.spec)
}

// attach joins the same ask, if that is still to be answered or announced.
func (o *opening) attach(ctx context.Context, c *ledger.Change, id string, owner kv.Record, session sessionRecord, queue kv.Record) (bool, error) {
	records, err := o.s.ledger.Get(ctx, askKey(id))
	if err != nil || !records[0].Exists() {
		return false, err
	}
	r := records[0]
	old, err := ledger.Decode[askRecord](o.s.ledger, r)
	if err != nil {
		return false, err
	}
	was := old.ask(nil)
	if was.Undelivered() {
		o.found = id
		return true, nil
	}
	if !was.Open() {
		return false, nil
	}
	o.found = id
	return true, o.renew(ctx, c, r, &old, owner, session, queue)
}

// renew makes an open ask as if it had been asked just now at the new place.
func (o *opening) renew(ctx context.Context, c *ledger.Change, r kv.Record, old *askRecord, owner kv.Record, session sessionRecord, queue kv.Record) error {
	body, err := o.s.ledger.Object(r)
	if err != nil {
		return err
	}
	c.Check(r)
	if old.Outcome.State != questions.Pending {
		pending := outcomeRecord{Outcome: questions.Outcome{State: questions.Pending}}
		if err := body.Set("outcome", pending); err != nil {
			return err
		}
	}
	place := old.Place
	if o.ask.Place != "" && o.ask.Place != place {
		if err := o.s.requeue(ctx, c, *old, queue, o.ask.Place); err != nil {
			return err
		}
		place = o.ask.Place
		if err := body.Set("putOff", nil); err != nil {
			return err
		}
	}
	if err := body.Set("asked", later(old.Asked, o.ask.Asked), "timeout", o.ask.Timeout, "place", place); err != nil {
		return err
	}
	if err := c.Put(r.Key, body); err != nil {
		return err
	}
	return o.s.touch(c, owner, session.Asks, session.Plans)
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
