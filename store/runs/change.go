package runs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"planb/drafts"
	"planb/drafts/shape"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// change runs intent on the plan as it is, and commits what it did, with the event that
// it returns. An intent without an event changes nothing. It starts anew after a
// conflict, and is not run again if an earlier try turns out to have happened. The plan
// is returned as the change leaves it.
func (s *Store) change(ctx context.Context, id string, intent func(ctx context.Context, p *changing) (*Event, error)) (Whole, error) {
	if id == ExampleID {
		return Whole{}, exampleOnly()
	}
	canonical, ok := ledger.CanonicalID(id)
	if !ok {
		return Whole{}, notFound(id)
	}
	var p *changing
	err := s.ledger.Commit(ctx, func(c *ledger.Change) error {
		w, err := s.read(ctx, canonical)
		if err != nil {
			return s.tornRead(ctx, w, err)
		}
		if err := s.seeWorker(ctx, &w.Summary); err != nil {
			return err
		}
		p = &changing{s: s, c: c, Whole: w, was: w.Run, now: s.ledger.Clock()}
		if w.run.Op == c.Op {
			return nil
		}
		if err := p.checkPipeline(); err != nil {
			return err
		}
		event, err := intent(ctx, p)
		if err != nil || event == nil {
			return err
		}
		return p.finish(ctx, *event)
	})
	if err != nil {
		return Whole{}, err
	}
	return p.Whole, nil
}

// tornRead is the error of a read in which something of the plan could not be found. If
// the plan was changed meanwhile, that is a conflict: its texts may have been replaced
// and swept away.
func (s *Store) tornRead(ctx context.Context, w Whole, err error) error {
	if !ledger.AboutOne(err) || w.run.Key == "" {
		return err
	}
	now, again := s.ledger.Get(ctx, w.run.Key)
	if again == nil && now[0].Rev != w.run.Rev {
		return kv.ErrConflict
	}
	return err
}

// changing is a plan in the course of one commit.
type changing struct {
	s *Store
	c *ledger.Change
	Whole
	was     Run
	now     time.Time
	touched bool // the session counts as changed
}

// writable refuses a change of a plan in the archive, unless the person makes it; their
// change takes the plan out of the archive.
func (p *changing) writable(ctx context.Context, by Caller) error {
	if p.s.options.Archived == nil {
		return nil
	}
	archived, err := p.s.options.Archived(ctx, p.c, p.Session)
	switch {
	case err != nil || !archived:
		return err
	case by.Person:
		return p.touchSession(ctx)
	}
	return &Error{Code: ReadOnly, What: fmt.Sprintf("The user put the draft %s into their archive with its session, so nothing was changed. Only the user can take it out: in planb tui they filter by status:archived and press a.", p.ID)}
}

func (p *changing) checkPipeline() error {
	if p.Pipeline > Pipeline {
		return &Error{Code: NewerPipeline, What: fmt.Sprintf("Draft %s was written by a newer planb (pipeline %d, this one has %d), so nothing was written. Tell your user to update planb.", p.ID, p.Pipeline, Pipeline)}
	}
	return nil
}

// raisePipeline notes that the plan has outputs of this version of the steps. If the change
// writes the plan's own record for another reason, the next change does it.
func (p *changing) raisePipeline() error {
	if p.Pipeline >= Pipeline || p.checked() {
		return nil
	}
	p.Pipeline = Pipeline
	return p.s.ledger.Rewrite(p.c, p.plan, "pipeline", Pipeline)
}

// step is a step of the plan, with an error for an unknown one.
func (p *changing) step(id string) (drafts.Step, error) {
	step, ok := p.Draft.Step(id)
	if !ok {
		return step, fmt.Errorf("a %s draft has no step %q", p.Detail, id)
	}
	return step, nil
}

// put writes a step's record with the output o. If o is nil, the step keeps its output,
// and only the other fields change.
func (p *changing) put(ctx context.Context, step drafts.Step, r drafts.Record, o shape.Object, history []Version) error {
	key, old, at := stepKey(p.ID, step), p.steps[step.ID], p.now
	if err := p.raisePipeline(); err != nil {
		return err
	}
	kept, err := p.refs(old)
	if err != nil {
		return err
	}
	output := kept
	if o != nil {
		blob, err := ledger.NewBlob("output", step.Shape.JSON(o))
		if err != nil {
			return err
		}
		if err := p.s.ledger.Keep(ctx, p.c, blob); err != nil {
			return err
		}
		r.Output, r.SHA256, output = o, blob.Ref.Digest, &blob.Ref
	}
	switch {
	case r.Output == nil:
		r.SHA256, output = "", nil
	case o == nil:
		if then, err := time.Parse(time.RFC3339, r.At); err == nil {
			at = then
		}
	}
	if len(history) > maxHistory {
		history = history[:maxHistory]
	}
	record := stepRecord{
		Header: ledger.NewHeader(), Output: output, SHA256: r.SHA256, Inputs: r.Inputs, By: r.By, Model: r.Model, At: at, Run: p.Number,
		Edited: r.Edited, Own: r.Edited && r.Own, Guidance: r.Guidance, GuidedBy: r.GuidedBy, History: history, Usage: r.Usage,
	}
	r.At = at.Format(time.RFC3339)
	p.Draft.Records[step.ID], p.History[step.ID] = r, history
	if !old.Exists() {
		p.c.Check(kv.Record{Key: key})
		return p.c.Put(key, record)
	}
	return p.s.ledger.Rewrite(p.c, old, "output", output, "sha256", record.SHA256, "inputs", record.Inputs, "by", record.By, "model", record.Model,
		"at", record.At, "run", record.Run, "edited", record.Edited, "own", record.Own, "guidance", record.Guidance, "guided_by", record.GuidedBy, "history", history, "usage", record.Usage)
}

