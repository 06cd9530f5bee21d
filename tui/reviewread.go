package tui

import (
	"context"
	"fmt"
	"slices"

	"planb/plans"
	"planb/plans/diff"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// askPlans is what reviewing a plan needs of the store.
type askPlans interface {
	Plans(ctx context.Context, session string) ([]store.Plan, error)
	PlanText(ctx context.Context, session string, number int) (safe.Text, error)
	SavePlanEdit(ctx context.Context, of store.PlanID, text string) (plan store.Plan, unchanged bool, err error)
}

// review reads the plan that an ask is about; nil if it is about none. A plan that
// cannot be read is said to be so where it would be.
func (a *askIO) review(ctx context.Context, ask store.Ask) (*reviewInput, error) {
	ref := ask.Spec.Plan
	if ref == nil {
		return nil, nil
	}
	in := &reviewInput{version: ref.Number}
	text, err := a.PlanText(ctx, ask.Session, ref.Number)
	switch {
	case ctx.Err() != nil:
		return nil, err
	case err != nil:
		in.problem = sentence(err)
		return in, nil
	case plans.Digest(text) != ref.Digest:
		in.problem = fmt.Sprintf("the store holds another text as v%d than was submitted.", ref.Number)
		return in, nil
	}
	in.text = text
	versions, err := a.Plans(ctx, ask.Session)
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	in.newer.number = newerVersion(versions, *ref, editedIn(ask.Outcome))
	if ask.Open() && in.newer.number > 0 {
		in.newer = a.newer(ctx, ask, in.newer.number)
	}
	if ask.Open() && ref.Since != "" {
		in.earlier, err = a.earlier(ctx, ref.Since, text)
	}
	if in.earlier != nil {
		in.earlier.done = ref.Done
	}
	if err != nil && ctx.Err() != nil {
		return nil, err
	}
	return in, nil // a review before that cannot be read is as none
}

// newerThan looks whether a version of the plan was written since; the one that is
// known is not read again.
func (a *askIO) newerThan(ctx context.Context, ask store.Ask, known newerPlan) (newerPlan, error) {
	if ask.Spec.Plan == nil {
		return known, nil
	}
	versions, err := a.Plans(ctx, ask.Session)
	if err != nil {
		return known, err
	}
	switch number := newerVersion(versions, *ask.Spec.Plan, ""); number {
	case known.number:
		return known, nil
	case 0:
		return newerPlan{}, nil
	default:
		return a.newer(ctx, ask, number), nil
	}
}

// newer reads a version that was written since; where its text cannot be read there
// is its number alone.
func (a *askIO) newer(ctx context.Context, ask store.Ask, number int) newerPlan {
	text, err := a.PlanText(ctx, ask.Session, number)
	if err != nil {
		text = safe.Text{}
	}
	return newerPlan{number, text}
}

// begun reads the version on which a draft was begun, if that is another one than is
// to be reviewed; nil if it cannot be read.
func (a *askIO) begun(ctx context.Context, ask store.Ask, draft questions.Draft, now safe.Text) *begunReview {
	kept := draft.Fields[questions.ReviewID].Text
	said, err := review.Parse([]byte(kept.Raw()))
	if kept.IsZero() || err != nil || said.Digest == ask.Spec.Plan.Digest {
		return nil
	}
	versions, err := a.Plans(ctx, ask.Session)
	if err != nil {
		return nil
	}
	for _, v := range slices.Backward(versions) {
		if v.Err == nil && v.Digest == said.Digest {
			text, err := a.PlanText(ctx, ask.Session, v.Number)
			if err != nil {
				return nil
			}
			return begunOn(v.Number, text, now)
		}
	}
	return nil
}

func begunOn(number int, text, now safe.Text) *begunReview {
	return &begunReview{number: number, text: text, diff: diff.Between(text.Raw(), now.Raw())}
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

// newerVersion is the latest version of the same plan with another text than the
// reviewed one, and than what the person made of it in the review; 0 if there is
// none.
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

// earlier reads the review before this one; nil if there is none to be read.
func (a *askIO) earlier(ctx context.Context, id string, now safe.Text) (*earlierReview, error) {
	ask, err := a.Ask(ctx, id)
	if err != nil || ask.Spec.Plan == nil {
		return nil, err
	}
	e := &earlierReview{ask: ask}
	said, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
	if e.review, err = review.Parse([]byte(said)); err != nil {
		return nil, err
	}
	if e.text, err = a.PlanText(ctx, ask.Session, ask.Spec.Plan.Number); err != nil {
		return nil, err
	}
	if plans.Digest(e.text) != e.review.Digest {
		return nil, fmt.Errorf("the review of v%d was made on another text", ask.Spec.Plan.Number)
	}
	e.seen = e.text
	if e.review.Edited != "" {
		if e.seen, err = a.planOf(ctx, ask.Session, e.review.Edited, e.text); err != nil {
			return nil, err
		}
	}
	e.diff = diff.Between(e.seen.Raw(), now.Raw())
	return e, nil
}

// planOf is the text of a session's version with a digest; or else another text.
func (a *askIO) planOf(ctx context.Context, session, digest string, orElse safe.Text) (safe.Text, error) {
	versions, err := a.Plans(ctx, session)
	if err != nil {
		return orElse, err
	}
	for _, v := range versions {
		if v.Err == nil && v.Digest == digest {
			return a.PlanText(ctx, session, v.Number)
		}
	}
	return orElse, nil
}

// keepEdit makes what the person made of a plan a version of its own, before the
// review says that it is there.
func (a *askIO) keepEdit(ctx context.Context, ask store.Ask, edited safe.Text) error {
	if edited.IsZero() {
		return nil
	}
	_, _, err := a.SavePlanEdit(ctx, store.PlanID{Session: ask.Session, Number: ask.Spec.Plan.Number}, edited.Raw())
	return err
}
