package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"planb/questions"
	"planb/store/kv"
	"planb/store/ledger"
)

// LostAsk is what people wrote for an ask whose own record is lost. No list leads to it.
type LostAsk struct {
	ID    string              `json:"ask"`
	Entry *questions.Entry    `json:"draft,omitempty"`
	Late  []questions.Outcome `json:"late,omitempty"`
	// Unread says which of its records cannot be read, and why.
	Unread []string `json:"unread,omitempty"`
}

// LostAsks reads what is left of the asks whose records are lost. Reindex removes it.
func (s *Store) LostAsks(ctx context.Context) ([]LostAsk, error) {
	keys, err := s.ofLostAsks(ctx)
	if err != nil {
		return nil, err
	}
	lost := make([]LostAsk, 0, len(keys))
	for _, id := range slices.Sorted(maps.Keys(keys)) {
		ask := LostAsk{ID: id}
		for _, key := range keys[id] {
			if err := s.readLost(ctx, &ask, key); err != nil {
				return nil, err
			}
		}
		lost = append(lost, ask)
	}
	return lost, nil
}

// readLost adds one record to the LostAsk. The chunks of an entry are read with the
// entry.
func (s *Store) readLost(ctx context.Context, ask *LostAsk, key kv.Key) error {
	records, err := s.ledger.GetEach(ctx, key)
	if err != nil {
		return err
	}
	switch r := records[0]; {
	case r.Err != nil:
		err = r.Err
	case key == entryKey(ask.ID):
		var entry questions.Entry
		if entry, err = s.readEntry(ctx, ask.ID, r.Record); err == nil {
			ask.Entry = &entry
		}
	case strings.HasPrefix(string(key), string(lateKeys)):
		var late tooLateRecord
		if late, err = ledger.Decode[tooLateRecord](s.ledger, r.Record); err != nil {
			break
		}
		reply := askRecord{TooLate: []outcomeRecord{late.outcomeRecord}}
		if err = s.readBodies(ctx, &reply); err == nil {
			ask.Late = append(ask.Late, reply.TooLate[0].Outcome)
		}
	}
	if ledger.AboutOne(err) {
		ask.Unread = append(ask.Unread, ledger.Cause(err).Error())
		return nil
	}
	return err
}

// ofLostAsks lists, by the ids of asks that have no record, their entries and their
// late replies.
func (s *Store) ofLostAsks(ctx context.Context) (map[string][]kv.Key, error) {
	there := map[string]bool{}
	err := s.ledger.Each(ctx, askKeys, func(f ledger.Found) error {
		there[ledger.LastPart(f.Key)] = true
		return nil
	})
	if err != nil {
		return nil, err
	}
	lost := map[string][]kv.Key{}
	for _, family := range []kv.Key{entryKeys, lateKeys} {
		err := s.ledger.Each(ctx, family, func(f ledger.Found) error {
			ask, _, _ := strings.Cut(string(f.Key[len(family):]), "/")
			if !there[ask] {
				lost[ask] = append(lost[ask], f.Key)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return lost, nil
}
