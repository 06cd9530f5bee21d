package kvtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/store/kv"
)

// Harness makes engines for the law and does to them what happens to engines from
// outside. It sees to the end of each engine; the law may close one early.
type Harness struct {
	// Open returns a new engine over no records.
	Open func(t *testing.T) kv.Engine
	// Both returns two engines over the same data without records, as two processes have
	// them. Closing the other leaves the one. Nil if a test of Open shows everything.
	Both func(t *testing.T) (one, other kv.Engine)
	// Damage makes a record unreadable behind the engine's back.
	Damage func(t *testing.T, e kv.Engine, key kv.Key)
	// Fail makes the engine's next commit fail; with applied, after its writes
	// happened.
	Fail func(t *testing.T, e kv.Engine, applied bool)
	// Keeper returns an engine over no records that is a kv.Keeper, a directory for its
	// copies, and what opens a copy. Nil for an engine that is no Keeper.
	Keeper func(t *testing.T) (e kv.Keeper, dir string, at func(path string) kv.Keeper)
	// Cut makes the engine unreachable until the function that it returns is called.
	// Nil for an engine that is always reached.
	Cut func(e kv.Engine) (mend func())
}

// TestEngine holds an engine to everything that kv.Engine promises.
func TestEngine(t *testing.T, h Harness) {
	for _, law := range []struct {
		name string
		test func(*testing.T, kv.Engine)
	}{
		{"a missing key has revision 0", missing},
		{"get answers key by key", getInOrder},
		{"get reads as many keys and bytes as it may", getLargest},
		{"what is read and written is copied", copies},
		{"any bytes are kept", anyBytes},
		{"an empty value exists", emptyValue},
		{"each write raises the revision", revisions},
		{"a record names the commit that wrote it", operations},
		{"checks hold or conflict", conflicts},
		{"a conflict writes nothing", atomic},
		{"a batch without writes only checks", checkOnly},
		{"deleting what is not there is no error", deleteMissing},
		{"scan goes up in key order", scanOrder},
		{"scan keeps to its prefix", scanPrefix},
		{"scan starts after a key", scanAfter},
		{"scan keeps its limits", scanLimits},
		{"scan in pages misses nothing", scanPages},
		{"scan pages through the largest values", scanLargest},
		{"the largest batch fits", largest},
		{"what is over a limit is refused in words", refusals},
		{"an ended context ends every call", endedContext},
		{"a context that ends during a commit leaves no doubt unsaid", endsDuringCommit},
		{"a closed engine says so", closed},
		{"no update is lost between goroutines", counting},
		{"readers see whole commits", wholeCommits},
		{"watch fires at the start", watchStart},
		{"watch fires after a commit", watchCommit},
		{"watch coalesces", watchCoalesces},
		{"watch wakes everyone", watchAll},
		{"watch tells of a part", watchPart},
		{"watch tells of a commit among quiet ones", watchAmongQuiet},
		{"quiet commits delay no other", quietCrowd},
		{"watch ends with its context", watchEnds},
		{"close ends a watch", closeEndsWatch},
	} {
		t.Run(law.name, func(t *testing.T) { law.test(t, h.Open(t)) })
	}
	t.Run("any history is that of a map", func(t *testing.T) { model(t, h.Open) })
	t.Run("get meets a damaged record", func(t *testing.T) { damagedGet(t, h) })
	t.Run("scan goes on behind a damaged record", func(t *testing.T) { damagedScan(t, h) })
	t.Run("a damaged record is replaced", func(t *testing.T) { damagedCommit(t, h) })
	t.Run("what the error of a commit says is true", func(t *testing.T) { failures(t, h) })
	if h.Both != nil {
		shared(t, h.Both)
	}
	if h.Keeper != nil {
		keeping(t, h)
	}
	if h.Cut != nil {
		t.Run("an unreachable engine says so and comes back", func(t *testing.T) { unreachable(t, h) })
	}
}

// patience is how long the law waits for what must happen soon.
const patience = 10 * time.Second

func commit(t testing.TB, e kv.Engine, b kv.Batch) {
	t.Helper()
	if err := e.Commit(t.Context(), b); err != nil {
		t.Fatalf("commit: %v", err)
	}
}

func put(t testing.TB, e kv.Engine, key kv.Key, value string) {
	t.Helper()
	commit(t, e, kv.Batch{Puts: []kv.Put{{Key: key, Value: []byte(value)}}})
}

func get(t testing.TB, e kv.Engine, key kv.Key) kv.Record {
	t.Helper()
	got, err := e.Get(t.Context(), key)
	if err != nil {
		t.Fatalf("get %s: %v", key, err)
	}
	if len(got) != 1 {
		t.Fatalf("get of one key gave %d records", len(got))
	}
	return got[0]
}

func scan(t testing.TB, e kv.Engine, prefix, after kv.Key, limit int) kv.Page {
	t.Helper()
	page, err := e.Scan(t.Context(), prefix, after, limit)
	if err != nil {
		t.Fatalf("scan %q after %q: %v", prefix, after, err)
	}
	return page
}

func keysOf(p kv.Page) string {
	var keys []string
	for _, r := range p.Records {
		keys = append(keys, string(r.Key))
	}
	return strings.Join(keys, " ")
}

func wantKeys(t testing.TB, p kv.Page, keys string, more bool) {
	t.Helper()
	if got := keysOf(p); got != keys || p.More != more {
		t.Errorf("got keys %q, more %v; want %q, more %v", got, p.More, keys, more)
	}
}

