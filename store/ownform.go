package store

import (
	"context"
	"slices"

	"planb/questions"
)

// OwnForm returns the latest form of that spec which a person began by a command of
// their own in the scope, and which is open, or settled and not told yet. Without
// one it returns the zero Ask.
func (s *Store) OwnForm(ctx context.Context, scope Scope, spec questions.Spec) (Ask, error) {
	same := func(a Ask) bool { return a.Own && a.Digest == spec.Digest() }
	settled, err := s.UndeliveredIn(ctx, scope)
	if err != nil {
		return Ask{}, err
	}
	open, err := s.listedEach(ctx, openKeys, Ask.Open)
	if err != nil {
		return Ask{}, err
	}
	for _, ask := range slices.Backward(append(settled, open...)) {
		if ask.Err != nil || !same(ask) {
			continue
		}
		session, err := s.Session(ctx, ask.Session)
		if err != nil {
			return Ask{}, err
		}
		if scope.Has(session) {
			return s.Ask(ctx, ask.ID)
		}
	}
	return Ask{}, nil
}
