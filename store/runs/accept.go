package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"planb/drafts"
	"planb/drafts/shape"
	"planb/store/ledger"
)

// Answer is an output that somebody wrote, checked by drafts.Draft.Read.
type Answer struct {
	Plan, Step string
	Output     shape.Object
	Inputs     string // drafts.Draft.Inputs that it was written from
	Generation int    // Run.Generation at that time
	Model      string
	Usage      drafts.Usage
	Failed     []drafts.Attempt // the calls for the step before this one
	// Also adds records to the commit that accepts the answer; nil: none. ready are the steps
	// that can be written after it; none if the run has ended. Accept calls Also once more if
	// the commit has to be repeated, so Also must keep nothing from the call before.
	Also func(ctx context.Context, c *ledger.Change, ready []drafts.Step) error
}

// StaleError says that an answer was written from inputs that have changed. It is kept in
// the history of its step.
type StaleError struct {
	Step    string
	Changed string // the step whose change came last
	By      string // who changed it
}

// Error gives the sentence.
func (e *StaleError) Error() string {
	return fmt.Sprintf("%s was changed by %s after %s was given out", e.Changed, e.By, e.Step)
}

// DoneError says that somebody else's output came first.
type DoneError struct {
	Step string
	By   string
	Ago  time.Duration
}

// Error gives the sentence.
func (e *DoneError) Error() string { return fmt.Sprintf("%s came from %s already", e.Step, e.By) }

// Accept keeps an output. Of several answers to a step it keeps the first that was written
// from the inputs as they are, even after the run was stopped. Then Accept writes the steps
// that code writes, each in a commit of its own.
//
// The error is *DoneError if the step is written already. It is *StaleError if its inputs
// have changed. It is an *Error with CONFLICT if the writer got the step before the plan was
// begun anew. It is shape.Problems if the output contradicts a part that was accepted
// meanwhile.
func (s *Store) Accept(ctx context.Context, by Caller, a Answer) (Whole, error) {
	var stale *StaleError
	w, err := s.change(ctx, a.Plan, func(ctx context.Context, p *changing) (*Event, error) {
		stale = nil
		step, err := p.step(a.Step)
		if err != nil {
			return nil, err
		}
		r := p.Draft.Records[a.Step]
		if err := p.fits(a, step); errors.As(err, &stale) {
			return p.keepStale(ctx, by, a, step)
		} else if err != nil {
			return nil, err
		}
		if err := p.Draft.Beside(step, a.Output); err != nil {
			return nil, err
		}
		history, err := p.past(a.Step, "replaced")
		if err != nil {
			return nil, err
		}
		r.By, r.Model, r.Inputs, r.Edited, r.Usage = by.Name, a.Model, a.Inputs, false, a.Usage
		if err := p.put(ctx, step, r, a.Output, history); err != nil {
			return nil, err
		}
		p.LastProgress = p.now
		p.keepAttempts(a.Step, a.Failed)
		p.judge()
		if a.Also != nil {
			var ready []drafts.Step
			if !p.State.Ended() {
				ready = p.Draft.ReadySteps()
			}
			if err := a.Also(ctx, p.c, ready); err != nil {
				return nil, err
			}
		}
		return &Event{Action: StepAccepted, By: by.Name, Step: a.Step, SHA256: p.Draft.Records[a.Step].SHA256, Model: a.Model, Took: a.Usage.Took}, nil
	})
	switch {
	case err != nil:
		return Whole{}, err
	case stale != nil:
		return w, stale
	}
	return s.Advance(ctx, w)
}

// GiveUp fails the run, because the writer of a step cannot write it. It reads only the plan,
// the step, the inputs and the generation of the answer, and why is the writer's reason. Its
// errors are those of Accept: nobody can give up a step that is written, or one that they were
// not given. A run that has ended stays as it is.
func (s *Store) GiveUp(ctx context.Context, by Caller, a Answer, why string) (Whole, error) {
	return s.change(ctx, a.Plan, func(_ context.Context, p *changing) (*Event, error) {
		step, err := p.step(a.Step)
		if err == nil {
			err = p.fits(a, step)
		}
		if err != nil || p.State.Ended() {
			return nil, err
		}
		return p.fail(by, Failure{GenerationError, a.Step, why, true}), nil
	})
}

// fits refuses an answer to a step that its writer does not have any more, or never had.
func (p *changing) fits(a Answer, step drafts.Step) error {
	r := p.Draft.Records[a.Step]
	switch {
	case step.Author == drafts.Person:
		return onlyTheUser()
	case a.Generation != p.Generation:
		return &Error{Code: Conflict, What: fmt.Sprintf("Draft %s was begun anew after you got this step, so your answer was not kept.", p.ID), Advice: "Call step_next for the step as it is now."}
	case p.Draft.Standings()[a.Step].Done():
		return &DoneError{a.Step, r.By, p.since(r.At)}
	case a.Inputs != p.Draft.Inputs(step):
		return p.changedBefore(step)
	}
	return nil
}

