package ledger

import (
	"bytes"
	"context"
	"encoding/hex"
	"iter"
	"maps"
	"slices"

	"planb/store/kv"
)

// ChunkID is the SHA-256 of a chunk's text.
type ChunkID [32]byte

func (id ChunkID) key() kv.Key { return ChunkKeys + kv.Key(hex.EncodeToString(id[:])) }

// ParseChunkID reads the name of a chunk: 64 hexadecimal digits in lower case.
func ParseChunkID(digits string) (id ChunkID, ok bool) {
	if len(digits) != 2*len(id) {
		return id, false
	}
	n, err := hex.Decode(id[:], []byte(digits))
	return id, err == nil && n == len(id)
}

// Use says which records refer to a chunk.
type Use uint8

// A chunk has the greatest use of all records that name it.
const (
	Unused      Use = iota
	UsedByGoing     // only records that are about to be deleted
	Used
)

// KeptChunk is a chunk as Chunks lists it.
type KeptChunk struct {
	rev    int64
	Stored int32 // bytes in the engine
	Use    Use
}

// Chunks are chunks that all records share, by the digests of their texts. They hold
// no texts: some 60 bytes for each.
type Chunks map[ChunkID]KeptChunk

// Chunks lists the chunks for which want is true.
func (l *Ledger) Chunks(ctx context.Context, want func(Found) bool) (Chunks, error) {
	list := Chunks{}
	err := l.Each(ctx, ChunkKeys, func(f Found) error {
		id, ok := ParseChunkID(LastPart(f.Key))
		if ok && want(f) { // else a newer planb's
			list[id] = KeptChunk{rev: f.Rev, Stored: int32(len(f.Value))}
		}
		return nil
	})
	return list, err
}

// Mark finds out which of the chunks are used. Any text in a record's value that
// looks like the name of a chunk counts as one: records of a newer planb refer to
// chunks from fields and families that this one does not know. Going reports records
// that are about to be deleted; it may be nil. Unread gets the records that cannot be
// read, so that their references are unknown.
func (l *Ledger) Mark(ctx context.Context, list Chunks, going func(kv.Record) bool, unread func(Found)) error {
	for after := kv.Key(""); ; {
		some, more, err := l.Page(ctx, "", after, kv.MaxPageRecords)
		if err != nil {
			return err
		}
		for _, f := range some {
			switch {
			case Family(f.Key) == ChunkKeys:
			case f.Err != nil:
				unread(f)
			case going != nil && going(f.Record):
				list.use(f.Value, UsedByGoing)
			default:
				list.use(f.Value, Used)
			}
		}
		if !more || len(some) == 0 {
			return nil
		}
		after = some[len(some)-1].Key
		if Family(after) == ChunkKeys {
			after = ChunkKeys + "~" // behind the last of them
		}
	}
}

// use marks the chunks that a value names.
func (list Chunks) use(value []byte, as Use) {
	start := 0
	for i := 0; i <= len(value); i++ {
		if i < len(value) && isHex(value[i]) {
			continue
		}
		if i-start == 2*len(ChunkID{}) {
			id, _ := ParseChunkID(string(value[start:i]))
			if c, ok := list[id]; ok && c.Use < as {
				c.Use = as
				list[id] = c
			}
		}
		start = i + 1
	}
}

func isHex(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b && b <= 'f' }

// condemnation follows the frame of a condemned chunk: a frame that zstd skips,
// of four bytes (RFC 8878, 3.1.2).
const condemnation = "\x50\x2a\x4d\x18\x04\x00\x00\x00prun"

func condemned(frame []byte) bool { return bytes.HasSuffix(frame, []byte(condemnation)) }

