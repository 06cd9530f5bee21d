package runs

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"planb/drafts"
	"planb/drafts/shape"
	"planb/questions"
	"planb/store/ledger"
)

// SubjectKind is the kind of an ask that is a gate of a plan; see store.Subject.
const SubjectKind = "draft"

// Gate is a step that the person decides, as it was when they were asked.
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

// Asks reports whether the plan asks the person just what an ask with that subject does.
func (w Whole) Asks(subject string) bool {
	gate, err := ParseGate(subject)
	if err != nil {
		return false
	}
	step, known := w.Draft.Step(gate.Step)
	return known && w.Draft.Standings()[gate.Step] == drafts.Ready && w.Gate(step) == gate
}

// ErrDecided says that a gate asks nothing any more: it was decided, or what it asks about
// has changed.
var ErrDecided = errors.New("this was decided meanwhile, or what it is about has changed")

// CheckGate adds a condition to the commit that opens an ask: the gate still asks this. So
// no process asks again what the person has decided already.
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

// Form is what the person is asked at a gate.
func (w Whole) Form(step drafts.Step) (questions.Spec, error) {
	switch step.ID {
	case "choose":
		return w.Draft.ChooseForm(), nil
	case "confirm":
		return w.Draft.ConfirmForm(), nil
	}
	return questions.Spec{}, errors.New("nothing is asked at the step " + step.ID)
}

// decide makes an output of the person's answer at a gate.
func (w Whole) decide(step drafts.Step, outcome questions.Outcome) (shape.Object, error) {
	switch step.ID {
	case "choose":
		return w.Draft.Choose(w.Draft.Chosen(outcome.Reply, outcome.By))
	case "confirm":
		return w.Draft.Confirm(w.Draft.Confirmed(outcome.Reply, outcome.By))
	}
	return nil, errors.New("nothing is asked at the step " + step.ID)
}

// Settle adds to the commit that settles an ask what its outcome does to the plan. It is
// a store.Settler. An answer becomes the output of its step, a refusal stops the plan.
// The error refuses an answer to what is asked differently by now; a refusal of that
// does nothing.
func (s *Store) Settle(ctx context.Context, c *ledger.Change, ask, subject string, outcome questions.Outcome) error {
	gate, err := ParseGate(subject)
	if err != nil || outcome.State != questions.Answered && outcome.State != questions.Declined {
		return err
	}
	w, err := s.read(ctx, gate.Plan)
	if err != nil {
		return s.tornRead(ctx, w, err)
	}
	p := &changing{s: s, c: c, Whole: w, was: w.Run, now: s.ledger.Clock()}
	if w.run.Op == c.Op {
		return nil
	}
	if err := p.checkPipeline(); err != nil {
		return err
	}
	step, err := p.step(gate.Step)
	if err != nil {
		return err
	}
	same := p.Draft.Inputs(step) == gate.Inputs
	switch {
	case outcome.State == questions.Declined && (!same || p.State.Ended()):
		return nil
	case outcome.State == questions.Declined:
		why := outcome.Message.Raw()
		if strings.TrimSpace(why) == "" {
			why = "the user declined the form of the step " + step.ID
		}
		event := p.stop(outcome.By, why)
		event.Answer = ask
		return p.finish(ctx, *event)
	case !same:
		return errors.New("what this form asks about was written anew since you opened it, so nothing was decided; save it for later, and answer the new form")
	}
	o, err := p.decide(step, outcome)
	if err != nil {
		return err
	}
	history, err := p.past(step.ID, "replaced")
	if err != nil {
		return err
	}
	r := p.Draft.Records[step.ID]
	r.By, r.Model, r.Inputs, r.Edited, r.Usage = outcome.By, "", gate.Inputs, false, drafts.Usage{}
	if err := p.put(ctx, step, r, o, history); err != nil {
		return err
	}
	p.LastProgress = p.now
	p.judge()
	return p.finish(ctx, Event{Action: StepAccepted, By: outcome.By, Step: step.ID, SHA256: p.Draft.Records[step.ID].SHA256, Answer: ask})
}
