package tasks

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"planb/plans"
	"planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/ledger"
)

// SubjectKind is the kind of an ask that approves a plan; see store.Subject.
const SubjectKind = "tasks"

// SubjectOf names what a review of the plan approves: the plan with this hash, and no
// other version of it.
func SubjectOf(w Whole) string { return w.ID + "/" + w.Graph.Hash().String() }

// Amends reports whether a review with the subject and the text is of changes of an active plan:
// its subject names them by their text, and a proposed plan by its hash.
func Amends(subject string, text safe.Text) bool {
	list, _ := tasks.SplitReview(text)
	_, of, found := strings.Cut(subject, "/")
	return found && of == plans.Digest(list)
}

// parseSubject reads what SubjectOf wrote.
func parseSubject(subject string) (plan string, hash tasks.Hash, err error) {
	id, digits, _ := strings.Cut(subject, "/")
	plan, n, ok := tasks.SplitID(id)
	if err := hash.UnmarshalText([]byte(digits)); err != nil || !ok || n != 0 {
		return "", hash, fmt.Errorf("%q names no plan of tasks", subject)
	}
	return plan, hash, nil
}

// Settle is the store.Settler of reviews of tasks: it applies the outcome of such an
// ask to the plan, in the commit that settles the ask. It is the only function that
// makes a plan active.
//
// An approval makes a proposed plan active as the person read or edited it, without the
// tasks that they held back. For an active plan it approves the changes that the person
// read. A rejection drops the amendment of an active plan if the person read it. Any other
// outcome changes nothing. The error refuses an approval: of a plan that is not proposed,
// that has another hash than the subject, or whose text in the review has another hash.
func (s *Store) Settle(ctx context.Context, c *ledger.Change, ask, subject string, outcome questions.Outcome) error {
	id, hash, err := parseSubject(subject)
	if err != nil {
		return err
	}
	if outcome.State != questions.Answered {
		return nil
	}
	text, _ := outcome.Reply.Answers[questions.ReviewID].Text()
	said, err := s.options.Verdict(text)
	if err != nil || !said.Approves && !said.Rejects {
		return err
	}
	records, err := s.ledger.Get(ctx, planKey(id), marksKey(id))
	if err != nil {
		return err
	}
	before, err := s.readPlan(ctx, Caller{}, id, records[0])
	if err != nil {
		return err
	}
	switch {
	case said.Rejects && before.Status == tasks.PlanActive && before.Amendment != nil:
		return s.dropAmendment(ctx, c, id, outcome.By, ask)
	case said.Rejects:
		return nil
	case before.Status == tasks.PlanActive && (before.Approval == nil || before.Approval.Hash != hash):
		return s.settleChanges(ctx, c, id, hash.String(), said, outcome.By, ask)
	case before.Status != tasks.PlanProposed:
		return tasks.CannotApprove(before.Title, before.Status)
	}
	if before.Content.Hash != hash {
		return errors.New("the tasks were proposed anew since you opened this review, so it approves nothing; open the new review")
	}
	c.Check(records...)
	a := &approving{s: s, before: before, said: said, by: outcome.By, ask: ask}
	if err := a.read(ctx, hash); err != nil {
		return err
	}
	return a.write(ctx, c, records[0])
}

// CheckReview adds a condition to the commit that opens a review of tasks: the plan still
// waits for the approval of what the subject names. The error is a *tasks.Error if it does
// not: conflict if the tasks were changed or decided meanwhile.
func (s *Store) CheckReview(ctx context.Context, c *ledger.Change, subject string) error {
	id, hash, err := parseSubject(subject)
	if err != nil {
		return err
	}
	records, err := s.ledger.Get(ctx, planKey(id), marksKey(id))
	if err != nil {
		return err
	}
	plan, err := s.readPlan(ctx, Caller{}, id, records[0])
	if err != nil {
		return err
	}
	c.Check(records...)
	switch {
	case plan.Status == tasks.PlanProposed && plan.Content.Hash == hash:
		return nil
	case plan.Status.Final() || plan.Approval != nil && plan.Approval.Hash == hash:
		return tasks.DecidedMeanwhile(plan.Title, plan.Status)
	case plan.Status == tasks.PlanProposed:
		return tasks.ChangedMeanwhile(plan.Title)
	}
	r, err := s.revise(ctx, Caller{}, id)
	if err != nil {
		return err
	}
	waits, err := r.pending(ctx)
	switch {
	case tasks.CodeOf(err) == tasks.CodeConflict:
		return tasks.DecidedMeanwhile(plan.Title, plan.Status)
	case err == nil && waits.Subject != subject:
		return tasks.ChangedMeanwhile(plan.Title)
	}
	return err
}

