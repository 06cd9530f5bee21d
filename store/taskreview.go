package store

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"planb/plans"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store/ledger"
	"planb/store/tasks"
)

// tasksPlan is the name under which a session keeps the texts of a plan of tasks that a
// person reviews. No plan that is a file can have it.
func tasksPlan(id string) plans.Name { return plans.Name(tasksPlans + id) }

// IsTasksPlan reports whether versions with the name are reviewed texts of a plan of
// tasks.
func IsTasksPlan(name plans.Name) bool { return strings.HasPrefix(string(name), tasksPlans) }

const tasksPlans = "tasks/"

// CheckPlanName refuses what a version of a session cannot have as its name.
func CheckPlanName(text string) error {
	if id, is := strings.CutPrefix(text, tasksPlans); is {
		if plan, ok := ledger.CanonicalID(id); ok && plan == id {
			return nil
		}
	}
	_, err := plans.ParseName(text)
	return err
}

// TaskReview says how a plan of tasks is reviewed.
type TaskReview struct {
	// Session is where a plan without a session, or with one that was deleted, is reviewed. It
	// becomes the plan's.
	Session string
	// NewSession makes that session if Session is empty. It is called only once nothing else
	// refuses the review.
	NewSession func(context.Context) (string, error)
	// WithPlan shows the session's latest plan above its tasks: the verdict is on both.
	WithPlan bool
}

// ReviewTasks returns the ask in which a person approves a plan of tasks: all of a
// proposed plan, or the changes of an active one. The caller opens it with OpenAsk.
// ReviewTasks first keeps the text that the person is to read, as a version in the plan's
// session. A second call for the same changes returns the same ask, so that OpenAsk joins
// an open review. So does a call without WithPlan while a review of the same tasks with the
// session's plan is open: the person would be shown less than they were asked about.
//
// The error is a *tasks.Error if the caller does not find the plan, if nothing in it waits
// for approval, if the session has no plan to show above the tasks, or if the text is too long
// to be read. Nothing is changed then.
func (s *Store) ReviewTasks(ctx context.Context, by tasks.Caller, id string, r TaskReview) (Ask, error) {
	waits, err := s.tasks.Pending(ctx, by, id)
	if err != nil {
		return Ask{}, err
	}
	before := waits.Session
	if waits.Session, err = s.notDeleted(ctx, before); err != nil {
		return Ask{}, err
	}
	if !r.WithPlan {
		if open, err := s.openWithPlan(ctx, waits); open.ID != "" || err != nil {
			return Ask{Session: open.Session, Subject: open.Subject, Spec: open.Spec}, err
		}
	}
	session := cmp.Or(waits.Session, r.Session)
	text, err := s.reviewedText(ctx, session, waits, r)
	if err != nil {
		return Ask{}, err
	}
	if waits.Session == "" {
		if session, err = s.moveTasks(ctx, by, waits.ID, before, r); err != nil {
			return Ask{}, err
		}
		if text, err = s.reviewedText(ctx, session, waits, r); err != nil {
			return Ask{}, err
		}
	}
	name := tasksPlan(waits.ID)
	version, err := s.taskVersion(ctx, session, name, text)
	if err != nil {
		return Ask{}, err
	}
	last, err := s.LastReview(ctx, session, name)
	if err != nil {
		return Ask{}, err
	}
	return Ask{
		Session: session, Subject: Subject{Kind: tasks.SubjectKind, ID: waits.Subject},
		Spec: questions.ReviewOf(waits.Title, questions.PlanRef{
			Name: string(name), Number: version.Number, Digest: version.Digest, Since: last.ID,
		}),
	}, nil
}

// TasksAsApproved returns what the text of a review of tasks changes: the same tasks as the
// person approved them, and when they last approved any. The text is zero if the ask is no
// review of tasks, or if the review has nothing that they approved otherwise before.
func (s *Store) TasksAsApproved(ctx context.Context, ask Ask, text safe.Text) (safe.Text, time.Time, error) {
	if ask.Subject.Kind != tasks.SubjectKind {
		return safe.Text{}, time.Time{}, nil
	}
	id, _, _ := strings.Cut(ask.Subject.ID, "/")
	return s.tasks.AsApproved(ctx, id, text)
}

// ApprovedTasks is how a plan of tasks stands after a person approved tasks of it.
type ApprovedTasks struct {
	Approved int // tasks that are approved as they are now, those of earlier approvals, too
	Ready    int // tasks that agents can claim now
}

