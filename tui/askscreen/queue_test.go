package askscreen

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/themes"
	hosts "planb/tui/ask"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

func TestQueueIsServedLiveAsksFirst(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	old := w.Ask(session, "Asked first, given up", window1)
	tuitest.Must(w.Store.Expire(t.Context(), old.ID, old.Asked))
	quiet := w.Ask(session, "Asked second, nobody waits", window1)
	live := w.Ask(session, "Asked third, somebody waits", window1)
	w.Ask(session, "Asked elsewhere", "tmux window 2")
	w.Hold(store.WaitClaim(live.ID, "server"))

	d, h := w.host(Options{Place: window1})
	for i, id := range []string{live.ID, quiet.ID, old.ID} {
		d.until("the next form", func() bool { return h.phase == phaseOpen && h.state.Ask.ID == id })
		d.do(func() {
			if in := h.form.Input(); in.QueueAt != i+1 || in.QueueOf != 3 {
				t.Errorf("the form says %d of %d, want %d of 3", in.QueueAt, in.QueueOf, i+1)
			}
			if got, want := h.form.Input().Unasked, i > 0; got != want {
				t.Errorf("form %d came up unasked: %v", i+1, got)
			}
		})
		d.settle(h, id)
	}
	parting := d.end()
	if len(parting) != 1 || !strings.HasSuffix(parting[0], "3 forms done") {
		t.Errorf("printed %q", parting)
	}
	if h.state.First.ID != live.ID || h.state.First.Outcome.State != questions.Answered || h.state.Settled != 3 {
		t.Errorf("the result is %d settled, the first %+v", h.state.Settled, h.state.First)
	}
	if !w.Free(store.PlaceClaim(window1)) {
		t.Error("the place was not given back")
	}
	if left := tuitest.Must(w.Store.Queue(t.Context(), window1)); len(left) != 0 {
		t.Errorf("%d asks are left", len(left))
	}
}

func TestQueueGrowsWhileAFormIsOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	first := w.Ask(session, "One", window1)
	d, h := w.host(Options{ID: first.ID, Place: window1})
	second := w.Ask(session, "Two", window1)
	d.until("the form to count the new ask", func() bool { return h.form.Input().QueueAt == 1 && h.form.Input().QueueOf == 2 })
	d.settle(h, first.ID)
	d.settle(h, second.ID)
	d.end()
	if !w.Free(store.PlaceClaim(window1)) {
		t.Error("the place was not given back")
	}
}

func TestPutOffAskLetsTheOthersThrough(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "")
	first := w.Ask(session, "One", window1)
	second := w.Ask(session, "Two", window1)
	d, h := w.host(Options{ID: first.ID, Place: window1})
	d.program.Send(form.LaterRequested{AskID: first.ID})
	d.settle(h, second.ID)
	parting := strings.Join(d.end(), "\n")
	if !strings.Contains(parting, store.ShortID(first.ID)) {
		t.Errorf("printed %q, which does not say how to come back", parting)
	}
	if !w.Free(store.PlaceClaim(window1)) || !w.Unshown(first) {
		t.Error("a claim was not given back")
	}
	if left := tuitest.Must(w.Store.Queue(t.Context(), window1)); len(left) != 1 || left[0].ID != first.ID {
		t.Errorf("the queue holds %v", left)
	}
}

// racingStore lets an ask come in at the worst moment: a pane has found nothing to show at its
// first look at the queue, nothing left in it at the second, and is about to leave.
type racingStore struct {
	Store
	mu    sync.Mutex
	looks int
	come  func() // nil until the pane is on its way out
}

func (r *racingStore) arm(come func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.looks, r.come = 0, come
}

func (r *racingStore) Queue(ctx context.Context, place string) ([]store.Ask, error) {
	queue, err := r.Store.Queue(ctx, place)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.looks++; r.looks == 2 && r.come != nil {
		r.come()
	}
	return queue, err
}

// Watch fails, so that nothing else makes the pane look at the queue.
func (r *racingStore) Watch(context.Context) (<-chan struct{}, error) { return nil, errBroken }

// brokenQueue is a store that cannot read queues.
type brokenQueue struct{ Store }

func (*brokenQueue) Queue(context.Context, string) ([]store.Ask, error) { return nil, errBroken }

func TestAskThatComesInWhileLeaving(t *testing.T) {
	t.Parallel()
	for name, putOff := range map[string]bool{"an empty queue": false, "a queue of what was put off": true} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			session := w.Session("Names", "")
			first := w.Ask(session, "One", window1)
			second := make(chan store.Ask, 1)
			racing := &racingStore{Store: w.Store}
			h := New(racing, Options{ID: first.ID, Place: window1, Now: w.Clock})
			d := drive(t, h, 80, 24)
			d.until("the form to open", func() bool { return h.phase == phaseOpen })
			racing.arm(func() { second <- w.Ask(session, "Two", window1) })
			if putOff {
				d.program.Send(form.LaterRequested{AskID: first.ID})
			} else {
				d.settle(h, first.ID)
			}
			d.settle(h, (<-second).ID)
			d.end()
			if !w.Free(store.PlaceClaim(window1)) {
				t.Error("the place was not given back")
			}
		})
	}
}