// approving is an approval on its way into a commit.
type approving struct {
	s        *Store
	before   planRecord
	said     Verdict
	by, ask  string
	approved *version
	held     []int
}

// read makes the approved plan of the text that the person read or edited.
func (a *approving) read(ctx context.Context, hash tasks.Hash) error {
	reviewed, err := a.s.options.Reviewed(ctx, a.ask, a.said.Edited)
	if err != nil {
		return err
	}
	if plans.Digest(reviewed.Text) != a.said.Digest {
		return errNotRead()
	}
	list, above := tasks.SplitReview(reviewed.Text)
	if a.said.Edited == "" && len(a.said.Withheld) == 0 {
		if same, err := a.asKept(ctx, list); same || err != nil {
			return err
		}
	}
	read, document, err := versionOf(list)
	if err != nil {
		return err
	}
	if read.content.Hash != hash {
		return errNotRead()
	}
	a.approved = read
	if a.said.Edited != "" {
		list, _ := tasks.SplitReview(reviewed.Edited)
		if a.approved, _, err = versionOf(list); err != nil {
			return unreadableEdit(err)
		}
	}
	a.hold(document, above)
	return nil
}

// asKept reports whether the person read exactly the stored plan; if so, it uses that one. It
// writes the stored plan as text and compares: this takes a third of the time of parsing the
// text, and an agent waits. An older planb may have written another text for the same plan.
func (a *approving) asKept(ctx context.Context, text safe.Text) (bool, error) {
	kept, err := a.s.kept(ctx, a.before.Content)
	if err != nil {
		if ledger.AboutOne(err) {
			err = nil // the text has the whole plan
		}
		return false, err
	}
	a.approved = kept
	return tasks.Render(kept.plan.Proposal()) == text, nil
}

func versionOf(text safe.Text) (*version, tasks.Document, error) {
	document, err := tasks.ParseMarkdown(text, nil)
	if err != nil {
		return nil, document, err
	}
	v, err := newVersion(document.Plan())
	return v, document, err
}

// hold notes the tasks whose sections the person held back.
func (a *approving) hold(document tasks.Document, above int) {
	keys := a.approved.graph.Keys()
	for _, line := range a.said.Withheld {
		for _, key := range document.At(line - above) {
			if n := keys[key]; n != 0 && !slices.Contains(a.held, n) {
				a.held = append(a.held, n)
			}
		}
	}
	slices.Sort(a.held)
}

func (a *approving) write(ctx context.Context, c *ledger.Change, r kv.Record) error {
	now, status := a.s.ledger.Clock(), tasks.PlanActive
	marks := tasks.NewMarks(a.approved.plan.Tasks)
	if finished(marks) {
		status = tasks.PlanDone
	}
	hash, count := a.approved.content.Hash, a.approved.plan.KeptCount()
	if err := a.s.countProject(ctx, c, a.before.Project, count-a.before.Tasks); err != nil { // the person may have edited it
		return err
	}
	err := a.s.ledger.Rewrite(c, r, "title", a.approved.plan.Title, "status", status, "tasks", count,
		"content", a.approved.content, "approved", a.approved.content, "held", a.held, "unread", nil, "updated", now,
		"approval", Approval{Hash: hash, By: a.by, At: now, Ask: a.ask, Given: a.s.given()})
	if err != nil {
		return err
	}
	if err := c.Put(marksKey(a.before.ID), marksRecord{ledger.NewHeader(), string(marks)}); err != nil {
		return err
	}
	if status.Final() && a.before.Session != "" {
		c.Delete(openKey(a.before.Session, a.before.ID))
	}
	if err := a.s.keep(ctx, c, a.approved, a.before.Content); err != nil {
		return err
	}
	by := Caller{Actor: tasks.User, Name: a.by}
	return putRow(c, by, a.before.ID, now, Event{
		Action: PlanApproved, From: string(a.before.Status), To: string(status), Hash: hash.String(), Ask: a.ask, Given: a.s.given(),
	})
}

// finished reports whether every task is in a final state.
func finished(marks tasks.Marks) bool {
	for n := 1; n <= marks.Len(); n++ {
		if !marks.State(n).Final() {
			return false
		}
	}
	return true
}
