package tasks

import (
	"context"
	"maps"
	"slices"
	"time"

	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/ledger"
)

// News is something about a task of the connection that its holder should know.
type News struct {
	TaskID  string // for NewsReplaced the plan's id
	Title   safe.Text
	What    Happening
	By      string    // the person who did it; for NewsReplaced who proposed the other changes
	Comment safe.Text // what that person said
}

// Happening says what happened to a task.
type Happening string

// The things that can happen to a task while an agent works on it, or after it reported.
const (
	NewsReleased  Happening = "released"  // the person took the task from its holder
	NewsCancelled Happening = "cancelled" // the person cancelled the task or its plan
	NewsTaken     Happening = "taken"     // the claim lapsed, and another agent has it
	NewsReworded  Happening = "reworded"  // what is asked for changed: claim_task with the claimId shows it
	NewsPaused    Happening = "paused"    // the person paused its plan: planb gives out no more tasks of it
	NewsResumed   Happening = "resumed"   // the person let its plan go on
	NewsAccepted  Happening = "accepted"  // the person accepted the report
	NewsSentBack  Happening = "sent_back" // the person wants more than the report says; Comment says what
	NewsQuiet     Happening = "quiet"     // its holder made no call about the task for QuietAfter
	NewsReplaced  Happening = "replaced"  // By proposed other changes to a plan, in place of the connection's
)

// holding is a task that the connection holds, or a task that it has reported on and
// that now waits for a person.
type holding struct {
	claimID  string
	reported bool
	hash     tasks.Hash // of the task as the holder knows it
	paused   bool
	asked    time.Time // when the connection was last told that it is quiet
}

// News returns what happened to the connection's tasks and to the amendments that it proposed,
// the oldest first. It returns each piece of news until a reply has told it (Telling). With an
// error it returns the news that it could read. It reads nothing if the connection has no task
// and proposed no amendment.
func (c *Connection) News(ctx context.Context) ([]News, error) {
	c.looking.Lock() // a call that came second would not have what the first has just found
	defer c.looking.Unlock()
	fresh, err := c.fresh(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.untold = append(c.untold, fresh...)
	return slices.Clone(c.untold), err
}

// Telling takes a piece of news off the list of News. Whoever writes a reply with the news
// calls Telling just before the write. After the write they call written with its error. If the
// write failed, the news is put on the list again.
func (c *Connection) Telling(n News) (written func(error)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at := slices.Index(c.untold, n)
	if at < 0 {
		return func(error) {} // another reply has told it meanwhile
	}
	c.untold = slices.Delete(c.untold, at, at+1)
	return func(err error) {
		if err == nil {
			return
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.untold = slices.Insert(c.untold, min(at, len(c.untold)), n)
	}
}

// fresh returns the news since the last look: each thing once, also beside an error.
func (c *Connection) fresh(ctx context.Context) ([]News, error) {
	c.mu.Lock()
	ids := make([]string, 0, len(c.held))
	for id := range c.held {
		ids = append(ids, id)
	}
	c.mu.Unlock()
	slices.Sort(ids)
	news, err := c.newsOfAmendments(ctx)
	if err != nil {
		return news, err
	}
	for _, id := range ids {
		t, err := c.s.task(ctx, Caller{}, id)
		if ledger.AboutOne(err) || tasks.CodeOf(err) == tasks.CodeTaskNotFound {
			continue
		}
		if err != nil {
			return news, err
		}
		list := c.newsOf(t)
		if len(list) == 0 {
			continue
		}
		seed, err := t.seed(ctx)
		for i := range list {
			list[i].TaskID, list[i].Title = id, seed.Title
		}
		news = append(news, list...)
		if err != nil && !ledger.AboutOne(err) {
			return news, err
		}
	}
	return news, nil
}

// newsOfAmendments says which amendments of the connection gave way to another's.
func (c *Connection) newsOfAmendments(ctx context.Context) (news []News, err error) {
	c.mu.Lock()
	proposed := maps.Clone(c.proposed)
	c.mu.Unlock()
	for _, id := range slices.Sorted(maps.Keys(proposed)) {
		records, err := c.s.ledger.Get(ctx, planKey(id))
		if ledger.AboutOne(err) {
			continue
		}
		if err != nil {
			return news, err
		}
		if !records[0].Exists() {
			c.forgets(id, proposed[id])
			continue
		}
		plan, err := c.s.decodePlan(records[0])
		if ledger.AboutOne(err) {
			continue
		}
		if err != nil {
			return news, err
		}
		if plan.Amendment != nil && plan.Amendment.Change.Digest == proposed[id] || !c.forgets(id, proposed[id]) {
			continue
		}
		for _, one := range plan.Replaced {
			if one.Digest == proposed[id] {
				news = append(news, News{TaskID: id, Title: plan.Title, What: NewsReplaced, By: one.By})
			}
		}
	}
	return news, nil
}

// forgets forgets an amendment that waits no longer. It reports whether no other call did.
func (c *Connection) forgets(plan, digest string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.proposed[plan] != digest {
		return false
	}
	delete(c.proposed, plan)
	return true
}

// newsOf compares a task with what its holder knows of it.
func (c *Connection) newsOf(t *task) (list []News) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := c.held[t.id()]
	if h == nil {
		return nil
	}
	if t.claim == nil || t.claim.ID != h.claimID {
		if h.reported && t.state() == tasks.NeedsReview {
			return nil
		}
		delete(c.held, t.id())
		return t.fate(h.claimID)
	}
	if hash := t.graph.TaskHash(t.n); hash != h.hash {
		h.hash = hash
		list = append(list, News{What: NewsReworded})
	}
	if t.plan.Paused != h.paused {
		h.paused = t.plan.Paused
		what := NewsResumed
		if h.paused {
			what = NewsPaused
		}
		list = append(list, News{What: what})
	}
	if now := c.s.ledger.Clock(); t.claim.Quiet(now) && now.Sub(h.asked) >= QuietAfter {
		h.asked = now
		list = append(list, News{What: NewsQuiet})
	}
	return list
}

// fate says how a claim ended that somebody else ended.
func (t *task) fate(claimID string) []News {
	attempt := t.past.find(claimID)
	if attempt == nil || attempt.End == "" {
		if t.plan.Status == tasks.PlanCancelled {
			return []News{{What: NewsCancelled}}
		}
		return nil
	}
	what := map[Ending]Happening{
		EndedByRelease: NewsReleased, EndedByCancel: NewsCancelled, EndedByExit: NewsTaken, EndedByLease: NewsTaken,
		EndedAccepted: NewsAccepted, EndedSentBack: NewsSentBack,
	}[attempt.End]
	if what == "" {
		return nil
	}
	return []News{{What: what, By: attempt.By, Comment: attempt.Comment}}
}
