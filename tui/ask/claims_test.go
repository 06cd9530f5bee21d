package ask_test

import (
	"testing"
	"time"

	"planb/plans/review"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// Others remove the claims of a pane that sleeps: they believe that it is gone. Once it is
// awake, they see it again, or each pane would save its own words over those of the other.
func TestAPaneThatWokeUpIsSeenAgain(t *testing.T) {
	engine := kvtest.NewMap()
	d := desk{t, store.New(engine, store.Options{By: "you@desk", TTL: 100 * time.Millisecond})}
	shown := d.asks(d.session(), "Codex", "One")
	pane := d.pane(shown.ID)
	defer d.close(pane)
	d.opened(pane.Start())
	for _, claim := range []kv.Key{store.ShowClaims(shown.ID), store.PlaceClaim(window)} {
		page, err := engine.Scan(t.Context(), claim, "", 10)
		if err != nil || len(page.Records) != 1 {
			t.Fatalf("%s: %d claims, %v", claim, len(page.Records), err)
		}
		if err := engine.Commit(t.Context(), kv.Batch{Deletes: []kv.Key{page.Records[0].Key}}); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(10 * time.Millisecond) {
			if _, err := pane.Glance(shown, review.Newer{}, nil); err != nil {
				t.Fatal(err)
			}
			if alive, err := d.store.AliveAny(t.Context(), claim); err != nil {
				t.Fatal(err)
			} else if alive {
				break
			}
			if time.Now().After(deadline) {
				t.Fatalf("%s: nobody has it 20 s later", claim)
			}
		}
	}
}

// The claims of an ask that the person has left stay with nobody.
func TestAPaneTakesNoClaimBackThatItGaveUp(t *testing.T) {
	d := newDesk(t)
	session := d.session()
	first, second := d.asks(session, "Codex", "One"), d.asks(session, "Codex", "Two")
	pane := d.pane(first.ID)
	defer d.close(pane)
	d.opened(pane.Start())
	if next := d.opened(pane.Next(first.ID, nil)); next.Ask.ID != second.ID {
		t.Fatalf("%s comes next", next.Ask.Spec.Title)
	}
	if _, err := pane.Glance(first, review.Newer{}, nil); err != nil {
		t.Fatal(err)
	}
	if alive, err := d.store.AliveAny(t.Context(), store.ShowClaims(first.ID)); alive || err != nil {
		t.Errorf("shown: %v, %v", alive, err)
	}
}

// A pane that slept while another took its place puts nothing off when it is closed: the
// person has the other one.
func TestAPaneWhosePlaceWasTakenPutsNothingOff(t *testing.T) {
	engine := kvtest.NewMap()
	open := func() desk {
		return desk{t, store.New(engine, store.Options{By: "you@desk", TTL: 100 * time.Millisecond})}
	}
	d, other := open(), open()
	session := d.session()
	first := d.asks(session, "Codex", "One")
	d.asks(session, "Codex", "Two")
	slept := d.pane(first.ID)
	d.opened(slept.Start())
	if err := engine.Commit(t.Context(), kv.Batch{Deletes: []kv.Key{store.PlaceClaim(window)}}); err != nil {
		t.Fatal(err)
	}
	awake := other.pane("")
	other.opened(awake.Start())
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		claim, _, err := d.store.Alive(t.Context(), store.PlaceClaim(window))
		if err != nil {
			t.Fatal(err)
		}
		if claim.Counter > 5 { // by then the first pane has looked at its claim, too
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("nobody renews the claim on the place")
		}
	}
	d.close(slept)
	d.wantPutOff("while another pane serves the place", false)
	d.close(awake)
	d.wantPutOff("after that one was closed", true)
}