// Sweep deletes the chunks that no record names, and returns how many they were and
// their bytes in the engine. It deletes none while some record cannot be read. Others
// may write meanwhile; the package comment says why that is safe.
func (l *Ledger) Sweep(ctx context.Context) (chunks int, size int64, err error) {
	unused, err := l.unused(ctx, func(f Found) bool { return f.Err == nil })
	if err != nil {
		return 0, 0, err
	}
	for batch := range unused.batches() {
		if err := l.condemn(ctx, batch); err != nil {
			return 0, 0, err
		}
	}
	if unused, err = l.unused(ctx, func(f Found) bool { return f.Err == nil && condemned(f.Value) }); err != nil {
		return 0, 0, err
	}
	for batch := range unused.batches() {
		dropped, err := l.DropSeen(ctx, batch)
		if err != nil {
			return chunks, size, err
		}
		for _, key := range dropped {
			id, _ := ParseChunkID(LastPart(key))
			chunks++
			size += int64(unused[id].Stored)
		}
	}
	return chunks, size, nil
}

// unused lists those of the wanted chunks that no record names.
func (l *Ledger) unused(ctx context.Context, want func(Found) bool) (Chunks, error) {
	list, err := l.Chunks(ctx, want)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	unread := false
	if err := l.Mark(ctx, list, nil, func(Found) { unread = true }); err != nil || unread {
		return nil, err
	}
	maps.DeleteFunc(list, func(_ ChunkID, c KeptChunk) bool { return c.Use != Unused })
	return list, nil
}

// batches gives the chunks in portions that fit into one commit each.
func (list Chunks) batches() iter.Seq[[]kv.Record] {
	return func(yield func([]kv.Record) bool) {
		var batch []kv.Record
		size := 0
		for id, c := range list {
			size += int(c.Stored)
			if len(batch) > 0 && (len(batch) == kv.MaxBatchWrites/2 || size > MaxChunk) {
				if !yield(batch) {
					return
				}
				batch, size = nil, int(c.Stored)
			}
			batch = append(batch, kv.Record{Key: id.key(), Rev: c.rev})
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}

// condemn marks those of the chunks that are as they were seen.
func (l *Ledger) condemn(ctx context.Context, batch []kv.Record) error {
	return l.Commit(ctx, func(c *Change) error {
		c.Quiet = true
		keys := make([]kv.Key, len(batch))
		for i, r := range batch {
			keys[i] = r.Key
		}
		records, err := l.Get(ctx, keys...)
		if err != nil {
			return err
		}
		for i, r := range records {
			if r.Rev != batch[i].Rev || condemned(r.Value) {
				continue
			}
			c.Check(r)
			c.Puts = append(c.Puts, kv.Put{Key: r.Key, Value: append(r.Value, condemnation...)})
		}
		return nil
	})
}

// Drop deletes the keys in one commit, quietly.
func (l *Ledger) Drop(ctx context.Context, keys []kv.Key) error {
	return l.Commit(ctx, func(c *Change) error {
		c.Quiet = true
		c.Delete(keys...)
		return nil
	})
}

// DropUnder deletes every record under the prefix, quietly, in as many commits as it
// takes.
func (l *Ledger) DropUnder(ctx context.Context, prefix kv.Key) error {
	for {
		some, _, err := l.Page(ctx, prefix, "", kv.MaxBatchWrites)
		if err != nil || len(some) == 0 {
			return err
		}
		keys := make([]kv.Key, len(some))
		for i, f := range some {
			keys[i] = f.Key
		}
		if err := l.Drop(ctx, keys); err != nil {
			return err
		}
	}
}

// DropSeen deletes the records that are still as they were seen, in one commit,
// quietly, and returns which those are. If one of besides changed, it deletes none.
func (l *Ledger) DropSeen(ctx context.Context, seen []kv.Record, besides ...kv.Record) (dropped []kv.Key, err error) {
	keys := make([]kv.Key, 0, len(seen)+len(besides))
	for _, r := range slices.Concat(seen, besides) {
		keys = append(keys, r.Key)
	}
	err = l.Commit(ctx, func(c *Change) error {
		c.Quiet = true
		dropped = nil
		records, err := l.Get(ctx, keys...)
		if err != nil {
			return err
		}
		for i, r := range besides {
			if records[len(seen)+i].Rev != r.Rev {
				return nil
			}
		}
		c.Check(besides...)
		for i, r := range seen {
			if r.Exists() && records[i].Rev == r.Rev {
				c.Check(r)
				c.Delete(r.Key)
				dropped = append(dropped, r.Key)
			}
		}
		return nil
	})
	return dropped, err
}
