package store

import (
	"context"
	"fmt"
	"slices"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// MaxTooLate is how many replies an ask keeps that came after its outcome.
const MaxTooLate = 20

// TooLateError says that a reply came after the ask's outcome and was not kept: the ask
// has MaxTooLate such replies already. The sender still has the reply.
type TooLateError struct {
	Winner questions.Outcome // the outcome that holds
}

// Error says what holds, and that nothing of the reply was kept.
func (e *TooLateError) Error() string {
	return fmt.Sprintf("%v, and %d later replies are kept, which is the most; this one was not: copy it or save it to a file",
		&questions.SettledError{Winner: e.Winner}, MaxTooLate)
}

// tooLateRecord is a reply that came after the ask's outcome. It names the session: a prune
// has to know whose texts these are.
type tooLateRecord struct {
	ledger.Header
	Session string `json:"session"`
	outcomeRecord
}

// readTooLate adds the late replies to the ask, in the order in which they came, and
// returns their records. An older planb kept such replies in the ask's own record; they
// stay first.
func (s *Store) readTooLate(ctx context.Context, a *askRecord) ([]kv.Record, error) {
	if a.Lates == 0 {
		return nil, nil
	}
	records, err := s.tooLateRecords(ctx, a.ID)
	if err != nil {
		return nil, err
	}
	// Audit tells which of them are missing.
	records = slices.DeleteFunc(records, func(r kv.Record) bool { return !r.Exists() })
	late := make([]outcomeRecord, len(records))
	for i, r := range records {
		reply, err := ledger.Decode[tooLateRecord](s.ledger, r)
		if err != nil {
			return nil, err
		}
		late[i] = reply.outcomeRecord
	}
	// A reply under the key of a lost one came after the replies behind it.
	slices.SortStableFunc(late, func(x, y outcomeRecord) int { return x.At.Compare(y.At) })
	a.TooLate = append(a.TooLate, late...)
	return records, nil
}

// tooLateRecords reads all keys that the ask's late replies may have.
func (s *Store) tooLateRecords(ctx context.Context, ask string) ([]kv.Record, error) {
	keys := make([]kv.Key, MaxTooLate)
	for i := range keys {
		keys[i] = lateKey(ask, i+1)
	}
	return s.ledger.Get(ctx, keys...)
}

// keepTooLate keeps the words of an outcome that came too late under the first free key.
// It keeps nothing for an outcome without words or for a withdrawal.
func (st *settling) keepTooLate(ctx context.Context, c *ledger.Change, r kv.Record) error {
	if st.next.State == questions.Withdrawn {
		return nil
	}
	if reply := st.next.Reply; st.next.Message.IsZero() && len(reply.Answers)+len(reply.Notes) == 0 && reply.Note.IsZero() {
		return nil
	}
	for _, late := range st.after.TooLate {
		if late.Op == c.Op.String() {
			return nil // an earlier try happened
		}
	}
	if len(st.after.TooLate) >= MaxTooLate {
		return &TooLateError{Winner: st.after.Outcome.Outcome}
	}
	records, err := st.s.tooLateRecords(ctx, st.id)
	if err != nil {
		return err
	}
	free := slices.IndexFunc(records, func(r kv.Record) bool { return !r.Exists() })
	if free < 0 { // the ask's record counts fewer than there are
		return &TooLateError{Winner: st.after.Outcome.Outcome}
	}
	if err := st.s.ledger.Rewrite(c, r, "lates", st.after.Lates+1); err != nil {
		return err
	}
	kept, body, err := newOutcome(st.next, c.Op)
	if err != nil {
		return err
	}
	c.Check(records[free])
	if err := c.Put(records[free].Key, tooLateRecord{ledger.NewHeader(), st.after.Session, kept}); err != nil {
		return err
	}
	if body != nil {
		if err := st.s.ledger.Keep(ctx, c, body); err != nil {
			return err
		}
	}
	st.after.TooLate = append(st.after.TooLate, outcomeRecord{Outcome: st.next, Op: c.Op.String()})
	return nil
}
