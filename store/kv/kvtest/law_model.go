package kvtest

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"planb/store/kv"
)

// model runs random histories on the engine and on Map, which is simple enough
// to be believed, and compares every answer. Revisions may differ by what an
// engine counts, but not in which checks hold.
func model(t *testing.T, open func(t *testing.T) kv.Engine) {
	e := open(t)
	history := 0
	rapid.Check(t, func(rt *rapid.T) {
		// One engine serves all histories, each below a prefix of its own.
		history++
		m := &machine{
			t: t, rt: rt, engine: e, model: NewMap(),
			prefix: kv.Key(fmt.Sprintf("h%d/", history)),
			past:   make(map[kv.Key][]pair),
		}
		rt.Repeat(map[string]func(*rapid.T){
			"commit": m.commit,
			"get":    m.get,
			"scan":   m.scan,
			"":       func(*rapid.T) {},
		})
	})
}

// machine is one history on both engines.
type machine struct {
	t             *testing.T
	rt            *rapid.T
	engine, model kv.Engine
	prefix        kv.Key
	past          map[kv.Key][]pair // revisions seen of a key, newest last
}

// pair is what the two engines call the same revision.
type pair struct{ engine, model int64 }

func (m *machine) key(rt *rapid.T, name string) kv.Key {
	return m.prefix + kv.Key(rapid.StringMatching(`[ab/~]{0,3}`).Draw(rt, name))
}

func (m *machine) commit(rt *rapid.T) {
	var ours, theirs kv.Batch
	written := make(map[kv.Key]bool)
	for range rapid.IntRange(0, 3).Draw(rt, "checks") {
		k := m.key(rt, "checked")
		revs := append([]pair{{0, 0}, {1 << 60, 1 << 60}}, m.past[k]...)
		rev := revs[len(revs)-1-min(len(revs)-1, rapid.IntRange(0, 3).Draw(rt, "age"))]
		ours.Checks = append(ours.Checks, kv.Check{Key: k, Rev: rev.engine})
		theirs.Checks = append(theirs.Checks, kv.Check{Key: k, Rev: rev.model})
	}
	for range rapid.IntRange(0, 4).Draw(rt, "writes") {
		k := m.key(rt, "written")
		if written[k] {
			continue
		}
		written[k] = true
		if rapid.IntRange(0, 3).Draw(rt, "delete") == 0 {
			ours.Deletes = append(ours.Deletes, k)
			continue
		}
		v := rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(rt, "value")
		v = bytes.Repeat(v, rapid.IntRange(1, 1000).Draw(rt, "times"))
		ours.Puts = append(ours.Puts, kv.Put{Key: k, Value: v})
	}
	ours.Op = kv.OpID(rapid.SliceOfN(rapid.Byte(), 16, 16).Draw(rt, "op"))
	ours.Quiet = rapid.Bool().Draw(rt, "quiet")
	theirs.Op, theirs.Puts, theirs.Deletes, theirs.Quiet = ours.Op, ours.Puts, ours.Deletes, ours.Quiet

	mine, model := m.engine.Commit(m.t.Context(), ours), m.model.Commit(m.t.Context(), theirs)
	if errors.Is(mine, kv.ErrConflict) != errors.Is(model, kv.ErrConflict) {
		rt.Fatalf("commit gave %v, want %v", mine, model)
	}
	if mine != nil && !errors.Is(mine, kv.ErrConflict) {
		rt.Fatalf("commit: %v", mine)
	}
}

func (m *machine) get(rt *rapid.T) {
	var keys []kv.Key
	for range rapid.IntRange(1, 5).Draw(rt, "keys") {
		keys = append(keys, m.key(rt, "read"))
	}
	got, err := m.engine.Get(m.t.Context(), keys...)
	if err != nil {
		rt.Fatalf("get: %v", err)
	}
	want, err := m.model.Get(m.t.Context(), keys...)
	if err != nil {
		rt.Fatalf("get of the model: %v", err)
	}
	m.compare(rt, got, want)
}

func (m *machine) scan(rt *rapid.T) {
	prefix := m.key(rt, "prefix")
	var after kv.Key
	if rapid.Bool().Draw(rt, "from the middle") {
		after = m.key(rt, "after")
	}
	limit := rapid.IntRange(1, 6).Draw(rt, "limit")
	got, err := m.engine.Scan(m.t.Context(), prefix, after, limit)
	if err != nil {
		rt.Fatalf("scan: %v", err)
	}
	want, err := m.model.Scan(m.t.Context(), prefix, after, limit)
	if err != nil {
		rt.Fatalf("scan of the model: %v", err)
	}
	if got.More != want.More {
		rt.Fatalf("scan of %q after %q, limit %d: more is %v, want %v", prefix, after, limit, got.More, want.More)
	}
	m.compare(rt, got.Records, want.Records)
}

// compare also learns the revisions, for later checks.
func (m *machine) compare(rt *rapid.T, got, want []kv.Record) {
	if len(got) != len(want) {
		rt.Fatalf("got %d records, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Key != w.Key || string(g.Value) != string(w.Value) || g.Op != w.Op || g.Exists() != w.Exists() {
			rt.Fatalf("record %d is %+v, want %+v", i, g, w)
		}
		if !g.Exists() {
			continue
		}
		seen := m.past[g.Key]
		if n := len(seen); n == 0 || seen[n-1].model < w.Rev {
			if n > 0 && g.Rev <= seen[n-1].engine {
				rt.Fatalf("%s has revision %d after %d", g.Key, g.Rev, seen[n-1].engine)
			}
			m.past[g.Key] = append(seen, pair{g.Rev, w.Rev})
		} else if seen[n-1] != (pair{g.Rev, w.Rev}) {
			rt.Fatalf("%s has revision %d, it was %d and nobody wrote", g.Key, g.Rev, seen[n-1].engine)
		}
	}
}
