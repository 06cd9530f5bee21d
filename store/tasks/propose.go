package tasks

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// Proposal is a plan that is proposed.
type Proposal struct {
	tasks.Proposal
	Project string // empty: the caller's first one; see Resolve
	Session string // that it belongs to, if any
	// Replaces is the id of the proposed plan whose content it replaces; empty for a
	// new plan.
	Replaces string
	// Of is the hash of the proposed plan that the caller read and changed. If the plan is
	// another one now, the proposal is refused. Zero: whatever the plan is now.
	Of tasks.Hash
}

// Proposed is what became of a proposal.
type Proposed struct {
	Whole
	Unchanged bool // the plan had exactly this content before: nothing was written
	// Changes are what an amendment would change in an active plan, once a person
	// approved it; nil for a proposed plan.
	Changes *tasks.Changes
	// Amended is an active plan as the amendment would make it; nil for a proposed plan.
	Amended *tasks.Graph
	// Replaced is the amendment whose place this one took, if one waited for the person.
	Replaced *Replaced

	amendment string // the digest of the amendment that it kept
}

// Replaced is an amendment whose place another one took before the person decided it.
type Replaced struct {
	By      string // who proposed it
	Changes int    // how many tasks it changed; 0 if that is unknown
	Own     bool   // the caller proposed it, by the same connection
}

// Propose keeps a plan with all its tasks in one commit. The plan is proposed: nobody can claim
// a task of it. If the plan that it replaces is active, Propose keeps an amendment, which
// changes nothing until a person approves it.
//
// Propose refuses a proposal with a *tasks.Error, and writes nothing then. It refuses tasks
// that make no plan, more than tasks.MaxSeeds of them from an agent, and more than the month's
// quota leaves. It refuses an unknown project or plan, a plan that has ended or has another hash
// than Of, and one that is too long for a review.
func (s *Store) Propose(ctx context.Context, by Caller, p Proposal) (Proposed, error) {
	if err := s.owned(); err != nil {
		return Proposed{}, err
	}
	if len(p.Items) > tasks.MaxSeeds && by.Actor == tasks.Agent {
		return Proposed{}, tasks.TooManySeeds(len(p.Items))
	}
	w := &proposing{s: s, by: by, proposal: p}
	amends, err := w.begin(ctx)
	if err != nil {
		return Proposed{}, err
	}
	write := w.amend
	if !amends {
		if w.version, err = newVersion(p.Plan()); err != nil {
			return Proposed{}, err
		}
		if err := p.Proposal.CheckReview(); err != nil {
			return Proposed{}, err
		}
		write = w.write
	}
	err = s.commit(ctx, by, w.id, func(c *ledger.Change) (Event, error) {
		begins(c, by)
		return write(ctx, c)
	})
	if err != nil {
		return Proposed{}, err
	}
	if w.version != nil {
		s.cache.put(w.version.content.Graph.Digest, w.version.graph, w.version.content.Graph.Size)
	}
	if w.proposal.Replaces == "" {
		return Proposed{Whole: w.added}, nil
	}
	whole, err := s.Plan(ctx, by, w.id)
	done := Proposed{Whole: whole, Unchanged: w.unchanged}
	if amends {
		done.Changes, done.Amended, done.Replaced, done.amendment = &w.changes, w.amended, w.replaced, w.amendment
	}
	return done, err
}

// proposing is one call of Propose.
type proposing struct {
	s         *Store
	by        Caller
	proposal  Proposal
	version   *version
	id        string // of the plan
	project   string // of a new plan
	added     Whole  // the new plan
	unchanged bool
	changes   tasks.Changes // of an amendment
	amended   *tasks.Graph  // the plan with it
	amendment string        // its digest
	replaced  *Replaced
}

