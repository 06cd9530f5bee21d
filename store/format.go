package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"planb/store/kv"
)

// format is the newest format of the store and of its records that this code
// reads, and the one it writes. A change raises it only if older code would
// misunderstand what is written; new fields are no reason.
const format = 1

type formatRecord struct {
	header
	Created time.Time `json:"created"`
}

// Prepare makes a new store ready for use, or refuses one that a newer planb
// wrote, with a *FormatError. Every method does this for itself; calling it
// first tells about an unusable store early.
func (s *Store) Prepare(ctx context.Context) error {
	s.forgetFormat()
	_, err := s.prepare(ctx)
	return err
}

// prepare returns the format record, as a commit's check wants it.
func (s *Store) prepare(ctx context.Context) (kv.Record, error) {
	for try := 1; ; try++ {
		known := s.knownFormat()
		if !known.Exists() {
			records, err := s.get(ctx, formatKey)
			if err != nil {
				return kv.Record{}, err
			}
			known = records[0]
		}
		if known.Exists() {
			return known, nil
		}
		value, err := encode(formatRecord{header: header{V: format}, Created: s.clock()})
		if err != nil {
			return kv.Record{}, err
		}
		err = s.engine.Commit(ctx, kv.Batch{
			Op:     s.newOp(),
			Checks: []kv.Check{{Key: formatKey}},
			Puts:   []kv.Put{{Key: formatKey, Value: value}},
		})
		again := errors.Is(err, kv.ErrConflict) || errors.Is(err, kv.ErrUnclear)
		if err != nil && (!again || try == maxUnclear) {
			return kv.Record{}, err
		}
	}
}

// acceptFormat judges the format record of a snapshot and remembers it.
func (s *Store) acceptFormat(r kv.Record) error {
	if !r.Exists() {
		return nil
	}
	s.formatMu.Lock()
	defer s.formatMu.Unlock()
	if r.Rev == s.format.Rev {
		return nil
	}
	if _, err := decode[formatRecord](s, r); err != nil {
		if newer, ok := errors.AsType[*FormatError](err); ok {
			newer.Key = ""
		}
		return err
	}
	s.format = r
	return nil
}

// knownFormat is the format record as last read.
func (s *Store) knownFormat() kv.Record {
	s.formatMu.Lock()
	defer s.formatMu.Unlock()
	return s.format
}

// forgetFormat makes the next commit read the format record again.
func (s *Store) forgetFormat() {
	s.formatMu.Lock()
	defer s.formatMu.Unlock()
	s.format = kv.Record{}
}

// get reads records in one snapshot with the format record, so that nothing of
// a newer store is ever taken for this format, an empty list neither. The asks
// of pruned sessions are as if they were not there. More than the engine reads at
// once is read in several snapshots.
func (s *Store) get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	step := kv.MaxRecordsInGet - 2
	records := make([]kv.Record, 0, len(keys))
	for first := true; first || len(records) < len(keys); first = false {
		rest := keys[len(records):]
		some := rest[:min(step, len(rest))]
		got, err := s.snapshot(ctx, some)
		if errors.Is(err, kv.ErrTooMuch) && len(some) > 1 {
			step = len(some) / 2
			continue
		}
		if err != nil {
			return nil, err
		}
		if err := s.acceptFormat(got[0]); err != nil {
			return nil, err
		}
		s.hide(got[1], got[2:])
		records = append(records, got[2:]...)
	}
	return records, nil
}

// snapshot reads the format record, the one that tells of pruned sessions, and
// the keys.
func (s *Store) snapshot(ctx context.Context, keys []kv.Key) ([]kv.Record, error) {
	got, err := s.engine.Get(ctx, append([]kv.Key{formatKey, goneKey}, keys...)...)
	if key, _ := aboutOne(err); key == goneKey {
		// Of it depends only that what is being swept away is not seen.
		if got, err = s.engine.Get(ctx, append([]kv.Key{formatKey}, keys...)...); err == nil {
			got = slices.Insert(got, min(1, len(got)), kv.Record{Key: goneKey})
		}
	}
	if err == nil && len(got) != len(keys)+2 {
		err = fmt.Errorf("the engine returned %d records for %d keys", len(got), len(keys)+2)
	}
	return got, err
}

// scan reads every record under the prefix.
func (s *Store) scan(ctx context.Context, prefix kv.Key) ([]kv.Record, error) {
	var records []kv.Record
	after := kv.Key("")
	for {
		page, err := s.engine.Scan(ctx, prefix, after, kv.MaxPageRecords)
		if err != nil {
			return nil, err
		}
		records = append(records, page.Records...)
		if !page.More || len(page.Records) == 0 {
			return records, nil
		}
		after = page.Records[len(page.Records)-1].Key
	}
}
