package store

import (
	"context"

	"planb/plans"
	"planb/questions"
)

// LastReview is the ask, as Asks has it, in which a person said something of the
// session's plan last; it is zero if they never did. Name is that of a plan that
// is worked on as a file, and empty for the session's own.
func (s *Store) LastReview(ctx context.Context, session string, name plans.Name) (last Ask, err error) {
	asks, err := s.Asks(ctx, session)
	if err != nil {
		return Ask{}, err
	}
	for _, ask := range asks {
		of := ask.Spec.Plan
		if of == nil || of.Name != string(name) || ask.Outcome.State != questions.Answered {
			continue
		}
		if !ask.Outcome.At.Before(last.Outcome.At) {
			last = ask
		}
	}
	return last, nil
}
