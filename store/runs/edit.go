package runs

import (
	"context"
	"fmt"
	"slices"

	"planb/drafts"
	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// Edit is another output for a step, made by a person or for one, checked by
// drafts.Draft.Read.
type Edit struct {
	Plan, Step string
	SHA256     string // of the output that was edited
	Output     shape.Object
}

// Edit replaces the output of a step. No run replaces an edited output. Edit returns the steps
// that are dirty after it, because they were written from the old output.
//
// The error is an *Error with CONFLICT if the output was changed meanwhile. It is an *Error
// with PERMISSION_DENIED if the caller is an agent, and only a person may decide the step or a
// person edited it. It is shape.Problems if the output contradicts a part that was accepted
// meanwhile.
func (s *Store) Edit(ctx context.Context, by Caller, e Edit) (w Whole, dirty []string, err error) {
	w, err = s.change(ctx, e.Plan, func(ctx context.Context, p *changing) (*Event, error) {
		step, err := p.editable(ctx, by, e.Step, e.SHA256)
		if err != nil {
			return nil, err
		}
		if !by.Person && e.Step == "brief" && verdict(e.Output) != verdict(p.Draft.Output("brief")) {
			return nil, onlyTheUser()
		}
		if err := p.Draft.Beside(step, e.Output); err != nil {
			return nil, err
		}
		history, err := p.past(e.Step, "edited")
		if err != nil {
			return nil, err
		}
		r := p.Draft.Records[e.Step]
		r.By, r.Inputs, r.Edited, r.Own, r.Usage = by.Name, p.Draft.Inputs(step), step.Author != drafts.Person, by.Person, drafts.Usage{}
		if err := p.put(ctx, step, r, e.Output, history); err != nil {
			return nil, err
		}
		p.judge()
		return &Event{Action: StepEdited, By: by.Name, Step: e.Step, SHA256: p.Draft.Records[e.Step].SHA256}, nil
	})
	if err != nil {
		return Whole{}, nil, err
	}
	if w, err = s.Advance(ctx, w); err != nil {
		return Whole{}, nil, err
	}
	return w, w.Dirty(), nil
}

// verdict is what a brief says of its prompt.
func verdict(brief shape.Object) string {
	return fmt.Sprint(brief.Text("verdict"), " ", brief.Text("redline"))
}

// editable returns the step if the caller may change it and has seen its present
// output.
func (p *changing) editable(ctx context.Context, by Caller, id, sha256 string) (drafts.Step, error) {
	step, err := p.step(id)
	if err == nil {
		err = p.writable(ctx, by)
	}
	if err != nil {
		return step, err
	}
	r := p.Draft.Records[id]
	switch {
	case step.Author == drafts.Person && !by.Person:
		return step, onlyTheUser()
	case step.Author == drafts.Code:
		return step, &Error{Code: PermissionDenied, What: fmt.Sprintf("planb itself writes %s from the steps before it. Edit one of those.", id)}
	case !p.Draft.Writes(step):
		return step, p.ofParent(step)
	case r.Output == nil:
		return step, &Error{Code: Conflict, What: fmt.Sprintf("The step %s is not written yet, so there is nothing to change.", id)}
	case r.Edited && r.Own && !by.Person:
		return step, &Error{
			Code: PermissionDenied, What: fmt.Sprintf("The user edited the step %s, and no agent writes over that.", id),
			Advice: fmt.Sprintf("Tell them what you would change. In  planb tui drafts %s  they edit %s with the key e, or have it written again with g.", p.ID, step.Name),
		}
	case r.SHA256 != sha256:
		return step, p.notThat(by, id, sha256)
	}
	return step, nil
}

// notThat refuses to change a step whose present output has another hash than the caller gave. A
// person's screen gives only hashes that it read.
func (p *changing) notThat(by Caller, id, sha256 string) error {
	what := fmt.Sprintf("The step %s has another sha256 than the one you gave: the step was changed since you read it, or you gave a wrong one.", id)
	if by.Person || slices.ContainsFunc(p.History[id], func(v Version) bool { return v.SHA256 == sha256 }) {
		what = fmt.Sprintf("The step %s was changed since you read it.", id)
	}
	return &Error{Code: Conflict, What: what, Advice: fmt.Sprintf("Its sha256 is %s now. Read it again, then edit it.", p.Draft.Records[id].SHA256)}
}

// ofParent refuses to change a step of the plan that this one validates.
func (p *changing) ofParent(step drafts.Step) error {
	return &Error{Code: PermissionDenied, What: fmt.Sprintf("The step %s belongs to the draft %s, which this one validates. Edit it there, and validate that draft again.", step.ID, p.Parent)}
}

// Regenerate asks that a step be written again, with guidance for the writer, which may
// be empty. The present output stays until then. It returns the steps that are dirty now.
// Its errors are those of Edit.
func (s *Store) Regenerate(ctx context.Context, by Caller, plan, id, sha256, guidance string) (w Whole, dirty []string, err error) {
	w, err = s.change(ctx, plan, func(ctx context.Context, p *changing) (*Event, error) {
		step, err := p.editable(ctx, by, id, sha256)
		if err != nil {
			return nil, err
		}
		if !by.Person && id == "brief" && p.Draft.Unusable() != "" {
			return nil, onlyTheUser()
		}
		r := p.Draft.Records[id]
		r.Inputs, r.Edited, r.Guidance, r.GuidedBy = "", false, guidance, ""
		if !by.Person {
			r.GuidedBy = by.Name
		}
		if err := p.put(ctx, step, r, nil, p.History[id]); err != nil {
			return nil, err
		}
		p.judge()
		return &Event{Action: StepRegenerated, By: by.Name, Step: id, Why: guidance}, nil
	})
	if err != nil {
		return Whole{}, nil, err
	}
	return w, w.Dirty(), nil
}

// Place makes the schedule anew with other flags. It returns the steps that are dirty after
// it. The error is an *Error with PERMISSION_DENIED if the caller is no person, and with
// INVALID_ARGUMENT if a number is outside the limits of schedule.Flags.
func (s *Store) Place(ctx context.Context, by Caller, plan string, f schedule.Flags) (w Whole, dirty []string, err error) {
	w, err = s.change(ctx, plan, func(ctx context.Context, p *changing) (*Event, error) {
		step, err := p.step("schedule")
		switch {
		case err != nil:
			return nil, err
		case !by.Person:
			return nil, onlyTheUser()
		case !p.Draft.Writes(step):
			return nil, p.ofParent(step)
		case f.Parallel < 1 || f.Parallel > schedule.MaxParallel:
			return nil, &Error{Code: InvalidArgument, What: fmt.Sprintf("Tasks at once: got %d; allowed: 1 to %d. The schedule was not changed.", f.Parallel, schedule.MaxParallel)}
		case f == p.Flags:
			return nil, nil
		}
		if err := p.writable(ctx, by); err != nil {
			return nil, err
		}
		if err := s.ledger.Rewrite(p.c, p.plan, "flags", f); err != nil {
			return nil, err
		}
		p.Flags, p.Draft.Flags = f, f
		p.judge()
		return &Event{Action: FlagsSet, By: by.Name, Step: step.ID, Why: f.String()}, nil
	})
	if err != nil {
		return Whole{}, nil, err
	}
	if w, err = s.Advance(ctx, w); err != nil {
		return Whole{}, nil, err
	}
	return w, w.Dirty(), nil
}

// Dirty returns the steps that were written and have to be written again, in their order.
func (w Whole) Dirty() (dirty []string) {
	standings := w.Draft.Standings()
	for _, step := range w.Draft.Steps() {
		if w.Draft.Output(step.ID) != nil && !standings[step.ID].Done() {
			dirty = append(dirty, step.ID)
		}
	}
	return dirty
}
