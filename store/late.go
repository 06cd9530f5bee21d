package store

import (
	"context"
	"fmt"

	"planb/questions"
)

// MaxLate is how many replies an ask keeps that came after its outcome.
const MaxLate = 20

// LateError says that a reply came after the ask's outcome and was not kept,
// because MaxLate of them are. Whoever sent it still has it.
type LateError struct {
	Winner questions.Outcome // the outcome that holds
}

// Error says what holds, and that nothing of the reply was kept.
func (e *LateError) Error() string {
	return fmt.Sprintf("%v, and %d later replies are kept, which is the most; this one was not: copy it or save it to a file",
		&questions.SettledError{Winner: e.Winner}, MaxLate)
}

// lateRecord is a reply that came after the ask's outcome. The session is in it
// so that a prune knows whose the texts are.
type lateRecord struct {
	header
	Session string `json:"session"`
	outcomeRecord
}

// readLate completes the ask with the replies that have records of their own. The
// ask's record may hold earlier ones itself: older planbs kept them there.
func (s *Store) readLate(ctx context.Context, a *askRecord) ([]Record, error) {
	if a.Lates == 0 {
		return nil, nil
	}
	keys := make([]Key, min(a.Lates, MaxLate))
	for i := range keys {
		keys[i] = lateKey(a.ID, i+1)
	}
	records, err := s.get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		if !r.Exists() {
			continue // swept away since the ask was read, or missing, which Audit tells
		}
		late, err := decode[lateRecord](s, r)
		if err != nil {
			return nil, err
		}
		a.Late = append(a.Late, late.outcomeRecord)
	}
	return records, nil
}

// keepLate keeps what a loser says, if it says anything. Who takes a question back
// says nothing about it.
func (st *settling) keepLate(ctx context.Context, c *change, r Record) error {
	if st.next.State == questions.Withdrawn {
		return nil
	}
	if st.next.Message.IsZero() && st.next.Reply.Answers == nil && st.next.Reply.Notes == nil && st.next.Reply.Note.IsZero() {
		return nil
	}
	for _, late := range st.after.Late {
		if late.Op == c.Op.String() {
			return nil // an earlier try, of which nothing was heard
		}
	}
	if len(st.after.Late) >= MaxLate {
		return &LateError{Winner: st.after.Outcome.Outcome}
	}
	number := st.after.Lates + 1
	if err := st.s.rewrite(c, r, "lates", number); err != nil {
		return err
	}
	kept, body, err := newOutcome(st.next, c.Op)
	if err != nil {
		return err
	}
	if err := c.put(lateKey(st.id, number), lateRecord{header{V: format}, st.after.Session, kept}); err != nil {
		return err
	}
	if body != nil {
		if err := st.s.keep(ctx, c, body, chunkKey); err != nil {
			return err
		}
	}
	st.after.Late = append(st.after.Late, outcomeRecord{Outcome: st.next, Op: c.Op.String()})
	return nil
}
