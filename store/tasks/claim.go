package tasks

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	"planb/plans/tasks"
	"planb/questions/lenient"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// Limits of claims.
const (
	maxClaims = 900 // of one plan at a time
	// crowd is how many of the best tasks a claim chooses one of at random, once another
	// claim was faster.
	crowd = 16
)

// ClaimRequest asks for a task.
type ClaimRequest struct {
	Task    string        // empty: the best that is ready
	Plan    string        // of this plan; empty: of all that the caller finds
	ClaimID string        // of a claim on Task that the caller had before
	Lease   time.Duration // how long the holder may be silent, tasks.MinLease to tasks.MaxLease; 0: without a limit
	// Repository is what the caller read of the git repository that it works in.
	Repository Repository
}

// Claimed is a task that was claimed.
type Claimed struct {
	ID      string
	ClaimID string
	Attempt int
	Task    tasks.Task
	State   tasks.State
	Done    []Before  // the tasks that it waited for
	Earlier []Attempt // on the same task, the newest first
	// Overlaps say which files of the task others work on, as a sentence each.
	Overlaps []string
}

// Before is a task that another one waited for.
type Before struct {
	Key     string    `json:"nodeKey"`
	Summary safe.Text `json:"summary,omitzero"` // what its last report says
}

// Claim gives the caller a task that nobody else has. The caller has the task until it
// completes it or gives it back. If the request names a claimId, and the task still has that
// claim, Claim returns the same claim, which then belongs to this connection. The error is a
// *tasks.Error if there is no such task, or if the caller cannot have it; nothing is written
// then.
func (c *Connection) Claim(ctx context.Context, by Caller, r ClaimRequest) (Claimed, error) {
	if err := r.check(); err != nil {
		return Claimed{}, err
	}
	k := &claiming{c: c, s: c.s, by: by, request: r, birth: c.beginClaim()}
	defer c.end()
	var err error
	if r.Task != "" {
		err = k.claimOne(ctx)
	} else {
		err = k.claimBest(ctx)
	}
	k.birth.settle(c, err == nil)
	if err != nil {
		return Claimed{}, err
	}
	c.holds(k.got, k.claim.ID)
	return k.told, nil
}

func (r ClaimRequest) check() error {
	var problems lenient.Problems
	if r.Lease != 0 && (r.Lease < tasks.MinLease || r.Lease > tasks.MaxLease) {
		problems.Add("leaseSec", strconv.Itoa(int(r.Lease/time.Second)), fmt.Sprintf("%d to %d", tasks.MinLease/time.Second, tasks.MaxLease/time.Second), "900")
	}
	if r.ClaimID != "" && r.Task == "" {
		problems.Add("taskId", "nothing", "the id of the task that claimId is of", "")
	}
	if len(problems) > 0 {
		return tasks.Invalid(problems)
	}
	return nil
}

// claiming is one call of Claim.
type claiming struct {
	c        *Connection
	s        *Store
	by       Caller
	request  ClaimRequest
	birth    *birth
	got      *task
	claim    Claim
	told     Claimed
	overlaps []string
	refused  error // why the caller has no task, although the commit wrote something
}

// claimOne claims the task that was named.
func (k *claiming) claimOne(ctx context.Context) error {
	plan, _, err := k.s.splitTask(k.request.Task)
	if err != nil {
		return err
	}
	if err := k.lookForGone(ctx, plan); err != nil {
		return err
	}
	err = k.s.commitInTurn(ctx, k.by, plan, func(c *ledger.Change) (Event, error) {
		k.refused = nil
		if k.request.ClaimID != "" {
			t, err := k.s.task(ctx, k.by, k.request.Task)
			if err != nil {
				return Event{}, err
			}
			return k.resume(ctx, c, t)
		}
		t, view, w, err := k.s.viewed(ctx, k.by, plan, k.request.Task)
		if err != nil {
			return Event{}, err
		}
		w.owns(view, k.c.id)
		return k.take(ctx, c, t, view, w)
	})
	if err != nil {
		return err
	}
	return k.refused
}

// lookForGone notes which holders of a plan's tasks are gone.
func (k *claiming) lookForGone(ctx context.Context, plan string) error {
	w, err := k.s.Plan(ctx, k.by, plan)
	if err != nil {
		return noTask(err, k.request.Task)
	}
	err = k.s.notice(ctx, &w)
	k.c.observe(w)
	return err
}