// begin gives a new plan its project and its id. It reports whether the proposal amends
// an active plan.
func (w *proposing) begin(ctx context.Context) (amends bool, err error) {
	if w.proposal.Replaces == "" {
		project, err := w.s.Resolve(ctx, w.by, w.proposal.Project)
		if err != nil {
			return false, err
		}
		id, err := w.s.ledger.NewID()
		if err != nil {
			return false, err
		}
		w.project = project.ID
		w.id, err = tasks.PlanID(id)
		return false, err
	}
	if w.id, err = w.s.planID(ctx, w.by, w.proposal.Replaces); err != nil {
		return false, err
	}
	records, err := w.s.ledger.Get(ctx, planKey(w.id))
	if err != nil {
		return false, err
	}
	before, err := w.s.readPlan(ctx, w.by, w.proposal.Replaces, records[0])
	if err == nil && before.Status.Final() {
		err = tasks.CannotPropose(before.Title, before.Status)
	}
	if err == nil {
		err = w.stillOf(before)
	}
	return before.Status == tasks.PlanActive, err
}

// stillOf refuses to replace another plan than the caller read.
func (w *proposing) stillOf(before planRecord) error {
	if w.proposal.Of == (tasks.Hash{}) || before.Status == tasks.PlanProposed && before.Content.Hash == w.proposal.Of {
		return nil
	}
	return tasks.ProposedMeanwhile(before.Title)
}

func (w *proposing) write(ctx context.Context, c *ledger.Change) (Event, error) {
	w.unchanged = false
	event := Event{Action: PlanProposed, To: string(tasks.PlanProposed), Hash: w.version.content.Hash.String()}
	if w.proposal.Replaces == "" {
		return event, w.add(ctx, c)
	}
	records, err := w.s.ledger.Get(ctx, planKey(w.id), marksKey(w.id))
	if err != nil {
		return Event{}, err
	}
	before, err := w.s.readPlan(ctx, w.by, w.proposal.Replaces, records[0])
	if err != nil {
		return Event{}, err
	}
	event.From = string(before.Status)
	c.Check(records...)
	return event, w.replace(ctx, c, before, records[0])
}

// add writes a new plan.
func (w *proposing) add(ctx context.Context, c *ledger.Change) error {
	now := w.s.ledger.Clock()
	found, err := w.s.ledger.GetEach(ctx, planKey(w.id), marksKey(w.id), projectKey(w.project), monthKey(now))
	if err != nil {
		return err
	}
	for _, f := range found[:3] {
		if f.Err != nil {
			return f.Err
		}
	}
	if found[0].Exists() {
		return errors.New("two plans got the same id; propose it again")
	}
	c.Check(found[0].Record, found[1].Record)
	project, err := w.s.readProject(found[2].Record)
	if err != nil {
		return err
	}
	record := planRecord{
		Header: ledger.NewHeader(),
		Plan: Plan{
			ID: w.id, Project: w.project, Session: w.proposal.Session, Title: w.version.plan.Title,
			Status: tasks.PlanProposed, Tasks: w.version.plan.KeptCount(), Created: now, Updated: now,
		},
		Owner: w.s.options.Owner, Path: project.Path, Content: w.version.content,
	}
	if err := w.s.use(c, found[3], w.s.monthQuota(now), record.Tasks); err != nil {
		return err
	}
	if err := w.s.addToProject(c, found[2], record.Tasks); err != nil {
		return err
	}
	if err := w.s.putOpen(ctx, c, record.Session, w.id); err != nil {
		return err
	}
	w.added = w.s.recorded(record)
	w.added.Graph, w.added.Marks = w.version.graph, tasks.NewMarks(w.version.plan.Tasks)
	if err := errors.Join(c.Put(planKey(w.id), record), c.Put(listKey(w.project, w.id), mark{}), w.putMarks(c)); err != nil {
		return err
	}
	return w.s.ledger.KeepNew(ctx, c, w.version.blobs...)
}

