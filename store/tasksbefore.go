package store

import (
	"context"
	"slices"
	"time"

	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store/tasks"
)

// PlanAsBefore is TextBefore for two versions of a session.
func (s *Store) PlanAsBefore(ctx context.Context, session string, older, newer int) (safe.Text, error) {
	text := func(number int) (safe.Text, error) { return s.PlanText(ctx, session, number) }
	versions, err := s.Plans(ctx, session)
	if err != nil {
		return safe.Text{}, err
	}
	var asks []Ask
	if at := slices.IndexFunc(versions, func(v Plan) bool { return v.Number == newer }); at >= 0 && IsTasksPlan(versions[at].Name) {
		if asks, err = s.Asks(ctx, session); err != nil {
			return safe.Text{}, err
		}
	}
	return TextBefore(versions, asks, older, newer, text, s.tasks.Verdict)
}

// TextBefore returns the text of an older version of a session's plan as it is compared with a
// newer one. The later versions of a plan of tasks have only what changes in it, so the text has the
// same tasks, as the person approved them last; see approvedBefore. Of any other version it is the
// older one's own text. versions and asks are those of the session; text reads a version, and verdict
// what a person said in a review.
func TextBefore(
	versions []Plan, asks []Ask, older, newer int,
	text func(number int) (safe.Text, error), verdict func(answer string) (tasks.Verdict, error),
) (safe.Text, error) {
	numbers := approvedBefore(versions, asks, older, newer, verdict)
	if len(numbers) == 0 {
		return text(older)
	}
	var err error
	texts := make([]safe.Text, len(numbers))
	for i, number := range numbers {
		if texts[i], err = text(number); err != nil {
			return safe.Text{}, err
		}
	}
	now, err := text(newer)
	return rules.AsBefore(now, texts), err
}

// approvedBefore returns the numbers of the versions whose tasks a newer version is compared with
// instead of with the text of an older one, the newest first: all that the person had approved of
// the same plan of tasks by the older one. There are none if the older version is of another plan,
// or if the person approved nothing before, or sent back last what was to change: then the newer
// version takes the place of the older one.
func approvedBefore(versions []Plan, asks []Ask, older, newer int, verdict func(answer string) (tasks.Verdict, error)) (numbers []int) {
	at := func(number int) Plan {
		if i := slices.IndexFunc(versions, func(v Plan) bool { return v.Number == number && v.Err == nil }); i >= 0 {
			return versions[i]
		}
		return Plan{}
	}
	now := at(newer)
	if !IsTasksPlan(now.Name) || at(older).Name != now.Name {
		return nil
	}
	var last time.Time
	approves := false // in the last review before the newer version
	for _, ask := range asks {
		of := ask.Spec.Plan
		if ask.Err != nil || of == nil || of.Name != string(now.Name) || ask.Outcome.State != questions.Answered || ask.Outcome.At.After(now.Created) {
			continue
		}
		answer, _ := ask.Outcome.Reply.Answers[questions.ReviewID].Text()
		said, err := verdict(answer)
		if err != nil {
			continue
		}
		if !ask.Outcome.At.Before(last) {
			last, approves = ask.Outcome.At, said.Approves
		}
		if !said.Approves {
			continue
		}
		number := of.Number
		for _, v := range versions {
			if v.Err == nil && v.Name == now.Name && said.Edited != "" && v.Digest == said.Edited {
				number = v.Number
			}
		}
		if number <= older {
			numbers = append(numbers, number)
		}
	}
	if !approves {
		return nil
	}
	slices.SortFunc(numbers, func(a, b int) int { return b - a })
	return slices.Compact(numbers)
}
