package ledger

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"planb/store/kv"
)

const (
	// MaxChunk is how many bytes of text one chunk holds, so that even one that does not
	// compress fits into a commit with room to spare.
	MaxChunk = 512 << 10
	// MaxTextBytes limits one text: the commit that refers to it checks all its chunks.
	MaxTextBytes = 32 << 20
	// maxRide is how many bytes of chunks go into the commit that refers to
	// them; more are written before it.
	maxRide       = 256 << 10
	maxRideChunks = 8
	maxRideWrites = 90 // in the whole commit; the intent may add more
	// maxBlobGet is how many chunks are read at once: as many as an engine reads even
	// if none of them was compressed. To read more would not be faster.
	maxBlobGet = 7
)

// Ref refers to a text kept in chunks. It is a field of the record that has the text.
type Ref struct {
	Digest string   `json:"sha256"`          // of the text
	Size   int      `json:"size"`            // of the text, bytes
	Parts  []string `json:"parts,omitempty"` // digests of the chunks' texts; without it the text is one chunk
}

// Chunks are the digests of the chunks that make the text.
func (r Ref) Chunks() []string {
	if len(r.Parts) == 0 {
		return []string{r.Digest}
	}
	return r.Parts
}

// Blob is a text about to be kept.
type Blob struct {
	Ref    Ref
	chunks map[string][]byte // texts by digest
	frames map[string][]byte // the same compressed, as far as they were needed
}

