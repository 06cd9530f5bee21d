package ask

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"planb/plans"
	"planb/plans/diff"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	kept "planb/store/tasks"
	"planb/store/timeline"
)

// plan reads the plan that an ask is about; nil if it is about no plan. If the plan cannot
// be read, its Problem says why.
func (h *Host) plan(ctx context.Context, ask store.Ask) (*review.Subject, error) {
	ref := ask.Spec.Plan
	if ref == nil {
		return nil, nil
	}
	in := &review.Subject{Version: ref.Number}
	text, err := h.store.PlanText(ctx, ask.Session, ref.Number)
	switch {
	case ctx.Err() != nil:
		return nil, err
	case err != nil:
		in.Problem = err
		return in, nil
	case plans.Digest(text) != ref.Digest:
		in.Problem = errors.New("what planb saved is not what the agent submitted")
		return in, nil
	}
	in.Text, in.Of = text, matterOf(ask, text)
	versions, err := h.store.Plans(ctx, ask.Session)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	in.Newer.Number = newerVersion(versions, *ref, editedIn(ask.Outcome))
	if ask.Open() && in.Newer.Number > 0 {
		in.Newer = h.newer(ctx, ask, in.Newer.Number)
	}
	if ask.Open() {
		in.Earlier, err = h.known(ctx, ask, text)
	}
	if in.Earlier != nil {
		in.Earlier.Done = ref.Done
	}
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	return in, nil // an earlier review that cannot be read is as none
}

// matterOf says what a review with the text is of.
func matterOf(ask store.Ask, text safe.Text) review.Matter {
	switch {
	case !store.IsTasksPlan(plans.Name(ask.Spec.Plan.Name)):
		return review.OfPlan
	case kept.Amends(ask.Subject.ID, text):
		return review.OfChanges
	}
	return review.OfTasks
}

// cited reads the answers that the plan under review cites, and an earlier version of it beside
// which it is shown.
func (h *Host) cited(ctx context.Context, ask store.Ask, plan *review.Subject) map[string]timeline.Citation {
	if plan == nil {
		return nil
	}
	texts := map[int]safe.Text{plan.Version: plan.Text}
	if e := plan.Earlier; e != nil {
		texts[e.Number] = e.Text
	}
	return timeline.Cited(ctx, h.store, ask.Session, texts)
}

// newerThan looks for a version of the plan that was written since. If that is the
// known one, it is not read again.
func (h *Host) newerThan(ctx context.Context, ask store.Ask, known review.Newer) (review.Newer, error) {
	if ask.Spec.Plan == nil {
		return known, nil
	}
	versions, err := h.store.Plans(ctx, ask.Session)
	if err != nil {
		return known, err
	}
	switch number := newerVersion(versions, *ask.Spec.Plan, ""); number {
	case known.Number:
		return known, nil
	case 0:
		return review.Newer{}, nil
	default:
		return h.newer(ctx, ask, number), nil
	}
}

func (h *Host) newer(ctx context.Context, ask store.Ask, number int) review.Newer {
	text, err := h.store.PlanText(ctx, ask.Session, number)
	if err != nil {
		text = safe.Text{}
	}
	return review.Newer{Number: number, Text: text}
}

// begun reads the version on which a review was begun, if that is another one than
// is to be reviewed; nil if it cannot be read.
func (h *Host) begun(ctx context.Context, ask store.Ask, kept, now safe.Text) *review.Begun {
	said, err := review.Parse([]byte(kept.Raw()))
	if kept.IsZero() || err != nil || said.Digest == ask.Spec.Plan.Digest {
		return nil
	}
	versions, err := h.store.Plans(ctx, ask.Session)
	if err != nil {
		return nil
	}
	for _, v := range slices.Backward(versions) {
		if v.Err == nil && v.Digest == said.Digest {
			text, err := h.store.PlanText(ctx, ask.Session, v.Number)
			if err != nil {
				return nil
			}
			return review.BegunOn(v.Number, text, now)
		}
	}
	return nil
}

// editedIn is the digest of what the person made of a plan in their review of it.
func editedIn(o questions.Outcome) string {
	text, _ := o.Reply.Answers[questions.ReviewID].Text()
	r, err := review.Parse([]byte(text))
	if err != nil {
		return ""
	}
	return r.Edited
}

// newerVersion returns the latest version of the same plan, if its text differs from
// the reviewed text and from the person's own edit of that; 0 if there is none.
func newerVersion(versions []store.Plan, ref questions.PlanRef, edited string) int {
	for i := len(versions) - 1; i >= 0; i-- {
		v := versions[i]
		if v.Number <= ref.Number {
			return 0
		}
		if v.Err != nil || string(v.Name) != ref.Name {
			continue
		}
		if v.Digest == ref.Digest || v.Digest == edited {
			return 0
		}
		return v.Number
	}
	return 0
}

// known reads what the person knows of a plan that they are to review; nil if nothing. The text
// of changes of approved tasks has only the changes. So they are compared with the tasks as they
// were approved, unless the person has sent such changes back before.
func (h *Host) known(ctx context.Context, ask store.Ask, now safe.Text) (last *review.Earlier, err error) {
	ref := ask.Spec.Plan
	if ref.Since != "" {
		last, err = h.earlier(ctx, ref.Since, now)
	}
	if err != nil || !store.IsTasksPlan(plans.Name(ref.Name)) || last != nil && !last.Review.Verdict.Approves() {
		return last, err
	}
	approved, at, err := h.store.TasksAsApproved(ctx, ask, now)
	if err != nil || approved.IsZero() {
		return nil, err
	}
	return &review.Earlier{At: at, Text: approved, Seen: approved, Diff: diff.Between(approved.Raw(), now.Raw())}, nil
}

// earlier reads an earlier review; nil if there is none.
func (h *Host) earlier(ctx context.Context, id string, now safe.Text) (*review.Earlier, error) {
	ask, err := h.store.Ask(ctx, id)
	if err != nil || ask.Spec.Plan == nil {
		return nil, err
	}
	e := &review.Earlier{Number: ask.Spec.Plan.Number, At: ask.Outcome.At}
	said, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
	if e.Review, err = review.Parse([]byte(said)); err != nil {
		return nil, err
	}
	if e.Text, err = h.store.PlanText(ctx, ask.Session, e.Number); err != nil {
		return nil, err
	}
	if plans.Digest(e.Text) != e.Review.Digest {
		return nil, fmt.Errorf("the review of v%d was made on another text", e.Number)
	}
	e.Seen = e.Text
	if e.Review.Edited != "" {
		if e.Seen, err = h.planOf(ctx, ask.Session, e.Review.Edited, e.Text); err != nil {
			return nil, err
		}
	}
	e.Diff = diff.Between(e.Seen.Raw(), now.Raw())
	return e, nil
}

// planOf is the text of a session's version with a digest; or else another text.
func (h *Host) planOf(ctx context.Context, session, digest string, orElse safe.Text) (safe.Text, error) {
	versions, err := h.store.Plans(ctx, session)
	if err != nil {
		return orElse, err
	}
	for _, v := range versions {
		if v.Err == nil && v.Digest == digest {
			return h.store.PlanText(ctx, session, v.Number)
		}
	}
	return orElse, nil
}