func wantValue(t testing.TB, e kv.Engine, key kv.Key, value string) {
	t.Helper()
	if r := get(t, e, key); !r.Exists() || string(r.Value) != value {
		t.Errorf("%s holds %q at revision %d, want %q", key, r.Value, r.Rev, value)
	}
}

func wantMissing(t testing.TB, e kv.Engine, key kv.Key) {
	t.Helper()
	if r := get(t, e, key); r.Exists() || r.Key != key || len(r.Value) != 0 || r.Op != (kv.OpID{}) {
		t.Errorf("a missing key gave %+v", r)
	}
}

func missing(t *testing.T, e kv.Engine) {
	wantMissing(t, e, "nothing")
	put(t, e, "nothing/below", "x")
	wantMissing(t, e, "nothing")
	commit(t, e, kv.Batch{Deletes: []kv.Key{"nothing/below"}})
	wantMissing(t, e, "nothing/below")
}

// getLargest reads up to both limits, and over the one of bytes.
func getLargest(t *testing.T, e kv.Engine) {
	var many []kv.Key
	for i := range kv.MaxRecordsInGet {
		many = append(many, kv.Key(fmt.Sprintf("many/%03d", i)))
	}
	batch := kv.Batch{}
	for _, k := range many {
		batch.Puts = append(batch.Puts, kv.Put{Key: k, Value: []byte(k)})
	}
	commit(t, e, batch)
	got, err := e.Get(t.Context(), many...)
	if err != nil || len(got) != len(many) {
		t.Fatalf("%d records, %v", len(got), err)
	}
	for i, r := range got {
		if r.Key != many[i] || string(r.Value) != string(many[i]) {
			t.Errorf("record %d is %s with %q", i, r.Key, r.Value)
		}
	}

	var large []kv.Key
	const parts, room = 4, 100
	for i := range parts + 1 {
		key := kv.Key(fmt.Sprint("large/", i))
		commit(t, e, kv.Batch{Puts: []kv.Put{{Key: key, Value: make([]byte, kv.MaxGetBytes/parts-room)}}})
		large = append(large, key)
	}
	if got, err := e.Get(t.Context(), large[:parts]...); err != nil || len(got) != parts || len(got[parts-1].Value) != kv.MaxGetBytes/parts-room {
		t.Errorf("%d records of all bytes there may be, %v", len(got), err)
	}
	if _, err := e.Get(t.Context(), large...); !errors.Is(err, kv.ErrTooMuch) {
		t.Errorf("more bytes than there may be: %v", err)
	}
}

func getInOrder(t *testing.T, e kv.Engine) {
	put(t, e, "a", "1")
	put(t, e, "b", "2")
	got, err := e.Get(t.Context(), "b", "x", "a", "b")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, r := range got {
		out = append(out, fmt.Sprintf("%s=%s", r.Key, r.Value))
	}
	if want := []string{"b=2", "x=", "a=1", "b=2"}; !slices.Equal(out, want) {
		t.Errorf("got %v, want %v", out, want)
	}
	if none, err := e.Get(t.Context()); err != nil || len(none) != 0 {
		t.Errorf("no keys gave %v, %v", none, err)
	}
}

func copies(t *testing.T, e kv.Engine) {
	mine := []byte("kept")
	commit(t, e, kv.Batch{Puts: []kv.Put{{Key: "k", Value: mine}}})
	copy(mine, "XXXX")
	wantValue(t, e, "k", "kept")
	copy(get(t, e, "k").Value, "YYYY")
	wantValue(t, e, "k", "kept")
	copy(scan(t, e, "", "", 1).Records[0].Value, "ZZZZ")
	wantValue(t, e, "k", "kept")
	_ = append(get(t, e, "k").Value, "more"...)
	wantValue(t, e, "k", "kept")
}

func anyBytes(t *testing.T, e kv.Engine) {
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	commit(t, e, kv.Batch{Puts: []kv.Put{{Key: " ~", Value: all}}})
	if got := get(t, e, " ~").Value; !bytes.Equal(got, all) {
		t.Errorf("got %x", got)
	}
}

func emptyValue(t *testing.T, e kv.Engine) {
	commit(t, e, kv.Batch{Puts: []kv.Put{{Key: "nil"}, {Key: "empty", Value: []byte{}}}})
	wantValue(t, e, "nil", "")
	wantValue(t, e, "empty", "")
	wantKeys(t, scan(t, e, "", "", 10), "empty nil", false)
}

func endedContext(t *testing.T, e kv.Engine) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, got := e.Get(ctx, "k")
	_, scanned := e.Scan(ctx, "", "", 1)
	committed := e.Commit(ctx, kv.Batch{Puts: []kv.Put{{Key: "k"}}})
	_, watched := e.Watch(ctx, "")
	for call, err := range map[string]error{"get": got, "scan": scanned, "commit": committed, "watch": watched} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", call, err)
		}
	}
	if errors.Is(committed, kv.ErrUnclear) {
		t.Errorf("a commit that did not begin is not unclear: %v", committed)
	}
	wantMissing(t, e, "k")
}

func closed(t *testing.T, e kv.Engine) {
	for range 2 {
		if err := e.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	_, got := e.Get(t.Context(), "k")
	_, scanned := e.Scan(t.Context(), "", "", 1)
	committed := e.Commit(t.Context(), kv.Batch{Puts: []kv.Put{{Key: "k"}}})
	_, watched := e.Watch(t.Context(), "")
	for call, err := range map[string]error{"get": got, "scan": scanned, "commit": committed, "watch": watched} {
		if !errors.Is(err, kv.ErrClosed) {
			t.Errorf("%s: %v", call, err)
		}
	}
}
