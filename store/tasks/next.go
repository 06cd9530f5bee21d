package tasks

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"planb/plans/tasks"
	"planb/questions/lenient"
	"planb/questions/safe"
	"planb/store/ledger"
)

// Limits of Next.
const (
	MaxNext      = 20
	defaultNext  = 5
	explainBytes = 8 << 10 // of words; what does not fit is counted
)

// Query asks what can be worked on.
type Query struct {
	Plan    string // one plan; empty: all active plans that the caller finds
	Task    string // one task, to be explained; empty: all
	Limit   int    // 1 to MaxNext; 0 for defaultNext
	Explain bool   // why each open task is not ready
	// Open counts the tasks of proposed plans, too, if no plan is named.
	Open bool
}

// Next is what can be worked on.
type Next struct {
	Tasks  []Actionable        `json:"tasks"` // the best first
	Held   []HeldTask          `json:"heldByThisConnection,omitempty"`
	Counts map[tasks.State]int `json:"counts"`
	// Nothing tells what the open tasks wait for; empty if one is ready or none is open.
	Nothing string `json:"-"`
	// Left are the tasks that planb keeps for agents that are gone. They are told where nothing
	// else of the answer names them: beside tasks that are ready.
	Left []Explanation `json:"-"`
	// Unapproved are the plans that only wait for the approval, if Nothing tells of them.
	Unapproved []string `json:"-"`
	// Blocked says why open tasks are not ready, and More how many others there are.
	Blocked []Explanation `json:"blocked,omitempty"`
	More    int           `json:"more,omitempty"`
}

// Actionable is a task that an agent may claim.
type Actionable struct {
	ID          string    `json:"taskId"`
	Key         string    `json:"nodeKey"`
	Title       safe.Text `json:"title"`
	Priority    int       `json:"priority"`    // effective: see tasks.View.Priority
	PathMinutes int       `json:"pathMinutes"` // of the longest chain of open tasks that begins with it
	Unblocks    int       `json:"unblocks"`    // how many open tasks wait for it
}

// HeldTask is a task that the connection holds.
type HeldTask struct {
	ID      string      `json:"taskId"`
	Title   safe.Text   `json:"title"`
	ClaimID string      `json:"claimId"`
	State   tasks.State `json:"state"`
}

// Explanation says why a task is not ready.
type Explanation struct {
	ID    string    `json:"taskId"`
	Key   string    `json:"nodeKey"`
	Title safe.Text `json:"title"`
	Why   string    `json:"why"`
}

// Next returns what can be worked on. It changes no task; it may note that a holder is
// gone. The error is a *tasks.Error for a plan or task that the caller does not find.
func (s *Store) Next(ctx context.Context, by Caller, q Query) (Next, error) {
	return s.next(ctx, by, q, nil)
}

// Next is Store.Next with the tasks that this connection holds.
func (c *Connection) Next(ctx context.Context, by Caller, q Query) (Next, error) {
	return c.s.next(ctx, by, q, c)
}

func (s *Store) next(ctx context.Context, by Caller, q Query, c *Connection) (Next, error) {
	limit := q.Limit
	if limit == 0 {
		limit = defaultNext
	}
	if limit < 1 || limit > MaxNext {
		var problems lenient.Problems
		problems.Add("limit", strconv.Itoa(q.Limit), "1 to 20", "5")
		return Next{}, tasks.Invalid(problems)
	}
	plans, err := s.actives(ctx, by, q)
	if err != nil {
		return Next{}, err
	}
	l := &looking{s: s, ctx: ctx, by: by, query: q, next: Next{Tasks: []Actionable{}, Counts: map[tasks.State]int{}}}
	for _, w := range plans {
		if c != nil {
			l.agent = c.id
			c.observe(w)
		}
		if err := l.look(w, limit); err != nil {
			return Next{}, err
		}
	}
	return l.finish(limit)
}

// actives reads the plans that a query is about, and notes which holders of their tasks are
// gone.
func (s *Store) actives(ctx context.Context, by Caller, q Query) ([]Whole, error) {
	plans, err := s.activesAsKept(ctx, by, q)
	for i := range plans {
		if err == nil {
			err = s.notice(ctx, &plans[i])
		}
	}
	return plans, err
}

// activesAsKept reads the plans that a query is about. Of several plans it leaves out those that
// cannot be read, unless that leaves none.
func (s *Store) activesAsKept(ctx context.Context, by Caller, q Query) ([]Whole, error) {
	id := q.Plan
	if id == "" {
		id = q.Task
	}
	if id != "" {
		w, err := s.Plan(ctx, by, id)
		if err != nil && q.Plan == "" {
			err = noTask(err, id)
		}
		if err != nil {
			return nil, err
		}
		return []Whole{w}, nil
	}
	list, err := s.Plans(ctx, by)
	if err != nil {
		return nil, err
	}
	var plans []Whole
	var unread error
	for _, plan := range list {
		if wanted := plan.Status == tasks.PlanActive || q.Open && plan.Status == tasks.PlanProposed; plan.Err != nil || !wanted {
			continue
		}
		w, err := s.Plan(ctx, by, plan.ID)
		switch {
		case ledger.AboutOne(err):
			unread = err
		case err != nil:
			return nil, err
		default:
			plans = append(plans, w)
		}
	}
	if len(plans) == 0 {
		return nil, unread
	}
	return plans, nil
}

