package kv

import (
	"context"
	"encoding/hex"
	"errors"
)

// Key names one record: a flat path of printable ASCII, at most 512 bytes,
// ordered bytewise. The engine gives no meaning to its parts.
type Key string

// OpID names one commit. The engine stores it with every record that the commit
// writes, so that a writer that did not learn the outcome of its commit can read back
// whether it happened.
type OpID [16]byte

// Record is one key's value as an engine returns it. Value is the caller's to
// keep and change. A Record with Rev 0 stands for a key that does not exist.
type Record struct {
	Key   Key
	Value []byte
	// Rev is raised by every write of this key and never used again: neither when the
	// key was deleted in between, nor when the data were restored from a copy.
	Rev int64
	Op  OpID // the commit that wrote it
}

// Exists reports whether the key was there when it was read.
func (r Record) Exists() bool { return r.Rev != 0 }

// Page is one step of a Scan. More means that records follow the last one; the
// next Scan starts after it. Two pages are not one snapshot.
type Page struct {
	Records []Record
	More    bool
}

// Check makes a commit conditional: the key must stand at exactly this
// revision; 0 means that it must not exist.
type Check struct {
	Key Key
	Rev int64
}

// Put writes one key.
type Put struct {
	Key   Key
	Value []byte
}

// Batch is one atomic commit: all checks hold and all writes happen, or
// nothing does.
type Batch struct {
	Op      OpID
	Checks  []Check
	Puts    []Put
	Deletes []Key
	// Quiet commits need not be told to watchers. They are for writes that nobody waits
	// for, such as entries and renewals of claims.
	Quiet bool
	// CanWait is set where a batch begins something new: a session, an ask, a plan, a
	// claim on a task. An engine may keep room in reserve for a full disk, and gives it up
	// for any batch that cannot wait. As long as the reserve is given up, it refuses a
	// batch that can wait with FaultFull, because that room is for the answers of people.
	CanWait bool
}

// Engine keeps records. It knows nothing of what they mean. All methods may be called
// from many goroutines. Many engines, in one process or in several, may work over the
// same data, and every later read of any of them sees what one of them committed. A
// method ends when ctx does; Commit says how it does so.
//
// An engine that cannot do its work says so with a *Fault. A Fault with a Key is about
// that record only: it is damaged, and all others can be read. A put or a delete of a
// damaged record replaces it. An engine that does not answer gives FaultUnreachable;
// its watches stay open, and fire once it answers again.
type Engine interface {
	// Get reads the keys in one snapshot. The result has one Record per key,
	// in order; a missing key gives a Record with its Key and Rev 0. It takes
	// at most MaxRecordsInGet keys; none give an empty result. Values of more than
	// MaxGetBytes together are ErrTooMuch, and the caller asks for fewer keys; one
	// record always fits. A damaged record is a Fault with its Key, and nothing is
	// returned.
	Get(ctx context.Context, keys ...Key) ([]Record, error)
	// Scan lists records whose key has the prefix and is greater than after
	// (empty: from the start), ascending, at most limit and MaxPageBytes of
	// keys and values; it always returns at least one record where there is
	// one. The limit is 1 to MaxPageRecords. An empty prefix means all keys.
	// A scan that meets a damaged record returns the records before it and a Fault
	// with its Key; the next scan goes on after that key.
	Scan(ctx context.Context, prefix, after Key, limit int) (Page, error)
	// Commit applies the batch durably, or returns an error that is
	// ErrConflict when a check does not hold. With an error that is ErrUnclear the
	// caller reads back whether it happened. With any other error nothing was
	// written. Deleting a key that does not exist is no error. A batch without
	// writes only checks. A check of a damaged record is a Fault with its Key.
	//
	// If ctx ends before the commit began, the error is that of ctx. If it ends
	// later, the engine waits for the outcome and returns that, or returns an error
	// that is ErrUnclear.
	Commit(ctx context.Context, batch Batch) error
	// Watch tells that something under prefix may have changed and should be
	// read again: once at the start, then after changes; it coalesces and may
	// fire for nothing. The channel is closed when ctx ends or the engine is
	// closed. Quiet commits may go untold, but they delay no other commit and hide
	// none from the watchers.
	Watch(ctx context.Context, prefix Key) (<-chan struct{}, error)
	// Close releases what the engine holds and ends what waits in it. The
	// data stays. Every later call of another method returns ErrClosed;
	// closing again does nothing.
	Close() error
}

var (
	// ErrConflict says that a check of a Batch did not hold; nothing was written.
	ErrConflict = errors.New("the record was changed by someone else meanwhile")
	// ErrUnclear says that a commit failed in a way that leaves open whether it happened.
	ErrUnclear = errors.New("it is not known whether the write happened")
	// ErrTooMuch says that the values of a Get are more than MaxGetBytes.
	ErrTooMuch = errors.New("these records are too large to be read at once")
	// ErrClosed says that the engine was closed before.
	ErrClosed = errors.New("the store is closed")
)

func (op OpID) String() string { return hex.EncodeToString(op[:]) }
