package tasks_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	rules "planb/plans/tasks"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/tasks"
)

// overEngines runs a test over each engine there is. A second call of the given
// function opens the same data once more, as another process would.
func overEngines(t *testing.T, test func(t *testing.T, open func() kv.Engine)) {
	t.Run("map", func(t *testing.T) {
		m := kvtest.NewMap()
		test(t, func() kv.Engine { return m })
	})
	t.Run("bolt", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "planb.db")
		test(t, func() kv.Engine {
			engine, err := bolt.Open(t.Context(), path, bolt.Options{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := engine.Close(); err != nil {
					t.Error(err)
				}
			})
			return engine
		})
	})
}

// tester is what helpers need of a test or a property.
type tester interface {
	rapid.TB
	Context() context.Context
}

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
func wantCode(t tester, err error, code rules.Code, text string) {
	t.Helper()
	if rules.CodeOf(err) != code || !strings.Contains(err.Error(), text) {
		t.Errorf("got %q (%q), want %q with %q", rules.CodeOf(err), err, code, text)
	}
}

// all reads every record under the prefix.
func all(t tester, engine kv.Engine, prefix kv.Key) []kv.Record {
	t.Helper()
	var records []kv.Record
	for {
		after := kv.Key("")
		if len(records) > 0 {
			after = records[len(records)-1].Key
		}
		page, err := engine.Scan(t.Context(), prefix, after, kv.MaxPageRecords)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, page.Records...)
		if !page.More {
			return records
		}
	}
}

// dump is everything in the engine, to be compared.
func dump(t tester, engine kv.Engine) string {
	t.Helper()
	var text strings.Builder
	for _, r := range all(t, engine, "") {
		fmt.Fprintf(&text, "%s %q\n", r.Key, r.Value)
	}
	return text.String()
}

// putRecord writes a record behind the store's back.
func putRecord(t tester, engine kv.Engine, key kv.Key, value any) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	err = engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: key, Value: data}}})
	if err != nil {
		t.Fatal(err)
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
func decode(t tester, engine kv.Engine, key kv.Key, into any) {
	t.Helper()
	records, err := engine.Get(t.Context(), key)
	if err == nil {
		err = json.Unmarshal(records[0].Value, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}
