package archive

import (
	"context"
	"fmt"
	"iter"

	"planb/plans/review"
	"planb/questions/safe"
	"planb/store"
	"planb/store/tasks"
	"planb/store/timeline"
)

// Telling is a session with its story and the details of its versions.
type Telling struct {
	Session
	Story   *timeline.Story
	Details map[int]timeline.Detail // by the number of the version
}

// Tell returns the session's story.
func (s Session) Tell(ctx context.Context) (Telling, error) {
	told := Telling{Session: s, Details: map[int]timeline.Detail{}}
	var err error
	if told.Story, err = timeline.Read(ctx, inMemory{s}, s.ID); err != nil {
		return Telling{}, err
	}
	numbers := make([]int, len(s.Plans))
	for i, plan := range s.Plans {
		numbers[i] = plan.Number
	}
	for detail, err := range told.Story.Details(ctx, inMemory{s}, numbers...) {
		if err != nil {
			return Telling{}, err
		}
		told.Details[detail.Plan] = detail
	}
	return told, nil
}

// Before returns an older version with its text as it is compared with a newer one; see
// store.TextBefore.
func (s Session) Before(older, newer store.WholePlan) store.WholePlan {
	text, err := inMemory{s}.PlanAsBefore(context.Background(), s.ID, older.Number, newer.Number)
	if err == nil {
		older.Text = text
	}
	return older
}

// inMemory answers as the store that the session was read from.
type inMemory struct{ s Session }

func (m inMemory) Session(context.Context, string) (store.Session, error) { return m.s.Session, nil }

func (m inMemory) Asks(context.Context, string) ([]store.Ask, error) { return m.s.Asks, nil }

func (m inMemory) Plans(context.Context, string) ([]store.Plan, error) {
	list := make([]store.Plan, len(m.s.Plans))
	for i, plan := range m.s.Plans {
		list[i] = plan.Plan
	}
	return list, nil
}

func (m inMemory) PlanAsBefore(ctx context.Context, _ string, older, newer int) (safe.Text, error) {
	versions, err := m.Plans(ctx, m.s.ID)
	if err != nil {
		return safe.Text{}, err
	}
	return store.TextBefore(versions, m.s.Asks, older, newer, func(number int) (safe.Text, error) {
		for _, plan := range m.s.Plans {
			if plan.Number == number {
				return plan.Text, plan.Err
			}
		}
		return safe.Text{}, fmt.Errorf("v%d is not there", number)
	}, verdict)
}

// verdict reads what a person said of a plan of tasks.
func verdict(answer string) (tasks.Verdict, error) {
	said, err := review.Parse([]byte(answer))
	return tasks.Verdict{Approves: said.Verdict.Approves(), Edited: said.Edited}, err
}

func (m inMemory) WholeAsks(context.Context, ...string) iter.Seq2[store.Ask, error] {
	return func(yield func(store.Ask, error) bool) {
		for _, ask := range m.s.Asks {
			if !yield(ask, nil) {
				return
			}
		}
	}
}

func (m inMemory) WholePlans(_ context.Context, ids ...store.PlanID) iter.Seq2[store.WholePlan, error] {
	return func(yield func(store.WholePlan, error) bool) {
		numbers := make(map[int]store.WholePlan, len(m.s.Plans))
		for _, plan := range m.s.Plans {
			numbers[plan.Number] = plan
		}
		for _, id := range ids {
			if plan, ok := numbers[id.Number]; ok && !yield(plan, nil) {
				return
			}
		}
	}
}
