package tasks

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"planb/store/ledger"
)

// eventOverlap is how far back a follower looks again: the clocks of two processes that
// write may differ, and a commit may take a while.
const eventOverlap = 10 * time.Second

// Events calls do with what was done to the projects and plans that the caller finds,
// from since on, the oldest first. If follow is set it goes on with what is done later,
// until ctx ends or do returns an error.
func (s *Store) Events(ctx context.Context, by Caller, since time.Time, follow bool, do func(Event) error) error {
	told := map[string]time.Time{} // by operation
	look := func() error {
		list, err := s.eventsSince(ctx, by, since, told)
		if err != nil {
			return err
		}
		for _, event := range list {
			told[event.About+event.Op] = event.At
			if err := do(event); err != nil {
				return err
			}
		}
		if len(list) > 0 {
			since = laterOf(since, list[len(list)-1].At.Add(-eventOverlap))
			maps.DeleteFunc(told, func(_ string, at time.Time) bool { return at.Before(since) })
		}
		return nil
	}
	if !follow {
		return look()
	}
	rings, err := s.ledger.Watch(ctx, rowKeys)
	if err != nil {
		return err
	}
	for range rings {
		if err := look(); err != nil {
			return err
		}
	}
	return ctx.Err()
}

func laterOf(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// eventsSince returns the events that were not told, the oldest first.
func (s *Store) eventsSince(ctx context.Context, by Caller, since time.Time, told map[string]time.Time) ([]Event, error) {
	var about []string
	projects, err := s.Projects(ctx, by)
	if err != nil {
		return nil, err
	}
	for _, p := range projects {
		if p.Err == nil && s.sees(by, p.Path) {
			about = append(about, p.ID)
		}
	}
	plans, err := s.Plans(ctx, by)
	if err != nil {
		return nil, err
	}
	for _, p := range plans {
		about = append(about, p.ID)
	}
	var list []Event
	for _, id := range about {
		some, err := s.rowsSince(ctx, id, since)
		if err != nil {
			return nil, err
		}
		for _, event := range some {
			if _, known := told[event.About+event.Op]; !known {
				list = append(list, event)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Event) int { return a.At.Compare(b.At) })
	return list, nil
}

// rowsSince reads the rows of a project or a plan from a time on, the newest first.
func (s *Store) rowsSince(ctx context.Context, about string, since time.Time) (list []Event, err error) {
	err = s.ledger.Each(ctx, rowsOf(about), func(f ledger.Found) error {
		event, err := s.readRow(f)
		if err != nil {
			return err
		}
		if event.At.Before(since) {
			return errOlder
		}
		list = append(list, event)
		return nil
	})
	if errors.Is(err, errOlder) {
		err = nil
	}
	return list, err
}

// errOlder ends the reading of rows.
var errOlder = errors.New("the row is older")
