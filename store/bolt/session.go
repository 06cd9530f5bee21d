package bolt

import (
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"planb/store/kv"
)

// session is the use of the locked file for one transaction. It turns memory faults and
// panics into errors, so everything that touches mapped memory must happen in the
// goroutine that runs it.
type session struct {
	path    string
	f       *os.File // open and locked
	db      *bbolt.DB
	commit  func(*bbolt.Tx) error
	blocked bool // bbolt's own locks are never released; its Close would not return
}

// session opens the locked file f with bbolt, runs do and closes.
func (e *Engine) session(f *os.File, write bool, do func(*session) error) error {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	if err := e.inspect(f, write); err != nil {
		return err
	}
	s := &session{path: e.path, f: f, commit: e.commit}
	if err := s.open(&bbolt.Options{
		ReadOnly:     !write,
		FreelistType: bbolt.FreelistArrayType,
		Timeout:      e.lockTimeout,
		OpenFile:     func(string, int, os.FileMode) (*os.File, error) { return f, nil },
	}); err != nil {
		return err
	}
	err := do(s)
	if closing := s.close(); closing != nil && err == nil {
		e.notice(fmt.Errorf("closing %s: %w", e.path, closing))
	}
	return err
}

// open has bbolt open the file that is open and locked already. If bbolt panics, the
// caller that opened the file releases the lock.
func (s *session) open(opts *bbolt.Options) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = panicked(s.path, p)
		}
	}()
	s.db, err = bbolt.Open(s.path, 0o600, opts)
	if err != nil {
		return fault(s.path, err, !opts.ReadOnly)
	}
	return nil
}

func (s *session) close() (err error) {
	if s.blocked {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			err = panicked(s.path, p)
		}
	}()
	return s.db.Close()
}

// rollBack ends tx after the panic p and returns the error for it.
func (s *session) rollBack(tx *bbolt.Tx, p any) *kv.Fault {
	s.blocked = true
	defer func() { _ = recover() }() // p is what there is to tell
	err := tx.Rollback()
	s.blocked = err != nil && !errors.Is(err, berrors.ErrTxClosed)
	return panicked(s.path, p)
}

// view runs read in a transaction that sees one state of the store.
func (s *session) view(read func(buckets) error) (err error) {
	tx, err := s.db.Begin(false)
	if err != nil {
		return fault(s.path, err, false)
	}
	defer func() {
		if p := recover(); p != nil {
			err = s.rollBack(tx, p)
		}
	}()
	b, err := bucketsOf(s.path, tx)
	if err == nil {
		err = read(b)
	}
	if rolled := tx.Rollback(); rolled != nil && err == nil {
		return fault(s.path, rolled, false)
	}
	return err
}

// update runs write in a transaction and commits it. It returns what the doorbell is to
// tell.
func (s *session) update(write func(buckets) (int64, error)) (told chime, err error) {
	tx, err := s.db.Begin(true)
	if err != nil {
		return chime{}, fault(s.path, err, true)
	}
	txid, committing := uint64(tx.ID()), false
	defer func() {
		p := recover()
		if p == nil {
			return
		}
		err = s.rollBack(tx, p)
		if committing {
			err = s.afterFailure(txid, err)
		}
	}()
	b, err := bucketsOf(s.path, tx)
	if err != nil {
		_ = tx.Rollback() // fails only if the transaction has ended
		return chime{}, err
	}
	before := b.loud()
	rev, err := write(b)
	if err != nil {
		_ = tx.Rollback()
		return chime{}, err
	}
	committing = true
	if err := s.commit(tx); err != nil {
		return chime{}, s.afterFailure(txid, err)
	}
	return chime{rev: rev, txid: txid, before: before}, nil
}

// afterFailure is the error of a commit that failed with err. The file is still locked.
// If the newer meta page is not this transaction's, nothing was written. If it is, the
// disk may or may not have it, and the outcome is unclear.
func (s *session) afterFailure(txid uint64, err error) error {
	failure := fault(s.path, err, true)
	m, unread := readMeta(s.f)
	if unread == nil && m.txid < txid {
		return failure
	}
	return fmt.Errorf("%w: %w", kv.ErrUnclear, failure)
}
