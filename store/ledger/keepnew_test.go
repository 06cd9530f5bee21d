package ledger_test

import (
	"context"
	"strings"
	"testing"

	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
)

// keepNew writes a note for each text in one commit, with KeepNew.
func keepNew(t *testing.T, l *ledger.Ledger, texts ...string) {
	t.Helper()
	err := l.Commit(context.WithoutCancel(t.Context()), func(c *ledger.Change) error {
		var blobs []*ledger.Blob
		for _, text := range texts {
			body, err := ledger.NewBlob("note", []byte(text))
			if err != nil {
				return err
			}
			id, err := l.NewID()
			if err != nil {
				return err
			}
			if err := c.Put(noteKeys+kv.Key(id), noteRecord{ledger.NewHeader(), "new", body.Ref, 0}); err != nil {
				return err
			}
			blobs = append(blobs, body)
		}
		return l.KeepNew(t.Context(), c, blobs...)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestNewTexts holds that KeepNew looks for no small text, keeps equal ones once, and keeps
// long ones as Keep does.
func TestNewTexts(t *testing.T) {
	ctx := t.Context()
	long := randomText(3 * ledger.MaxChunk)
	for name, c := range map[string]struct {
		texts   []string
		chunks  int
		looks   bool // for the chunks
		damaged bool
	}{
		"small":             {texts: []string{"one", "two"}, chunks: 2},
		"the same twice":    {texts: []string{"one", "one"}, chunks: 1},
		"small and long":    {texts: []string{"one", long}, chunks: 4, looks: true},
		"small, unreadable": {texts: []string{"one"}, chunks: 1, damaged: true},
	} {
		t.Run(name, func(t *testing.T) {
			engine := kvtest.NewMap()
			n := newNotes(engine)
			for range 2 {
				asked := &asked{Engine: engine}
				keepNew(t, ledger.New(asked, ledger.Options{}), c.texts...)
				if looks := asked.chunks > 0; looks != c.looks {
					t.Errorf("%d chunks were looked for", asked.chunks)
				}
				if c.damaged {
					list, err := n.ledger.List(ctx, ledger.ChunkKeys)
					if err != nil {
						t.Fatal(err)
					}
					engine.Damage(list[0].Key)
					keepNew(t, n.ledger, c.texts...)
				}
			}
			if chunks, sizes := keys(t, engine, ledger.ChunkKeys), keys(t, engine, ledger.SizeKeys); chunks != c.chunks || sizes != chunks {
				t.Errorf("%d chunks and %d sizes are kept", chunks, sizes)
			}
			notes, err := n.ledger.List(ctx, noteKeys)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range notes {
				if got, err := n.read(ctx, ledger.LastPart(f.Key)); err != nil || !strings.Contains(strings.Join(c.texts, "|"), got) {
					t.Errorf("%d bytes are read, %v", len(got), err)
				}
			}
		})
	}
}

// asked is an engine that counts the chunks that it is asked for.
type asked struct {
	kv.Engine
	chunks int
}

func (a *asked) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	for _, key := range keys {
		if ledger.Family(key) == ledger.ChunkKeys {
			a.chunks++
		}
	}
	return a.Engine.Get(ctx, keys...)
}

// TestANewTextThatIsSweptAway holds that a sweep leaves a chunk that KeepNew wrote again
// after the sweep had looked through all records.
func TestANewTextThatIsSweptAway(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	n := newNotes(engine)
	id, err := n.write(ctx, "first", "the same")
	if err != nil {
		t.Fatal(err)
	}
	if err := n.ledger.Drop(ctx, []kv.Key{noteKeys + kv.Key(id)}); err != nil {
		t.Fatal(err)
	}
	met := false
	sweeper := &beforeDeletes{Engine: engine, do: func() {
		if !met {
			met = true
			keepNew(t, n.ledger, "the same")
		}
	}}
	if chunks, _, err := ledger.New(sweeper, ledger.Options{}).Sweep(ctx); err != nil || chunks != 0 || !met {
		t.Errorf("%d chunks were swept away, %v", chunks, err)
	}
	notes, err := n.ledger.List(ctx, noteKeys)
	if err != nil || len(notes) != 1 {
		t.Fatalf("%d notes, %v", len(notes), err)
	}
	if got, err := n.read(ctx, ledger.LastPart(notes[0].Key)); err != nil || got != "the same" {
		t.Errorf("%q is read, %v", got, err)
	}
}

// beforeDeletes is an engine that does something before it deletes.
type beforeDeletes struct {
	kv.Engine
	do func()
}

func (b *beforeDeletes) Commit(ctx context.Context, batch kv.Batch) error {
	if len(batch.Deletes) > 0 {
		b.do()
	}
	return b.Engine.Commit(ctx, batch)
}
