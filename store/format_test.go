package store_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// world is a store with one record of each kind.
type world struct {
	engine *kvtest.Map
	s      *store.Store
	now    time.Time
	seen   store.Session
	ask    store.Ask
}

func newWorld(t storetest.Tester) *world {
	t.Helper()
	w := &world{engine: kvtest.NewMap(), now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	w.s = store.New(w.engine, store.Options{
		Now:     func() time.Time { w.now = w.now.Add(time.Second); return w.now },
		DataDir: "/data/planb",
	})
	ctx := t.Context()
	session, err := w.s.CreateSession(ctx, store.Session{Title: safe.New("t"), Project: safe.New("/p")})
	if err != nil {
		t.Fatal(err)
	}
	w.seen = session
	if w.ask, _, err = w.s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: form("one"), Place: "here", Client: store.Client{Name: safe.New("claude-code")}}); err != nil {
		t.Fatal(err)
	}
	return w
}

// jsonValue is any value a newer planb may write.
func jsonValue() *rapid.Generator[any] {
	return rapid.OneOf(
		rapid.Just[any](nil),
		rapid.Just[any](true),
		rapid.Map(rapid.String(), func(s string) any { return strings.ToValidUTF8(s, "?") }),
		rapid.Map(rapid.IntRange(-1e6, 1e6), func(n int) any { return float64(n) }),
		rapid.Just[any]([]any{"a", map[string]any{"b": 1.5}}),
		rapid.Just[any](map[string]any{"<&>": []any{}}),
	)
}

// Fields that a newer planb added to a record stay, whatever an older planb changes in
// it.
func TestUnknownFieldsSurvive(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		ctx := t.Context()
		w := newWorld(t)
		s, id := w.s, w.ask.ID
		if err := s.SaveEntry(ctx, id, entryOf("x")); err != nil {
			t.Fatal(err)
		}
		records := map[string]kv.Key{
			"session": store.SessionKey(w.seen.ID),
			"ask":     store.AskKey(id),
			"queue":   store.QueueKey("here"),
			"entry":   store.EntryKey(id),
		}
		extra := rapid.MapOfN(rapid.StringMatching(`x[a-zA-Z<]{1,8}`), jsonValue(), 1, 4).Draw(t, "extra")
		add := func(key kv.Key, into ...string) {
			record := rawRecord(t, w.engine, key)
			at := record
			for _, name := range into {
				at = at[name].(map[string]any)
			}
			for name, value := range extra {
				at[name] = value
			}
			storetest.PutRecord(t, w.engine, key, record)
		}
		for _, key := range records {
			add(key)
		}
		add(records["ask"], "client")
		add(records["ask"], "outcome")

		settled := false
		steps := map[string]func() error{
			"attach": func() error {
				_, attached, err := s.OpenAsk(ctx, store.Ask{Session: w.seen.ID, Spec: form("one"), Place: "here", Timeout: time.Hour})
				if err == nil && !attached {
					err = errors.New("it did not attach")
				}
				return err
			},
			"another": func() error {
				_, _, err := s.OpenAsk(ctx, store.Ask{Session: w.seen.ID, Spec: form(w.now.String()), Place: "here"})
				return err
			},
			"shown":  func() error { return s.MarkShown(ctx, id) },
			"entry":  func() error { return s.SaveEntry(ctx, id, entryOf(strings.Repeat("y", w.now.Second()*100))) },
			"plan":   func() error { _, _, err := s.SavePlan(ctx, w.seen.ID, "", w.now.String()); return err },
			"late":   func() error { return nil },
			"expire": func() error { _, err := s.Expire(ctx, id, time.Time{}); return err },
		}
		for _, step := range rapid.SliceOfN(rapid.SampledFrom([]string{"attach", "another", "shown", "entry", "plan"}), 0, 6).Draw(t, "steps") {
			if err := steps[step](); err != nil {
				t.Fatalf("%s: %v", step, err)
			}
		}
		check := func(what string, record map[string]any, into ...string) {
			at := record
			for _, name := range into {
				at, _ = at[name].(map[string]any)
			}
			for name, value := range extra {
				if !reflect.DeepEqual(at[name], value) {
					t.Errorf("the %s's field %q is %#v, was %#v", what, name, at[name], value)
				}
			}
		}
		for what, key := range records {
			check(what, rawRecord(t, w.engine, key))
		}
		check("ask's client", rawRecord(t, w.engine, records["ask"]), "client")
		check("ask's outcome", rawRecord(t, w.engine, records["ask"]), "outcome")

		// Settling writes another outcome. The fields that a newer planb adds to
		// that one stay from then on.
		if rapid.Bool().Draw(t, "expire first") {
			if err := steps["expire"](); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.Settle(ctx, id, answered("x")); err != nil {
			t.Fatal(err)
		}
		settled = true
		add(records["ask"], "outcome")
		for _, late := range []string{"late one", strings.Repeat("late two", 1000)} {
			if _, err := s.Settle(ctx, id, answered(late)); !errors.As(err, new(*questions.SettledError)) {
				t.Fatal(err)
			}
			add(store.LateKey(id, 1))
		}
		if err := s.Deliver(ctx, id); err != nil {
			t.Fatal(err)
		}
		record := rawRecord(t, w.engine, records["ask"])
		check("settled ask", record)
		check("settled ask's outcome", record, "outcome")
		check("first late outcome", rawRecord(t, w.engine, store.LateKey(id, 1)))
		if got, err := s.Ask(ctx, id); err != nil || !settled || got.Delivered.IsZero() || len(got.TooLate) != 2 {
			t.Errorf("the ask reads as %+v, %v", got, err)
		}
	})
}

