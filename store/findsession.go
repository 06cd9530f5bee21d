package store

import (
	"context"
	"slices"
	"strings"

	"planb/store/ledger"
)

// FindSession returns the session a person means: by its long id, by the first
// eight or more digits of it, or by its short id (see ShortID) or the first four
// or more digits of that; dashes do not matter. It returns *UnknownError or
// *AmbiguousError when there is none, or more than one. A session whose record
// cannot be read has Err. By a part of an id it costs one read for each thousand
// sessions.
func (s *Store) FindSession(ctx context.Context, idOrPart string) (Session, error) {
	if canonical, ok := ledger.CanonicalID(idOrPart); ok {
		return s.listedSession(ctx, canonical)
	}
	part := strings.ToLower(strings.ReplaceAll(idOrPart, "-", ""))
	if len(part) < minShortDigits || strings.Trim(part, "0123456789abcdef") != "" {
		return Session{}, &UnknownError{What: "session", ID: idOrPart}
	}
	entries, err := s.ledger.List(ctx, changedKeys)
	if err != nil {
		return Session{}, err
	}
	var matches []string
	for _, entry := range entries {
		if id := ledger.LastPart(entry.Key); namedBy(id, part) {
			matches = append(matches, id)
		}
	}
	slices.Sort(matches) // one that changed meanwhile was seen twice
	matches = slices.Compact(matches)
	switch len(matches) {
	case 0:
		return Session{}, &UnknownError{What: "session", ID: idOrPart}
	case 1:
		return s.listedSession(ctx, matches[0])
	}
	return Session{}, &AmbiguousError{What: "session", ID: idOrPart, Matches: matches}
}

// namedBy reports whether digits are what a person may call an id.
func namedBy(id, digits string) bool {
	if strings.HasPrefix(ShortID(id), digits) {
		return true
	}
	return len(digits) >= shortDigits && strings.HasPrefix(strings.ReplaceAll(id, "-", ""), digits)
}

// listedSession is the session of that id; with Err if it cannot be read.
func (s *Store) listedSession(ctx context.Context, id string) (Session, error) {
	session, err := s.Session(ctx, id)
	if ledger.AboutOne(err) {
		return Session{ID: id, Err: err}, nil
	}
	return session, err
}
