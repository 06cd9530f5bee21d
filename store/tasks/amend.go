package tasks

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/plans"
	"planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// amendment is a change of an active plan that waits for the person. Until the verdict
// the plan goes on as it is.
type amendment struct {
	Change  ledger.Ref `json:"change"`            // a tasks.Proposal, as JSON
	Added   int        `json:"added"`             // how many tasks it adds, which the month's quota counted
	Changes int        `json:"changes,omitempty"` // how many tasks it changes; 0 in older records
	By      string     `json:"by"`
	Agent   string     `json:"agent,omitempty"` // the connection
	User    bool       `json:"user,omitempty"`  // a person proposed it
	At      time.Time  `json:"at"`
}

// replacement says who replaced an amendment.
type replacement struct {
	Digest string `json:"digest"` // of the amendment
	By     string `json:"by"`
}

// keptReplaced is how many replaced amendments a plan's record names.
const keptReplaced = 8

// replaceAmendment notes whose amendment gives way to the one with that digest, and returns
// the list of those that did. Only a person replaces what a person proposed.
func (w *proposing) replaceAmendment(r *revision, digest string) ([]replacement, error) {
	list := slices.DeleteFunc(slices.Clone(r.plan.Replaced), func(one replacement) bool { return one.Digest == digest })
	old := r.plan.Amendment
	if old == nil {
		return list, nil
	}
	if old.User && w.by.Actor == tasks.Agent {
		return nil, tasks.Conflict("propose", "amended", "your user proposed changes of this plan themselves, which wait for their approval. "+
			"Call approve_plan; propose yours once they have decided.")
	}
	own := old.Agent == w.by.connection && old.By == w.by.Name
	w.replaced = &Replaced{By: old.By, Changes: old.Changes, Own: own}
	if !own {
		list = append(list, replacement{old.Change.Digest, w.by.Name})
	}
	return list[max(0, len(list)-keptReplaced):], nil
}

// amend keeps an amendment of an active plan. It takes the place of the one before.
func (w *proposing) amend(ctx context.Context, c *ledger.Change) (Event, error) {
	w.unchanged, w.replaced, w.amendment = false, nil, ""
	r, err := w.s.revise(ctx, w.by, w.proposal.Replaces)
	if err != nil {
		return Event{}, err
	}
	next, err := r.tasks.Amend(r.prioritized(w.proposal.Proposal), r.whole.Marks)
	if err != nil {
		return Event{}, err
	}
	v, err := newVersion(next)
	if err != nil {
		return Event{}, err
	}
	w.changes, w.amended = tasks.Compare(r.graph, v.graph), v.graph
	if w.changes.None() {
		w.unchanged = true
		return Event{}, nil
	}
	if err := r.reviewable(next, v.graph); err != nil {
		return Event{}, err
	}
	data, err := json.Marshal(w.proposal.Proposal)
	if err != nil {
		return Event{}, err
	}
	blob, err := ledger.NewBlob("amendment", data)
	if err != nil {
		return Event{}, err
	}
	before := 0
	w.amendment = blob.Ref.Digest
	if r.plan.Amendment != nil {
		if before = r.plan.Amendment.Added; r.plan.Amendment.Change.Digest == blob.Ref.Digest {
			w.unchanged = true
			return Event{}, nil
		}
	}
	added := len(w.changes.Added)
	if err := w.s.countMonth(ctx, c, added-before); err != nil {
		return Event{}, err
	}
	replaced, err := w.replaceAmendment(r, blob.Ref.Digest)
	if err != nil {
		return Event{}, err
	}
	now := w.s.ledger.Clock()
	fields := []any{"amendment", amendment{
		Change: blob.Ref, Added: added, Changes: w.changes.Count(),
		By: w.by.Name, Agent: w.by.connection, User: w.by.Actor == tasks.User, At: now,
	}, "updated", now}
	if len(replaced) > 0 || len(r.plan.Replaced) > 0 {
		fields = append(fields, "replaced", replaced)
	}
	if w.proposal.Session != "" && w.proposal.Session != r.plan.Session {
		if r.plan.Session != "" {
			c.Delete(openKey(r.plan.Session, w.id))
		}
		fields = append(fields, "sessionId", w.proposal.Session)
	}
	if err := w.s.putOpen(ctx, c, w.proposal.Session, w.id); err != nil {
		return Event{}, err
	}
	if err := w.s.ledger.Rewrite(c, r.planR, fields...); err != nil {
		return Event{}, err
	}
	c.Check(r.marksR)
	event := Event{
		Action: PlanProposed, From: string(r.plan.Status), To: string(r.plan.Status), Hash: v.content.Hash.String(),
	}
	return event, w.s.ledger.Keep(ctx, c, blob)
}