// claimBest claims the best task of the plans that the caller finds. Plans are tried in
// the order of their best tasks.
func (k *claiming) claimBest(ctx context.Context) error {
	look := k.c.toLook()
	if k.request.Plan != "" && k.birth.claiming == nil && !look { // it had tasks lately, so it has the graph in memory
		plan, err := k.s.planID(ctx, k.by, k.request.Plan)
		if err != nil {
			return err
		}
		if found, err := k.claimIn(ctx, plan); found || err != nil {
			return err
		}
		look = true // no task was ready
	}
	for ; ; look = k.c.toLook() {
		plans, err := k.s.activesAsKept(ctx, k.by, Query{Plan: k.request.Plan})
		if err != nil {
			return err
		}
		var best tasks.Candidate
		var views map[string]*looked
		if !look {
			best, views = k.choose(ctx, plans)
		}
		if best.Plan == "" {
			for i := range plans {
				if err := k.s.notice(ctx, &plans[i]); err != nil {
					return err
				}
				k.c.observe(plans[i])
			}
			best, views = k.choose(ctx, plans)
		}
		if best.Plan == "" {
			words, _, err := k.s.nothing(ctx, k.by, Query{Plan: k.request.Plan}, views)
			if err != nil {
				return err
			}
			return tasks.NothingActionable(words)
		}
		found, err := k.claimIn(ctx, best.Plan)
		if found || err != nil {
			return err
		}
	}
}

// choose returns the best task of some plans, and a view of each. Plan is empty if none is
// ready.
func (k *claiming) choose(ctx context.Context, plans []Whole) (best tasks.Candidate, views map[string]*looked) {
	views = map[string]*looked{}
	for _, w := range plans {
		p := &looked{w, w.lookAs(k.c.id, k.s.ledger.Clock()), k.s.titles(ctx, w)}
		views[w.ID] = p
		for _, next := range p.view.Next(1) {
			if next.Plan = w.ID; best.Plan == "" || next.Compare(best) < 0 {
				best = next
			}
		}
	}
	return best, views
}

// claimIn claims the best task of a plan. It reports false if there is none. All agents want
// the same one, so it reads the plan in the turn in which it claims.
func (k *claiming) claimIn(ctx context.Context, plan string) (found bool, err error) {
	tries := 0
	err = k.s.commitInTurn(ctx, k.by, plan, func(c *ledger.Change) (Event, error) {
		tries, found, k.refused = tries+1, false, nil
		w, err := k.s.Plan(ctx, k.by, plan)
		if err != nil {
			return Event{}, err
		}
		view := w.lookAs(k.c.id, k.s.ledger.Clock())
		best := view.Next(crowd)
		if len(best) == 0 {
			return Event{}, nil
		}
		if len(w.Claims) >= maxClaims {
			return Event{}, tooManyClaims()
		}
		at := 0
		if tries > 1 {
			at = rand.N(len(best)) // others want the best one, too
		}
		t, err := k.s.task(ctx, k.by, w.TaskID(best[at].Number))
		if err != nil {
			return Event{}, err
		}
		if t.planR.Rev != w.rev {
			return Event{}, kv.ErrConflict
		}
		found = true
		event, err := k.take(ctx, c, t, view, w)
		if code := tasks.CodeOf(err); code == tasks.CodeTaskAlreadyClaimed || code == tasks.CodeTaskNotActionable {
			return Event{}, kv.ErrConflict // somebody was faster
		}
		return event, err
	})
	return found && k.refused == nil, err
}

// take claims a task, if the caller may have it.
func (k *claiming) take(ctx context.Context, c *ledger.Change, t *task, view *tasks.View, w Whole) (Event, error) {
	now := k.s.ledger.Clock()
	names := k.s.titles(ctx, w)
	refuse := func(err error) (Event, error) {
		if names.err != nil {
			return Event{}, names.err
		}
		return Event{}, err
	}
	taken := t.claim != nil && !t.claim.Lapsed(now, k.s.options.Grace)
	if taken && t.claim.ID != "" && t.claim.Gone.IsZero() {
		return refuse(t.claim.AlreadyClaimed(now, t.claim.Agent == k.c.id))
	}
	older := view.State(t.n) == tasks.Ready && (taken || t.claim == nil && t.marks.State(t.n) != tasks.Open)
	newer := t.claim == nil && view.State(t.n).Held()
	if older || newer {
		return Event{}, kv.ErrConflict // view and task were not read at the same moment
	}
	if view.State(t.n) != tasks.Ready || t.graph.Human(t.n) {
		return refuse(view.NotActionable(t.n, names.of))
	}
	if len(w.Claims) >= maxClaims {
		return Event{}, tooManyClaims()
	}
	k.overlaps = nil
	for _, o := range view.Obstacles(t.n) {
		if o.Why == tasks.Overlap {
			k.overlaps = append(k.overlaps, "It "+view.Words(o, names.of)+".")
		}
	}
	if names.err != nil {
		return Event{}, names.err
	}
	if t.claim != nil {
		if t.lapse(now); tasks.GivenBack(t.past.GivenBack) == tasks.NeedsReview {
			return k.giveToPerson(ctx, c, t)
		}
	}
	return k.write(ctx, c, t, now)
}