// replace gives a proposed plan its new content. Its tasks are numbered anew: nothing
// refers to a task that nobody approved.
func (w *proposing) replace(ctx context.Context, c *ledger.Change, before planRecord, r kv.Record) error {
	if before.Status != tasks.PlanProposed {
		return tasks.CannotPropose(before.Title, before.Status)
	}
	if err := w.stillOf(before); err != nil {
		return err
	}
	session := cmp.Or(w.proposal.Session, before.Session)
	if before.Content.same(w.version.content) && session == before.Session {
		w.unchanged = true
		return nil
	}
	count := w.version.plan.KeptCount()
	if err := w.s.countMonth(ctx, c, count-before.Tasks); err != nil {
		return err
	}
	if err := w.s.countProject(ctx, c, before.Project, count-before.Tasks); err != nil {
		return err
	}
	if err := w.join(ctx, c, before.Session, session); err != nil {
		return err
	}
	err := w.s.ledger.Rewrite(c, r, "title", w.version.plan.Title, "sessionId", session, "tasks", count,
		"content", w.version.content, "updated", w.s.ledger.Clock())
	if err := errors.Join(err, w.putMarks(c)); err != nil {
		return err
	}
	return w.s.keep(ctx, c, w.version, before.Content)
}

// join notes that the plan is one of the session, and no longer one of the session before.
func (w *proposing) join(ctx context.Context, c *ledger.Change, before, session string) error {
	if before != "" {
		entries, err := w.s.ledger.Get(ctx, openKey(before, w.id))
		switch {
		case err != nil:
			return err
		case session != before:
			c.Delete(openKey(before, w.id))
		case !entries[0].Exists():
			return nil // the session was deleted, and its entries with it
		}
	}
	return w.s.putOpen(ctx, c, session, w.id)
}

// countMonth counts tasks that are created against the quota of the month.
func (s *Store) countMonth(ctx context.Context, c *ledger.Change, added int) error {
	if added <= 0 {
		return nil
	}
	now := s.ledger.Clock()
	found, err := s.ledger.GetEach(ctx, monthKey(now))
	if err != nil {
		return err
	}
	return s.use(c, found[0], s.monthQuota(now), added)
}

// countProject counts tasks that are added to a project, or taken out of it again.
func (s *Store) countProject(ctx context.Context, c *ledger.Change, project string, added int) error {
	if added == 0 {
		return nil
	}
	found, err := s.ledger.GetEach(ctx, projectKey(project))
	if err != nil {
		return err
	}
	return s.addToProject(c, found[0], added)
}

// addToProject is countProject for a record that was read.
func (s *Store) addToProject(c *ledger.Change, found ledger.Found, added int) error {
	return ledger.Beside(found, func(r kv.Record) error {
		record, err := ledger.Decode[projectRecord](s.ledger, r)
		if err != nil {
			return err
		}
		return s.ledger.Rewrite(c, r, "tasks", record.Tasks+added)
	})
}

func (w *proposing) putMarks(c *ledger.Change) error {
	marks := tasks.NewMarks(w.version.plan.Tasks)
	return c.Put(marksKey(w.id), marksRecord{ledger.NewHeader(), string(marks)})
}

// putOpen notes that a session has an open plan, if the plan is of a session.
func (s *Store) putOpen(ctx context.Context, c *ledger.Change, session, plan string) error {
	if session == "" {
		return nil
	}
	if s.options.Session != nil {
		if err := s.options.Session(ctx, c, session); err != nil {
			return err
		}
	}
	return c.Put(openKey(session, plan), mark{})
}

// oldestFirst sorts plans by when they were made.
func oldestFirst(list []Plan) {
	slices.SortStableFunc(list, func(a, b Plan) int {
		return cmp.Or(a.Created.Compare(b.Created), strings.Compare(a.ID, b.ID))
	})
}

// Text returns the plan as a person reads and edits it.
func (s *Store) Text(ctx context.Context, w Whole) (safe.Text, error) {
	list, err := s.Tasks(ctx, w)
	if err != nil {
		return safe.Text{}, err
	}
	plan := tasks.Plan{Title: w.Graph.Title(), Description: w.Graph.Description(), Tasks: list}
	return tasks.Render(plan.Proposal()), nil
}
