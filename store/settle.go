package store

import (
	"context"
	"errors"
	"time"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// Settle writes how the ask ended, unless it has ended already: the first final outcome
// wins. The outcome is checked against the spec (questions.Problems) and stored as
// questions.Spec.Normalize leaves it, with the present time and, if it names nobody,
// this store's user. An answer removes the ask's entry. The same commit has what
// follows for the ask's subject; see Settler.
//
// A later outcome gets *questions.SettledError with the winner, and its words are kept
// in the ask's TooLate. If MaxTooLate replies are there already, they are not kept, and the
// error is *TooLateError. An unknown id is *UnknownError.
//
// Damage to other records (the session, an index, the entry) does not prevent an outcome.
// Those records stay as they are.
func (s *Store) Settle(ctx context.Context, id string, outcome questions.Outcome) (Ask, error) {
	known, err := s.Ask(ctx, id)
	if err == nil {
		err = s.checkSubject(known.Subject)
	}
	if err != nil {
		return Ask{}, err
	}
	outcome.At = s.ledger.Clock()
	if outcome.By == "" {
		outcome.By = s.by
	}
	if err := checkOutcome(known.Spec, &outcome); err != nil {
		return Ask{}, err
	}
	st := &settling{s: s, id: known.ID, spec: known.Spec, next: outcome}
	err = s.ledger.Commit(ctx, func(c *ledger.Change) error { return st.plan(ctx, c) })
	if _, full := errors.AsType[*TooLateError](err); full {
		return st.result(known.Spec), err
	}
	if err != nil {
		return Ask{}, err
	}
	if st.lost != nil {
		return st.result(known.Spec), st.lost
	}
	if sweep := s.sweepers[known.Subject.Kind]; sweep != nil {
		sweep(ctx, known.Subject.ID)
	}
	return st.result(known.Spec), nil
}

// Expire ends the time of a pending ask. The ask stays open: a late answer is welcome.
// asked is the Ask.Asked from which the caller counted the time. If the ask was asked
// again since, its time runs anew, and Expire changes nothing; nor does it change an ask
// that has ended.
func (s *Store) Expire(ctx context.Context, id string, asked time.Time) (Ask, error) {
	canonical, ok := ledger.CanonicalID(id)
	if !ok {
		return Ask{}, &UnknownError{What: "ask", ID: id}
	}
	st := &settling{s: s, id: canonical, asked: asked, next: questions.Outcome{
		State: questions.Expired,
		At:    s.ledger.Clock(),
	}}
	if err := s.ledger.Commit(ctx, func(c *ledger.Change) error { return st.plan(ctx, c) }); err != nil {
		return Ask{}, err
	}
	return s.Ask(ctx, canonical)
}

// checkOutcome refuses an outcome that does not fit the spec, and normalizes others.
func checkOutcome(spec questions.Spec, outcome *questions.Outcome) error {
	if !outcome.State.Final() && outcome.State != questions.Expired {
		_, err := questions.Settle(questions.Outcome{}, *outcome)
		return err
	}
	switch outcome.State {
	case questions.Expired, questions.Withdrawn:
		outcome.Reply = questions.Reply{}
		return nil
	}
	if err := spec.CheckOutcome(*outcome); err != nil {
		return err
	}
	if err := spec.CheckPartial(outcome.Reply); err != nil {
		return err
	}
	reply := spec.Normalize(outcome.Reply)
	if outcome.State == questions.Declined && len(reply.Answers)+len(reply.Notes) == 0 && reply.Note.IsZero() {
		reply = questions.Reply{}
	}
	outcome.Reply = reply
	return nil
}

// settling is one call of Settle or Expire.
type settling struct {
	s     *Store
	id    string
	spec  questions.Spec // not of Expire, which has no answers
	next  questions.Outcome
	asked time.Time               // of Expire: since when the time is counted that is over
	after askRecord               // as the change leaves it, with its long texts
	lost  *questions.SettledError // set if another outcome had won
}

func (st *settling) result(spec questions.Spec) Ask { return st.after.ask(&spec) }

func (st *settling) plan(ctx context.Context, c *ledger.Change) error {
	st.lost = nil
	records, err := st.s.ledger.GetEach(ctx, askKey(st.id), entryKey(st.id))
	if err != nil {
		return err
	}
	if err := records[0].Err; err != nil {
		return err
	}
	r, entry := records[0].Record, records[1]
	if !r.Exists() {
		return &UnknownError{What: "ask", ID: st.id}
	}
	if st.after, err = ledger.Decode[askRecord](st.s.ledger, r); err != nil {
		return err
	}
	if _, err := st.s.readTooLate(ctx, &st.after); err != nil {
		return err
	}
	if err := st.s.readBodies(ctx, &st.after); err != nil {
		return err
	}
	if st.after.Outcome.Op == c.Op.String() {
		return nil // an earlier try happened
	}
	if st.next.State == questions.Expired && st.after.Asked.After(st.asked) {
		return nil
	}
	_, err = questions.Settle(st.after.Outcome.Outcome, st.next)
	switch {
	case errors.As(err, &st.lost):
		return st.keepTooLate(ctx, c, r)
	case err != nil:
		return err
	case st.next.State == st.after.Outcome.State:
		return nil // expired twice
	}
	return st.write(ctx, c, r, entry)
}

func (st *settling) write(ctx context.Context, c *ledger.Change, r kv.Record, entry ledger.Found) error {
	ask := st.after.Ask
	o, err := st.s.ledger.Object(r)
	if err != nil {
		return err
	}
	kept, body, err := newOutcome(st.next, c.Op)
	if err != nil {
		return err
	}
	if err := o.Set("outcome", kept); err != nil {
		return err
	}
	c.Check(r)
	if err := c.Put(r.Key, o); err != nil {
		return err
	}
	records, err := st.s.ledger.GetEach(ctx, sessionKey(ask.Session), queueKey(ask.Place))
	if err != nil {
		return err
	}
	project, err := st.touch(ctx, c, records[0])
	if err != nil {
		return err
	}
	was := st.after.ask(nil)
	now := was
	now.Outcome = st.next
	if err := st.s.reindex(ctx, c, was, now, project); err != nil {
		return err
	}
	if err := st.s.settleSubject(ctx, c, now); err != nil {
		return err
	}
	if !now.Open() {
		err := ledger.Beside(records[1], func(r kv.Record) error { return st.s.dequeue(c, r, ask.ID) })
		if err != nil {
			return err
		}
	}
	if st.next.State == questions.Answered {
		err := ledger.Beside(entry, func(r kv.Record) error { return st.s.dropEntry(c, ask.ID, r) })
		if err != nil {
			return err
		}
	}
	if body != nil {
		if err := st.s.ledger.Keep(ctx, c, body); err != nil {
			return err
		}
	}
	st.after.Outcome = outcomeRecord{Outcome: st.next, Op: c.Op.String()}
	return memorize(c, project, st.after.ask(&st.spec))
}

// touch moves the ask's session to the front of the list and returns its project.
func (st *settling) touch(ctx context.Context, c *ledger.Change, r ledger.Found) (project belonging, err error) {
	ask, read := st.after.Ask, false
	err = ledger.Beside(r, func(r kv.Record) error {
		session, err := st.s.readSession(r, ask.Session)
		if err != nil {
			return err
		}
		project, read = st.s.belonging(session.Session), true
		return st.s.touch(c, r, session.Asks, session.Plans)
	})
	if err != nil || read {
		return project, err
	}
	return st.projectBeside(ctx)
}

// projectBeside is the project of a session whose record cannot be read: the index of
// forms has it as well.
func (st *settling) projectBeside(ctx context.Context) (project belonging, err error) {
	records, err := st.s.ledger.GetEach(ctx, digestKey(st.after.Digest, st.after.ID))
	if err != nil {
		return belonging{}, err
	}
	err = ledger.Beside(records[0], func(r kv.Record) error {
		if !r.Exists() {
			return nil
		}
		entry, err := ledger.Decode[indexRecord](st.s.ledger, r)
		project = entry.belonging
		return err
	})
	return project, err
}
