package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"planb/store/kv"
)

const (
	// maxChunk is how much text one chunk holds, so that even one that does not
	// compress fits into a commit with room to spare.
	maxChunk = 512 << 10
	// MaxTextBytes limits one text: a plan, a form, a reply, an entry. All its
	// chunks are checked by the commit that refers to them.
	MaxTextBytes = 32 << 20
	// maxRide is how many bytes of chunks go into the commit that refers to
	// them; more are written before it.
	maxRide       = 256 << 10
	maxRideChunks = 8
	maxRideWrites = 90 // of the whole commit; what is added to it later needs room
	// maxBlobGet is how many chunks are read at once: as many as an engine reads even
	// if none of them was compressed. To read more would not be faster.
	maxBlobGet = 7
)

// blobRef refers to a text kept in chunks.
type blobRef struct {
	Digest string   `json:"sha256"`          // of the text
	Size   int      `json:"size"`            // of the text, bytes
	Parts  []string `json:"parts,omitempty"` // digests of the chunks' texts; without it the text is one chunk
}

func (b blobRef) parts() []string {
	if len(b.Parts) == 0 {
		return []string{b.Digest}
	}
	return b.Parts
}

// blob is a text about to be kept.
type blob struct {
	ref    blobRef
	chunks map[string][]byte // texts by digest
	frames map[string][]byte // the same compressed, as far as they were needed
}

func newBlob(what string, text []byte) (*blob, error) {
	if len(text) > MaxTextBytes {
		return nil, fmt.Errorf("the %s has %d bytes; the store takes at most %d", what, len(text), MaxTextBytes)
	}
	b := &blob{
		ref:    blobRef{Digest: digest(text), Size: len(text)},
		chunks: map[string][]byte{},
		frames: map[string][]byte{},
	}
	if len(text) <= maxChunk {
		b.chunks[b.ref.Digest] = text
		return b, nil
	}
	for start := 0; start < len(text); start += maxChunk {
		part := text[start:min(start+maxChunk, len(text))]
		d := digest(part)
		b.ref.Parts = append(b.ref.Parts, d)
		b.chunks[d] = part
	}
	return b, nil
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func (s *Store) frame(b *blob, part string) ([]byte, error) {
	if f, ok := b.frames[part]; ok {
		return f, nil
	}
	f, err := s.codec.compress(b.chunks[part])
	if err != nil {
		return nil, fmt.Errorf("a text cannot be compressed: %w", err)
	}
	b.frames[part] = f
	return f, nil
}

// keep makes the change refer to the blob's chunks, kept under the keys that
// key gives them. Those that are there are checked, so that a sweep between
// reading and committing is a conflict; a damaged one is written again, and so
// is one that such a sweep has condemned. The others ride in the commit if they are small, else they are written before it.
func (s *Store) keep(ctx context.Context, c *change, b *blob, key func(part string) kv.Key) error {
	missing, err := s.missing(ctx, c, b, key)
	if err != nil || len(missing) == 0 {
		return err
	}
	size := 0
	for _, part := range missing {
		f, err := s.frame(b, part)
		if err != nil {
			return err
		}
		size += len(f)
	}
	if len(missing) <= maxRideChunks && len(c.Puts)+len(missing) <= maxRideWrites && c.Size()+size <= maxRide {
		for _, part := range missing {
			c.chunked[key(part)] = true
			c.Puts = append(c.Puts, kv.Put{Key: key(part), Value: b.frames[part]})
		}
		return nil
	}
	for _, part := range missing {
		err := s.engine.Commit(ctx, kv.Batch{
			Op:      c.Op,
			Checks:  c.Checks[:1], // the format
			Puts:    []kv.Put{{Key: key(part), Value: b.frames[part]}},
			Quiet:   true,
			CanWait: c.CanWait,
		})
		if err != nil {
			return err
		}
	}
	missing, err = s.missing(ctx, c, b, key)
	if err == nil && len(missing) > 0 {
		err = kv.ErrConflict
	}
	return err
}

// missing checks the chunks that are there and returns the others.
func (s *Store) missing(ctx context.Context, c *change, b *blob, key func(part string) kv.Key) ([]string, error) {
	var parts []string
	var keys []kv.Key
	for _, part := range b.ref.parts() {
		if k := key(part); !c.chunked[k] {
			c.chunked[k] = true
			parts, keys = append(parts, part), append(keys, k)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	records, err := s.get(ctx, keys...)
	if err != nil {
		return nil, err
	}
	var missing []string
	for i, r := range records {
		if _, err := s.chunk(r, parts[i]); err != nil || condemned(r.Value) {
			delete(c.chunked, keys[i])
			missing = append(missing, parts[i])
			continue
		}
		c.check(r)
	}
	return missing, nil
}

// chunk returns the text of a chunk's record.
func (s *Store) chunk(r kv.Record, part string) ([]byte, error) {
	if !r.Exists() {
		return nil, s.damaged(r.Key, errors.New("it is missing"))
	}
	text, err := s.codec.expand(r.Value)
	if err != nil {
		return nil, s.damaged(r.Key, err)
	}
	if digest(text) != part {
		return nil, s.damaged(r.Key, errors.New("its text is not the one that was written"))
	}
	return text, nil
}

// texts reads the texts of the references, in their order.
func (s *Store) texts(ctx context.Context, key func(part string) kv.Key, refs ...blobRef) ([][]byte, error) {
	var parts []string
	var keys []kv.Key
	for _, ref := range refs {
		for _, part := range ref.parts() {
			parts, keys = append(parts, part), append(keys, key(part))
		}
	}
	chunks := make([][]byte, 0, len(keys))
	for first := 0; first < len(keys); first += maxBlobGet {
		records, err := s.get(ctx, keys[first:min(first+maxBlobGet, len(keys))]...)
		if err != nil {
			return nil, err
		}
		for i, r := range records {
			text, err := s.chunk(r, parts[first+i])
			if err != nil {
				return nil, err
			}
			chunks = append(chunks, text)
		}
	}
	texts := make([][]byte, 0, len(refs))
	for _, ref := range refs {
		n := len(ref.parts())
		text := chunks[0]
		if n > 1 {
			text = make([]byte, 0, ref.Size)
			for _, chunk := range chunks[:n] {
				text = append(text, chunk...)
			}
		}
		chunks = chunks[n:]
		if len(text) != ref.Size || n > 1 && digest(text) != ref.Digest {
			return nil, s.damaged(key(ref.parts()[0]), errors.New("the chunks do not make the text that was written"))
		}
		texts = append(texts, text)
	}
	return texts, nil
}
