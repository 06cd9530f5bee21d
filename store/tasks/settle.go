package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"planb/plans"
	"planb/plans/tasks"
	"planb/store/ledger"
)

// settling is the approval of changes of an active plan on its way into a commit.
type settling struct {
	*revision
	said    Verdict
	by, ask string
	changes tasks.Proposal // those that were approved
	urgent  map[string]int // the priorities that the person read, by key
	keys    map[string]bool
	held    map[string]bool // the keys of those that were held back
}

// settleChanges applies approved changes to an active plan in the commit: exactly the
// changes that the person read or edited. Changes that came later go on waiting.
func (s *Store) settleChanges(ctx context.Context, c *ledger.Change, id, digest string, said Verdict, by, ask string) error {
	r, err := s.revise(ctx, Caller{}, id)
	if err != nil {
		return err
	}
	a := &settling{revision: r, said: said, by: by, ask: ask, urgent: map[string]int{}, keys: map[string]bool{}, held: map[string]bool{}}
	if err := a.read(ctx, digest); err != nil {
		return err
	}
	return a.write(ctx, c)
}

// dropAmendment removes the plan's amendment in the commit, because the person rejected
// it. If all tasks of the plan have ended, the plan is done then. An amendment that took
// the place of the one that the person read goes on waiting.
func (s *Store) dropAmendment(ctx context.Context, c *ledger.Change, id, by, ask string) error {
	r, err := s.revise(ctx, Caller{}, id)
	if err != nil {
		return err
	}
	if read, err := r.readIn(ctx, ask); err != nil || !read {
		return err
	}
	now, status := s.ledger.Clock(), tasks.PlanActive
	if finished(r.marks) {
		status = tasks.PlanDone
		r.close(c)
	}
	c.Check(r.marksR)
	if err := s.ledger.Rewrite(c, r.planR, "amendment", nil, "status", status, "updated", now); err != nil {
		return err
	}
	return putRow(c, Caller{Actor: tasks.User, Name: by}, id, now, Event{
		Action: PlanRejected, From: string(r.plan.Status), To: string(status), Ask: ask,
	})
}

// readIn reports whether the review shows all that the amendment would change now.
func (r *revision) readIn(ctx context.Context, ask string) (bool, error) {
	reviewed, err := r.s.options.Reviewed(ctx, ask, "")
	if err != nil {
		return false, err
	}
	list, _ := tasks.SplitReview(reviewed.Text)
	document, err := tasks.ParseMarkdown(list, r.graph)
	if tasks.CodeOf(err) != "" {
		return false, nil // it names tasks that the plan does not have, so it is of another version
	}
	if err != nil {
		return false, err
	}
	next, g, _, err := r.amended(ctx)
	if err != nil {
		return false, err
	}
	return within(next.Amendment(tasks.Compare(r.graph, g)), document.Proposal)
}

// within reports whether all changes of one proposal are in the other.
func within(some, all tasks.Proposal) (bool, error) {
	texts := map[string]string{}
	for _, item := range all.Items {
		text, err := asJSON(item)
		if err != nil {
			return false, err
		}
		texts[item.Key] = text
	}
	for _, item := range some.Items {
		if text, err := asJSON(item); err != nil || texts[item.Key] != text {
			return false, err
		}
	}
	return true, nil
}

// close notes that the plan is open no longer.
func (r *revision) close(c *ledger.Change) {
	if r.plan.Session != "" {
		c.Delete(openKey(r.plan.Session, r.plan.ID))
	}
}

// read makes the approved changes of the text that the person read or edited.
func (a *settling) read(ctx context.Context, digest string) error {
	reviewed, err := a.s.options.Reviewed(ctx, a.ask, a.said.Edited)
	if err != nil {
		return err
	}
	list, above := tasks.SplitReview(reviewed.Text)
	if plans.Digest(list) != digest || plans.Digest(reviewed.Text) != a.said.Digest {
		return errNotRead()
	}
	read, err := tasks.ParseMarkdown(list, a.graph)
	if err != nil {
		return err
	}
	if err := a.stillWaits(ctx, read.Proposal); err != nil {
		return err
	}
	for _, line := range a.said.Withheld {
		for _, key := range read.At(line - above) {
			a.held[key] = true
		}
	}
	for _, item := range read.Items {
		a.urgent[item.Key] = item.Priority
	}
	a.changes = read.Proposal
	if a.said.Edited != "" {
		list, _ := tasks.SplitReview(reviewed.Edited)
		edited, err := tasks.ParseMarkdown(list, a.graph)
		if err != nil {
			return unreadableEdit(err)
		}
		a.changes = edited.Proposal
	}
	a.changes.Items = slices.DeleteFunc(slices.Clone(a.changes.Items), a.stays)
	for _, item := range a.changes.Items {
		a.keys[item.Key] = true
	}
	return nil
}

