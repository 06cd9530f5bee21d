package store

import (
	"context"
	"time"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// wakeRecord is what of an ask's record says whether it waits now.
type wakeRecord struct {
	ledger.Header
	Own     bool      `json:"own"`
	Snoozed time.Time `json:"snoozed"`
	Outcome struct {
		State questions.State `json:"state"`
	} `json:"outcome"`
}

// Awake counts what Waiting returns and is not snoozed at that time, without
// reading the rest of each ask: a status line asks every few seconds.
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
