package wait_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// faultyStore is a store some of whose parts can be made to fail.
type faultyStore struct {
	*store.Store
	blind, deaf, mute, lost, full atomic.Bool
	sealed, unfit                 atomic.Bool  // Settle fails, with an error that may pass or that cannot
	settles                       atomic.Int32 // calls of Settle
	refused                       atomic.Int32 // deliveries
	damaged                       atomic.Value // id of an ask
}

func newFaulty() *faultyStore {
	return &faultyStore{Store: store.New(kvtest.NewMap(), store.Options{})}
}

func (f *faultyStore) AsksNow(ctx context.Context, ids ...string) ([]store.Ask, error) {
	if f.blind.Load() {
		return nil, mcptest.ErrTest
	}
	if f.lost.Load() {
		return make([]store.Ask, len(ids)), nil
	}
	if id, ok := f.damaged.Load().(string); ok && slices.Contains(ids, id) {
		return nil, &kv.Fault{Kind: kv.FaultDamaged, Key: kv.Key("a/" + id), Path: "/data", What: "holds a damaged record"}
	}
	return f.Store.AsksNow(ctx, ids...)
}

func (f *faultyStore) Watch(ctx context.Context) (<-chan struct{}, error) {
	if f.deaf.Load() {
		return nil, mcptest.ErrTest
	}
	if f.mute.Load() {
		return make(chan struct{}), nil
	}
	return f.Store.Watch(ctx)
}

func (f *faultyStore) WatchAsk(ctx context.Context, id string) (<-chan struct{}, error) {
	if f.deaf.Load() || f.mute.Load() {
		return f.Watch(ctx)
	}
	return f.Store.WatchAsk(ctx, id)
}

func (f *faultyStore) Deliver(ctx context.Context, ids ...string) error {
	if f.full.Load() {
		f.refused.Add(1)
		return mcptest.ErrTest
	}
	return f.Store.Deliver(ctx, ids...)
}

func (f *faultyStore) Settle(ctx context.Context, id string, outcome questions.Outcome) (store.Ask, error) {
	f.settles.Add(1)
	if f.sealed.Load() {
		return store.Ask{}, &kv.Fault{Kind: kv.FaultFull, Path: "/data", What: "has no space left", Err: mcptest.ErrTest}
	}
	if f.unfit.Load() {
		return store.Ask{}, mcptest.ErrTest
	}
	return f.Store.Settle(ctx, id, outcome)
}

func faultyWorld(t *testing.T, f *faultyStore) *mcptest.World {
	t.Helper()
	return mcptest.WorldOver(t, f.Store, func(cfg *mcp.Config) { cfg.Store = f })
}

func TestAStoreThatCannotBeReadWhileWaiting(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "is told after some attempts", func(t *testing.T) {
		f := newFaulty()
		w := faultyWorld(t, f)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("opencode")
		call := c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), 1)
		ask := w.Opened(1)[0]
		time.Sleep(time.Minute)
		f.blind.Store(true)
		if err := f.SaveEntry(t.Context(), ask.ID, mcptest.EntryOf("x")); err != nil {
			t.Fatal(err)
		}
		if err := f.MarkShown(t.Context(), ask.ID); err != nil { // rings the bell
			t.Fatal(err)
		}
		got, _ := c.Later(call)
		want := `Whether the user has answered cannot be read: made to fail. The question is kept; call get_answer {"askId":"` + ask.ID + `"} later.`
		if got.Text() != want || !got.IsError {
			t.Errorf("got %q", got.Text())
		}
	})
	mcptest.Timed(t, "is forgiven when it can again", func(t *testing.T) {
		f := newFaulty()
		w := faultyWorld(t, f)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("opencode")
		call := c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), 1)
		ask := w.Opened(1)[0]
		time.Sleep(time.Minute)
		f.blind.Store(true)
		w.Submit(ask.ID, "harbour")
		time.Sleep(2 * time.Second)
		f.blind.Store(false)
		if got, took := c.Later(call); got.Text() != `{"name":"harbour"}` || took > 2*time.Second {
			t.Errorf("after %v: %q", took, got.Text())
		}
	})
	mcptest.Timed(t, "an ask that vanished is told", func(t *testing.T) {
		f := newFaulty()
		w := faultyWorld(t, f)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		ask := w.Opened(1)[0]
		time.Sleep(time.Second)
		f.lost.Store(true)
		if err := f.MarkShown(t.Context(), ask.ID); err != nil {
			t.Fatal(err)
		}
		if got, _ := c.Later(call); !got.IsError || !strings.HasPrefix(got.Text(), "The question is no longer in the store, as when the user goes back to a backup. Ask it again, if you still need the answer.") {
			t.Errorf("got %q", got.Text())
		}
	})
}

