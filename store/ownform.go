package store

import (
	"context"
	"errors"
	"slices"

	"planb/questions"
)

// OwnForm returns the latest form of that spec that a person began by a command in the
// scope. The form is open and shown in no pane, or settled and not told yet. If there is
// none, OwnForm returns the zero Ask. It skips forms that cannot be read.
func (s *Store) OwnForm(ctx context.Context, scope Scope, spec questions.Spec) (Ask, error) {
	settled, err := s.UndeliveredIn(ctx, scope)
	if err != nil {
		return Ask{}, err
	}
	open, err := s.listedEach(ctx, openKeys, Ask.Open)
	if err != nil {
		return Ask{}, err
	}
	for _, ask := range slices.Backward(append(settled, open...)) {
		if ask.Err != nil || !ask.Own || ask.Digest != spec.Digest() {
			continue
		}
		left, err := s.leftIn(ctx, scope, ask)
		if AboutOneRecord(err) || errors.As(err, new(*UnknownError)) {
			continue
		}
		if err != nil || left.ID != "" {
			return left, err
		}
	}
	return Ask{}, nil
}

// leftIn returns the ask with its spec. It returns the zero Ask if the ask is of
// another scope, or if a pane still shows it.
func (s *Store) leftIn(ctx context.Context, scope Scope, ask Ask) (Ask, error) {
	session, err := s.Session(ctx, ask.Session)
	if err != nil || !scope.Has(session) {
		return Ask{}, err
	}
	if ask.Open() {
		if shown, err := s.AliveAny(ctx, ShowClaims(ask.ID)); shown || err != nil {
			return Ask{}, err
		}
	}
	return s.Ask(ctx, ask.ID)
}
