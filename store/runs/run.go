package runs

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"planb/drafts"
	"planb/store/ledger"
)

// Stop stops a run. It reports false for a run that has ended already. Accept still
// keeps an answer that arrives after the stop.
func (s *Store) Stop(ctx context.Context, by Caller, id, why string) (w Whole, stopped bool, err error) {
	w, err = s.change(ctx, id, func(_ context.Context, p *changing) (*Event, error) {
		if stopped = !p.State.Ended(); !stopped {
			return nil, nil
		}
		return p.stop(by.Name, why), nil
	})
	return w, stopped && err == nil, err
}

func (p *changing) stop(by, why string) *Event {
	p.State, p.Ended = Stopped, p.now
	p.Stop = &Stop{by, why, p.now}
	return &Event{Action: RunStopped, By: by, Why: why}
}

// Fail ends a run that cannot go on. A run that has ended stays as it is.
// Attempts are the calls for its step that failed.
func (s *Store) Fail(ctx context.Context, by Caller, id string, f Failure, attempts ...drafts.Attempt) (Whole, error) {
	return s.change(ctx, id, func(_ context.Context, p *changing) (*Event, error) {
		if p.State.Ended() {
			return nil, nil
		}
		return p.fail(by, f, attempts...), nil
	})
}

func (p *changing) fail(by Caller, f Failure, attempts ...drafts.Attempt) *Event {
	f.Message = clip(f.Message, 256)
	p.State, p.Ended, p.Error = Failed, p.now, &f
	p.keepAttempts(f.Step, attempts)
	return &Event{Action: RunFailed, By: by.Name, Step: f.Step, Why: f.Message}
}

// keepAttempts adds calls for a step that failed; the newest are kept.
func (p *changing) keepAttempts(step string, failed []drafts.Attempt) {
	all := slices.Clone(p.Attempts)
	for _, a := range failed {
		a.Step = step
		all = append(all, a)
	}
	p.Attempts = all[max(len(all)-maxAttempts, 0):]
	p.Draft.Attempts = p.Attempts
}

// Resumption says how a plan goes on.
type Resumption struct {
	// Detail is a greater detail for the plan; empty: the one it has. A completed plan
	// resumes only with a greater one.
	Detail drafts.Detail
	// Profile names the models that write from now on; empty: an agent or a program writes.
	Profile string
}

// Resume lets a plan that failed or was stopped go on. Clean outputs stay. recompute are
// the written steps that have to be written again. The error is an *Error,
// RUN_ALREADY_ACTIVE or PLAN_NOT_RESUMABLE.
func (s *Store) Resume(ctx context.Context, by Caller, id string, r Resumption) (w Whole, recompute []string, err error) {
	w, err = s.change(ctx, id, func(ctx context.Context, p *changing) (*Event, error) {
		if err := p.free(ctx, by); err != nil {
			return nil, err
		}
		more := slices.Index(drafts.Details(), r.Detail) > slices.Index(drafts.Details(), p.Detail)
		switch {
		case more && p.Target == drafts.ValidatePlan:
			return nil, &Error{Code: PlanNotResumable, What: fmt.Sprintf("Draft %s validates the draft %s as it is. Have that one grow, and validate it again.", p.ID, p.Parent)}
		case r.Detail != "" && !more && r.Detail != p.Detail:
			return nil, &Error{Code: PlanNotResumable, What: fmt.Sprintf("Draft %s is %s already; it can only grow.", p.ID, p.Detail)}
		case p.State != Failed && p.State != Stopped && !(p.State == Completed && more):
			return nil, &Error{Code: PlanNotResumable, What: fmt.Sprintf("Draft %s is %s; only a failed or stopped draft resumes.", p.ID, p.State), Advice: p.whatNow()}
		}
		if more {
			p.Detail, p.Draft.Detail = r.Detail, r.Detail
			if err := s.ledger.Rewrite(p.c, p.plan, "detail", p.Detail); err != nil {
				return nil, err
			}
		}
		if err := p.usable(by); err != nil {
			return nil, err
		}
		if err := p.writtenBy(r.Profile); err != nil {
			return nil, err
		}
		if p.was.State == Completed {
			p.next()
		} else {
			p.begin()
		}
		p.Resumes++
		p.Done, p.Of = p.Draft.Progress()
		return &Event{Action: RunResumed, By: by.Name}, nil
	})
	if err != nil {
		return Whole{}, nil, err
	}
	recompute = w.Dirty()
	w, err = s.Advance(ctx, w)
	return w, recompute, err
}

// whatNow tells an agent what to do with a plan that does not resume.
func (p *changing) whatNow() string {
	if p.State == Completed {
		return fmt.Sprintf(`It is written: call plan_download {"plan_id":%q}.`, p.ID)
	}
	return fmt.Sprintf(`Call step_next {"plan_id":%q}.`, p.ID)
}

