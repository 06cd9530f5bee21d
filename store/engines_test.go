package store_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"planb/store/kv"
	"planb/store/storetest"
)

// meddler lets something happen right before a commit: after a change has read
// and before it writes.
type meddler struct {
	kv.Engine
	mu      sync.Mutex
	once    func()
	unheard func()
	badGets int
	late    bool
}

// lateCommit makes the next commit seem lost. It happens right before the commit after
// it.
func (m *meddler) lateCommit() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.late = true
}

// unheardCommit makes the next commit happen, calls f, and then returns kv.ErrUnclear.
// The next reads fail, as many as badGets says.
func (m *meddler) unheardCommit(badGets int, f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unheard, m.badGets = f, badGets
}

func (m *meddler) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	m.mu.Lock()
	bad := m.unheard == nil && m.badGets > 0
	if bad {
		m.badGets--
	}
	m.mu.Unlock()
	if bad {
		return nil, errDisk
	}
	return m.Engine.Get(ctx, keys...)
}

// beforeCommit runs f before the next commit.
func (m *meddler) beforeCommit(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.once = f
}

func (m *meddler) Commit(ctx context.Context, batch kv.Batch) error {
	m.mu.Lock()
	f, unheard := m.once, m.unheard
	m.once, m.unheard = nil, nil
	if m.late {
		m.late = false
		m.once = func() { m.Engine.Commit(ctx, batch) } // the engine may refuse it; the test covers that
		m.mu.Unlock()
		return fmt.Errorf("%w: the line is slow", kv.ErrUnclear)
	}
	m.mu.Unlock()
	if f != nil {
		f()
	}
	err := m.Engine.Commit(ctx, batch)
	if err == nil && unheard != nil {
		unheard()
		return fmt.Errorf("%w: the line went dead", kv.ErrUnclear)
	}
	return err
}

// counter counts what an engine is asked.
type counter struct {
	kv.Engine
	gets, scans, commits int
}

func (c *counter) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	c.gets++
	return c.Engine.Get(ctx, keys...)
}

func (c *counter) Scan(ctx context.Context, prefix, after kv.Key, limit int) (kv.Page, error) {
	c.scans++
	return c.Engine.Scan(ctx, prefix, after, limit)
}

func (c *counter) Commit(ctx context.Context, batch kv.Batch) error {
	c.commits++
	return c.Engine.Commit(ctx, batch)
}

// count returns how many records lie under the prefix.
func count(t storetest.Tester, engine kv.Engine, prefix kv.Key) int {
	t.Helper()
	return len(storetest.All(t, engine, prefix))
}

// rawRecord reads a record's fields behind the store's back.
func rawRecord(t storetest.Tester, engine kv.Engine, key kv.Key) map[string]any {
	t.Helper()
	records, err := engine.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	if !records[0].Exists() {
		t.Fatalf("there is no record %s", key)
	}
	var fields map[string]any
	if err := json.Unmarshal(records[0].Value, &fields); err != nil {
		t.Fatal(err)
	}
	return fields
}

// rapidTester makes a property's T a tester with the test's context, which
// outlives the property's.
type rapidTester struct {
	*rapid.T
	ctx context.Context
}

func (r rapidTester) Context() context.Context { return r.ctx }

// cut splits a key after its family.
func cut(key kv.Key) (family, rest string, found bool) {
	return strings.Cut(string(key), "/")
}

// until waits until done is true, which another goroutine brings about.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("after 20 s still not: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}