// refs is the reference to the output in a step's record; nil if there is none.
func (p *changing) refs(r kv.Record) (*ledger.Ref, error) {
	if !r.Exists() {
		return nil, nil
	}
	step, err := ledger.Decode[stepRecord](p.s.ledger, r)
	return step.Output, err
}

// maxHistory is how many earlier outputs of a step are kept.
const maxHistory = 5

// past is the history of a step once its output is replaced.
func (p *changing) past(step, why string) ([]Version, error) {
	r := p.steps[step]
	output, err := p.refs(r)
	if err != nil || output == nil {
		return p.History[step], err
	}
	old, err := ledger.Decode[stepRecord](p.s.ledger, r)
	if err != nil {
		return nil, err
	}
	version := Version{*output, old.SHA256, old.By, old.Model, old.At, old.Run, why}
	return append([]Version{version}, p.History[step]...), nil
}

// judge finds out what an accepted or edited output means for the run.
func (p *changing) judge() {
	p.Done, p.Of = p.Draft.Progress()
	if brief := p.Draft.Output("brief"); brief != nil {
		p.Title = safe.New(brief.Text("title"))
	}
	why := p.Draft.Rejected()
	unusable := p.State == Failed && p.Error != nil && p.Error.Step == "brief"
	switch {
	case why != "":
		p.State, p.Ended = Failed, p.now
		p.Error = &Failure{GenerationError, "brief", clip(why, 256), true}
	case p.Done == p.Of:
		p.State, p.Ended, p.Stop, p.Error = Completed, p.now, nil, nil
	case p.State == Completed:
		p.Mode = ByAgent // the program that wrote it has ended with its run
		p.next()
	case unusable:
		p.Mode = ByAgent
		p.begin()
	case p.State == Pending:
		p.State = Processing
		if p.Started.IsZero() {
			p.Started = p.now
		}
	}
}

// next begins another run, and keeps this one beside it.
func (p *changing) next() {
	p.was.Attempts = nil // the run that begins goes on with them
	p.Earlier = append([]Run{p.was}, p.Earlier[:min(len(p.Earlier), maxHistory-1)]...)
	p.begin()
	p.Number++
}

// begin has the run wait for somebody who writes.
func (p *changing) begin() {
	p.State, p.Stop, p.Error, p.Pending = Pending, nil, nil, p.now
	p.Started, p.Ended = time.Time{}, time.Time{}
}

// finish adds the run as it is now, the event and the index of open plans.
func (p *changing) finish(ctx context.Context, e Event) error {
	p.Cursor++
	e.Cursor, e.At, e.State, e.Done = p.Cursor, p.now, p.State, p.Done
	r := p.Run
	errs := []error{
		p.s.ledger.Rewrite(p.c, p.run, "state", r.State, "run", r.Number, "generation", r.Generation, "mode", r.Mode, "title", r.Title,
			"stop", r.Stop, "error", r.Error, "resume_count", r.Resumes, "done", r.Done, "of", r.Of, "started", r.Started, "ended", r.Ended,
			"last_progress", r.LastProgress, "pending", r.Pending, "cursor", r.Cursor, "earlier", p.Earlier, "attempts", r.Attempts),
		putEvent(p.c, p.ID, e),
	}
	if p.State.Ended() && !p.was.State.Ended() || p.Generation != p.was.Generation {
		errs = append(errs, p.freeSteps(ctx))
	}
	switch open := openKey(p.Session, p.ID); {
	case p.State == Completed && p.was.State != Completed:
		p.c.Delete(open)
	case p.State != Completed && p.was.State == Completed:
		errs = append(errs, p.touchSession(ctx), p.c.Put(open, mark{}))
	}
	return errors.Join(errs...)
}

// freeSteps ends the claims of all who write a step of the plan, in all processes: nobody writes
// in a run that is over. An answer that they give is kept nevertheless.
func (p *changing) freeSteps(ctx context.Context) error {
	claims, err := p.s.ledger.List(ctx, stepClaims(p.ID))
	for _, claim := range claims {
		if !slices.Contains(p.c.Deletes, claim.Key) {
			p.c.Delete(claim.Key)
		}
	}
	return err
}

// touchSession marks the session as changed, so that a Prune already under way keeps it.
func (p *changing) touchSession(ctx context.Context) error {
	if p.s.options.Session == nil || p.touched {
		return nil
	}
	p.touched = true
	_, err := p.s.options.Session(ctx, p.c, p.Session)
	return err
}