func errNotRead() error {
	return errors.New("the text of this review is not that of the tasks it is to approve")
}

func unreadableEdit(err error) error {
	return fmt.Errorf("your edit cannot be read as tasks: %w", err)
}

// stays reports whether the person held the change back and the task therefore stays as
// it was. A new task that is held back does not stay away: it joins the plan, locked.
func (a *settling) stays(item tasks.Item) bool {
	_, old := a.graph.Find(item.Key)
	return a.held[item.Key] && (old || item.Cancel)
}

// stillWaits refuses the approval if the changes that wait now differ from those that
// the person read.
func (a *settling) stillWaits(ctx context.Context, read tasks.Proposal) error {
	now, _, _, err := a.revision.changes(ctx)
	if err != nil {
		return err
	}
	same, err := within(read, now)
	if err == nil && !same {
		err = errors.New("the tasks were changed since you opened this review, so it approves nothing; open the new review")
	}
	return err
}

func asJSON(item tasks.Item) (string, error) {
	if item.Cancel {
		return "cancel", nil
	}
	item.Priority = 0 // the person may have changed it since
	data, err := json.Marshal(item)
	return string(data), err
}

func (a *settling) write(ctx context.Context, c *ledger.Change) error {
	next, err := a.tasks.Amend(a.changes, a.whole.Marks)
	if err != nil {
		return err
	}
	v, err := newVersion(next)
	if err != nil {
		return err
	}
	marks := a.grown(next)
	var changed []int
	for _, t := range next.Kept() {
		if a.keys[t.Key] {
			if t.Priority != a.urgent[t.Key] {
				marks.SetPriority(t.Number, t.Priority) // as the person edited it
			}
			changed = append(changed, t.Number)
		}
	}
	now, status := a.s.ledger.Clock(), tasks.PlanActive
	settled := a.settled(ctx)
	if finished(marks) && (settled || a.plan.Amendment == nil) {
		status = tasks.PlanDone
		a.close(c)
	}
	held, unread := a.stillLocked(v.graph)
	fields := []any{
		"status", status, "approved", v.content, "held", held, "unread", unread,
		"approval", Approval{Hash: v.content.Hash, By: a.by, At: now, Ask: a.ask, Given: a.s.given()},
	}
	if settled {
		fields = append(fields, "amendment", nil)
	}
	if err := a.put(ctx, c, v, marks, fields...); err != nil {
		return err
	}
	return putRow(c, Caller{Actor: tasks.User, Name: a.by}, a.plan.ID, now, Event{
		Action: PlanApproved, Tasks: changed, From: string(a.plan.Status), To: string(status), Hash: v.content.Hash.String(), Ask: a.ask, Given: a.s.given(),
	})
}

// stillLocked returns the tasks that the approval leaves locked. unread are those of them that the
// person neither held back, now or before, nor read in this review: they were locked already, or
// somebody changed them meanwhile.
func (a *settling) stillLocked(g *tasks.Graph) (held, unread []int) {
	back := a.plan.HeldBack()
	before := a.graph.Unlocked(a.whole.Approved, a.plan.Held)
	for n := 1; n <= g.Len(); n++ {
		old := n <= len(before)
		switch {
		case g.Dropped(n):
		case a.keys[g.Key(n)] && !a.held[g.Key(n)]:
		case old && before[n-1] && a.graph.TaskHash(n) == g.TaskHash(n):
		default:
			held = append(held, n)
			if !a.held[g.Key(n)] && !slices.Contains(back, n) {
				unread = append(unread, n)
			}
		}
	}
	return held, unread
}

// settled reports whether the person has read the whole amendment, so that no change of
// it goes on waiting.
func (a *settling) settled(ctx context.Context) bool {
	if a.plan.Amendment == nil {
		return false
	}
	_, g, _, err := a.amended(ctx)
	if err != nil {
		return false
	}
	changes := tasks.Compare(a.graph, g)
	for _, n := range slices.Concat(changes.Added, changes.Reworded, changes.Cancelled) {
		if key := g.Key(n); !a.keys[key] && !a.held[key] {
			return false
		}
	}
	return true
}
