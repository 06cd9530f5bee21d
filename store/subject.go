package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"planb/questions"
	"planb/store/ledger"
)

// Subject is what an ask is about, where that has records of its own. The zero value
// is for an ask about questions, and for the review of a plan version, which its form
// names (questions.Spec.Plan).
type Subject struct {
	Kind string `json:"kind"` // the room that keeps its records
	ID   string `json:"id"`   // which of them, in the words of that room
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

// Settler adds to the commit that writes an ask's final outcome what follows from it
// for the ask's subject: checks of the subject's records, and what to put and delete.
// So an approval and what it approves are one commit. It runs again after a conflict,
// on a new Change, and must start anew then; it finds no record with Change.Op, unless
// an earlier try happened and wrote all of it.
//
// An error refuses the outcome, and nothing is written: the person is told, and the
// ask stays as it is. A settler has room for 20 checks and 20 writes.
type Settler func(ctx context.Context, c *ledger.Change, ask, subject string, outcome questions.Outcome) error

// opener adds to the commit that opens an ask the condition that its subject still asks
// it. The error says that it does not.
type opener func(ctx context.Context, c *ledger.Change, subject string) error

// sweeper deletes, after an outcome is written, the records of the subject that nothing
// needs any more and that the outcome's commit had no room for.
type sweeper func(ctx context.Context, subject string) error

// SubjectError says that an ask is about something that this planb does not know.
type SubjectError struct {
	Kind string
}

// Error gives the sentence.
func (e *SubjectError) Error() string {
	return fmt.Sprintf("the question is about %q, which this planb does not know; update planb, nothing was changed", e.Kind)
}

// checkSubject refuses a subject of an unknown kind: its outcome would be written
// without what follows from it.
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
