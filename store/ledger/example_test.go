package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
)

// notes is a family of records, as another package would keep one: notes with a title
// and a long text, listed with the newest first.
//
//	note/<id>                     a note
//	noted/<inverted time>/<id>    notes, the newest first
type notes struct {
	ledger *ledger.Ledger
	claims *ledger.Claims
}

const (
	noteKeys  kv.Key = "note/"
	notedKeys kv.Key = "noted/"
)

type noteRecord struct {
	ledger.Header
	Title string     `json:"title"`
	Text  ledger.Ref `json:"text"`
	Reads int        `json:"reads"`
}

// mark is the value of a key that says everything itself.
type mark struct{}

// write keeps a new note and returns its id.
func (n notes) write(ctx context.Context, title, text string) (string, error) {
	id, err := n.ledger.NewID()
	if err != nil {
		return "", err
	}
	body, err := ledger.NewBlob("note", []byte(text))
	if err != nil {
		return "", err
	}
	key, listed := noteKeys+kv.Key(id), notedKeys+ledger.Inverted(n.ledger.Clock())+"/"+kv.Key(id)
	return id, n.ledger.Commit(ctx, func(c *ledger.Change) error {
		c.Check(kv.Record{Key: key}) // which must not exist
		if err := c.Put(key, noteRecord{ledger.NewHeader(), title, body.Ref, 0}); err != nil {
			return err
		}
		if err := c.Put(listed, mark{}); err != nil {
			return err
		}
		return n.ledger.Keep(ctx, c, body)
	})
}

// read returns a note's text and counts that it was read.
func (n notes) read(ctx context.Context, id string) (text string, err error) {
	err = n.ledger.Commit(ctx, func(c *ledger.Change) error {
		records, err := n.ledger.Get(ctx, noteKeys+kv.Key(id))
		if err != nil {
			return err
		}
		if !records[0].Exists() {
			return &ledger.UnknownError{What: "note", ID: id}
		}
		note, err := ledger.Decode[noteRecord](n.ledger, records[0])
		if err != nil {
			return err
		}
		texts, err := n.ledger.Texts(ctx, note.Text)
		if err != nil {
			return err
		}
		text = string(texts[0])
		if records[0].Op == c.Op {
			return nil // an earlier try, of which nothing was heard
		}
		return n.ledger.Rewrite(c, records[0], "reads", note.Reads+1)
	})
	return text, err
}

// newest returns the titles of some notes; one that cannot be read is named by its id.
func (n notes) newest(ctx context.Context, limit int) (titles []string, err error) {
	page, _, err := n.ledger.Page(ctx, notedKeys, "", limit)
	if err != nil {
		return nil, err
	}
	var keys []kv.Key
	for _, entry := range page {
		keys = append(keys, noteKeys+kv.Key(ledger.LastPart(entry.Key)))
	}
	list, err := n.ledger.GetEach(ctx, keys...)
	if err != nil {
		return nil, err
	}
	for _, f := range list {
		note, err := ledger.DecodeFound[noteRecord](n.ledger, f)
		switch {
		case ledger.AboutOne(err):
			note.Title = ledger.LastPart(f.Key)
		case err != nil:
			return nil, err
		}
		titles = append(titles, note.Title)
	}
	return titles, nil
}

func newNotes(engine kv.Engine) notes {
	l := ledger.New(engine, ledger.Options{})
	return notes{l, ledger.NewClaims(l, ledger.ClaimOptions{By: "you@desk"})}
}

