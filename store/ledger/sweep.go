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
	Stored int32 // bytes in the engine
	Use    Use
}

// Chunks are chunks that all records share, by the digests of their texts. They hold
// no texts: some 50 bytes for each.
type Chunks map[ChunkID]KeptChunk

// Chunks lists all chunks, by the index of their sizes. In a store that has no such
// index yet it reads them.
func (l *Ledger) Chunks(ctx context.Context) (Chunks, error) {
	sized, err := l.sized(ctx)
	if err != nil {
		return nil, err
	}
	list := Chunks{}
	if !sized {
		return list, l.eachChunk(ctx, func(id ChunkID, f Found) error {
			if f.Err == nil {
				list[id] = KeptChunk{Stored: int32(len(f.Value))}
			}
			return nil
		})
	}
	return list, l.Each(ctx, SizeKeys, func(f Found) error {
		entry, err := DecodeFound[sizeRecord](l, f)
		if id, ok := ParseChunkID(LastPart(f.Key)); ok && (err == nil || AboutOne(err)) {
			list[id] = KeptChunk{Stored: entry.Bytes} // 0 if the entry cannot be read
			return nil
		}
		return err
	})
}

// eachChunk reads all chunks that all records share. It passes over those that only a
// newer planb can name.
func (l *Ledger) eachChunk(ctx context.Context, do func(ChunkID, Found) error) error {
	return l.Each(ctx, ChunkKeys, func(f Found) error {
		id, ok := ParseChunkID(LastPart(f.Key))
		if !ok {
			return nil
		}
		return do(id, f)
	})
}

// sized reports whether the index of sizes has every chunk.
func (l *Ledger) sized(ctx context.Context) (bool, error) {
	records, err := l.Get(ctx, FormatKey)
	if err != nil || !records[0].Exists() {
		return true, err
	}
	format, err := Decode[formatRecord](l, records[0])
	return format.Sized, err
}

// ChunkTexts calls do with each chunk, its bytes in the engine, and its text or why that
// cannot be read. Listed says that the index of sizes has it: others are never swept
// away.
func (l *Ledger) ChunkTexts(ctx context.Context, do func(id ChunkID, stored int, listed bool, text []byte, err error) error) error {
	sizes, err := l.Chunks(ctx)
	if err != nil {
		return err
	}
	return l.eachChunk(ctx, func(id ChunkID, f Found) error {
		_, listed := sizes[id]
		text, err := l.Chunk(f)
		return do(id, len(f.Value), listed || f.Err != nil, text, err)
	})
}

// IndexChunks puts the index of sizes in order, in a store that nobody else uses.
func (l *Ledger) IndexChunks(ctx context.Context) error {
	there := map[kv.Key][]byte{}
	err := l.Each(ctx, SizeKeys, func(f Found) error {
		there[f.Key] = f.Value
		return nil
	})
	if err != nil {
		return err
	}
	var entries []kv.Put
	err = l.eachChunk(ctx, func(_ ChunkID, f Found) error {
		key := sizeKey(f.Key)
		value, err := Encode(sizeRecord{NewHeader(), int32(len(f.Value))})
		if !bytes.Equal(there[key], value) {
			entries = append(entries, kv.Put{Key: key, Value: value})
		}
		delete(there, key)
		return err
	})
	if err != nil {
		return err
	}
	for some := range slices.Chunk(entries, kv.MaxBatchWrites) {
		err := l.Commit(ctx, func(c *Change) error {
			c.Quiet = true
			c.Puts = append(c.Puts, some...)
			return nil
		})
		if err != nil {
			return err
		}
	}
	for some := range slices.Chunk(slices.Collect(maps.Keys(there)), kv.MaxBatchWrites) {
		if err := l.Drop(ctx, some); err != nil {
			return err
		}
	}
	if sized, err := l.sized(ctx); sized || err != nil {
		return err
	}
	return l.Commit(ctx, func(c *Change) error {
		records, err := l.Get(ctx, FormatKey)
		if err != nil {
			return err
		}
		return l.Rewrite(c, records[0], "sized", true)
	})
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
	list, err := l.Chunks(ctx)
	if err != nil {
		return 0, 0, err
	}
	unused, err := l.unused(ctx, list)
	if err != nil {
		return 0, 0, err
	}
	revs := map[kv.Key]int64{} // of the condemned ones
	for batch := range unused.batches() {
		if err := l.condemn(ctx, batch, revs); err != nil {
			return 0, 0, err
		}
	}
	maps.DeleteFunc(unused, func(id ChunkID, _ KeptChunk) bool { return revs[id.key()] == 0 })
	if unused, err = l.unused(ctx, unused); err != nil {
		return 0, 0, err
	}
	for batch := range unused.batches() {
		dropped, err := l.dropCondemned(ctx, batch, revs)
		if err != nil {
			return chunks, size, err
		}
		for _, id := range dropped {
			chunks++
			size += int64(unused[id].Stored)
		}
	}
	return chunks, size, nil
}