// looking is one call of Next.
type looking struct {
	s     *Store
	ctx   context.Context
	by    Caller
	agent string
	query Query
	next  Next
	best  []tasks.Candidate
	left  []Explanation      // that are kept for agents that are gone
	views map[string]*looked // by plan
}

// looked is a plan with its view and the titles of its tasks.
type looked struct {
	Whole
	view  *tasks.View
	names *titles
}

func (l *looking) look(w Whole, limit int) error {
	p := &looked{w, w.lookAs(l.agent, l.s.ledger.Clock()), l.s.titles(l.ctx, w)}
	if l.views == nil {
		l.views = map[string]*looked{}
	}
	l.views[w.ID] = p
	for state, count := range p.view.Counts() {
		l.next.Counts[state] += count
	}
	for _, n := range slices.Sorted(maps.Keys(w.Claims)) {
		switch claim := w.Claims[n]; {
		case l.agent == "":
		case claim.Agent == l.agent:
			l.next.Held = append(l.next.Held, HeldTask{w.TaskID(n), p.names.of(n), claim.ID, claim.State})
		case !claim.Gone.IsZero() && !p.view.Offered(n):
			l.left = append(l.left, p.explain(n, p.view.Why(n, p.names.of)))
		}
	}
	if l.query.Task != "" {
		plan, n, _ := tasks.SplitID(l.query.Task)
		if plan != w.ID || n == 0 || n > w.Graph.Len() || w.Graph.Dropped(n) {
			return tasks.Missing("task", l.query.Task, nil)
		}
		if p.view.Offered(n) {
			l.best = append(l.best, p.candidate(n))
		} else {
			l.next.Blocked = append(l.next.Blocked, p.explain(n, p.view.Why(n, p.names.of)))
		}
		return p.names.err
	}
	for _, c := range p.view.Next(limit) {
		c.Plan = w.ID
		l.best = append(l.best, c)
	}
	if l.query.Explain {
		list, rest := p.view.Explain(p.names.of, explainBytes/len(l.views))
		for _, e := range list {
			l.next.Blocked = append(l.next.Blocked, p.explain(e.Number, e.Why))
		}
		l.next.More += rest
	}
	return p.names.err
}

func (p *looked) candidate(n int) tasks.Candidate {
	return tasks.Candidate{Plan: p.ID, Number: n, Priority: p.view.Priority(n), Minutes: p.view.PathMinutes(n)}
}

func (p *looked) explain(n int, why string) Explanation {
	return Explanation{p.TaskID(n), p.Graph.Key(n), p.names.of(n), why}
}

// finish names the best tasks, or says why there is none.
func (l *looking) finish(limit int) (Next, error) {
	slices.SortFunc(l.best, tasks.Candidate.Compare)
	for _, c := range l.best[:min(limit, len(l.best))] {
		p := l.views[c.Plan]
		l.next.Tasks = append(l.next.Tasks, Actionable{
			p.TaskID(c.Number), p.Graph.Key(c.Number), p.names.of(c.Number), c.Priority, c.Minutes, p.view.Unblocks(c.Number),
		})
		if p.names.err != nil {
			return Next{}, p.names.err
		}
	}
	if len(l.next.Tasks) > 0 && !l.query.Explain && l.query.Task == "" {
		l.next.Left = l.left
	}
	if len(l.next.Tasks) > 0 || l.query.Task != "" {
		return l.next, nil
	}
	var err error
	l.next.Nothing, l.next.Unapproved, err = l.s.nothing(l.ctx, l.by, l.query, l.views)
	return l.next, err
}

// nothing says why an agent can have no task, for the first of the plans that has open
// tasks. If none has, and the query is about all plans, it names those that wait for the
// approval. unapproved are the ids of plans that only wait for it. If it can name none because a
// plan cannot be read, the error says so.
func (s *Store) nothing(ctx context.Context, by Caller, q Query, plans map[string]*looked) (why string, unapproved []string, err error) {
	for _, id := range slices.Sorted(maps.Keys(plans)) {
		p := plans[id]
		if words := p.view.NothingReady(p.names.of); words != "" || p.names.err != nil {
			if p.Status == tasks.PlanProposed {
				unapproved = []string{id}
			}
			return words, unapproved, p.names.err
		}
	}
	if q.Plan != "" {
		return "", nil, nil
	}
	list, err := s.Plans(ctx, by)
	if err != nil {
		return "", nil, err
	}
	var wait []safe.Text
	var unread error
	for _, plan := range list {
		switch {
		case plan.Err != nil:
			unread = plan.Err
		case plan.Status == tasks.PlanProposed:
			wait, unapproved = append(wait, plan.Title), append(unapproved, plan.ID)
		}
	}
	if len(wait) == 0 {
		return "", nil, unread
	}
	return tasks.NothingApproved(wait), unapproved, nil
}
