package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"planb/store/kv"
	"planb/store/ledger"
)

// Ask returns the ask with that id and its whole spec, or *UnknownError.
func (s *Store) Ask(ctx context.Context, id string) (Ask, error) {
	canonical, ok := ledger.CanonicalID(id)
	if !ok {
		return Ask{}, &UnknownError{What: "ask", ID: id}
	}
	records, err := s.ledger.Get(ctx, askKey(canonical))
	if err != nil {
		return Ask{}, err
	}
	if !records[0].Exists() {
		return Ask{}, &UnknownError{What: "ask", ID: id}
	}
	asks, err := s.asks(ctx, records, true)
	if err != nil {
		return Ask{}, err
	}
	return asks[0], nil
}

// AsksNow returns the asks as they stand, in the order of the ids, without their
// questions. An unknown id gives the zero Ask. It costs one read of the engine for each
// 98 ids, and one more for each answer over a kilobyte.
func (s *Store) AsksNow(ctx context.Context, ids ...string) ([]Ask, error) {
	keys := make([]kv.Key, 0, len(ids))
	at := make([]int, 0, len(ids))
	for i, id := range ids {
		if canonical, ok := ledger.CanonicalID(id); ok {
			keys, at = append(keys, askKey(canonical)), append(at, i)
		}
	}
	records, err := s.ledger.Get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	found, err := s.asks(ctx, records, false)
	if err != nil {
		return nil, err
	}
	asks := make([]Ask, len(ids))
	for i, ask := range found {
		asks[at[i]] = ask
	}
	return asks, nil
}

// Asks returns the session's asks, oldest first, without their questions: of the spec
// only Title and Plan are set. An ask that cannot be read is among them, with Err.
func (s *Store) Asks(ctx context.Context, session string) ([]Ask, error) {
	owner, err := s.ownerID(ctx, session)
	if err != nil {
		return nil, err
	}
	return s.listedEach(ctx, asksOf(owner), func(Ask) bool { return true })
}

// Waiting returns every open ask that an agent asked, oldest first, without their
// questions. Asks that cannot be read come last, with Err.
func (s *Store) Waiting(ctx context.Context) ([]Ask, error) {
	asks, err := s.listedEach(ctx, openKeys, func(a Ask) bool { return a.Open() && !a.Own })
	slices.SortStableFunc(asks, func(a, b Ask) int {
		switch {
		case (a.Err == nil) == (b.Err == nil):
			return 0
		case a.Err == nil:
			return -1
		}
		return 1
	})
	return asks, err
}

// Undelivered returns the session's asks whose outcome the agent has yet to learn,
// oldest first, with their specs. An ask that cannot be read is left out: Asks has it,
// with Err.
func (s *Store) Undelivered(ctx context.Context, session string) ([]Ask, error) {
	id, ok := ledger.CanonicalID(session)
	if !ok {
		return nil, &UnknownError{What: "session", ID: session}
	}
	return s.listed(ctx, undeliveredOf(id), true, Ask.Undelivered)
}

// UndeliveredIn is Undelivered over all sessions of a scope.
func (s *Store) UndeliveredIn(ctx context.Context, scope Scope) ([]Ask, error) {
	entries, err := s.ledger.List(ctx, undelivered)
	if err != nil {
		return nil, err
	}
	var keys []kv.Key
	for _, r := range entries {
		entry, err := ledger.DecodeFound[indexRecord](s.ledger, r)
		if err != nil && !ledger.AboutOne(err) {
			return nil, err
		}
		if err == nil && scope.has(entry.belonging) {
			keys = append(keys, askKey(ledger.LastPart(r.Key)))
		}
	}
	return s.chosen(ctx, keys, true, Ask.Undelivered)
}

// Due returns the session's asks that are open or undelivered, oldest first, with their
// specs. An ask that cannot be read is left out: Asks has it, with Err.
func (s *Store) Due(ctx context.Context, session string) ([]Ask, error) {
	owner, err := s.ownerID(ctx, session)
	if err != nil {
		return nil, err
	}
	// Open asks are listed first. So an ask that is settled between the two reads is in the
	// second list, or in both.
	open, err := s.ledger.List(ctx, openOf(owner))
	if err != nil {
		return nil, err
	}
	told, err := s.ledger.List(ctx, undeliveredOf(owner))
	if err != nil {
		return nil, err
	}
	keys := make([]kv.Key, 0, len(open)+len(told))
	for _, r := range append(open, told...) {
		keys = append(keys, askKey(ledger.LastPart(r.Key)))
	}
	slices.Sort(keys)
	return s.chosen(ctx, slices.Compact(keys), true, func(a Ask) bool { return a.Open() || a.Undelivered() })
}