// free refuses to resume a draft that is in the archive or that a program writes.
func (p *changing) free(ctx context.Context, by Caller) error {
	if err := p.writable(ctx, by); err != nil {
		return err
	}
	claim, alive, err := p.s.claims.Alive(ctx, WorkerClaim(p.ID))
	if err != nil || !alive {
		return err
	}
	return &Error{Code: RunActive, What: fmt.Sprintf("A program writes the draft %s (process %d on %s).", p.ID, claim.PID, claim.Host), Advice: "Wait for it with plan_status, or stop it with plan_stop."}
}

// usable refuses to go on with a prompt that cannot be planned.
func (p *changing) usable(by Caller) error {
	why := p.Draft.Rejected()
	if why == "" {
		return nil
	}
	what := fmt.Sprintf("The brief says that this prompt cannot be planned (%s).", clip(why, 256))
	if by.Person {
		return &Error{Code: PlanNotResumable, What: fmt.Sprintf("%s Only you change that: press e on Brief in planb tui drafts %s.", what, p.ID)}
	}
	return &Error{Code: PlanNotResumable, What: what, Advice: p.Draft.OnRejection()}
}

// writtenBy sets the profile of the models that write from now on; empty: an agent or a
// program writes.
func (p *changing) writtenBy(profile string) error {
	if p.Mode = ByAgent; profile != "" {
		p.Mode = ByWorker
	}
	if profile == p.Profile {
		return nil
	}
	p.Profile = profile
	if p.checked() {
		return &Error{Code: InvalidArgument, What: "model_profile: got one beside detail; allowed: one of them in a call.", Advice: "Call plan_resume with detail first, stop the draft, and call it with model_profile."}
	}
	return p.s.ledger.Rewrite(p.c, p.plan, "profile", profile)
}

// checked reports whether the change writes the plan's own record already.
func (p *changing) checked() bool {
	for _, put := range p.c.Puts {
		if put.Key == p.plan.Key {
			return true
		}
	}
	return false
}

// Retry begins a plan that failed or was stopped from the start. Its outputs move to the
// history of their steps, except for edited ones. Answers to the earlier run are refused. If
// profile is empty, the same writer as before writes it. The error is an *Error,
// RUN_ALREADY_ACTIVE or PLAN_NOT_FAILED.
func (s *Store) Retry(ctx context.Context, by Caller, id, profile string) (Whole, error) {
	return s.change(ctx, id, func(ctx context.Context, p *changing) (*Event, error) {
		if err := p.free(ctx, by); err != nil {
			return nil, err
		}
		if p.State != Failed && p.State != Stopped {
			return nil, &Error{Code: PlanNotFailed, What: fmt.Sprintf("Draft %s is %s; only a failed or stopped draft is retried.", p.ID, p.State), Advice: p.whatNow()}
		}
		if err := p.usable(by); err != nil {
			return nil, err
		}
		if err := p.writtenBy(cmp.Or(profile, p.Profile)); err != nil {
			return nil, err
		}
		for _, step := range p.Draft.Steps() {
			r := p.Draft.Records[step.ID]
			if r.Output == nil || r.Edited || !p.Draft.Writes(step) {
				continue
			}
			history, err := p.past(step.ID, "retried")
			if err != nil {
				return nil, err
			}
			if err := p.put(ctx, step, drafts.Record{Guidance: r.Guidance, GuidedBy: r.GuidedBy}, nil, history); err != nil {
				return nil, err
			}
		}
		p.next()
		p.Attempts, p.Draft.Attempts = nil, nil
		p.Generation++
		p.LastProgress = time.Time{}
		p.Done, p.Of = p.Draft.Progress()
		return &Event{Action: RunRetried, By: by.Name}, nil
	})
}

// Begin notes that a worker writes the plan. held is the worker's claim on the plan. The error
// is an *Error with RUN_NOT_ACTIVE if the run has ended, and with RUN_ALREADY_ACTIVE if another
// worker has the claim.
func (s *Store) Begin(ctx context.Context, by Caller, held *ledger.Held, id string) (Whole, error) {
	return s.change(ctx, id, func(ctx context.Context, p *changing) (*Event, error) {
		records, err := s.ledger.Get(ctx, WorkerClaim(p.ID))
		switch {
		case err != nil:
			return nil, err
		case !held.Owns(records[0]):
			return nil, &Error{Code: RunActive, What: "Another program writes this draft."}
		case p.State.Ended():
			return nil, &Error{Code: RunNotActive, What: fmt.Sprintf("Draft %s is %s. planb draft resume %s goes on with it.", p.ID, p.State, p.ID)}
		case p.State == Processing && p.Mode == ByWorker:
			return nil, nil
		}
		p.State, p.Mode = Processing, ByWorker
		if p.Started.IsZero() {
			p.Started = p.now
		}
		return &Event{Action: RunBegun, By: by.Name}, nil
	})
}