// unused lists those of the chunks that no record names; none if a record cannot be
// read.
func (l *Ledger) unused(ctx context.Context, list Chunks) (Chunks, error) {
	if len(list) == 0 {
		return nil, nil
	}
	unread := false
	if err := l.Mark(ctx, list, nil, func(Found) { unread = true }); err != nil || unread {
		return nil, err
	}
	maps.DeleteFunc(list, func(_ ChunkID, c KeptChunk) bool { return c.Use != Unused })
	return list, nil
}

// batches gives the chunks in portions that fit into one commit each, with two writes
// for each chunk.
func (list Chunks) batches() iter.Seq[[]ChunkID] {
	return func(yield func([]ChunkID) bool) {
		var batch []ChunkID
		size := 0
		for id, c := range list {
			size += int(c.Stored)
			if len(batch) > 0 && (len(batch) == kv.MaxBatchWrites/2 || size > MaxChunk) {
				if !yield(batch) {
					return
				}
				batch, size = nil, int(c.Stored)
			}
			batch = append(batch, id)
		}
		if len(batch) > 0 {
			yield(batch)
		}
	}
}

// readChunks reads some chunks.
func (l *Ledger) readChunks(ctx context.Context, ids []ChunkID) ([]Found, error) {
	keys := make([]kv.Key, len(ids))
	for i, id := range ids {
		keys[i] = id.key()
	}
	return l.GetEach(ctx, keys...)
}

// condemn marks the chunks, and notes the revisions that they have then. The mark
// does no harm to a chunk that a record names meanwhile: the next writer that wants
// it writes it anew. An entry of the index that leads to no chunk goes.
func (l *Ledger) condemn(ctx context.Context, batch []ChunkID, revs map[kv.Key]int64) error {
	err := l.Commit(ctx, func(c *Change) error {
		c.Quiet = true
		list, err := l.readChunks(ctx, batch)
		if err != nil {
			return err
		}
		for _, f := range list {
			switch {
			case f.Err != nil || condemned(f.Value): // by a sweep that ended early
				continue
			case !f.Exists():
				c.Delete(sizeKey(f.Key))
			default:
				if err := c.putChunk(f.Key, append(f.Value, condemnation...)); err != nil {
					return err
				}
			}
			c.Check(f.Record)
		}
		return nil
	})
	if err != nil {
		return err
	}
	list, err := l.readChunks(ctx, batch)
	for _, f := range list {
		if condemned(f.Value) {
			revs[f.Key] = f.Rev
		}
	}
	return err
}

// dropCondemned deletes those of the chunks that still have the revision with which
// they were condemned.
func (l *Ledger) dropCondemned(ctx context.Context, batch []ChunkID, revs map[kv.Key]int64) (dropped []ChunkID, err error) {
	err = l.Commit(ctx, func(c *Change) error {
		c.Quiet = true
		dropped = nil
		list, err := l.readChunks(ctx, batch)
		if err != nil {
			return err
		}
		for i, f := range list {
			if f.Exists() && f.Rev == revs[f.Key] {
				c.Check(f.Record)
				c.Delete(f.Key, sizeKey(f.Key))
				dropped = append(dropped, batch[i])
			}
		}
		return nil
	})
	return dropped, err
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
