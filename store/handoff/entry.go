package handoff

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"planb/store"
)

// The keys of an away store.
const (
	// One page has the head and, if they are not very many, the entries.
	headKey   store.Key = "journal"
	entryKeys store.Key = headKey + "/" // and the revision of the commit
	pieceKeys store.Key = "piece/"      // and the operation that spilled, and a number
)

const (
	// spillBytes is how long an entry may be to be written with the head. A longer
	// one lies in pieces, which are read once by each process, and not again after
	// every commit.
	spillBytes = 8 << 10
	pieceBytes = 512 << 10
	// version of what is written away.
	version = 1
)

// head is what changes with every change of an away store.
type head struct {
	V      int       `json:"v"`
	Reason string    `json:"reason"` // why home could not be written, when the first commit came
	Since  time.Time `json:"since"`
	// Taken are records that away made and home turned out to have: commits
	// that check the one stand on the other.
	Taken map[store.Key]taken `json:"taken,omitempty"`
}

// taken is one record's revision in both engines.
type taken struct {
	Away int64 `json:"away"`
	Home int64 `json:"home"`
}

// entry is one commit that lies away.
type entry struct {
	store.Batch
	rev    int64
	pieces []store.Key // where it lies, if it is long
}

// written is the form of an entry in its record.
type written struct {
	V      int
	Pieces []store.Key
	Batch  []byte // of the batch, gob; empty if it lies in the pieces
}

func entryKey(rev int64) store.Key {
	return entryKeys + store.Key(fmt.Sprintf("%019d", rev))
}

// revisionIn is the revision in an entry's key.
func revisionIn(key store.Key) (int64, error) {
	return strconv.ParseInt(strings.TrimPrefix(string(key), string(entryKeys)), 10, 64)
}

func pieceKey(op string, n int) store.Key {
	return pieceKeys + store.Key(fmt.Sprintf("%s/%d", op, n))
}

func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	if err := gob.NewEncoder(&out).Encode(value); err != nil {
		return nil, fmt.Errorf("a commit can't be encoded to be kept away: %w", err)
	}
	return out.Bytes(), nil
}

func decode(data []byte, value any) error {
	return gob.NewDecoder(bytes.NewReader(data)).Decode(value)
}

// read makes an entry of its record. long reads what lies in pieces.
func read(r store.Record, long func([]store.Key) ([]byte, error)) (entry, error) {
	rev, err := revisionIn(r.Key)
	if err != nil {
		return entry{}, fmt.Errorf("the key %q names no revision: %w", r.Key, err)
	}
	var w written
	if err := decode(r.Value, &w); err != nil {
		return entry{}, fmt.Errorf("%s: %w", r.Key, err)
	}
	if w.V != version {
		return entry{}, fmt.Errorf("%s was written by another version of planb (%d, this one knows %d)", r.Key, w.V, version)
	}
	en := entry{rev: rev, pieces: w.Pieces}
	if len(w.Pieces) > 0 {
		if w.Batch, err = long(w.Pieces); err != nil {
			return entry{}, err
		}
	}
	if err := decode(w.Batch, &en.Batch); err != nil {
		return entry{}, fmt.Errorf("%s: %w", r.Key, err)
	}
	return en, nil
}

// keys are those the commit wrote.
func (en entry) keys() []store.Key {
	keys := make([]store.Key, 0, len(en.Puts)+len(en.Deletes))
	for _, p := range en.Puts {
		keys = append(keys, p.Key)
	}
	return append(keys, en.Deletes...)
}

func readHead(r store.Record) (head, error) {
	var h head
	if err := json.Unmarshal(r.Value, &h); err != nil {
		return head{}, fmt.Errorf("its head is not readable: %w", err)
	}
	if h.V != version {
		return head{}, fmt.Errorf("its head was written by another version of planb (%d, this one knows %d)", h.V, version)
	}
	return h, nil
}

func (h head) value() ([]byte, error) {
	data, err := json.Marshal(h)
	return data, errors.Join(err)
}