func TestADamagedAskEndsOnlyItsOwnWait(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "the others go on", func(t *testing.T) {
		f := newFaulty()
		w := faultyWorld(t, f)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("opencode")
		calls := map[string]string{} // by ask id
		for i := range 3 {
			call := c.CallTool("ask_user", mcptest.OneQuestion(c.Session()), 1)
			for _, ask := range w.Opened(i + 1) {
				if calls[ask.ID] == "" {
					calls[ask.ID] = call
				}
			}
		}
		asks := w.Opened(3)
		time.Sleep(time.Minute)
		f.damaged.Store(asks[1].ID)
		if err := f.MarkShown(t.Context(), asks[1].ID); err != nil { // rings the bell
			t.Fatal(err)
		}
		got, _ := c.Later(calls[asks[1].ID])
		if !got.IsError || !strings.Contains(got.Text(), "/data holds a damaged record") {
			t.Errorf("the damaged one's wait gave %q", got.Text())
		}
		time.Sleep(time.Minute)
		for _, ask := range []store.Ask{asks[0], asks[2]} {
			w.Submit(ask.ID, "harbour")
			if got, took := c.Later(calls[ask.ID]); !strings.Contains(got.Texts()[0], `{"name":"harbour"}`) || took > time.Second {
				t.Errorf("after %v: %q", took, got.Text())
			}
		}
	})
}

func TestWithoutABellTheStoreIsReadOnceASecond(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "and the answer comes all the same", func(t *testing.T) {
		f := newFaulty()
		f.deaf.Store(true)
		w := faultyWorld(t, f)
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		ask := w.Opened(1)[0]
		time.Sleep(10 * time.Second)
		w.Submit(ask.ID, "harbour")
		if got, took := c.Later(call); got.Text() != `{"name":"harbour"}` || took > time.Second {
			t.Errorf("after %v: %q", took, got.Text())
		}
	})
}

func TestAnAnswerWhoseDeliveryIsNotKnownIsAnnouncedAgain(t *testing.T) {
	t.Parallel()
	f := newFaulty()
	w := faultyWorld(t, f)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	f.full.Store(true)
	call := c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	w.Submit(ask.ID, "harbour")
	if got := c.Answer(call); got.Text() != `{"name":"harbour"}` {
		t.Errorf("got %q", got.Text())
	}
	mcptest.Until(t, "its delivery could not be noted", func() bool { return f.refused.Load() == 1 })
	f.full.Store(false)
	mcptest.Until(t, "it is announced", func() bool {
		got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "x"})
		return strings.Contains(got.Text(), `An earlier question was answered (askId `+ask.ID+`): {"name":"harbour"}`)
	})
}

// brokenStore creates no session.
type brokenStore struct {
	*store.Store
	err error
}

func (b brokenStore) CreateSession(context.Context, store.Session) (store.Session, error) {
	return store.Session{}, b.err
}

// A fault's sentence is for the user. The model is told so, and what to do
// itself.
func TestAStoreThatCannotBeWrittenIsToldInASentence(t *testing.T) {
	t.Parallel()
	const theirs = " Only your user may put this right: tell them exactly that, and move, change or delete nothing there yourself. " +
		"Until they have, planb cannot be used; what you must know, ask in the conversation."
	const full = " Only your user may put this right: tell them exactly that, and move, change or delete nothing there yourself. " +
		"Until they have, begin nothing new with planb; what you must know, ask in the conversation. What is open can still be answered: get_answer waits for it."
	fault := func(kind kv.FaultKind) error {
		return fmt.Errorf("saving: %w", &kv.Fault{Kind: kind, Path: "/data/planb.db", What: "is so", Do: "do that"})
	}
	for name, test := range map[string]struct {
		err  error
		want string
	}{
		"a disk that is full":    {fault(kv.FaultFull), "saving: /data/planb.db is so; do that." + full},
		"damage":                 {fault(kv.FaultDamaged), "saving: /data/planb.db is so; do that." + theirs},
		"a store of a newer one": {&store.FormatError{Got: 3, Known: 2}, "the store was written by a newer planb (format 3, this one reads up to 2); update planb, nothing was changed." + theirs},
		"a record of a newer one": {
			&store.FormatError{Key: "s/1", Got: 3, Known: 2},
			"the record s/1 of the store was written by a newer planb (format 3, this one reads up to 2); update planb, nothing was changed." +
				" Only your user may put this right: tell them exactly that, and move, change or delete nothing there yourself. Until they have, do without that record; all else works.",
		},
		"a store that is held": {
			fault(kv.FaultHeld),
			"saving: /data/planb.db is so; do that. Call again in a minute. If it stays so, tell your user exactly that; end no process yourself.",
		},
		"anything else": {errors.New("no luck."), "no luck."},
	} {
		t.Run(name, func(t *testing.T) {
			s := store.New(kvtest.NewMap(), store.Options{})
			w := mcptest.WorldOver(t, s, func(cfg *mcp.Config) { cfg.Store = brokenStore{s, test.err} })
			c := mcptest.Connect(t, w.Server)
			c.Initialize("test")
			got := c.Tool("init_planb_session", nil)
			if want := "The session could not be created: " + test.want; got.Text() != want || !got.IsError {
				t.Errorf("got  %q\nwant %q", got.Text(), want)
			}
		})
	}
}