func TestANewerStoreIsRefused(t *testing.T) {
	ctx := t.Context()
	newer := map[string]any{"v": store.Format + 1, "created": []string{"another", "shape"}}
	const sentence = "the store in /data/planb was written by a newer planb (format 2, this one reads up to 1); update planb, nothing was changed"
	calls := func(w *world) map[string]func() error {
		s, session, id := w.s, w.seen.ID, w.ask.ID
		return map[string]func() error{
			"Prepare":       func() error { return s.Prepare(ctx) },
			"CreateSession": func() error { _, err := s.CreateSession(ctx, store.Session{}); return err },
			"Session":       func() error { _, err := s.Session(ctx, session); return err },
			"Sessions":      func() error { _, _, err := s.Sessions(ctx, "", 10); return err },
			"OpenAsk": func() error {
				_, _, err := s.OpenAsk(ctx, store.Ask{Session: session, Spec: form("two")})
				return err
			},
			"Ask":       func() error { _, err := s.Ask(ctx, id); return err },
			"AsksNow":   func() error { _, err := s.AsksNow(ctx, id); return err },
			"Waiting":   func() error { _, err := s.Waiting(ctx); return err },
			"Settle":    func() error { _, err := s.Settle(ctx, id, answered("x")); return err },
			"Deliver":   func() error { return s.Deliver(ctx, id) },
			"SaveEntry": func() error { return s.SaveEntry(ctx, id, entryOf("x")) },
			"SavePlan":  func() error { _, _, err := s.SavePlan(ctx, session, "", "x"); return err },
			"Hold":      func() error { _, err := s.Hold(ctx, store.ShowClaim(id, "pane"), ""); return err },
		}
	}
	for name := range calls(newWorld(t)) {
		w := newWorld(t) // it has worked with the store before the newer planb came
		storetest.PutRecord(t, w.engine, store.FormatKey, newer)
		before := storetest.Dump(t, w.engine)
		call := calls(w)[name]
		var refused *store.FormatError
		err := call()
		if !errors.As(err, &refused) || err.Error() != sentence {
			t.Errorf("%s: %v", name, err)
		}
		if storetest.Dump(t, w.engine) != before {
			t.Errorf("%s wrote into a newer store", name)
		}
	}
	fresh := store.New(newWorldOf(t, newer), store.Options{DataDir: "/data/planb"})
	if err := fresh.Prepare(ctx); err == nil || err.Error() != sentence {
		t.Errorf("a new process: %v", err)
	}
}

func newWorldOf(t *testing.T, format any) kv.Engine {
	w := newWorld(t)
	storetest.PutRecord(t, w.engine, store.FormatKey, format)
	return w.engine
}

// A newer planb may write into the store between a change's reading and its commit.
func TestAStoreThatBecameNewerMeanwhileIsRefused(t *testing.T) {
	w := newWorld(t)
	engine := &meddler{Engine: w.engine}
	s := newStore(t, engine)
	engine.beforeCommit(func() {
		storetest.PutRecord(t, w.engine, store.FormatKey, map[string]any{"v": store.Format + 1})
	})
	_, err := s.Settle(t.Context(), w.ask.ID, answered("x"))
	if !errors.As(err, new(*store.FormatError)) {
		t.Errorf("%v", err)
	}
	if rawRecord(t, w.engine, store.AskKey(w.ask.ID))["outcome"].(map[string]any)["state"] != "pending" {
		t.Error("it wrote into a newer store")
	}
}

