package ask_test

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/tui/ask"
)

// waits claims that a call of an agent waits for the ask, until the agent is killed.
func (d desk) waits(asks ...store.Ask) (kill func()) {
	d.t.Helper()
	var held []*store.Held
	for _, ask := range asks {
		claim, err := d.store.Hold(d.t.Context(), store.WaitClaim(ask.ID, "server"), "waits")
		if err != nil {
			d.t.Fatal(err)
		}
		held = append(held, claim)
	}
	return func() {
		for _, claim := range held {
			if err := claim.Release(context.Background()); err != nil {
				d.t.Error(err)
			}
		}
	}
}

// serve answers what the pane shows, one after another, and returns the titles.
func (d desk) serve(pane *ask.Host, most int) (titles []string) {
	d.t.Helper()
	for opened := d.opened(pane.Start()); !opened.None; opened = d.opened(pane.Next(opened.Ask.ID, nil)) {
		titles = append(titles, opened.Ask.Spec.Title.Raw())
		if len(titles) == most {
			break
		}
		d.settle(opened.Ask.ID)
	}
	return titles
}

func TestSessionsTakeTurnsInAQueue(t *testing.T) {
	d := newDesk(t)
	loud, quiet := d.session(), d.session()
	var asks []store.Ask
	for i := range 5 {
		asks = append(asks, d.asks(loud, "Codex", fmt.Sprint("loud ", i)))
	}
	for i := range 2 {
		asks = append(asks, d.asks(quiet, "Gemini", fmt.Sprint("quiet ", i)))
	}
	defer d.waits(asks...)()
	pane := d.pane("")
	got := d.serve(pane, 100)
	d.close(pane)
	want := []string{"loud 0", "quiet 0", "loud 1", "quiet 1", "loud 2", "loud 3", "loud 4"}
	if !slices.Equal(got, want) {
		t.Errorf("shown were %q, want %q", got, want)
	}
}

// Two hundred asks of one agent, in as many sessions as that takes, are no reason
// for another agent to wait longer than for one of each; and none at all once the
// first agent was killed.
func TestAFloodOfOneAgentDoesNotHoldUpAnother(t *testing.T) {
	flood := func(t *testing.T) (d desk, kill func()) {
		d = newDesk(t)
		var asks []store.Ask
		var session string
		for i := range 200 {
			if i%store.MaxOpen == 0 {
				session = d.session()
			}
			asks = append(asks, d.asks(session, "Codex", fmt.Sprint("flood ", i)))
		}
		return d, d.waits(asks...)
	}
	t.Run("while it waits", func(t *testing.T) {
		d, kill := flood(t)
		defer kill()
		defer d.waits(d.asks(d.session(), "Gemini", "the other"))()
		pane := d.pane("")
		defer d.close(pane)
		if at := slices.Index(d.serve(pane, 30), "the other"); at != 200/store.MaxOpen {
			t.Errorf("the other agent comes after %d asks", at)
		}
	})
	t.Run("once it was killed", func(t *testing.T) {
		d, kill := flood(t)
		other := d.asks(d.session(), "Gemini", "the other")
		defer d.waits(other)()
		kill()
		pane := d.pane("")
		defer d.close(pane)
		if got := d.serve(pane, 1); got[0] != "the other" {
			t.Errorf("%q comes first", got)
		}
	})
	t.Run("when nobody waits for either", func(t *testing.T) {
		d, kill := flood(t)
		kill()
		d.asks(d.session(), "Gemini", "the other")
		pane := d.pane("")
		defer d.close(pane)
		if at := slices.Index(d.serve(pane, 30), "the other"); at != 200/store.MaxOpen {
			t.Errorf("the other agent comes after %d asks", at)
		}
	})
}

// reading counts what is read of a store.
type reading struct {
	kv.Engine
	reads atomic.Int64
}

func (r *reading) Get(ctx context.Context, keys ...kv.Key) ([]kv.Record, error) {
	r.reads.Add(1)
	return r.Engine.Get(ctx, keys...)
}

func (r *reading) Scan(ctx context.Context, prefix, after kv.Key, limit int) (kv.Page, error) {
	r.reads.Add(1)
	return r.Engine.Scan(ctx, prefix, after, limit)
}

// What comes next is found with as many reads among many as among few. The claims of the
// agents' calls stand in a store of their own, so that what renews them is not counted.
func TestALongQueueIsReadAtOnce(t *testing.T) {
	cost := func(sessions int) int {
		engine := kvtest.NewMap()
		agents := desk{t, store.New(engine, store.Options{By: "you@desk"})}
		for range sessions {
			session := agents.session()
			for i := range store.MaxOpen {
				agents.waits(agents.asks(session, "Codex", fmt.Sprint("ask ", i)))
			}
		}
		counted := &reading{Engine: engine}
		person := desk{t, store.New(counted, store.Options{By: "you@desk"})}
		pane := person.pane("")
		defer person.close(pane)
		person.opened(pane.Start())
		return int(counted.reads.Load())
	}
	if few, many := cost(1), cost(20); many > few+5 {
		t.Errorf("the next of 20 takes %d reads, of 400 %d", few, many)
	}
}
