package tasks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"time"

	rules "planb/plans/tasks"
	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/storetest"
	"planb/store/tasks"
)

// agent works in /p, person anywhere.
func agent() tasks.Caller {
	return tasks.Caller{Actor: rules.Agent, Name: "Claude Code", Dir: "/p"}
}

func owned(options tasks.Options) tasks.Options {
	if options.Owner == "" {
		options.Owner = "person"
	}
	return options
}

func newStore(engine kv.Engine, options tasks.Options) *tasks.Store {
	return tasks.New(ledger.New(engine, ledger.Options{}), owned(options))
}

// clock is a time that stands still until it is set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// wantCode fails unless err has the code and its message contains the text.
func wantCode(t storetest.Tester, err error, code rules.Code, text string) {
	t.Helper()
	if rules.CodeOf(err) != code || !strings.Contains(err.Error(), text) {
		t.Errorf("got %q (%q), want %q with %q", rules.CodeOf(err), err, code, text)
	}
}

// meddler lets something happen right before a commit that writes a record with the
// prefix, or makes that commit seem lost and happen before the next one.
type meddler struct {
	kv.Engine
	mu     sync.Mutex
	prefix kv.Key
	before func() error
	late   bool
	held   *kv.Batch
}

func (m *meddler) Commit(ctx context.Context, batch kv.Batch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.held != nil {
		m.Engine.Commit(ctx, *m.held) // that it may be refused is part of the test
		m.held = nil
	}
	writes := false
	for _, put := range batch.Puts {
		writes = writes || strings.HasPrefix(string(put.Key), string(m.prefix))
	}
	if before := m.before; before != nil && writes {
		m.before = nil
		if err := before(); err != nil {
			return err
		}
	}
	if m.late && writes {
		m.late, m.held = false, &batch
		return fmt.Errorf("%w: the line is slow", kv.ErrUnclear)
	}
	return m.Engine.Commit(ctx, batch)
}

// decode reads a record's JSON behind the store's back.
func decode(t storetest.Tester, engine kv.Engine, key kv.Key, into any) {
	t.Helper()
	records, err := engine.Get(t.Context(), key)
	if err == nil {
		err = json.Unmarshal(records[0].Value, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// counter counts the calls of an engine that gives turns, and how often a caller queues up:
// for a turn, and for each call that is not in one.
type counter struct {
	kv.Engine
	reads, commits, queued int
	inTurn                 bool
}

func (c *counter) queue() {
	if !c.inTurn {
		c.queued++
	}
}

func (c *counter) TakeTurn(context.Context) (end func(), err error) {
	c.queue()
	c.inTurn = true
	return func() { c.inTurn = false }, nil
}

func (c *counter) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	c.queue()
	c.reads++
	return c.Engine.Get(ctx, keys...)
}

func (c *counter) Scan(ctx context.Context, prefix, after kv.Key, limit int) (kv.Page, error) {
	c.queue()
	c.reads++
	return c.Engine.Scan(ctx, prefix, after, limit)
}

func (c *counter) Commit(ctx context.Context, batch kv.Batch) error {
	c.queue()
	c.commits++
	return c.Engine.Commit(ctx, batch)
}
