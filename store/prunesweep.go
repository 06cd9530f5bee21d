package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"planb/store/kv"
)

// sweepStep is how many asks one commit deletes: eight keys each.
const sweepStep = kv.MaxBatchWrites / 8

// sweepAsks deletes everything that hangs on a gone session but its plans. It may
// end anywhere, and is begun again: what names an ask goes with the ask, and what
// only the ask names goes before it.
func (s *Store) sweepAsks(ctx context.Context, session string) error {
	for {
		entries, _, err := s.pageEach(ctx, asksOf(session), "", sweepStep)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			break
		}
		var keys []kv.Key
		for _, entry := range entries {
			ask, err := s.remains(ctx, session, lastPart(entry.Key))
			if err != nil {
				return err
			}
			keys = append(keys, entry.Key)
			keys = append(keys, ask...)
		}
		slices.Sort(keys)
		if err := s.drop(ctx, slices.Compact(keys)); err != nil {
			return err
		}
	}
	for _, prefix := range []kv.Key{openOf(session), undeliveredOf(session), sameKeys + kv.Key(session) + "/"} {
		if err := s.dropUnder(ctx, prefix); err != nil {
			return err
		}
	}
	return nil
}

// planDigests is what the texts of a gone session's plans were.
func (s *Store) planDigests(ctx context.Context, session string) (map[int]string, error) {
	digests := map[int]string{}
	err := s.every(ctx, plansOf(session), func(r found) error {
		plan, err := decodeFound[planRecord](s, r)
		if _, one := aboutOne(err); one {
			return nil
		}
		digests[plan.Number] = plan.Text.Digest
		return err
	})
	return digests, err
}

// remains deletes what only the ask names and returns the keys of the ask itself
// and of what names it. The entry of a damaged index may name another session's
// ask, which stays.
func (s *Store) remains(ctx context.Context, session, ask string) ([]kv.Key, error) {
	r, err := s.bare(ctx, askKey(ask))
	if err != nil {
		return nil, err
	}
	var record struct {
		Session string `json:"session"`
		Digest  string `json:"digest"`
	}
	unread := r.err != nil || !r.Exists() || json.Unmarshal(r.Value, &record) != nil || record.Session == ""
	if !unread && record.Session != session {
		return nil, nil
	}
	for _, prefix := range []kv.Key{entryParts(ask), lateOf(ask), ShowClaims(ask), WaitClaims(ask), AskerClaims(ask)} {
		if err := s.dropUnder(ctx, prefix); err != nil {
			return nil, err
		}
	}
	keys := []kv.Key{entryKey(ask), askKey(ask)}
	if unread || record.Digest == "" {
		if record.Digest, err = s.formOf(ctx, ask); err != nil {
			return nil, err
		}
	} else if memory, err := s.memoryLeft(ctx, r); err != nil {
		return nil, err
	} else if memory != "" {
		keys = append(keys, memory)
	}
	// In what state it was does not matter: as an open one it has the most entries,
	// and what is left of the undelivered ones goes after all asks.
	for _, e := range indexes(Ask{ID: ask, Session: session, Digest: record.Digest}, belonging{}) {
		keys = append(keys, e.key)
	}
	return keys, nil
}

// formOf is the digest of an ask's form, of which only the index tells when the
// ask's record cannot be read; empty if that does not, either.
func (s *Store) formOf(ctx context.Context, ask string) (digest string, err error) {
	err = s.every(ctx, digestKeys, func(r found) error {
		if lastPart(r.Key) == ask {
			digest = sessionIn(r.Key)
		}
		return nil
	})
	return digest, err
}

// bare reads one record as it is, also that of a gone session's ask.
func (s *Store) bare(ctx context.Context, key kv.Key) (found, error) {
	records, err := s.engine.Get(ctx, key)
	if damaged, one := aboutOne(err); one && damaged == key {
		return found{kv.Record{Key: key}, err}, nil
	}
	if err != nil {
		return found{}, err
	}
	return found{Record: records[0]}, nil
}

// dropUnder deletes every record under the prefix.
func (s *Store) dropUnder(ctx context.Context, prefix kv.Key) error {
	for {
		some, _, err := s.pageEach(ctx, prefix, "", kv.MaxBatchWrites)
		if err != nil || len(some) == 0 {
			return err
		}
		keys := make([]kv.Key, len(some))
		for i, r := range some {
			keys[i] = r.Key
		}
		if err := s.drop(ctx, keys); err != nil {
			return err
		}
	}
}

// drop deletes the keys, quietly: nobody saw them any more.
func (s *Store) drop(ctx context.Context, keys []kv.Key) error {
	return s.commit(ctx, func(c *change) error {
		c.Quiet = true
		c.delete(keys...)
		return nil
	})
}

// dropSeen deletes the records that are still as they were seen, quietly, and
// returns which those are. Besides are records it depends on.
func (s *Store) dropSeen(ctx context.Context, seen []kv.Record, besides ...kv.Record) (dropped []kv.Key, err error) {
	keys := make([]kv.Key, 0, len(seen)+len(besides))
	for _, r := range slices.Concat(seen, besides) {
		keys = append(keys, r.Key)
	}
	err = s.commit(ctx, func(c *change) error {
		c.Quiet = true
		dropped = nil
		records, err := s.get(ctx, keys...)
		if err != nil {
			return err
		}
		for i, r := range besides {
			if records[len(seen)+i].Rev != r.Rev {
				return nil
			}
		}
		c.check(besides...)
		for i, r := range seen {
			if r.Exists() && records[i].Rev == r.Rev {
				c.check(r)
				c.delete(r.Key)
				dropped = append(dropped, r.Key)
			}
		}
		return nil
	})
	return dropped, err
}

// strayParts calls do with each chunk of an entry that its entry does not refer to,
// and with the entry, whose record may be missing. Those of an entry that cannot be
// read are none.
func (s *Store) strayParts(ctx context.Context, do func(part, entry kv.Record) error) error {
	var entry kv.Record
	var parts []string
	unread := false
	return s.every(ctx, entryKeys, func(r found) error {
		_, part, isPart := strings.Cut(string(r.Key[len(entryKeys):]), "/")
		if !isPart {
			record, err := decodeFound[entryRecord](s, r)
			if _, one := aboutOne(err); err != nil && !one {
				return err
			}
			entry, parts, unread = r.Record, record.parts(), err != nil
			return nil
		}
		ask := sessionIn(r.Key)
		if entry.Key != entryKey(ask) {
			entry, parts, unread = kv.Record{Key: entryKey(ask)}, nil, false
		}
		if unread || r.err != nil || slices.Contains(parts, part) {
			return nil
		}
		return do(r.Record, entry)
	})
}