// listed returns the asks that an index names and that pass.
func (s *Store) listed(ctx context.Context, index kv.Key, withSpec bool, pass func(Ask) bool) ([]Ask, error) {
	records, err := s.ledger.List(ctx, index) // an entry that cannot be read still names its ask
	if err != nil {
		return nil, err
	}
	keys := make([]kv.Key, 0, len(records))
	for _, r := range records {
		keys = append(keys, askKey(ledger.LastPart(r.Key)))
	}
	return s.chosen(ctx, keys, withSpec, pass)
}

// chosen reads asks and returns those that can be read and pass, oldest first. The index
// and the records are two snapshots, so pass looks again at what the index says.
func (s *Store) chosen(ctx context.Context, keys []kv.Key, withSpec bool, pass func(Ask) bool) ([]Ask, error) {
	records, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var asks []Ask
	for _, r := range records {
		ask, err := s.askOf(ctx, r, withSpec)
		if err != nil && !ledger.AboutOne(err) {
			return nil, err
		}
		if err == nil && ask.ID != "" && pass(ask) {
			asks = append(asks, ask)
		}
	}
	oldestFirst(asks)
	return asks, nil
}

const (
	shortDigits    = 8
	minShortDigits = 4 // of what FindAsk looks for
)

// ShortID is what a person types instead of an ask's id: its last eight hex digits.
func ShortID(id string) string {
	if len(id) <= shortDigits {
		return id
	}
	return id[len(id)-shortDigits:]
}

// AmbiguousError says that a part of an id fits several asks or sessions.
type AmbiguousError struct {
	What    string // "session"; empty means "ask"
	ID      string
	Matches []string // long ids
}

// Error gives the sentence. It names no more than a person reads.
func (e *AmbiguousError) Error() string {
	const most = 8
	what := e.What
	if what == "" {
		what = "ask"
	}
	named := strings.Join(e.Matches[:min(len(e.Matches), most)], ", ")
	if more := len(e.Matches) - most; more > 0 {
		named += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("%q fits %d %ss; give more digits, or one of %s", e.ID, len(e.Matches), what, named)
}

// FindAsk returns the ask that a person means: by its long id, by its short id, or by
// the first four or more digits of the short id. It returns *UnknownError if there is
// none, and *AmbiguousError if there are several.
func (s *Store) FindAsk(ctx context.Context, idOrShort string) (Ask, error) {
	if len(idOrShort) > shortDigits {
		return s.Ask(ctx, idOrShort)
	}
	short := strings.ToLower(idOrShort)
	if len(short) < minShortDigits || strings.Trim(short, "0123456789abcdef") != "" {
		return Ask{}, &UnknownError{What: "ask", ID: idOrShort}
	}
	records, err := s.ledger.List(ctx, shortKeys+kv.Key(short))
	if err != nil {
		return Ask{}, err
	}
	matches := make([]string, 0, len(records))
	for _, r := range records {
		matches = append(matches, ledger.LastPart(r.Key))
	}
	if matches, err = s.notGone(ctx, matches); err != nil {
		return Ask{}, err
	}
	switch len(matches) {
	case 0:
		return Ask{}, &UnknownError{What: "ask", ID: idOrShort}
	case 1:
		return s.Ask(ctx, matches[0])
	}
	return Ask{}, &AmbiguousError{ID: idOrShort, Matches: matches}
}

// listedEach returns the asks that an index names, of one session or of all, and that
// pass, oldest first. An ask that cannot be read is among them, with Err.
func (s *Store) listedEach(ctx context.Context, index kv.Key, pass func(Ask) bool) ([]Ask, error) {
	entries, err := s.ledger.List(ctx, index) // an entry that cannot be read still names its ask
	if err != nil {
		return nil, err
	}
	keys := make([]kv.Key, len(entries))
	for i, entry := range entries {
		keys[i] = askKey(ledger.LastPart(entry.Key))
	}
	records, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	asks := make([]Ask, 0, len(records))
	for i, r := range records {
		ask, err := s.askOf(ctx, r, false)
		if ledger.AboutOne(err) {
			id := ledger.LastPart(r.Key)
			ask = Ask{ID: id, Session: ledger.Parent(entries[i].Key), Created: ledger.TimeOf(id), Err: err}
		} else if err != nil {
			return nil, err
		}
		asks = append(asks, ask)
	}
	asks = slices.DeleteFunc(asks, func(a Ask) bool { return a.ID == "" || a.Err == nil && !pass(a) })
	oldestFirst(asks)
	return asks, nil
}

// askOf is the ask of one record of a list; the zero Ask if the record is missing.
func (s *Store) askOf(ctx context.Context, r ledger.Found, withSpec bool) (Ask, error) {
	if r.Err != nil {
		return Ask{}, r.Err
	}
	asks, err := s.asks(ctx, []kv.Record{r.Record}, withSpec)
	if err != nil {
		return Ask{}, err
	}
	return asks[0], nil
}
