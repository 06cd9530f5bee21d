package ledger_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
)

// weighed is an engine that counts the bytes of the chunks it gives out.
type weighed struct {
	kv.Engine
	bytes int
}

func (w *weighed) weigh(records []kv.Record) {
	for _, r := range records {
		if ledger.Family(r.Key) == ledger.ChunkKeys {
			w.bytes += len(r.Value)
		}
	}
}

func (w *weighed) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	records, err := w.Engine.Get(ctx, keys...)
	w.weigh(records)
	return records, err
}

func (w *weighed) Scan(ctx context.Context, prefix, after kv.Key, limit int) (kv.Page, error) {
	page, err := w.Engine.Scan(ctx, prefix, after, limit)
	w.weigh(page.Records)
	return page, err
}

// randomText is a text of that many bytes that does not compress much.
func randomText(bytes int) string {
	text := make([]byte, bytes)
	for i := range text {
		text[i] = byte(' ' + rand.N(95))
	}
	return string(text)
}

// keys counts the records under a prefix.
func keys(t *testing.T, engine kv.Engine, prefix kv.Key) int {
	t.Helper()
	list, err := ledger.New(engine, ledger.Options{}).List(t.Context(), prefix)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// TestSweepReadsWhatIsUnused holds that a sweep does not read the texts that are in
// use: it knows their sizes from the index.
func TestSweepReadsWhatIsUnused(t *testing.T) {
	ctx := t.Context()
	engine := &weighed{Engine: kvtest.NewMap()}
	n := newNotes(engine)
	var ids []string
	for i := range 12 {
		id, err := n.write(ctx, fmt.Sprint(i), randomText(400<<10))
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if err := n.ledger.Drop(ctx, []kv.Key{noteKeys + kv.Key(ids[3])}); err != nil {
		t.Fatal(err)
	}
	engine.bytes = 0
	chunks, size, err := n.ledger.Sweep(ctx)
	if err != nil || chunks != 1 || size < 200<<10 {
		t.Errorf("%d chunks of %d bytes were swept away, %v", chunks, size, err)
	}
	// Two looks through all records meet a page of chunks each; the chunk that goes is
	// read before each of three steps and after the first.
	if most := 2*kv.MaxPageBytes + 4*int(size+1<<10); engine.bytes > most {
		t.Errorf("%d bytes of chunks were read, at most %d are expected", engine.bytes, most)
	}
	for _, id := range append(ids[:3], ids[4:]...) {
		if _, err := n.read(ctx, id); err != nil {
			t.Error(err)
		}
	}
	if c, s := keys(t, engine, ledger.ChunkKeys), keys(t, engine, ledger.SizeKeys); c != 11 || s != 11 {
		t.Errorf("%d chunks and %d sizes are left", c, s)
	}
}

// TestSweepAndAWrongIndex leaves an entry without a chunk and a chunk without an entry.
func TestSweepAndAWrongIndex(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		engine := open()
		n := newNotes(engine)
		for _, text := range []string{"kept", "without an entry"} {
			if _, err := n.write(ctx, text, text); err != nil {
				t.Fatal(err)
			}
		}
		listed, err := n.ledger.List(ctx, noteKeys)
		if err != nil {
			t.Fatal(err)
		}
		lone, err := ledger.DecodeFound[noteRecord](n.ledger, listed[1])
		if err != nil {
			t.Fatal(err)
		}
		stray := ledger.SizeKeys + kv.Key(strings.Repeat("ab", 32))
		storetest.PutRecord(t, engine, stray, map[string]any{"v": 1, "bytes": 7})
		if err := n.ledger.Drop(ctx, []kv.Key{listed[1].Key, ledger.SizeKeys + kv.Key(lone.Text.Digest)}); err != nil {
			t.Fatal(err)
		}
		if chunks, _, err := n.ledger.Sweep(ctx); err != nil || chunks != 0 {
			t.Errorf("%d chunks were swept away, %v", chunks, err)
		}
		if c, s := keys(t, engine, ledger.ChunkKeys), keys(t, engine, ledger.SizeKeys); c != 2 || s != 1 {
			t.Errorf("%d chunks and %d sizes are left", c, s)
		}
		if err := n.ledger.IndexChunks(ctx); err != nil {
			t.Fatal(err)
		}
		if chunks, size, err := n.ledger.Sweep(ctx); err != nil || chunks != 1 || size == 0 {
			t.Errorf("with the index in order %d chunks of %d bytes were swept away, %v", chunks, size, err)
		}
		if c, s := keys(t, engine, ledger.ChunkKeys), keys(t, engine, ledger.SizeKeys); c != 1 || s != 1 {
			t.Errorf("at the end %d chunks and %d sizes are left", c, s)
		}
	})
}

// TestADamagedChunkIsWrittenAgain holds that a text whose chunk cannot be read can be
// kept anew.
func TestADamagedChunkIsWrittenAgain(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	n := newNotes(engine)
	for _, text := range []string{"short", randomText(2 * ledger.MaxChunk)} {
		first, err := n.write(ctx, "first", text)
		if err != nil {
			t.Fatal(err)
		}
		list, err := n.ledger.List(ctx, ledger.ChunkKeys)
		if err != nil {
			t.Fatal(err)
		}
		engine.Damage(list[0].Key)
		if _, err := n.write(ctx, "second", text); err != nil {
			t.Fatal(err)
		}
		if got, err := n.read(ctx, first); err != nil || got != text {
			t.Errorf("%d bytes of %d are read, %v", len(got), len(text), err)
		}
	}
}

// TestManyDamagedRecords holds that each damaged record in a list costs one read more,
// and hides no other.
func TestManyDamagedRecords(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	n := newNotes(engine)
	var all []kv.Key
	for i := range 250 {
		key := kv.Key(fmt.Sprintf("k/%03d", i))
		storetest.PutRecord(t, engine, key, map[string]any{"v": 1})
		all = append(all, key)
	}
	for i := 0; i < len(all); i += 50 {
		engine.Damage(all[i])
	}
	found, err := n.ledger.GetEach(ctx, all...)
	if err != nil || len(found) != len(all) {
		t.Fatalf("%d records, %v", len(found), err)
	}
	for i, f := range found {
		if f.Key != all[i] || (f.Err != nil) != (i%50 == 0) || f.Exists() == (i%50 == 0) {
			t.Errorf("record %d is %s at %d, %v", i, f.Key, f.Rev, f.Err)
		}
	}
	if _, err := n.ledger.Get(ctx, all...); !ledger.AboutOne(err) {
		t.Errorf("all of them or none: %v", err)
	}
}
