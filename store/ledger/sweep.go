package ledger

import (
	"bytes"
	"context"
	"iter"
	"maps"

	"planb/store/kv"
)

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
