package store

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"planb/questions"
)

// Memory is the index that finds the answers a question of some project was
// given before: one entry for its id and one for its words, for each ask in which
// it was answered. An entry says only where to look; whether it is the question
// the form itself tells, when the entry is followed. So entries need no agreement
// with anything: they are written and deleted without having been read, no
// outcome ever conflicts over one, and one whose ask is gone is passed over.

// tracesOf is the prefix of the entries of a question, by its id or its words.
func tracesOf(project, question string) Key {
	return memoryKeys + Key(hashed(project + "\n" + question)[:16]) + "/"
}

// traceKey sorts the later of two answers first.
func traceKey(traces Key, at time.Time, ask string) Key {
	return traces + Key(fmt.Sprintf("%016x/%s", uint64(math.MaxInt64-at.UnixNano()), ask))
}

// traces lists the prefixes under which a question is found. Project is the
// hash of its path.
func traces(project string, q questions.Question) []Key {
	keys := []Key{tracesOf(project, "id "+q.ID)}
	if words := questions.Wording(q.Label); words != "" {
		keys = append(keys, tracesOf(project, "words "+words))
	}
	return keys
}

// remembered reports whether an outcome's answers are shown to whoever is asked
// again: they were sent, and not by one who declined.
func remembered(o questions.Outcome) bool {
	return o.State == questions.Answered || o.State == questions.Discuss
}

// memories lists the entries of an ask that has ended. A review of a plan has
// none, nor has an ask of no project, nor one that was imported without a time.
func memories(project, ask string, spec questions.Spec, o questions.Outcome) []Key {
	if project == "" || spec.Plan != nil || !remembered(o) || checkTime(o.At) != nil {
		return nil
	}
	var keys []Key
	for _, q := range spec.Questions {
		if o.Reply.Answers[q.ID].IsZero() {
			continue
		}
		for _, prefix := range traces(project, q) {
			key := traceKey(prefix, o.At, ask)
			if !slices.Contains(keys, key) { // two questions may have one wording
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// room reports whether that many more writes go into the change, and what every
// change adds at its end. Where they do not, LookBack writes the entries later.
func (c *change) room(writes int) bool {
	const atTheEnd = 6 // of a session: its record, its place in the list, before and after
	return len(c.Puts)+len(c.Deletes)+writes+atTheEnd <= MaxBatchWrites
}

func (c *change) memorize(keys []Key) error {
	for _, key := range keys {
		if err := c.put(key, mark{}); err != nil {
			return err
		}
	}
	return nil
}

// memoriesOf lists the entries of an ask of a gone session. What of it cannot be
// read leaves its entries, which then lead nowhere.
func (s *Store) memoriesOf(ctx context.Context, r found) ([]Key, error) {
	keys, err := s.readMemories(ctx, r)
	if _, one := aboutOne(err); one {
		return nil, nil
	}
	return keys, err
}

func (s *Store) readMemories(ctx context.Context, r found) ([]Key, error) {
	record, err := decodeFound[askRecord](s, r)
	if err != nil || !record.Remembered {
		return nil, err
	}
	entries, err := s.getEach(ctx, digestKey(record.Digest, record.ID))
	if err != nil {
		return nil, err
	}
	entry, err := decodeFound[indexRecord](s, entries[0])
	if err != nil || entry.Project == "" {
		return nil, err
	}
	spec, err := s.wholeOf(ctx, &record)
	if err != nil {
		return nil, err
	}
	return memories(entry.Project, record.ID, spec, record.Outcome.Outcome), nil
}

// wholeOf reads the long texts of an ask's record, and returns its form.
func (s *Store) wholeOf(ctx context.Context, record *askRecord) (questions.Spec, error) {
	if err := s.readBodies(ctx, record); err != nil {
		return questions.Spec{}, err
	}
	spec, err := s.readSpec(ctx, record)
	if err != nil {
		return questions.Spec{}, err
	}
	return *spec, nil
}
