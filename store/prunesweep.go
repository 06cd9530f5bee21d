package store

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"planb/store/kv"
	"planb/store/ledger"
)

// sweepStep is how many asks one commit deletes: eight keys each.
const sweepStep = kv.MaxBatchWrites / 8

// sweepAsks deletes the asks of a gone session with all that belongs to them. It may end
// at any point and is then begun again. So records that only an ask refers to go before
// the ask, and records that refer to an ask go with it.
func (s *Store) sweepAsks(ctx context.Context, session string) error {
	for {
		entries, _, err := s.ledger.Page(ctx, asksOf(session), "", sweepStep)
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			break
		}
		var keys []kv.Key
		for _, entry := range entries {
			ask, err := s.remains(ctx, session, ledger.LastPart(entry.Key))
			if err != nil {
				return err
			}
			keys = append(keys, entry.Key)
			keys = append(keys, ask...)
		}
		slices.Sort(keys)
		if err := s.ledger.Drop(ctx, slices.Compact(keys)); err != nil {
			return err
		}
	}
	for _, prefix := range []kv.Key{openOf(session), undeliveredOf(session), sameKeys + kv.Key(session) + "/"} {
		if err := s.ledger.DropUnder(ctx, prefix); err != nil {
			return err
		}
	}
	return nil
}

// planDigests are the digests of the texts of a gone session's plans, by number.
func (s *Store) planDigests(ctx context.Context, session string) (map[int]string, error) {
	digests := map[int]string{}
	err := s.ledger.Each(ctx, plansOf(session), func(r ledger.Found) error {
		plan, err := ledger.DecodeFound[planRecord](s.ledger, r)
		if ledger.AboutOne(err) {
			return nil
		}
		digests[plan.Number] = plan.Text.Digest
		return err
	})
	return digests, err
}

// remains deletes the records that only the ask refers to. It returns the keys of the
// ask and of the records that refer to the ask. A damaged index may name an ask of
// another session, which stays.
func (s *Store) remains(ctx context.Context, session, ask string) ([]kv.Key, error) {
	r, err := s.ledger.Bare(ctx, askKey(ask))
	if err != nil {
		return nil, err
	}
	var record struct {
		Session string `json:"session"`
		Digest  string `json:"digest"`
	}
	unread := r.Err != nil || !r.Exists() || json.Unmarshal(r.Value, &record) != nil || record.Session == ""
	if !unread && record.Session != session {
		return nil, nil
	}
	for _, prefix := range []kv.Key{entryParts(ask), lateOf(ask), ShowClaims(ask), WaitClaims(ask), AskerClaims(ask)} {
		if err := s.ledger.DropUnder(ctx, prefix); err != nil {
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
	// An open ask has the most index entries, so it is treated as open; entries of
	// undelivered ones go after all asks.
	for _, e := range indexes(Ask{ID: ask, Session: session, Digest: record.Digest}, belonging{}) {
		keys = append(keys, e.key)
	}
	return keys, nil
}

// formOf is the digest of an ask's form by the index, for an ask whose record cannot be
// read; empty if the index does not have it.
func (s *Store) formOf(ctx context.Context, ask string) (digest string, err error) {
	err = s.ledger.Each(ctx, digestKeys, func(r ledger.Found) error {
		if ledger.LastPart(r.Key) == ask {
			digest = ledger.Parent(r.Key)
		}
		return nil
	})
	return digest, err
}

// strayParts calls do with each chunk that an entry does not refer to, and with the
// entry. The entry's record may be missing. Chunks of an entry that cannot be read are
// not stray.
func (s *Store) strayParts(ctx context.Context, do func(part, entry kv.Record) error) error {
	var entry kv.Record
	var parts []string
	unread := false
	return s.ledger.Each(ctx, entryKeys, func(r ledger.Found) error {
		_, part, isPart := strings.Cut(string(r.Key[len(entryKeys):]), "/")
		if !isPart {
			record, err := ledger.DecodeFound[entryRecord](s.ledger, r)
			if err != nil && !ledger.AboutOne(err) {
				return err
			}
			entry, parts, unread = r.Record, record.parts(), err != nil
			return nil
		}
		ask := ledger.Parent(r.Key)
		if entry.Key != entryKey(ask) {
			entry, parts, unread = kv.Record{Key: entryKey(ask)}, nil, false
		}
		if unread || r.Err != nil || slices.Contains(parts, part) {
			return nil
		}
		return do(r.Record, entry)
	})
}
