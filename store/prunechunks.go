package store

import (
	"bytes"
	"context"
	"encoding/hex"
	"iter"
	"maps"

	"planb/store/kv"
)

// chunkID is the SHA-256 of a chunk's text.
type chunkID [32]byte

func (id chunkID) key() kv.Key { return chunkKey(hex.EncodeToString(id[:])) }

// chunkIDOf reads what names a chunk: 64 hexadecimal digits in lower case.
func chunkIDOf(digits string) (id chunkID, ok bool) {
	if len(digits) != 2*len(id) {
		return id, false
	}
	n, err := hex.Decode(id[:], []byte(digits))
	return id, err == nil && n == len(id)
}

// use is who refers to a chunk.
type use uint8

const (
	usedByNone  use = iota
	usedByGoing     // by what is about to be deleted, and nothing else
	used
)

// keptChunk is a chunk as an inventory knows it.
type keptChunk struct {
	rev    int64
	stored int32 // bytes in the engine
	text   int32 // bytes of its text, where that was looked at
	use    use
}

// inventory is every chunk that has its own key. It holds no texts: some 60 bytes
// for each.
type inventory map[chunkID]keptChunk

// inventory lists the chunks that look, which gets each of them, wants in it.
func (s *Store) inventory(ctx context.Context, look func(r found, c *keptChunk) bool) (inventory, error) {
	list := inventory{}
	err := s.every(ctx, chunkKeys, func(r found) error {
		id, ok := chunkIDOf(lastPart(r.Key))
		if !ok {
			return nil // a newer planb's
		}
		c := keptChunk{rev: r.Rev, stored: int32(len(r.Value))}
		if look(r, &c) {
			list[id] = c
		}
		return nil
	})
	return list, err
}

// mark finds out which chunks are used. Whatever in a record's value looks like
// the name of a chunk is taken for one: records of a newer planb refer to chunks
// from fields, and from families of keys, that this one does not know. Going says
// of which records the references do not count; it may be nil. Unread gets the
// records whose references nobody knows, since they cannot be read.
func (s *Store) mark(ctx context.Context, list inventory, going func(kv.Record) bool, unread func(found)) error {
	for after := kv.Key(""); ; {
		some, more, err := s.pageEach(ctx, "", after, kv.MaxPageRecords)
		if err != nil {
			return err
		}
		for _, r := range some {
			if family(r.Key) == chunkKeys {
				continue
			}
			if r.err != nil {
				unread(r)
				continue
			}
			as := used
			if going != nil && going(r.Record) {
				as = usedByGoing
			}
			list.use(r.Value, as)
		}
		if !more || len(some) == 0 {
			return nil
		}
		after = some[len(some)-1].Key
		if family(after) == chunkKeys {
			after = chunkKeys + "~" // behind the last of them
		}
	}
}

// family is the key's first part with its slash.
func family(key kv.Key) kv.Key {
	for i := range len(key) {
		if key[i] == '/' {
			return key[:i+1]
		}
	}
	return key
}

// use marks the chunks that a value names.
func (list inventory) use(value []byte, as use) {
	start := 0
	for i := 0; i <= len(value); i++ {
		if i < len(value) && isHex(value[i]) {
			continue
		}
		if i-start == 2*len(chunkID{}) {
			id, _ := chunkIDOf(string(value[start:i]))
			if c, ok := list[id]; ok && c.use < as {
				c.use = as
				list[id] = c
			}
		}
		start = i + 1
	}
}

func isHex(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' }

// every calls do with every record under the prefix, in their order; one that
// cannot be read is among them.
func (s *Store) every(ctx context.Context, prefix kv.Key, do func(found) error) error {
	for after := kv.Key(""); ; {
		some, more, err := s.pageEach(ctx, prefix, after, kv.MaxPageRecords)
		if err != nil {
			return err
		}
		for _, r := range some {
			if err := do(r); err != nil {
				return err
			}
		}
		if !more || len(some) == 0 {
			return nil
		}
		after = some[len(some)-1].Key
	}
}

// condemnation follows the frame of a condemned chunk: a frame that zstd skips,
// of four bytes (RFC 8878, 3.1.2).
const condemnation = "\x50\x2a\x4d\x18\x04\x00\x00\x00prun"

func condemned(frame []byte) bool { return bytes.HasSuffix(frame, []byte(condemnation)) }

// sweepChunks deletes the chunks that nothing refers to; doc.go says how. While
// some record cannot be read none is deleted.
func (s *Store) sweepChunks(ctx context.Context, p *Pruned) error {
	orphans, err := s.orphans(ctx, func(r found) bool { return r.err == nil })
	if err != nil {
		return err
	}
	for batch := range orphans.batches() {
		if err := s.condemn(ctx, batch); err != nil {
			return err
		}
	}
	if orphans, err = s.orphans(ctx, func(r found) bool { return r.err == nil && condemned(r.Value) }); err != nil {
		return err
	}
	for batch := range orphans.batches() {
		dropped, err := s.dropSeen(ctx, batch)
		if err != nil {
			return err
		}
		for _, key := range dropped {
			id, _ := chunkIDOf(lastPart(key))
			p.Chunks++
			p.Bytes += int64(orphans[id].stored)
		}
	}
	return nil
}

// orphans lists those of the wanted chunks that nothing refers to.
func (s *Store) orphans(ctx context.Context, want func(found) bool) (inventory, error) {
	list, err := s.inventory(ctx, func(r found, _ *keptChunk) bool { return want(r) })
	if err != nil || len(list) == 0 {
		return nil, err
	}
	unread := false
	if err := s.mark(ctx, list, nil, func(found) { unread = true }); err != nil || unread {
		return nil, err
	}
	maps.DeleteFunc(list, func(_ chunkID, c keptChunk) bool { return c.use != usedByNone })
	return list, nil
}

// batches gives the chunks in portions that fit into one commit each.
func (list inventory) batches() iter.Seq[[]kv.Record] {
	return func(yield func([]kv.Record) bool) {
		var batch []kv.Record
		size := 0
		for id, c := range list {
			size += int(c.stored)
			if len(batch) > 0 && (len(batch) == kv.MaxBatchWrites/2 || size > maxChunk) {
				if !yield(batch) {
					return
				}
				batch, size = nil, int(c.stored)
			}
			batch = append(batch, kv.Record{Key: id.key(), Rev: c.rev})
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}

// condemn marks those of the chunks that are as they were seen.
func (s *Store) condemn(ctx context.Context, batch []kv.Record) error {
	return s.commit(ctx, func(c *change) error {
		c.Quiet = true
		keys := make([]kv.Key, len(batch))
		for i, r := range batch {
			keys[i] = r.Key
		}
		records, err := s.get(ctx, keys...)
		if err != nil {
			return err
		}
		for i, r := range records {
			if r.Rev != batch[i].Rev || condemned(r.Value) {
				continue
			}
			c.check(r)
			c.Puts = append(c.Puts, kv.Put{Key: r.Key, Value: append(r.Value, condemnation...)})
		}
		return nil
	})
}
