package store

import (
	"context"
	"time"

	"planb/questions"

	"planb/store/kv"
	"planb/store/ledger"
)

// Snooze notes that the person does not want to be reminded of an open ask before that
// time; the zero time removes the note. It changes nothing else: agents go on waiting
// for the ask, and it can be answered all the while. It rings, so that every list
// follows. An ask that has ended is *questions.SettledError, an unknown one
// *UnknownError.
func (s *Store) Snooze(ctx context.Context, id string, until time.Time) error {
	return s.changeAsk(ctx, id, func(c *ledger.Change, r kv.Record, a askRecord) error {
		switch {
		case a.Outcome.State.Final():
			return &questions.SettledError{Winner: a.Outcome.Outcome}
		case a.Snoozed.Equal(until):
			return nil
		case until.IsZero():
			return s.ledger.Rewrite(c, r, "snoozed", nil)
		}
		return s.ledger.Rewrite(c, r, "snoozed", until.UTC())
	})
}

// wakeRecord is the part of an ask's record that says whether it waits now.
type wakeRecord struct {
	ledger.Header
	Own     bool      `json:"own"`
	Snoozed time.Time `json:"snoozed"`
	Outcome struct {
		State questions.State `json:"state"`
	} `json:"outcome"`
}

// Awake counts the asks of Waiting that are not snoozed at that time. It does not read
// the rest of each ask: a status line calls it every few seconds.
func (s *Store) Awake(ctx context.Context, now time.Time) (int, error) {
	entries, err := s.ledger.List(ctx, openKeys)
	if err != nil {
		return 0, err
	}
	keys := make([]kv.Key, len(entries))
	for i, entry := range entries {
		keys[i] = askKey(ledger.LastPart(entry.Key))
	}
	records, err := s.ledger.GetEach(ctx, keys...)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, r := range records {
		if r.Err == nil && !r.Exists() {
			continue
		}
		a, err := ledger.DecodeFound[wakeRecord](s.ledger, r)
		if err != nil && !ledger.AboutOne(err) {
			return 0, err
		}
		if err != nil || !a.Outcome.State.Final() && !a.Own && !a.Snoozed.After(now) {
			n++
		}
	}
	return n, nil
}
