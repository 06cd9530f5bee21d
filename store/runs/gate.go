package runs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"planb/drafts"
	"planb/questions"
	"planb/store/ledger"
)

// SubjectKind is the kind of an ask that is a gate of a plan; see store.Subject.
const SubjectKind = "draft"

// Gate is a step that the person decides, with the inputs that it had when they were
// asked.
type Gate struct {
	Plan, Step string
	Inputs     string // what the person is asked about; see drafts.Draft.Inputs
}

// Gate returns the gate at a step of the plan as it is now.
func (w Whole) Gate(step drafts.Step) Gate { return Gate{w.ID, step.ID, w.Draft.Inputs(step)} }

// Subject names the gate in an ask.
func (g Gate) Subject() string { return g.Plan + "/" + g.Step + "/" + g.Inputs }

// ParseGate reads what Subject wrote.
func ParseGate(subject string) (Gate, error) {
	parts := strings.Split(subject, "/")
	if len(parts) != 3 {
		return Gate{}, fmt.Errorf("%q names no gate of a draft", subject)
	}
	return Gate{parts[0], parts[1], parts[2]}, nil
}

// Asks reports whether an ask with that subject asks what the plan wants to ask now.
func (w Whole) Asks(subject string) bool {
	gate, err := ParseGate(subject)
	if err != nil {
		return false
	}
	step, known := w.Draft.Step(gate.Step)
	return known && w.Draft.Standings()[gate.Step] == drafts.Ready && w.Gate(step) == gate
}

// ErrDecided says that a gate need not be asked any more: the person has decided it, or
// its inputs have changed.
var ErrDecided = errors.New("this was decided meanwhile, or what it is about has changed")

// CheckGate adds a condition to the commit that opens an ask: the plan still waits for
// this gate. So no process asks the person again about a gate that they have decided.
func (s *Store) CheckGate(ctx context.Context, c *ledger.Change, subject string) error {
	gate, err := ParseGate(subject)
	if err != nil {
		return err
	}
	w, err := s.read(ctx, gate.Plan)
	switch {
	case err != nil:
		return s.tornRead(ctx, w, err)
	case !w.Asks(subject):
		return ErrDecided
	}
	c.Check(w.run)
	return nil
}

// Form is the form of a gate.
func (w Whole) Form(step drafts.Step) (questions.Spec, error) {
	switch step.ID {
	case "choose":
		return w.Draft.ChooseForm(), nil
	case "confirm":
		return w.Draft.ConfirmForm(), nil
	}
	return questions.Spec{}, errors.New("nothing is asked at the step " + step.ID)
}
