package store_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"golang.org/x/sync/errgroup"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/storetest"
)

func entryOf(text string) questions.Entry {
	n := 2.5
	return questions.Entry{
		Focus:   "why",
		Note:    safe.New("note"),
		Message: safe.New("not sent yet"),
		Fields: map[string]questions.Field{
			"why": {Text: safe.New(text), Note: safe.New("n")},
			"how": {Picked: []string{"by hand"}, Other: safe.New("other"), OtherPicked: true},
			"no":  {Number: &n},
		},
	}
}

// randomText is text that does not compress much.
func randomText(size int) string {
	random := rand.New(rand.NewPCG(1, uint64(size)))
	text := make([]byte, size)
	for i := range text {
		text[i] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_"[random.IntN(64)]
	}
	return string(text)
}

func TestEntries(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s := newStore(t, engine)
		session := newSession(t, s, "")
		ask := openAsk(t, s, session.ID, "one", "")
		if _, has, err := s.Entry(ctx, ask.ID); has || err != nil {
			t.Errorf("a new ask has an entry: %v, %v", has, err)
		}
		// Short, long, in several chunks, long again, the same, short again.
		for _, size := range []int{3, 5000, 600_000, 1_100_000, 1_100_000, 5000, 4} {
			want := entryOf(randomText(size))
			if err := s.SaveEntry(ctx, ask.ID, want); err != nil {
				t.Fatal(err)
			}
			got, has, err := newStore(t, open()).Entry(ctx, ask.ID)
			if err != nil || !has || !reflect.DeepEqual(got, want) {
				t.Fatalf("an entry with %d bytes of text does not come back: %v, %v", size, has, err)
			}
		}
		if n := count(t, engine, store.EntryKeys); n != 1 {
			t.Errorf("a short entry leaves %d records", n)
		}
		if err := s.SaveEntry(ctx, ask.ID, entryOf(randomText(1_100_000))); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Settle(ctx, ask.ID, answered(randomText(1_100_000))); err != nil {
			t.Fatal(err)
		}
		if n := count(t, engine, store.EntryKeys); n != 0 {
			t.Errorf("an answer leaves %d records of the entry", n)
		}
		var settled *questions.SettledError
		if err := s.SaveEntry(ctx, ask.ID, entryOf("x")); !errors.As(err, &settled) || settled.Winner.State != questions.Answered {
			t.Errorf("an entry of an answered ask: %v", err)
		}
	})
}

// An entry must not come back after the answer, whichever of the two is first.
// TestEntriesOfManyPanesAreMerged has many panes save at once, each its own question. Whatever the
// size, all of it is kept.
func TestEntriesOfManyPanesAreMerged(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := newStore(t, open())
		ask := openAsk(t, s, newSession(t, s, "").ID, "one", "")
		save := func(s *store.Store, id, text string) error {
			own := questions.Entry{Fields: map[string]questions.Field{id: {Text: safe.New(text)}}}
			return s.MergeEntry(ctx, ask.ID, own, func(kept questions.Entry) questions.Entry { return own.Merge(questions.Entry{}, kept) })
		}
		var panes errgroup.Group
		for n, size := range []int{3, 5000, 70_000, 600_000} {
			pane := newStore(t, open())
			panes.Go(func() error { return save(pane, fmt.Sprint("q", n), randomText(size)) })
		}
		if err := panes.Wait(); err != nil {
			t.Fatal(err)
		}
		got, _, err := s.Entry(ctx, ask.ID)
		if err != nil || len(got.Fields) != 4 || got.Fields["q3"].Text.Raw() != randomText(600_000) {
			t.Errorf("%d of 4 answers are kept: %v", len(got.Fields), err)
		}
		if _, err := s.Settle(ctx, ask.ID, questions.Outcome{State: questions.Withdrawn}); err != nil {
			t.Fatal(err)
		}
		if _, ended := errors.AsType[*questions.SettledError](save(s, "q1", "late")); !ended {
			t.Error("an entry is saved after the answer")
		}
	})
}

func TestAEntryAndAnAnswerAtOnce(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		typing := &meddler{Engine: open()}
		sending := newStore(t, open())
		s := newStore(t, typing)
		session := newSession(t, sending, "")
		first, second := openAsk(t, s, session.ID, "one", ""), openAsk(t, s, session.ID, "two", "")

		typing.beforeCommit(func() {
			if _, err := sending.Settle(ctx, first.ID, answered("x")); err != nil {
				t.Error(err)
			}
		})
		if err := s.SaveEntry(ctx, first.ID, entryOf("y")); !errors.As(err, new(*questions.SettledError)) {
			t.Errorf("the entry after the answer: %v", err)
		}
		typing.beforeCommit(func() {
			if err := sending.SaveEntry(ctx, second.ID, entryOf(randomText(5000))); err != nil {
				t.Error(err)
			}
		})
		if _, err := s.Settle(ctx, second.ID, answered("x")); err != nil {
			t.Fatal(err)
		}
		if n := count(t, typing, store.EntryKeys); n != 0 {
			t.Errorf("%d records of entries are left", n)
		}
	})
}