func TestAFamilyOfItsOwn(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		n, other := newNotes(open()), newNotes(open())
		long := strings.Repeat("long ", ledger.MaxChunk/4)
		var ids []string
		for _, text := range []string{"short", long, ""} {
			id, err := n.write(ctx, fmt.Sprint("note ", len(ids)), text)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := other.read(ctx, id); err != nil || got != text {
				t.Errorf("%d bytes are read as %d, %v", len(text), len(got), err)
			}
			ids = append(ids, id)
		}
		if got, err := other.newest(ctx, 2); err != nil || strings.Join(got, ", ") != "note 2, note 1" {
			t.Errorf("the newest are %q, %v", got, err)
		}
		storetest.PutRecord(t, open(), noteKeys+kv.Key(ids[1]), "no note")
		if got, err := other.newest(ctx, 3); err != nil || strings.Join(got, ", ") != "note 2, "+ids[1]+", note 0" {
			t.Errorf("beside a damaged one the newest are %q, %v", got, err)
		}
		if _, err := n.read(ctx, ids[1]); !ledger.AboutOne(err) {
			t.Errorf("a damaged note: %v", err)
		}
		if _, err := n.read(ctx, "none"); !errors.As(err, new(*ledger.UnknownError)) {
			t.Errorf("a note that is not there: %v", err)
		}
		held, err := n.claims.Hold(ctx, ledger.ClaimKeys+"note/"+kv.Key(ledger.Hash(ids[0])), "an editor")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.claims.Hold(ctx, held.Key(), "another"); !errors.As(err, new(*ledger.HeldError)) {
			t.Errorf("a claim that somebody holds: %v", err)
		}
		if err := held.Release(ctx); err != nil {
			t.Error(err)
		}
		if chunks, _, err := n.ledger.Sweep(ctx); err != nil || chunks != 2 { // the damaged note's
			t.Errorf("%d chunks were swept away, %v", chunks, err)
		}
		if got, err := other.read(ctx, ids[0]); err != nil || got != "short" {
			t.Errorf("after the sweep the text is %q, %v", got, err)
		}
	})
}

// TestAFamilyThatIsCutOff holds that an engine that cannot be reached is an error that
// passes, that nothing is written meanwhile, and that claims outlive it.
func TestAFamilyThatIsCutOff(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	n, other := newNotes(engine), newNotes(engine)
	id, err := n.write(ctx, "a note", "text")
	if err != nil {
		t.Fatal(err)
	}
	held, err := n.claims.Hold(ctx, ledger.ClaimKeys+"note/x", "an editor")
	if err != nil {
		t.Fatal(err)
	}
	mend := engine.Cut()
	_, written := n.write(ctx, "another", "text")
	_, read := n.read(ctx, id)
	_, listed := n.newest(ctx, 10)
	_, claimed := other.claims.Hold(ctx, held.Key(), "another")
	for what, err := range map[string]error{"write": written, "read": read, "list": listed, "claim": claimed} {
		fault, ok := errors.AsType[*kv.Fault](err)
		if !ok || fault.Kind != kv.FaultUnreachable || !kv.Passing(err) || ledger.AboutOne(err) {
			t.Errorf("%s: %v", what, err)
		}
	}
	mend()
	if titles, err := n.newest(ctx, 10); err != nil || len(titles) != 1 {
		t.Errorf("afterwards the notes are %q, %v", titles, err)
	}
	if _, alive, err := other.claims.Alive(ctx, held.Key()); !alive || err != nil {
		t.Errorf("the claim is alive: %v, %v", alive, err)
	}
	if err := held.Release(ctx); err != nil {
		t.Error(err)
	}
}

// TestAFamilyWhoseCommitIsUnclear holds that a change happens once, whether the commit
// of which nothing was heard happened or not.
func TestAFamilyWhoseCommitIsUnclear(t *testing.T) {
	for _, applied := range []bool{true, false} {
		t.Run(fmt.Sprint("applied ", applied), func(t *testing.T) {
			ctx := t.Context()
			engine := kvtest.NewMap()
			n := newNotes(engine)
			if err := n.ledger.Prepare(ctx); err != nil {
				t.Fatal(err)
			}
			engine.UnclearNextCommit(applied)
			id, err := n.write(ctx, "a note", "text")
			if err != nil {
				t.Fatal(err)
			}
			engine.UnclearNextCommit(applied)
			if got, err := n.read(ctx, id); err != nil || got != "text" {
				t.Fatalf("got %q, %v", got, err)
			}
			records, err := n.ledger.Get(ctx, noteKeys+kv.Key(id))
			if err != nil {
				t.Fatal(err)
			}
			if note, err := ledger.Decode[noteRecord](n.ledger, records[0]); err != nil || note.Reads != 1 {
				t.Errorf("one reading was counted as %d, %v", note.Reads, err)
			}
			if got, err := n.newest(ctx, 10); err != nil || len(got) != 1 {
				t.Errorf("one note is listed as %q, %v", got, err)
			}
		})
	}
}