// NewBlob cuts a text into chunks. If the text is longer than MaxTextBytes, it returns an
// error, which calls the text by the name in what: "plan", "answer".
func NewBlob(what string, text []byte) (*Blob, error) {
	if len(text) > MaxTextBytes {
		return nil, fmt.Errorf("the %s has %d bytes; the store takes at most %d", what, len(text), MaxTextBytes)
	}
	b := &Blob{
		Ref:    Ref{Digest: digest(text), Size: len(text)},
		chunks: map[string][]byte{},
		frames: map[string][]byte{},
	}
	if len(text) <= MaxChunk {
		b.chunks[b.Ref.Digest] = text
		return b, nil
	}
	for part := range slices.Chunk(text, MaxChunk) {
		d := digest(part)
		b.Ref.Parts = append(b.Ref.Parts, d)
		b.chunks[d] = part
	}
	return b, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// compress makes the frames of those parts of the texts that have none yet.
func (l *Ledger) compress(texts []*Blob, parts [][]string) error {
	var raw [][]byte
	var keep []func(frame []byte)
	for i, b := range texts {
		for _, part := range parts[i] {
			if _, ok := b.frames[part]; !ok {
				raw = append(raw, b.chunks[part])
				keep = append(keep, func(frame []byte) { b.frames[part] = frame })
			}
		}
	}
	frames, err := l.codec.compressAll(raw)
	if err != nil {
		return fmt.Errorf("a text cannot be compressed: %w", err)
	}
	for i, frame := range frames {
		keep[i](frame)
	}
	return nil
}

// Keep makes the change refer to the texts, whose chunks all records share.
func (l *Ledger) Keep(ctx context.Context, c *Change, texts ...*Blob) error {
	return l.KeepUnder(ctx, c, ChunkKeys, texts...)
}

// KeepNew is Keep for texts that probably no record has yet. Those that are small enough it
// makes part of the commit without looking for them: to look costs as much as a read of
// records, and to write such a chunk again does no harm.
func (l *Ledger) KeepNew(ctx context.Context, c *Change, texts ...*Blob) error {
	parts := make([][]string, len(texts))
	for i, b := range texts {
		parts[i] = b.Ref.Chunks()
	}
	if err := l.compress(texts, parts); err != nil {
		return err
	}
	for i, b := range texts {
		rides, err := c.ride(ChunkKeys, b, parts[i])
		if err == nil && !rides {
			err = l.Keep(ctx, c, b)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// KeepUnder is Keep for chunks that belong to one record. Their keys are the prefix and
// the digest, and the code that deletes the record deletes them.
//
// KeepUnder makes the commit depend on the chunks that exist already, so that a sweep
// between reading and committing is a conflict. It writes a chunk again if that cannot
// be read, or if a sweep has condemned it. Small new chunks are part of the commit;
// larger ones are written before it.
func (l *Ledger) KeepUnder(ctx context.Context, c *Change, prefix kv.Key, texts ...*Blob) error {
	missing, err := l.missing(ctx, c, prefix, texts...)
	if err != nil {
		return err
	}
	if err := l.compress(texts, missing); err != nil {
		return err
	}
	for i, b := range texts {
		if err := l.keepMissing(ctx, c, prefix, b, missing[i]); err != nil {
			return err
		}
	}
	return nil
}

func (l *Ledger) keepMissing(ctx context.Context, c *Change, prefix kv.Key, b *Blob, missing []string) error {
	if len(missing) == 0 {
		return nil
	}
	if rides, err := c.ride(prefix, b, missing); rides || err != nil {
		return err
	}
	for _, part := range missing {
		alone := newChange(c.Op)
		alone.Checks = c.Checks[:1] // the format
		alone.Quiet, alone.CanWait = true, c.CanWait
		if err := alone.putChunk(prefix+kv.Key(part), b.frames[part]); err != nil {
			return err
		}
		if err := l.engine.Commit(ctx, alone.Batch); err != nil {
			return err
		}
	}
	still, err := l.missing(ctx, c, prefix, b)
	if err == nil && len(still[0]) > 0 {
		err = kv.ErrConflict
	}
	return err
}

// ride makes chunks of the text part of the commit, unless they are too large.
func (c *Change) ride(prefix kv.Key, b *Blob, parts []string) (rides bool, err error) {
	size := 0
	for _, part := range parts {
		size += len(b.frames[part])
	}
	if len(parts) > maxRideChunks || len(c.Puts)+2*len(parts) > maxRideWrites || c.Size()+size > maxRide {
		return false, nil
	}
	for _, part := range parts {
		key := prefix + kv.Key(part)
		if c.chunked[key] {
			continue
		}
		c.chunked[key] = true
		if err := c.putChunk(key, b.frames[part]); err != nil {
			return false, err
		}
	}
	return true, nil
}

// sizeRecord is the entry of a chunk in the index of sizes.
type sizeRecord struct {
	Header
	Bytes int32 `json:"bytes"` // in the engine
}

// sizeKey is the key of a chunk's entry, for one of those that all records share.
func sizeKey(chunk kv.Key) kv.Key { return SizeKeys + chunk[len(ChunkKeys):] }

// putChunk writes a chunk, and its size if all records share it.
func (c *Change) putChunk(key kv.Key, frame []byte) error {
	c.Puts = append(c.Puts, kv.Put{Key: key, Value: frame})
	if Family(key) != ChunkKeys {
		return nil
	}
	return c.Put(sizeKey(key), sizeRecord{NewHeader(), int32(len(frame))})
}

// missing checks the chunks of the texts that are there, and returns the others of each. A
// chunk that several texts have counts for the first.
func (l *Ledger) missing(ctx context.Context, c *Change, prefix kv.Key, texts ...*Blob) ([][]string, error) {
	var keys []kv.Key
	var of []int // the index of the text that the key is of
	for i, b := range texts {
		for _, part := range b.Ref.Chunks() {
			if key := prefix + kv.Key(part); !c.chunked[key] {
				c.chunked[key] = true
				keys, of = append(keys, key), append(of, i)
			}
		}
	}
	missing := make([][]string, len(texts))
	if len(keys) == 0 {
		return missing, nil
	}
	records, err := l.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for i, r := range records {
		if _, err := l.Chunk(r); err != nil || condemned(r.Value) {
			delete(c.chunked, r.Key)
			missing[of[i]] = append(missing[of[i]], LastPart(r.Key))
			continue
		}
		c.Check(r.Record)
	}
	return missing, nil
}

// Chunk returns the text of a chunk. Its key ends with the digest of the text.
func (l *Ledger) Chunk(f Found) ([]byte, error) {
	if f.Err != nil {
		return nil, f.Err
	}
	if !f.Exists() {
		return nil, l.Damaged(f.Key, errors.New("it is missing"))
	}
	text, err := l.codec.expand(f.Value)
	if err != nil {
		return nil, l.Damaged(f.Key, err)
	}
	if digest(text) != LastPart(f.Key) {
		return nil, l.Damaged(f.Key, errors.New("its text is not the one that was written"))
	}
	return text, nil
}

// Texts reads the texts of the references, in their order.
func (l *Ledger) Texts(ctx context.Context, refs ...Ref) ([][]byte, error) {
	return l.TextsUnder(ctx, ChunkKeys, refs...)
}

// TextsUnder is Texts of what KeepUnder kept.
func (l *Ledger) TextsUnder(ctx context.Context, prefix kv.Key, refs ...Ref) ([][]byte, error) {
	var keys []kv.Key
	for _, ref := range refs {
		for _, part := range ref.Chunks() {
			keys = append(keys, prefix+kv.Key(part))
		}
	}
	chunks := make([][]byte, 0, len(keys))
	for some := range slices.Chunk(keys, maxBlobGet) {
		records, err := l.Get(ctx, some...)
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			text, err := l.Chunk(Found{Record: r})
			if err != nil {
				return nil, err
			}
			chunks = append(chunks, text)
		}
	}
	texts := make([][]byte, len(refs))
	for i, ref := range refs {
		n := len(ref.Chunks())
		text := chunks[0]
		if n > 1 {
			text = bytes.Join(chunks[:n], nil)
		}
		chunks = chunks[n:]
		if len(text) != ref.Size || n > 1 && digest(text) != ref.Digest {
			return nil, l.Damaged(prefix+kv.Key(ref.Chunks()[0]), errors.New("the chunks do not make the text that was written"))
		}
		texts[i] = text
	}
	return texts, nil
}
