package store

import (
	"context"
	"time"

	"planb/questions"
	"planb/store/kv"
)

// wakeRecord is what of an ask's record says whether it waits now.
type wakeRecord struct {
	header
	Own     bool      `json:"own"`
	Snoozed time.Time `json:"snoozed"`
	Outcome struct {
		State questions.State `json:"state"`
	} `json:"outcome"`
}

// Awake counts what Waiting returns and is not snoozed at that time, without
// reading the rest of each ask: a status line asks every few seconds.
func (s *Store) Awake(ctx context.Context, now time.Time) (int, error) {
	entries, err := s.scanEach(ctx, openKeys)
	if err != nil {
		return 0, err
	}
	keys := make([]kv.Key, len(entries))
	for i, entry := range entries {
		keys[i] = askKey(lastPart(entry.Key))
	}
	records, err := s.getEach(ctx, keys...)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, r := range records {
		if r.err == nil && !r.Exists() {
			continue
		}
		a, err := decodeFound[wakeRecord](s, r)
		if _, one := aboutOne(err); err != nil && !one {
			return 0, err
		}
		if err != nil || !a.Outcome.State.Final() && !a.Own && !a.Snoozed.After(now) {
			n++
		}
	}
	return n, nil
}