func onlyTheUser() error { return &Error{Code: PermissionDenied, What: "Only the user decides this."} }

// since is how long ago something was written.
func (p *changing) since(at string) time.Duration {
	then, err := time.Parse(time.RFC3339, at)
	if err != nil {
		return 0
	}
	return max(p.now.Sub(then), 0)
}

// changedBefore says which of the steps that a step is written from was changed last.
func (p *changing) changedBefore(step drafts.Step) *StaleError {
	stale := &StaleError{Step: step.ID, Changed: step.ID, By: "somebody"}
	last := ""
	for _, id := range append(slices.Clone(step.Needs), "brief", "facts") {
		if r, ok := p.Draft.Records[id]; ok && r.At > last && id != step.ID {
			last, stale.Changed, stale.By = r.At, id, r.By
		}
	}
	return stale
}

// keepStale keeps an answer that came too late in the history of its step.
func (p *changing) keepStale(ctx context.Context, by Caller, a Answer, step drafts.Step) (*Event, error) {
	blob, err := ledger.NewBlob("output", step.Shape.JSON(a.Output))
	if err != nil {
		return nil, err
	}
	if err := p.s.ledger.Keep(ctx, p.c, blob); err != nil {
		return nil, err
	}
	history := append([]Version{{blob.Ref, blob.Ref.Digest, by.Name, a.Model, p.now, p.Number, "stale"}}, p.History[a.Step]...)
	if err := p.putHistory(step, history); err != nil {
		return nil, err
	}
	return &Event{Action: StepStale, By: by.Name, Step: a.Step, SHA256: blob.Ref.Digest, Model: a.Model}, nil
}

// putHistory writes the history of a step and leaves its output as it is.
func (p *changing) putHistory(step drafts.Step, history []Version) error {
	history = history[:min(len(history), maxHistory)]
	p.History[step.ID] = history
	if old := p.steps[step.ID]; old.Exists() {
		return p.s.ledger.Rewrite(p.c, old, "history", history)
	}
	return p.c.Put(stepKey(p.ID, step), stepRecord{Header: ledger.NewHeader(), At: p.now, Run: p.Number, History: history})
}

// Planb is the author of the outputs that code writes, without a model and without a person.
const Planb = "planb"

// Advance writes all that can be written without a model and without a person, and
// returns the plan as it is then. A plan whose run has ended stays as it is.
func (s *Store) Advance(ctx context.Context, w Whole) (Whole, error) {
	for !w.State.Ended() {
		next, found := w.codeStep()
		if !found {
			return w, nil
		}
		var err error
		if w, err = s.writeCode(ctx, w, next); err != nil {
			return Whole{}, err
		}
	}
	return w, nil
}

// codeStep returns the first step that code can write now: one of drafts.Code, or a gate
// of a plan without gates.
func (w Whole) codeStep() (drafts.Step, bool) {
	for _, step := range w.Draft.ReadySteps() {
		if step.Author == drafts.Code || step.Author == drafts.Person && w.NoGates {
			return step, true
		}
	}
	return drafts.Step{}, false
}

func (s *Store) writeCode(ctx context.Context, w Whole, step drafts.Step) (Whole, error) {
	inputs := w.Draft.Inputs(step)
	o, by, wrong := w.write(step)
	if wrong != nil {
		return s.Fail(ctx, Caller{Name: Planb}, w.ID, Failure{GenerationError, step.ID, wrong.Error(), true})
	}
	return s.change(ctx, w.ID, func(ctx context.Context, p *changing) (*Event, error) {
		if p.State.Ended() || p.Draft.Inputs(step) != inputs || p.Draft.Standings()[step.ID].Done() {
			return nil, nil // another process was quicker
		}
		history, err := p.past(step.ID, "replaced")
		if err != nil {
			return nil, err
		}
		r := p.Draft.Records[step.ID]
		r.By, r.Model, r.Inputs, r.Edited, r.Usage = by, "", inputs, false, drafts.Usage{}
		if err := p.put(ctx, step, r, o, history); err != nil {
			return nil, err
		}
		p.LastProgress = p.now
		p.judge()
		return &Event{Action: StepAccepted, By: by, Step: step.ID, SHA256: p.Draft.Records[step.ID].SHA256}, nil
	})
}

// write returns the output of a step that code writes, and in whose name.
func (w Whole) write(step drafts.Step) (shape.Object, string, error) {
	switch step.ID {
	case "choose":
		o, err := w.Draft.Choose(drafts.Choice{Scenario: w.Draft.Output("scenarios").Text("recommended"), By: drafts.Nobody})
		return o, drafts.Nobody, err
	case "confirm":
		o, err := w.Draft.Confirm(drafts.Confirmation{By: drafts.Nobody})
		return o, drafts.Nobody, err
	}
	if step.Author != drafts.Code {
		return nil, "", errors.New("only the user decides the step " + step.ID)
	}
	o, err := w.Draft.Write(step)
	return o, Planb, err
}
