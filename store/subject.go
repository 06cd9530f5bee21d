package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"planb/questions"
	"planb/store/ledger"
)

// Subject names what an ask is about, if that has records of its own. It is the zero
// value for an ask about questions, and for a review, whose form names the version of
// the plan (questions.Spec.Plan).
type Subject struct {
	Kind string `json:"kind"` // the room that keeps its records
	ID   string `json:"id"`   // the subject's id in that room
}

// The kinds of subject that every planb knows; see Ask.About. They are not written
// into a Subject.
const (
	AboutQuestions = "questions"
	AboutPlan      = "plan"
)

// About is the kind of the ask's subject.
func (a Ask) About() string {
	switch {
	case a.Subject.Kind != "":
		return a.Subject.Kind
	case a.Spec.Plan != nil:
		return AboutPlan
	}
	return AboutQuestions
}

// Settler applies an ask's final outcome to the ask's subject: it adds checks, puts and
// deletes of the subject's records to the commit that writes the outcome. So an
// approval and the change that it approves are one commit. After a conflict the settler
// runs again, on a new Change, and must start anew. If it finds a record with
// Change.Op, an earlier try was committed as a whole.
//
// An error refuses the outcome, and nothing is written: the person is told, and the
// ask stays as it is. A settler has room for 20 checks and 20 writes.
type Settler func(ctx context.Context, c *ledger.Change, ask, subject string, outcome questions.Outcome) error

// opener adds a condition to the commit that opens an ask: the ask's subject must still
// want to ask it. The error says that it no longer does.
type opener func(ctx context.Context, c *ledger.Change, subject string) error

// sweeper deletes records of the subject that are no longer needed after an outcome. It
// runs after the outcome's commit, which has no room for these deletions. What it cannot
// delete stays, and nothing reads it.
type sweeper func(ctx context.Context, subject string)

// SubjectError says that an ask is about something that this planb does not know.
type SubjectError struct {
	Kind string
}

func (e *SubjectError) Error() string {
	return fmt.Sprintf("the question is about %q, which this planb does not know; update planb, nothing was changed", e.Kind)
}

// checkSubject refuses a subject of an unknown kind: its outcome would be written, but
// nothing would follow from it.
func (s *Store) checkSubject(subject Subject) error {
	if subject.Kind == "" || s.settlers[subject.Kind] != nil {
		return nil
	}
	return &SubjectError{Kind: subject.Kind}
}

// settleSubject adds what follows from a final outcome for the ask's subject.
func (s *Store) settleSubject(ctx context.Context, c *ledger.Change, ask Ask) error {
	if ask.Subject.Kind == "" || ask.Open() {
		return nil
	}
	return s.settlers[ask.Subject.Kind](ctx, c, ask.ID, ask.Subject.ID, ask.Outcome)
}

// sameness is what two asks of a session have in common when they are the same: the
// digest of the form, or of the form and the subject.
func (a Ask) sameness() string {
	if a.Subject == (Subject{}) {
		return a.Digest
	}
	sum := sha256.Sum256([]byte(a.Digest + "\x00" + a.Subject.Kind + "\x00" + a.Subject.ID))
	return hex.EncodeToString(sum[:])
}
