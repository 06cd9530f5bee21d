package archive

import (
	"context"
	"iter"

	"planb/store"
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
