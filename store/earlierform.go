package store

import (
	"context"
	"slices"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// maxEarlierForms is how many of a session's ended asks EarlierForm looks through for shared
// questions.
const maxEarlierForms = 50

// EarlierForm returns the earlier ask whose reply can be offered to the person who answers
// this one: the latest answered or discussed ask with the same form, in the same session,
// else in another session of the same project. Without such an ask it is the session's
// latest discussed ask that has a question of the same id and kind; unless the person has
// answered such a question since. It is returned with its spec; ok is false if there is
// none. EarlierForm skips asks that cannot be read; a session that cannot be read counts as
// one without a project. EarlierAnswers looks for single questions instead of whole forms.
func (s *Store) EarlierForm(ctx context.Context, ask Ask) (earlier Ask, ok bool, err error) {
	owner, err := s.Session(ctx, ask.Session)
	if ledger.AboutOne(err) {
		owner = Session{}
		owner.ID, _ = ledger.CanonicalID(ask.Session) // its record is not needed for the id
	} else if err != nil {
		return Ask{}, false, err
	}
	if ask.Digest == "" {
		ask.Digest = ask.Spec.Digest()
	}
	earlier, ok, err = s.sameBefore(ctx, ask, owner)
	if ok || err != nil {
		return earlier, ok, err
	}
	return s.alikeBefore(ctx, ask, owner)
}

func (s *Store) sameBefore(ctx context.Context, ask Ask, owner Session) (Ask, bool, error) {
	scope, err := s.scopeOf(ctx, owner)
	if err != nil {
		return Ask{}, false, err
	}
	records, err := s.ledger.List(ctx, digestOf(ask.Digest))
	if err != nil {
		return Ask{}, false, err
	}
	var own, others []kv.Key
	for _, r := range records {
		entry, err := ledger.DecodeFound[indexRecord](s.ledger, r)
		switch {
		case ledger.AboutOne(err):
		case err != nil:
			return Ask{}, false, err
		case entry.Session == owner.ID:
			own = append(own, askKey(ledger.LastPart(r.Key)))
		case scope.has(entry.belonging):
			others = append(others, askKey(ledger.LastPart(r.Key)))
		}
	}
	for _, keys := range [][]kv.Key{own, others} {
		ended, err := s.endedBefore(ctx, keys, ask)
		if err != nil {
			return Ask{}, false, err
		}
		for _, candidate := range ended {
			earlier, err := s.Ask(ctx, candidate.ID)
			if !ledger.AboutOne(err) {
				return earlier, err == nil, err
			}
		}
	}
	return Ask{}, false, nil
}

// endedBefore returns the answered and discussed asks among the keys, asked
// before this one, the latest outcome first.
func (s *Store) endedBefore(ctx context.Context, keys []kv.Key, ask Ask) ([]Ask, error) {
	ended, err := s.chosen(ctx, keys, false, func(a Ask) bool {
		earlier := ask.Created.IsZero() || !a.Created.After(ask.Created)
		replied := a.Outcome.State == questions.Answered || a.Outcome.State == questions.Discuss
		return a.ID != ask.ID && earlier && replied
	})
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(ended, func(a, b Ask) int { return b.Outcome.At.Compare(a.Outcome.At) })
	return ended, nil
}

func (s *Store) alikeBefore(ctx context.Context, ask Ask, owner Session) (Ask, bool, error) {
	records, err := s.ledger.List(ctx, asksOf(owner.ID)) // an entry that cannot be read still names its ask
	if err != nil {
		return Ask{}, false, err
	}
	keys := make([]kv.Key, 0, len(records))
	for _, r := range records {
		keys = append(keys, askKey(ledger.LastPart(r.Key)))
	}
	ended, err := s.endedBefore(ctx, keys, ask)
	if err != nil {
		return Ask{}, false, err
	}
	spec := ask.Spec
	if len(spec.Questions) == 0 && ask.ID != "" {
		full, err := s.Ask(ctx, ask.ID)
		if err != nil {
			return Ask{}, false, err
		}
		spec = full.Spec
	}
	for _, candidate := range ended[:min(len(ended), maxEarlierForms)] {
		full, err := s.Ask(ctx, candidate.ID)
		if ledger.AboutOne(err) {
			continue
		}
		if err != nil {
			return Ask{}, false, err
		}
		if share(full.Spec, spec) {
			return full, full.Outcome.State == questions.Discuss, nil
		}
	}
	return Ask{}, false, nil
}

// share reports whether a question of one form is one of the other's.
func share(a, b questions.Spec) bool {
	return slices.ContainsFunc(a.Questions, func(q questions.Question) bool {
		other, ok := b.Question(q.ID)
		return ok && other.Kind == q.Kind
	})
}
