package ledger

import (
	"bytes"
	"context"
	"encoding/hex"
	"maps"
	"planb/store/kv"
	"slices"
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

// ChunkTexts calls do with each chunk: its size in the engine, and its text, or the
// error of reading it. listed says that the index of sizes has the chunk; a sweep never
// removes a chunk that is missing there.
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
	if err := l.PutAll(ctx, entries); err != nil {
		return err
	}
	if err := l.DropAll(ctx, slices.Collect(maps.Keys(there))); err != nil {
		return err
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