func TestANewerRecordIsRefused(t *testing.T) {
	ctx := t.Context()
	w := newWorld(t)
	record := rawRecord(t, w.engine, store.AskKey(w.ask.ID))
	record["v"], record["title"] = store.Format+1, 7
	storetest.PutRecord(t, w.engine, store.AskKey(w.ask.ID), record)
	_, err := w.s.Ask(ctx, w.ask.ID)
	want := "the record a/" + w.ask.ID + " of the store in /data/planb was written by a newer planb"
	if !errors.As(err, new(*store.FormatError)) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if _, err := w.s.Session(ctx, w.seen.ID); err != nil {
		t.Errorf("the other records: %v", err)
	}
}

func TestDamageIsSaidNotGuessed(t *testing.T) {
	ctx := t.Context()
	w := newWorld(t)
	plan, _, err := w.s.SavePlan(ctx, w.seen.ID, "", "the plan")
	if err != nil {
		t.Fatal(err)
	}
	askKey, chunk := store.AskKey(w.ask.ID), store.ChunkKey(plan.Digest)
	records, err := w.engine.Get(ctx, askKey, chunk, store.ChunkKey(w.ask.Digest))
	if err != nil {
		t.Fatal(err)
	}
	flipped := append([]byte{}, records[1].Value...)
	flipped[len(flipped)-6] ^= 1
	for _, test := range []struct {
		name string
		key  kv.Key
		data []byte
		read func() error
	}{
		{"no JSON", askKey, []byte("{"), func() error { _, err := w.s.Ask(ctx, w.ask.ID); return err }},
		{"null", askKey, []byte("null"), func() error { _, err := w.s.Ask(ctx, w.ask.ID); return err }},
		{"no format", askKey, []byte("{}"), func() error { _, err := w.s.Ask(ctx, w.ask.ID); return err }},
		{"an array", askKey, []byte("[]"), func() error { return w.s.MarkShown(ctx, w.ask.ID) }},
		{"a flipped bit", chunk, flipped, func() error { _, err := w.s.PlanText(ctx, w.seen.ID, 1); return err }},
		{"another text", chunk, records[2].Value, func() error { _, err := w.s.PlanText(ctx, w.seen.ID, 1); return err }},
		{"half a chunk", chunk, records[1].Value[:9], func() error { _, err := w.s.PlanText(ctx, w.seen.ID, 1); return err }},
		{"no chunk", chunk, []byte{}, func() error { _, err := w.s.PlanText(ctx, w.seen.ID, 1); return err }},
	} {
		storetest.PutBytes(t, w.engine, test.key, test.data)
		var fault *kv.Fault
		if err := test.read(); !errors.As(err, &fault) || fault.Kind != kv.FaultDamaged ||
			!strings.HasPrefix(err.Error(), "/data/planb holds a damaged record, "+string(test.key)+" (") {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	// The same text saved once more makes its chunk whole.
	if _, _, err := w.s.SavePlan(ctx, w.seen.ID, "again", "the plan"); err != nil {
		t.Fatal(err)
	}
	if text, err := w.s.PlanText(ctx, w.seen.ID, 1); err != nil || text.Raw() != "the plan" {
		t.Errorf("%q, %v", text.Raw(), err)
	}
	if err := w.engine.Commit(ctx, kv.Batch{Deletes: []kv.Key{chunk}}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.s.PlanText(ctx, w.seen.ID, 1); err == nil || !strings.Contains(err.Error(), "it is missing") {
		t.Errorf("a missing chunk: %v", err)
	}
}

// TestAChunkThatExpandsWithoutEndIsDamage puts small frames that expand to much text in
// the place of a plan's text. The digests are right, so only the limit refuses them.
func TestAChunkThatExpandsWithoutEndIsDamage(t *testing.T) {
	t.Parallel()
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := func(text []byte) []byte { return encoder.EncodeAll(text, nil) }
	streamed := func(text []byte) []byte { // does not say its size at its beginning
		var frame bytes.Buffer
		encoder.Reset(&frame)
		_, err := encoder.Write(text)
		if err := errors.Join(err, encoder.Close()); err != nil {
			t.Fatal(err)
		}
		return frame.Bytes()
	}
	zeros := make([]byte, 64<<20)
	for _, test := range []struct {
		name  string
		text  []byte
		frame func([]byte) []byte
		fine  bool
	}{
		{"as much as a chunk holds", zeros[:store.MaxChunk], whole, true},
		{"one byte more", zeros[:store.MaxChunk+1], whole, false},
		{"64 MiB", zeros, whole, false},
		{"64 MiB that are not announced", zeros, streamed, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx := t.Context()
			w := newWorld(t)
			if _, _, err := w.s.SavePlan(ctx, w.seen.ID, "", "the plan"); err != nil {
				t.Fatal(err)
			}
			digest := fmt.Sprintf("%x", sha256.Sum256(test.text))
			key := store.PlanKey(w.seen.ID, 1)
			plan := rawRecord(t, w.engine, key)
			plan["text"] = map[string]any{"sha256": digest, "size": len(test.text)}
			storetest.PutRecord(t, w.engine, key, plan)
			storetest.PutBytes(t, w.engine, store.ChunkKey(digest), test.frame(test.text))
			text, err := w.s.PlanText(ctx, w.seen.ID, 1)
			if test.fine {
				if err != nil || text.Raw() != string(test.text) {
					t.Errorf("%d bytes, %v", len(text.Raw()), err)
				}
				return
			}
			var fault *kv.Fault
			if !errors.As(err, &fault) || fault.Kind != kv.FaultDamaged || fault.Key != store.ChunkKey(digest) {
				t.Errorf("%d bytes, %v", len(text.Raw()), err)
			}
		})
	}
}

func FuzzRecords(f *testing.F) {
	w := newWorld(f)
	ctx := f.Context()
	keys := []kv.Key{store.AskKey(w.ask.ID), store.SessionKey(w.seen.ID), store.QueueKey("here"), store.FormatKey, store.ChunkKey(w.ask.Digest)}
	for i, key := range keys {
		records, err := w.engine.Get(ctx, key)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(i, records[0].Value)
		f.Add(i, []byte(`{"v":1}`))
	}
	f.Fuzz(func(t *testing.T, which int, data []byte) {
		w := newWorld(t)
		key := []kv.Key{store.AskKey(w.ask.ID), store.SessionKey(w.seen.ID), store.QueueKey("here"), store.FormatKey, store.ChunkKey(w.ask.Digest)}[uint(which)%5]
		storetest.PutBytes(t, w.engine, key, data)
		ctx := t.Context()
		// Foreign bytes give an error or are read; they are no reason to panic.
		calls := []func() error{
			func() error { _, err := w.s.Ask(ctx, w.ask.ID); return err },
			func() error { _, _, err := w.s.Sessions(ctx, "", 10); return err },
			func() error { _, err := w.s.Queue(ctx, "here"); return err },
			func() error { _, err := w.s.Settle(ctx, w.ask.ID, answered("x")); return err },
			func() error { return w.s.Deliver(ctx, w.ask.ID) },
		}
		for _, call := range calls {
			if err := call(); err != nil && err.Error() == "" {
				t.Error("an error without a sentence")
			}
		}
	})
}

// The test shows a record as it is kept. A change of it must be intended.
func TestTheShapeOfAnAsksRecord(t *testing.T) {
	ctx := t.Context()
	w := newWorld(t)
	if _, err := w.s.Settle(ctx, w.ask.ID, answered("because")); err != nil {
		t.Fatal(err)
	}
	record := rawRecord(t, w.engine, store.AskKey(w.ask.ID))
	outcome := record["outcome"].(map[string]any)
	outcome["op"] = "OP"
	got, err := json.MarshalIndent(record, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer(w.ask.ID, "ASK", w.seen.ID, "SESSION", w.ask.Digest, "DIGEST",
		fmt.Sprint(len(w.ask.Spec.Canonical())), "SIZE").Replace(string(got))
	const want = `{
 "asked": "2030-01-01T00:00:03Z",
 "client": {
  "name": "claude-code"
 },
 "created": "2030-01-01T00:00:03Z",
 "digest": "DIGEST",
 "id": "ASK",
 "outcome": {
  "at": "2030-01-01T00:00:05Z",
  "by": "person@desk",
  "op": "OP",
  "reply": {
   "answers": {
    "how": [
     "by hand",
     "by machine"
    ],
    "why": "because"
   }
  },
  "state": "answered"
 },
 "place": "here",
 "session": "SESSION",
 "spec": {
  "sha256": "DIGEST",
  "size": SIZE
 },
 "timeout": 0,
 "title": "one",
 "v": 1
}`
	if text != want {
		t.Errorf("the record is\n%s\nwant\n%s", text, want)
	}
}