func TestAskSettledBeforeItsPaneOpened(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "One", window1)
	tuitest.Must(w.Store.Settle(t.Context(), ask.ID, questions.Outcome{State: questions.Withdrawn}))
	h := w.screen(Options{ID: ask.ID, Place: window1, ByItself: true})
	d := drive(t, h, 80, 24)
	d.end()
	if h.failure != nil || !w.Free(store.PlaceClaim(window1)) {
		t.Errorf("it ended with %v", h.failure)
	}
}

// claimsSeen records the claims that are made through it, and refuses the place once another
// pane is about to have it.
type claimsSeen struct {
	Store
	held   map[kv.Key]*store.Held
	asleep atomic.Bool
}

func (c *claimsSeen) Hold(ctx context.Context, key kv.Key, note string) (*store.Held, error) {
	if c.asleep.Load() && key == store.PlaceClaim(window1) {
		return nil, &store.HeldError{}
	}
	held, err := c.Store.Hold(ctx, key, note)
	c.held[key] = held
	return held, err
}

func TestPlaceLostWhileAsleep(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "One", window1)
	claims := &claimsSeen{Store: w.User("you@desk"), held: map[kv.Key]*store.Held{}}
	h := New(claims, Options{ID: ask.ID, Place: window1, By: "you@desk", Now: w.Clock})
	d := drive(t, h, 80, 24)
	d.until("the form to open", func() bool { return h.phase == phaseOpen })
	claims.asleep.Store(true) // the pane would take the place back before the other has it
	d.do(func() {
		if err := claims.held[store.PlaceClaim(window1)].Release(t.Context()); err != nil {
			t.Error(err)
		}
	})
	w.Hold(store.PlaceClaim(window1))
	d.settle(h, ask.ID)
	d.end()
	if h.failure != nil {
		t.Errorf("it ended with %v", h.failure)
	}
	if w.Free(store.PlaceClaim(window1)) {
		t.Error("the place of the other pane was given back")
	}
}

func TestUnreadableNextAsk(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "One", window1)
	h := New(&brokenQueue{Store: w.Store}, Options{ID: ask.ID, Place: window1, Now: w.Clock})
	d := drive(t, h, 80, 24)
	d.end()
	if h.failure == nil || !errors.Is(h.failure, errBroken) {
		t.Errorf("it ended with %v", h.failure)
	}
	if !w.Free(store.PlaceClaim(window1)) || !w.Unshown(ask) {
		t.Error("a claim was not given back")
	}
}

// unopened is a store that cannot read asks.
type unopened struct{ Store }

func (unopened) Ask(context.Context, string) (store.Ask, error) { return store.Ask{}, errBroken }

// TestAFormRingsOnceWhenItPopsUp holds that the bell rings, if it is on, for a form that comes up
// by itself, but not for one that the person opened or that follows their answer.
func TestAFormRingsOnceWhenItPopsUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask, next := w.Ask(session, "The new ship", "here"), w.Ask(session, "The old ship", "here")
	input := func(ask store.Ask) askOpened {
		return askOpened{Opened: hosts.Opened{Input: hosts.Input{Ask: w.Stored(ask.ID), Session: session}, Waiting: 1}}
	}
	for _, test := range []struct {
		name          string
		unasked, bell bool
		want          int
	}{
		{"popped up", true, true, 1}, {"switched off", true, false, 0}, {"opened by hand", false, true, 0},
	} {
		h := New(w.Store, Options{Place: "here", ByItself: test.unasked, Bell: test.bell, Now: w.Clock})
		h.Retheme((*screen.Look)(nil).With(themes.None().Palette))
		h.Resize(80, 24)
		ring := func(ask store.Ask) int {
			h.show(input(ask)) // its other commands wait for time to pass
			if h.rang != ask.ID {
				return 0
			}
			return 1
		}
		if got := ring(ask); got != test.want {
			t.Errorf("%s: rings %d times", test.name, got)
		}
		if h.ring(true) != nil && test.want == 1 {
			t.Errorf("%s: taken up again it rings once more", test.name)
		}
		h.state.Settled = 1
		if ring(next) != 0 {
			t.Errorf("%s: the form after an answer rings", test.name)
		}
		if _, err := h.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// A pane that cannot read its asks puts nothing off: the person did not leave it.
func TestAPaneThatFailsPutsNothingOff(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	ask := w.Ask(w.Session("Names", ""), "One", window1)
	h := New(unopened{w.Store}, Options{ID: ask.ID, Place: window1, Now: w.Clock})
	drive(t, h, 80, 24).end()
	if off := tuitest.Must(w.Store.PutOffs(t.Context(), window1)); off.Place || !errors.Is(h.failure, errBroken) {
		t.Errorf("put off is %v, the failure %v", off.Place, h.failure)
	}
}
