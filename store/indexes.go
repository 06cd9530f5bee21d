package store

import (
	"context"
	"slices"

	"planb/store/kv"
	"planb/store/ledger"
)

// askIndexes are the families of the index entries that lead to an ask.
func askIndexes() []kv.Key {
	return []kv.Key{partOfKeys, shortKeys, digestKeys, openKeys, undelivered, sameKeys}
}

// indexEntry is one entry of an index.
type indexEntry struct {
	key   kv.Key
	value any
}

// indexes returns the index entries that lead to the ask in its present state. project
// is the project of the ask's session. The queue of the ask's place is not among them,
// because all asks of that place share it.
func indexes(ask Ask, project belonging) []indexEntry {
	whose := indexRecord{ledger.NewHeader(), ask.Session, project}
	list := []indexEntry{
		{partOfKey(ask.Session, ask.ID), mark{}},
		{shortKey(ask.ID), mark{}},
		{digestKey(ask.Digest, ask.ID), whose},
	}
	if ask.Open() {
		list = append(list, indexEntry{openKey(ask.Session, ask.ID), mark{}})
	}
	if ask.Undelivered() {
		list = append(list, indexEntry{undeliveredKey(ask.Session, ask.ID), whose})
	}
	if ask.Open() || ask.Undelivered() {
		list = append(list, indexEntry{sameKey(ask.Session, ask.sameness()), sameRecord{ledger.NewHeader(), ask.ID}})
	}
	return list
}

func hasKey(list []indexEntry, key kv.Key) bool {
	return slices.ContainsFunc(list, func(e indexEntry) bool { return e.key == key })
}

// putIndexes puts every index entry that leads to a new ask.
func putIndexes(c *ledger.Change, ask Ask, project belonging) error {
	for _, e := range indexes(ask, project) {
		if err := c.Put(e.key, e.value); err != nil {
			return err
		}
	}
	return nil
}

// reindex replaces an ask's index entries. was is the ask before the change, now the
// ask after it.
func (s *Store) reindex(ctx context.Context, c *ledger.Change, was, now Ask, project belonging) error {
	before, after := indexes(was, project), indexes(now, project)
	for _, e := range before {
		if hasKey(after, e.key) {
			continue
		}
		if err := s.unindex(ctx, c, e); err != nil {
			return err
		}
	}
	for _, e := range after {
		if hasKey(before, e.key) {
			continue
		}
		if err := c.Put(e.key, e.value); err != nil {
			return err
		}
	}
	return nil
}

// unindex deletes an index entry. The entry for the ask's form stays if it leads to a
// later ask of the same form.
func (s *Store) unindex(ctx context.Context, c *ledger.Change, e indexEntry) error {
	same, ok := e.value.(sameRecord)
	if !ok {
		c.Delete(e.key)
		return nil
	}
	records, err := s.ledger.GetEach(ctx, e.key)
	if err != nil {
		return err
	}
	return ledger.Beside(records[0], func(r kv.Record) error {
		if !r.Exists() {
			return nil
		}
		entry, err := ledger.Decode[sameRecord](s.ledger, r)
		if err != nil || entry.Ask != same.Ask {
			return err
		}
		c.Check(r)
		c.Delete(r.Key)
		return nil
	})
}