func tooManyClaims() error {
	return tasks.NothingActionable(fmt.Sprintf("%d tasks of the plan are in work, and more cannot be. Wait until one is done.", maxClaims))
}

// giveToPerson leaves a task that agents gave back too often to the person.
func (k *claiming) giveToPerson(ctx context.Context, c *ledger.Change, t *task) (Event, error) {
	k.refused = tasks.NothingActionable(`It waits for your user: it was given back too often. Claim another.`)
	event := t.event(TaskReported, tasks.NeedsReview)
	if err := t.put(c); err != nil {
		return Event{}, err
	}
	return event, t.set(ctx, c, tasks.NeedsReview)
}

func (k *claiming) write(ctx context.Context, c *ledger.Change, t *task, now time.Time) (Event, error) {
	begins(c, k.by)
	random, err := k.s.ledger.NewID()
	if err != nil {
		return Event{}, err
	}
	bits, err := strconv.ParseUint(random[len(random)-8:], 16, 32)
	if err != nil {
		return Event{}, err
	}
	id := tasks.ClaimID(t.past.Count+1, uint32(bits))
	event := t.event(TaskClaimed, tasks.Claimed)
	t.past.begin(Attempt{ClaimID: id, Worker: k.by.Name, At: now, Claimed: k.request.Repository})
	k.claim = Claim{
		Claim: tasks.Claim{ID: id, Worker: k.by.Name, At: now, Lease: k.request.Lease},
		State: tasks.Claimed, Agent: k.c.id, Place: k.by.Place,
	}
	k.got = t
	if err := t.put(c); err != nil {
		return Event{}, err
	}
	return event, k.putClaim(ctx, c, t)
}

// putClaim writes who has the task, and that the holder lives. It reads what the holder must
// know in the same turn: a read of its own would wait for the turns of all others.
func (k *claiming) putClaim(ctx context.Context, c *ledger.Change, t *task) error {
	if err := k.birth.putFor(ctx, c, k.c); err != nil {
		return err
	}
	var err error
	if k.told, err = k.result(ctx); err != nil {
		return err
	}
	return t.putClaim(c, k.claim)
}

// resume gives the claim to this connection, if the task still has it.
func (k *claiming) resume(ctx context.Context, c *ledger.Change, t *task) (Event, error) {
	if t.claim == nil || t.claim.ID != k.request.ClaimID {
		return Event{}, t.ended(k.request.ClaimID, "resume")
	}
	event := t.event(TaskResumed, t.claim.State)
	k.claim, k.got = *t.claim, t
	k.claim.Agent, k.claim.Place = k.c.id, k.by.Place
	k.claim.Heard, k.claim.Gone = k.s.ledger.Clock(), time.Time{}
	if k.request.Lease > 0 {
		k.claim.Lease = k.request.Lease
	}
	t.check(c)
	return event, k.putClaim(ctx, c, t)
}

// result reads what the holder must know of its task. Earlier attempts are left out if their
// texts cannot be read.
func (k *claiming) result(ctx context.Context) (Claimed, error) {
	t := k.got
	seed, err := t.seed(ctx)
	if err != nil {
		return Claimed{}, err
	}
	got := Claimed{ID: t.id(), ClaimID: k.claim.ID, Task: seed, State: k.claim.State, Overlaps: k.overlaps}
	got.Attempt, _ = tasks.AttemptOf(k.claim.ID)
	past, err := k.s.whatWas(ctx, t.past)
	if err != nil && !ledger.AboutOne(err) {
		return Claimed{}, err
	}
	for _, a := range slices.Backward(past.Attempts) {
		if a.ClaimID != k.claim.ID {
			got.Earlier = append(got.Earlier, a)
		}
	}
	got.Done, err = k.s.before(ctx, t)
	return got, err
}

// before returns the tasks that a task waited for, with what was reported of them.
func (s *Store) before(ctx context.Context, t *task) ([]Before, error) {
	var list []Before
	var keys []kv.Key
	for _, e := range t.graph.Edges(t.n) {
		if e.Kind.Hard() && t.marks.State(e.On) == tasks.Done {
			list = append(list, Before{Key: t.graph.Key(e.On)})
			keys = append(keys, attemptsKey(t.plan.ID, e.On))
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	found, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for i, f := range found {
		err := ledger.Beside(f, func(r kv.Record) error {
			record, err := s.readPast(r)
			if err != nil {
				return err
			}
			if last := record.last(); last != nil {
				record.Attempts, record.Late = []attemptRecord{*last}, nil
			}
			past, err := s.whatWas(ctx, record)
			if err == nil && len(past.Attempts) == 1 && past.Attempts[0].Report != nil {
				list[i].Summary = past.Attempts[0].Report.Summary
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Held returns the ids of the tasks that the connection holds.
func (c *Connection) Held() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var ids []string
	for id, h := range c.held {
		if !h.reported {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}
