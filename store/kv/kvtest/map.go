package kvtest

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"syscall"

	"planb/store/kv"
)

// Map is an engine that keeps its records in memory, for tests of what is built
// on an engine. Several users may share one Map as processes share a file. Its
// Fail methods make later commits go wrong.
type Map struct {
	mu       sync.Mutex
	records  map[kv.Key]kv.Record
	rev      int64
	bell     *kv.Bell
	failures []failure
	damaged  map[kv.Key]bool
	cut      bool // as if it could not be reached
	closed   bool
}

var _ kv.Engine = (*Map)(nil)

// failure is what one commit to come does instead of its work.
type failure struct {
	err     error
	applied bool // the writes happen all the same
}

// NewMap returns an empty engine.
func NewMap() *Map {
	return &Map{
		records: make(map[kv.Key]kv.Record),
		bell:    kv.NewBell(nil, nil),
		damaged: make(map[kv.Key]bool),
	}
}

// FailNextCommit makes the next commit, of those not yet told to fail, write
// nothing and return err.
func (m *Map) FailNextCommit(err error) {
	m.fail(failure{err: err})
}

// UnclearNextCommit makes the next commit, of those not yet told to fail,
// return an error that is kv.ErrUnclear. Whether its writes happen is what
// applied says; the caller of Commit can only find out by reading.
func (m *Map) UnclearNextCommit(applied bool) {
	m.fail(failure{err: fmt.Errorf("%w: the test's disk gave no answer", kv.ErrUnclear), applied: applied})
}

// FullNextCommit makes the next commit, of those not yet told to fail, find the
// disk full.
func (m *Map) FullNextCommit() {
	m.fail(failure{err: &kv.Fault{
		Kind: kv.FaultFull,
		Path: "memory",
		What: "cannot be written, because its disk is full",
		Do:   "free some space",
		Err:  syscall.ENOSPC,
	}})
}

func (m *Map) fail(f failure) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.failures = append(m.failures, f)
}

// Damage makes a record one that cannot be read, until it is written again.
func (m *Map) Damage(key kv.Key) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.damaged[key] = true
}

// Cut makes the engine one that cannot be reached, until mend is called.
func (m *Map) Cut() (mend func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.cut = true
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.cut = false
		m.bell.RingAll()
	}
}

// enter locks the map for one operation, unless it must not begin.
func (m *Map) enter(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	var err error
	switch {
	case m.closed:
		err = kv.ErrClosed
	case m.cut:
		err = &kv.Fault{Kind: kv.FaultUnreachable, Path: "memory", What: "does not answer", Do: "see to the network"}
	default:
		return nil
	}
	m.mu.Unlock()
	return err
}

// Get implements kv.Engine.
func (m *Map) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	if err := kv.ValidateGet(keys); err != nil {
		return nil, err
	}
	if err := m.enter(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	got := make([]kv.Record, len(keys))
	size := 0
	for i, k := range keys {
		var err error
		if got[i], err = m.read(k); err != nil {
			return nil, err
		}
		if size += len(got[i].Value); size > kv.MaxGetBytes {
			return nil, kv.ErrTooMuch
		}
	}
	return got, nil
}

func (m *Map) read(k kv.Key) (kv.Record, error) {
	if m.damaged[k] {
		return kv.Record{}, &kv.Fault{
			Kind: kv.FaultDamaged,
			Path: "memory",
			Key:  k,
			What: fmt.Sprintf("holds a damaged record %q", k),
		}
	}
	r, ok := m.records[k]
	if !ok {
		return kv.Record{Key: k}, nil
	}
	r.Value = bytes.Clone(r.Value)
	return r, nil
}

// Scan implements kv.Engine.
func (m *Map) Scan(ctx context.Context, prefix, after kv.Key, limit int) (kv.Page, error) {
	if err := kv.ValidateScan(prefix, after, limit); err != nil {
		return kv.Page{}, err
	}
	if err := m.enter(ctx); err != nil {
		return kv.Page{}, err
	}
	defer m.mu.Unlock()
	var keys []kv.Key
	for k := range m.records {
		if k > after && strings.HasPrefix(string(k), string(prefix)) {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	var page kv.Page
	size := 0
	for _, k := range keys {
		size += len(k) + len(m.records[k].Value)
		if len(page.Records) == limit || len(page.Records) > 0 && size > kv.MaxPageBytes {
			page.More = true
			break
		}
		r, err := m.read(k)
		if err != nil {
			return page, err
		}
		page.Records = append(page.Records, r)
	}
	return page, nil
}

// Commit implements kv.Engine.
func (m *Map) Commit(ctx context.Context, batch kv.Batch) error {
	if err := batch.Validate(); err != nil {
		return err
	}
	if err := m.enter(ctx); err != nil {
		return err
	}
	defer m.mu.Unlock()
	var failed failure
	if len(m.failures) > 0 {
		failed, m.failures = m.failures[0], m.failures[1:]
		if !failed.applied {
			return failed.err
		}
	}
	for _, c := range batch.Checks {
		if r, err := m.read(c.Key); err != nil {
			return err
		} else if r.Rev != c.Rev {
			return fmt.Errorf("%w: %s", kv.ErrConflict, c.Key)
		}
	}
	m.apply(batch)
	return failed.err
}

func (m *Map) apply(batch kv.Batch) {
	if len(batch.Puts)+len(batch.Deletes) == 0 {
		return
	}
	m.rev++
	for _, p := range batch.Puts {
		value := append([]byte{}, p.Value...)
		delete(m.damaged, p.Key)
		m.records[p.Key] = kv.Record{Key: p.Key, Value: value, Rev: m.rev, Op: batch.Op}
	}
	for _, k := range batch.Deletes {
		delete(m.records, k)
		delete(m.damaged, k)
	}
	if !batch.Quiet {
		m.bell.RingAll()
	}
}

// Watch implements kv.Engine. It fires for every commit that is not quiet,
// whatever the prefix.
func (m *Map) Watch(ctx context.Context, prefix kv.Key) (<-chan struct{}, error) {
	if err := m.enter(ctx); err != nil {
		return nil, err
	}
	defer m.mu.Unlock()
	return m.bell.Join(ctx, prefix)
}

// Close implements kv.Engine.
func (m *Map) Close() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.closed = true
	m.bell.Close()
	return nil
}

// Take returns all records but the one of the key, and forgets them.
func (m *Map) Take(but kv.Key) []kv.Record {
	m.mu.Lock()
	defer m.mu.Unlock()
	records := make([]kv.Record, 0, len(m.records))
	for key, r := range m.records {
		if key != but {
			records = append(records, r)
			delete(m.records, key)
		}
	}
	return records
}