// ApprovedTasks tells what followed from an ask in which a person approved tasks; zero for
// any other ask.
func (s *Store) ApprovedTasks(ctx context.Context, ask Ask) (ApprovedTasks, error) {
	if ask.Subject.Kind != tasks.SubjectKind || ask.Outcome.State != questions.Answered {
		return ApprovedTasks{}, nil
	}
	id, _, _ := strings.Cut(ask.Subject.ID, "/")
	plan, err := s.tasks.Plan(ctx, tasks.Caller{}, id)
	if err != nil || plan.Approval == nil || plan.Approval.Ask != ask.ID {
		return ApprovedTasks{}, err
	}
	view := rules.Look(plan.Situation(s.ledger.Clock()))
	claimable, _ := view.Readied()
	stand := ApprovedTasks{Ready: len(claimable)}
	for n := 1; n <= plan.Graph.Len(); n++ {
		if !plan.Graph.Dropped(n) && view.Unlocked[n-1] {
			stand.Approved++
		}
	}
	return stand, nil
}

// verdictMeanwhile returns the id of the review in which the person gave a verdict on the
// plan of tasks since this review was prepared; empty if there is none. That verdict is on
// what this review would ask, so they are not asked again.
func (o *opening) verdictMeanwhile(ctx context.Context) (string, error) {
	name := plans.Name(o.ask.Spec.Plan.Name)
	if !IsTasksPlan(name) {
		return "", nil
	}
	last, err := o.s.LastReview(ctx, o.ask.Session, name)
	if err != nil || last.ID == o.ask.Spec.Plan.Since {
		return "", err
	}
	return last.ID, nil
}

// openWithPlan returns the open review of these very tasks that shows the session's plan above
// them; zero if there is none.
func (s *Store) openWithPlan(ctx context.Context, waits tasks.Pending) (Ask, error) {
	if waits.Session == "" {
		return Ask{}, nil
	}
	asks, err := s.Asks(ctx, waits.Session)
	if err != nil {
		return Ask{}, err
	}
	for _, ask := range asks {
		if ask.Err != nil || !ask.Open() || ask.Spec.Plan == nil || ask.Subject != (Subject{Kind: tasks.SubjectKind, ID: waits.Subject}) {
			continue
		}
		text, err := s.PlanText(ctx, ask.Session, ask.Spec.Plan.Number)
		if err == nil && waits.IsBelow(text) {
			return s.Ask(ctx, ask.ID)
		}
	}
	return Ask{}, nil
}

// reviewedText is the text that the person is to read.
func (s *Store) reviewedText(ctx context.Context, session string, waits tasks.Pending, r TaskReview) (safe.Text, error) {
	if !r.WithPlan {
		return waits.Text, nil
	}
	return s.aboveTasks(ctx, session, waits)
}

// notDeleted returns the session; empty if there is none by that id.
func (s *Store) notDeleted(ctx context.Context, session string) (string, error) {
	if session == "" {
		return "", nil
	}
	_, err := s.Session(ctx, session)
	if _, deleted := errors.AsType[*UnknownError](err); deleted {
		return "", nil
	}
	return session, err
}

// moveTasks makes a plan one of the review's session, and returns the session of the plan:
// another one if another connection was quicker, so that both wait for one review.
func (s *Store) moveTasks(ctx context.Context, by tasks.Caller, id, before string, r TaskReview) (session string, err error) {
	if session = r.Session; session == "" && r.NewSession != nil {
		if session, err = r.NewSession(ctx); err != nil {
			return "", err
		}
	}
	if session == "" {
		return "", errors.New("a plan of tasks is reviewed in a session, and this one has none")
	}
	return s.tasks.Move(ctx, by, id, before, session)
}

// aboveTasks returns the text to be reviewed with the session's latest plan above it.
func (s *Store) aboveTasks(ctx context.Context, session string, waits tasks.Pending) (safe.Text, error) {
	if session == "" {
		return safe.Text{}, rules.InvalidBecause("withPlan", "the plan has no session yet; pass the sessionId of the one whose plan is to be read with it, or leave withPlan out")
	}
	last, err := s.lastVersion(ctx, session, func(v Plan) bool { return !IsTasksPlan(v.Name) })
	if err != nil {
		return safe.Text{}, err
	}
	if last.Number == 0 {
		return safe.Text{}, rules.InvalidBecause("withPlan", "that session has no plan that save_plan or write_plan kept; leave withPlan out")
	}
	plan, err := s.PlanText(ctx, session, last.Number)
	if err != nil {
		return safe.Text{}, err
	}
	return waits.Below(plan)
}

// taskVersion returns the latest version with the name if it has the text, else a new one.
func (s *Store) taskVersion(ctx context.Context, session string, name plans.Name, text safe.Text) (Plan, error) {
	last, err := s.lastVersion(ctx, session, func(v Plan) bool { return v.Name == name })
	if err != nil || last.Number > 0 && last.Digest == plans.Digest(text) {
		return last, err
	}
	saved, _, err := s.savePlan(ctx, session, text.Raw(), plans.Version{Name: name})
	return saved, err
}

// lastVersion returns the latest of the session's plan versions for which wanted is true;
// zero if there is none.
func (s *Store) lastVersion(ctx context.Context, session string, wanted func(Plan) bool) (last Plan, err error) {
	versions, err := s.Plans(ctx, session)
	for _, version := range versions {
		if version.Err == nil && wanted(version) {
			last = version
		}
	}
	return last, err
}