// amended returns the plan with its amendment applied; without an amendment the plan
// itself. outdated are the nodeKeys whose changes no longer apply, because the tasks
// were begun, decided or edited since.
func (r *revision) amended(ctx context.Context) (next tasks.Plan, g *tasks.Graph, outdated []string, err error) {
	if r.plan.Amendment == nil {
		return r.tasks, r.graph, nil, nil
	}
	change := r.plan.Amendment.Change
	texts, err := r.s.ledger.Texts(ctx, change)
	if err != nil {
		return tasks.Plan{}, nil, nil, err
	}
	var proposal tasks.Proposal
	if err := json.Unmarshal(texts[0], &proposal); err != nil {
		return tasks.Plan{}, nil, nil, r.s.ledger.Damaged(ledger.ChunkKeys+kv.Key(change.Digest), errors.New("it is no amendment"))
	}
	return r.tasks.AmendWhatApplies(r.prioritized(proposal), r.whole.Marks)
}

// keepsAmendment refuses an agent's change of the plan if changes that wait for the person would
// no longer apply then, or if they would be too long to review. The person decides about
// the amendment, and no other agent may take it away.
func (r *revision) keepsAmendment(ctx context.Context, later tasks.Plan, g *tasks.Graph) error {
	_, _, before, err := r.amended(ctx)
	if err != nil {
		return err
	}
	after := *r
	after.tasks, after.graph, after.marks = later, g, r.grown(later)
	after.whole.Marks = slices.Concat(r.whole.Marks, after.marks[len(r.whole.Marks):])
	next, amended, outdated, err := after.amended(ctx)
	if err != nil {
		return err
	}
	if len(outdated) > len(before) {
		return tasks.Conflict("change", "amended", "it cannot be combined with the changes that wait for your user: "+
			strings.Join(outdated, ", ")+" would close a cycle or exceed a limit. Call approve_plan first.")
	}
	return after.reviewable(next, amended)
}

// reviewable returns an error if the changes that would wait for the person, with the
// plan as next, are too long for a review.
func (r *revision) reviewable(next tasks.Plan, g *tasks.Graph) error {
	proposal, _ := r.changesTo(next, g)
	return proposal.CheckReview()
}

// prioritized returns a change with the priorities that its tasks have now: only a
// person changes them.
func (r *revision) prioritized(change tasks.Proposal) tasks.Proposal {
	change.Items = slices.Clone(change.Items)
	for i := range change.Items {
		if n, old := r.graph.Find(change.Items[i].Key); old {
			change.Items[i].Priority = r.marks.Priority(n)
		}
	}
	return change
}

// Pending is what a person is asked to approve of a plan.
type Pending struct {
	Whole
	// Text is what the person reads. For a proposed plan it is the whole plan. For an active
	// plan it is what would change, with the tasks that were added and those that the person
	// held back. Above the tasks it names those whose proposed changes no longer apply.
	Text safe.Text
	// Subject is the subject of the ask that approves exactly this text. The kind of that ask
	// is SubjectKind.
	Subject string
	// Changes are those of an active plan; nil for a proposed one.
	Changes *tasks.Changes

	noted bool // a note stands above the tasks
}

// Pending returns what a person is asked to approve of a plan. The error is a
// *tasks.Error: conflict if nothing of the plan waits for an approval.
func (s *Store) Pending(ctx context.Context, by Caller, id string) (Pending, error) {
	w, err := s.Plan(ctx, by, id)
	if err != nil {
		return Pending{}, err
	}
	switch w.Status {
	case tasks.PlanProposed:
		list, err := s.Tasks(ctx, w)
		if err != nil {
			return Pending{}, err
		}
		plan := tasks.Plan{Title: w.Graph.Title(), Description: w.Graph.Description(), Tasks: list}
		text, err := tasks.RenderForReview(plan.Proposal())
		return Pending{Whole: w, Text: text, Subject: SubjectOf(w)}, err
	case tasks.PlanActive:
		r, err := s.revise(ctx, by, id)
		if err != nil {
			return Pending{}, err
		}
		return r.pending(ctx)
	}
	return Pending{}, tasks.CannotApprove(w.Title, w.Status)
}

// pending returns what waits for an approval in an active plan.
func (r *revision) pending(ctx context.Context) (Pending, error) {
	proposal, changes, outdated, err := r.changes(ctx)
	if err != nil {
		return Pending{}, err
	}
	if changes.None() {
		return Pending{}, tasks.CannotApprove(r.plan.Title, r.plan.Status)
	}
	text, err := tasks.RenderForReview(proposal)
	if err != nil {
		return Pending{}, err
	}
	p := Pending{Whole: r.whole, Text: text, Subject: r.plan.ID + "/" + plans.Digest(text), Changes: &changes}
	if p.noted = len(outdated) > 0; p.noted {
		note := "These proposed changes are left out, because their tasks were begun, done or cancelled since, or would wait for each other: " + strings.Join(outdated, ", ") + "."
		p.Text = safe.New(note + "\n\n" + tasks.TasksBelow + "\n\n" + text.Raw())
	}
	return p, nil
}

