package runs

import (
	"context"
	"errors"
	"strings"

	"planb/drafts"
	"planb/drafts/shape"
	"planb/questions"
	"planb/store/ledger"
)

// decide makes the output of a gate's step from the person's answer.
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
// If the gate's inputs have changed since the form was opened, an answer is refused with
// an error, and a refusal changes nothing.
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
