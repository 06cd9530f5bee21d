package store

import (
	"context"
	"encoding/hex"
)

// chunkID is the SHA-256 of a chunk's text.
type chunkID [32]byte

func (id chunkID) key() Key { return chunkKey(hex.EncodeToString(id[:])) }

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

// inventory lists the chunks there are; look, which may be nil, gets each of them.
func (s *Store) inventory(ctx context.Context, look func(id chunkID, r found, c *keptChunk) error) (inventory, error) {
	list := inventory{}
	err := s.every(ctx, chunkKeys, func(r found) error {
		id, ok := chunkIDOf(lastPart(r.Key))
		if !ok {
			return nil // a newer planb's
		}
		c := keptChunk{rev: r.Rev, stored: int32(len(r.Value))}
		if look != nil {
			if err := look(id, r, &c); err != nil {
				return err
			}
		}
		list[id] = c
		return nil
	})
	return list, err
}

// mark finds out which chunks are used. Whatever in a record's value looks like
// the name of a chunk is taken for one: records of a newer planb refer to chunks
// from fields, and from families of keys, that this one does not know. Going says
// of which records the references do not count; it may be nil. Unread gets the
// records whose references nobody knows, since they cannot be read.
func (s *Store) mark(ctx context.Context, list inventory, going func(Record) bool, unread func(found)) error {
	for after := Key(""); ; {
		some, more, err := s.pageEach(ctx, "", after, MaxPageRecords)
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
func family(key Key) Key {
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
func (s *Store) every(ctx context.Context, prefix Key, do func(found) error) error {
	for after := Key(""); ; {
		some, more, err := s.pageEach(ctx, prefix, after, MaxPageRecords)
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
