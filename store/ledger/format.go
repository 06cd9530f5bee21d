package ledger

import (
	"context"
	"errors"
	"sync"
	"time"

	"planb/store/kv"
)

// Format is the newest format of the store and of its records that this code
// reads, and the one it writes. A change raises it only if older code would
// misunderstand what is written; new fields are no reason.
const Format = 1

type formatRecord struct {
	Header
	Created time.Time `json:"created"`
	// Sized says that the index of sizes has every chunk. It is missing in stores
	// from before there was an index, until Reindex.
	Sized bool `json:"sized,omitempty"`
}

// knownFormat is the format record as it was last read. The zero value is ready.
type knownFormat struct {
	mu     sync.Mutex
	record kv.Record // Rev 0 before it was read
	reads  int       // each read of records reads it, too
}

func (k *knownFormat) get() kv.Record {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.record
}

func (k *knownFormat) timesRead() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.reads
}

// forget makes the next commit read the format record again.
func (k *knownFormat) forget() { k.forgetUnread(k.timesRead()) }

// forgetUnread is forget, unless the record was read since it had been read that often.
func (k *knownFormat) forgetUnread(reads int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.reads == reads {
		k.record = kv.Record{}
	}
}

// Prepare makes a new store ready for use. It refuses a store that a newer planb
// wrote with a *FormatError. Every method does this for itself; a caller that calls
// Prepare first learns early that a store cannot be used.
func (l *Ledger) Prepare(ctx context.Context) error {
	l.format.forget()
	_, err := l.prepare(ctx)
	return err
}

// prepare returns the format record, as a commit's check wants it.
func (l *Ledger) prepare(ctx context.Context) (kv.Record, error) {
	for try := 1; ; try++ {
		known := l.format.get()
		if !known.Exists() {
			records, err := l.Get(ctx, FormatKey)
			if err != nil {
				return kv.Record{}, err
			}
			known = records[0]
		}
		if known.Exists() {
			return known, nil
		}
		value, err := Encode(formatRecord{Header: NewHeader(), Created: l.Clock(), Sized: true})
		if err != nil {
			return kv.Record{}, err
		}
		err = l.engine.Commit(ctx, kv.Batch{
			Op:     l.newOp(),
			Checks: []kv.Check{{Key: FormatKey}},
			Puts:   []kv.Put{{Key: FormatKey, Value: value}},
		})
		again := errors.Is(err, kv.ErrConflict) || errors.Is(err, kv.ErrUnclear)
		if err != nil && (!again || try == maxUnclear) {
			return kv.Record{}, err
		}
	}
}

// acceptFormat judges the format record of a snapshot and remembers it.
func (l *Ledger) acceptFormat(r kv.Record) error {
	if !r.Exists() {
		return nil
	}
	l.format.mu.Lock()
	defer l.format.mu.Unlock()
	l.format.reads++
	if r.Rev == l.format.record.Rev {
		return nil
	}
	if _, err := Decode[formatRecord](l, r); err != nil {
		if newer, ok := errors.AsType[*FormatError](err); ok {
			newer.Key = ""
		}
		return err
	}
	l.format.record = r
	return nil
}