// AsApproved returns what the text of a review of changes is compared with: the same tasks in the
// same format, as the person approved them. When is the time of the last approval. The text is
// zero if there is nothing to compare with: the plan is not active, none of the tasks was approved
// before, or the review's text does not differ from what was approved.
func (s *Store) AsApproved(ctx context.Context, plan string, text safe.Text) (_ safe.Text, when time.Time, err error) {
	r, err := s.revise(ctx, Caller{}, plan)
	if tasks.CodeOf(err) != "" {
		return safe.Text{}, time.Time{}, nil
	}
	if err != nil {
		return safe.Text{}, time.Time{}, err
	}
	list, _ := tasks.SplitReview(text)
	document, err := tasks.ParseMarkdown(list, r.graph)
	if err != nil {
		return safe.Text{}, time.Time{}, nil // the plan has become another one since
	}
	known := r.approvedOf(document.Items)
	before := tasks.Render(r.tasks.Amendment(tasks.Changes{Reworded: known}))
	if len(known) == 0 || before == list {
		return safe.Text{}, time.Time{}, nil
	}
	above := strings.TrimSuffix(text.Raw(), list.Raw())
	return safe.New(above + before.Raw()), r.plan.Approval.At, nil
}

// approvedOf returns the numbers of the tasks with the keys of some items that are as they
// were approved.
func (r *revision) approvedOf(items []tasks.Item) (numbers []int) {
	for _, item := range items {
		n, found := r.graph.Find(item.Key)
		if found && n <= r.whole.Approved.Len() && r.whole.Approved.TaskHash(n) == r.graph.TaskHash(n) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// changes returns what waits for an approval: tasks that are locked, and what the
// amendment changes. outdated is as amended returns it.
func (r *revision) changes(ctx context.Context) (_ tasks.Proposal, _ tasks.Changes, outdated []string, err error) {
	next, g, outdated, err := r.amended(ctx)
	if err != nil {
		return tasks.Proposal{}, tasks.Changes{}, nil, err
	}
	proposal, changes := r.changesTo(next, g)
	return proposal, changes, outdated, nil
}

// changesTo returns what of a later version of the plan is to be approved.
func (r *revision) changesTo(next tasks.Plan, g *tasks.Graph) (tasks.Proposal, tasks.Changes) {
	changes := tasks.Changes{Cancelled: tasks.Compare(r.graph, g).Cancelled}
	approved := r.whole.Approved
	for _, n := range r.locked(g) {
		switch {
		case n <= r.marks.Len() && r.marks.State(n).Final():
		case n > approved.Len() || approved.Dropped(n):
			changes.Added = append(changes.Added, n)
		default:
			changes.Reworded = append(changes.Reworded, n)
		}
	}
	return next.Amendment(changes), changes
}

// IsBelow reports whether a text is that of the review with a plan above the tasks, as Below made it.
func (p Pending) IsBelow(text safe.Text) bool {
	end := "\n\n" + p.Text.Raw()
	if !p.noted {
		end = "\n\n" + tasks.TasksBelow + end
	}
	return strings.HasSuffix(text.Raw(), end)
}

// Below returns the text of the review with the text of the session's plan above the tasks, so
// that the person reads both at once and gives one verdict on both. The error is a
// *tasks.Error if both together are longer than tasks.MaxMarkdownBytes, or if the plan has the
// line that parts it from its tasks.
func (p Pending) Below(plan safe.Text) (safe.Text, error) {
	if strings.Contains(plan.Raw(), tasks.TasksBelow) {
		return safe.Text{}, tasks.InvalidBecause("withPlan", fmt.Sprintf("the plan has the line %q, which separates it from its tasks; remove that line", tasks.TasksBelow))
	}
	text := strings.TrimRight(plan.Raw(), "\n") + "\n\n"
	if !p.noted {
		text += tasks.TasksBelow + "\n\n"
	}
	text += p.Text.Raw()
	if len(text) > tasks.MaxMarkdownBytes {
		return safe.Text{}, tasks.InvalidBecause("withPlan", fmt.Sprintf("plan and tasks have %d bytes; your user can review at most %d together. Leave withPlan out", len(text), tasks.MaxMarkdownBytes))
	}
	return safe.New(text), nil
}
