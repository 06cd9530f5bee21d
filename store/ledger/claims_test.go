package ledger_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"planb/questions/safe/safetest"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
)

// claiming returns a store whose claims live for ttl and whose clock for
// watching others' stands still until it is moved.
func claiming(t *testing.T, engine kv.Engine, ttl time.Duration) (*ledger.Claims, func(time.Duration)) {
	t.Helper()
	s := ledger.NewClaims(ledger.New(engine, ledger.Options{}), ledger.ClaimOptions{By: "person@desk", TTL: ttl})
	return s, s.SetClock(t)
}

// recorded is a claim as a record has it.
func recorded(c ledger.Claim) ledger.Claim {
	c.Header = ledger.NewHeader()
	return c
}

func placeClaim(place string) kv.Key {
	return ledger.ClaimKeys + "place/" + kv.Key(ledger.Hash(place))
}
func showClaims(ask string) kv.Key {
	return ledger.ClaimKeys + "show/" + kv.Key(ledger.Hash(ask)) + "/"
}
func showClaim(ask, owner string) kv.Key { return showClaims(ask) + kv.Key(ledger.Hash(owner)) }
func waitClaim(ask, owner string) kv.Key {
	return ledger.ClaimKeys + "wait/" + kv.Key(ledger.Hash(ask)) + "/" + kv.Key(ledger.Hash(owner))
}

// until waits for what another goroutine is about to bring about.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !done() {
		if time.Now().After(deadline) {
			t.Fatalf("after 20 s still not: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestOneHolds(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		key := placeClaim("here")
		a, _ := claiming(t, open(), time.Hour)
		b, _ := claiming(t, open(), time.Hour)
		if _, alive, err := b.Alive(ctx, key); alive || err != nil {
			t.Errorf("nobody holds it: %v, %v", alive, err)
		}
		held, err := a.Hold(ctx, key, "a pane")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*ledger.Claims{a, b} {
			var other *ledger.HeldError
			if _, err := s.Hold(ctx, key, "another pane"); !errors.As(err, &other) {
				t.Fatalf("two hold it: %v", err)
			}
			if other.Claim.Note != "a pane" || other.Claim.PID != os.Getpid() || !strings.Contains(other.Error(), "(a pane) has it") {
				t.Errorf("it is said to be held by %+v: %v", other.Claim, other)
			}
		}
		if claim, alive, err := b.Alive(ctx, key); !alive || err != nil || claim.Note != "a pane" {
			t.Errorf("%+v is alive: %v, %v", claim, alive, err)
		}
		for range 2 {
			if err := held.Release(ctx); err != nil {
				t.Fatal(err)
			}
		}
		<-held.Lost()
		if a.Renewing() {
			t.Error("a released claim is renewed")
		}
		again, err := b.Hold(ctx, key, "b")
		if err != nil {
			t.Fatal(err)
		}
		// The first holder's late release takes nothing from the second.
		if err := held.Release(ctx); err != nil {
			t.Fatal(err)
		}
		if _, alive, err := a.Alive(ctx, key); !alive || err != nil {
			t.Errorf("the second holder's claim: %v, %v", alive, err)
		}
		if err := again.Release(ctx); err != nil {
			t.Fatal(err)
		}
	})
}

func TestAClaimIsRenewedQuietly(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	engine := kvtest.NewMap()
	s, _ := claiming(t, engine, 30*time.Millisecond)
	var keys []kv.Key
	for _, owner := range strings.Split(strings.Repeat("x", 200), "") {
		keys = append(keys, waitClaim("ask", owner+string(rune('0'+len(keys)%10))+strings.Repeat("y", len(keys))))
	}
	for _, key := range keys {
		if _, err := s.Hold(ctx, key, ""); err != nil {
			t.Fatal(err)
		}
	}
	bell, err := engine.Watch(ctx, "")
	if err != nil {
		t.Fatal(err)
	}
	<-bell
	for _, key := range keys {
		until(t, "every claim is renewed", func() bool {
			claim, alive, err := s.Alive(ctx, key)
			return err == nil && alive && claim.Counter > 3
		})
	}
	select {
	case <-bell:
		t.Error("renewals ring")
	default:
	}
}

func TestACounterThatStandsStill(t *testing.T) {
	const ttl = 10 * time.Second
	key := showClaim("ask", "pane")
	for _, test := range []struct {
		name  string
		looks []time.Duration // from one look to the next
		moves bool            // the counter moves before the last look
		dead  bool
	}{
		{"just looked", []time.Duration{time.Second}, false, false},
		{"not yet the ttl", []time.Duration{4 * time.Second, 4 * time.Second, 1900 * time.Millisecond}, false, false},
		{"the ttl", []time.Duration{4 * time.Second, 4 * time.Second, 2 * time.Second}, false, true},
		{"the ttl, but it moves", []time.Duration{4 * time.Second, 4 * time.Second, 2 * time.Second}, true, false},
		{"a sleep", []time.Duration{8 * time.Hour}, false, false},
		{"a sleep after looking long", []time.Duration{5 * time.Second, 4 * time.Second, 8 * time.Hour, 4 * time.Second}, false, false},
		{"the ttl after a sleep", []time.Duration{8 * time.Hour, 5 * time.Second, 5 * time.Second}, false, true},
		{"dead stays dead", []time.Duration{5 * time.Second, 5 * time.Second, 8 * time.Hour}, false, true},
		{"dead, but it moves", []time.Duration{5 * time.Second, 5 * time.Second, time.Second}, true, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx := t.Context()
			engine := kvtest.NewMap()
			s, pass := claiming(t, engine, time.Hour)
			claim := ledger.Claim{Owner: "elsewhere", Counter: 5, TTL: ttl, PID: 1, Host: "elsewhere", Boot: "b"}
			storetest.PutRecord(t, engine, key, recorded(claim))
			_, alive, err := s.Alive(ctx, key)
			if err != nil {
				t.Fatal(err)
			}
			for i, d := range test.looks {
				if test.moves && i == len(test.looks)-1 {
					claim.Counter++
					storetest.PutRecord(t, engine, key, recorded(claim))
				}
				pass(d)
				if _, alive, err = s.Alive(ctx, key); err != nil {
					t.Fatal(err)
				}
			}
			if alive == test.dead {
				t.Errorf("alive: %v", alive)
			}
			if any, err := s.AliveAny(ctx, ledger.ClaimKeys); any != alive || err != nil {
				t.Errorf("any alive: %v, %v", any, err)
			}
			held, err := s.Hold(ctx, key, "")
			if (err == nil) != test.dead {
				t.Errorf("taking it: %v", err)
			}
			if held != nil {
				if err := held.Release(ctx); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// fullable is an engine on a disk that can be full; it counts what it refused.
type fullable struct {
	kv.Engine
	full    atomic.Bool
	refused atomic.Int32
}

func (f *fullable) Commit(ctx context.Context, b kv.Batch) error {
	if !f.full.Load() {
		return f.Engine.Commit(ctx, b)
	}
	f.refused.Add(1)
	return &kv.Fault{Kind: kv.FaultFull, Path: "memory", What: "cannot be written, because its disk is full"}
}

// While the disk is full, no process can renew a claim, and none counts as dead for it.
// When the disk takes writes again, a process that does not renew its claim is dead.
func TestClaimsStandStillOnAFullDisk(t *testing.T) {
	const ttl = 30 * time.Millisecond
	disk := &fullable{Engine: kvtest.NewMap()}
	server, pass := claiming(t, disk, ttl)
	pane, _ := claiming(t, disk, ttl)
	if _, err := server.Hold(t.Context(), waitClaim("ask", "server"), ""); err != nil {
		t.Fatal(err)
	}
	living, end := context.WithCancel(t.Context())
	key := showClaim("ask", "pane")
	if _, err := pane.Hold(living, key, ""); err != nil {
		t.Fatal(err)
	}
	alive := func() bool {
		_, alive, err := server.Alive(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		return alive
	}
	disk.full.Store(true)
	until(t, "renewals have failed", func() bool { return disk.refused.Load() > 4 })
	end()
	for range 10 {
		if !alive() {
			t.Fatal("a pane that cannot renew its claim is taken for dead")
		}
		pass(ttl / 2)
	}
	disk.full.Store(false)
	until(t, "a pane that has ended is dead", func() bool {
		pass(ttl / 2)
		return !alive()
	})
}

// A process that could not renew its claim for the TTL, and can again, is told: others may have
// believed it dead.
func TestALateRenewalIsTold(t *testing.T) {
	const ttl = 30 * time.Millisecond
	engine := kvtest.NewMap()
	s, pass := claiming(t, engine, ttl)
	key := waitClaim("ask", "server")
	held, err := s.Hold(t.Context(), key, "")
	if err != nil {
		t.Fatal(err)
	}
	until(t, "the claim is renewed", func() bool {
		claim, _, err := s.Alive(t.Context(), key)
		return err == nil && claim.Counter > 3
	})
	select {
	case <-held.Late():
		t.Error("renewals in time are called late")
	default:
	}
	pass(ttl)
	select {
	case <-held.Late():
	case <-time.After(10 * time.Second):
		t.Error("a late renewal is not told")
	}
}

func TestALostClaimIsNoticed(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s, _ := claiming(t, engine, 30*time.Millisecond)
	for name, take := range map[string]func(key kv.Key){
		"taken": func(key kv.Key) {
			storetest.PutRecord(t, engine, key, recorded(ledger.Claim{Owner: "o", TTL: time.Hour}))
		},
		"taken by a newer planb": func(key kv.Key) {
			storetest.PutRecord(t, engine, key, map[string]any{"v": ledger.Format + 1, "owner": 7})
		},
		"deleted": func(key kv.Key) {
			if err := engine.Commit(ctx, kv.Batch{Deletes: []kv.Key{key}}); err != nil {
				t.Error(err)
			}
		},
	} {
		key := showClaim(name, "pane")
		held, err := s.Hold(ctx, key, "")
		if err != nil {
			t.Fatal(err)
		}
		kept, err := s.Hold(ctx, showClaim(name+", not", "pane"), "")
		if err != nil {
			t.Fatal(err)
		}
		take(key)
		select {
		case <-held.Lost():
		case <-time.After(20 * time.Second):
			t.Fatalf("a claim that was %s is not given up", name)
		}
		select {
		case <-kept.Lost():
			t.Errorf("when one claim is %s another is lost", name)
		default:
		}
		records, err := engine.Get(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		if held.Owns(records[0]) {
			t.Errorf("a claim that was %s is still held for its holder's", name)
		}
	}
}

func TestClaimsEndWhenANewerPlanbHasTheStore(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s, _ := claiming(t, engine, 30*time.Millisecond)
	held, err := s.Hold(ctx, showClaim("ask", "pane"), "")
	if err != nil {
		t.Fatal(err)
	}
	storetest.PutRecord(t, engine, ledger.FormatKey, map[string]any{"v": ledger.Format + 1})
	select {
	case <-held.Lost():
	case <-time.After(20 * time.Second):
		t.Fatal("the claim is not given up")
	}
	until(t, "nothing is renewed", func() bool { return !s.Renewing() })
}

func TestTheEndOfHoldsContextEndsRenewals(t *testing.T) {
	engine := kvtest.NewMap()
	s, _ := claiming(t, engine, time.Hour)
	key := showClaim("ask", "pane")
	ctx, cancel := context.WithCancel(t.Context())
	held, err := s.Hold(ctx, key, "")
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	<-held.Lost()
	until(t, "nothing is renewed", func() bool { return !s.Renewing() })
	// To others the claim lives until its counter stood still for long enough;
	// the store that knows better takes it again.
	if _, alive, err := s.Alive(t.Context(), key); !alive || err != nil {
		t.Errorf("%v, %v", alive, err)
	}
	other, _ := claiming(t, engine, time.Hour)
	if _, err := other.Hold(t.Context(), key, ""); !errors.As(err, new(*ledger.HeldError)) {
		t.Errorf("another store takes it: %v", err)
	}
	again, err := s.Hold(t.Context(), key, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Release(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestHeldErrorIsSafeToPrint(t *testing.T) {
	for name, evil := range safetest.Hostile() {
		err := &ledger.HeldError{Claim: ledger.Claim{PID: 7, Host: evil, Note: evil}}
		for _, c := range err.Error() {
			if c < ' ' || c >= 0x7f && c < 0xa0 {
				t.Errorf("%s: the sentence has %q: %q", name, c, err)
				break
			}
		}
	}
	err := &ledger.HeldError{Claim: ledger.Claim{PID: 7, Host: "desk", Note: "a pane"}}
	if got, want := err.Error(), "process 7 on desk (a pane) has it already"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestManyPanesShowOneAsk(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		a, _ := claiming(t, open(), time.Hour)
		b, _ := claiming(t, open(), time.Hour)
		shown := func(s *ledger.Claims, own *ledger.Held) bool {
			t.Helper()
			alive, err := s.AliveBeside(ctx, showClaims("ask"), own)
			if err != nil {
				t.Fatal(err)
			}
			return alive
		}
		if shown(a, nil) {
			t.Error("an ask that nobody shows is shown")
		}
		first, err := a.Hold(ctx, showClaim("ask", "one"), "")
		if err != nil {
			t.Fatal(err)
		}
		if shown(a, first) || !shown(b, nil) {
			t.Error("the only pane is not left out for itself, or is for others")
		}
		second, err := b.Hold(ctx, showClaim("ask", "two"), "")
		if err != nil {
			t.Fatalf("a second pane is refused: %v", err)
		}
		if !shown(a, first) || !shown(b, second) {
			t.Error("two panes do not know of each other")
		}
		if err := first.Release(ctx); err != nil {
			t.Fatal(err)
		}
		if shown(b, second) || !shown(a, nil) {
			t.Error("a pane that closed still counts, or took the other one with it")
		}
		if err := second.Release(ctx); err != nil {
			t.Fatal(err)
		}
	})
}

// TestDeadClaimsDoNotPileUp holds that what killed processes leave is cleared
// away by the next one, and nothing else is.
func TestDeadClaimsDoNotPileUp(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		s, _ := claiming(t, engine, time.Hour)
		gone := s.ThisProcess()
		if gone.Boot == "" || gone.Start == "" {
			t.Skip("this system does not tell about its processes")
		}
		gone.Owner, gone.TTL, gone.Start = "killed", time.Hour, "1"
		lives := ledger.Claim{Owner: "lives", TTL: time.Hour, PID: 1, Host: "elsewhere", Boot: "b"}
		put := func(key kv.Key, c ledger.Claim) kv.Key {
			storetest.PutRecord(t, engine, key, recorded(c))
			return key
		}
		cleared := []kv.Key{put(showClaim("ask", "a"), gone), put(showClaim("ask", "b"), gone)}
		kept := []kv.Key{
			put(showClaim("ask", "c"), lives),
			put(showClaim("another", "a"), gone),
			put(waitClaim("ask", "a"), gone),
			put(placeClaim("here"), gone),
		}
		unread := showClaim("ask", "d")
		storetest.PutRecord(t, engine, unread, map[string]any{"v": ledger.Format + 1, "owner": 7})
		held, err := s.Hold(ctx, showClaim("ask", "new"), "")
		if err != nil {
			t.Fatal(err)
		}
		exists := func(key kv.Key) bool {
			records, err := engine.Get(ctx, key)
			if err != nil {
				t.Fatal(err)
			}
			return records[0].Exists()
		}
		for _, key := range cleared {
			if exists(key) {
				t.Errorf("%s is still there", key)
			}
		}
		for _, key := range append(kept, unread, held.Key()) {
			if !exists(key) {
				t.Errorf("%s was cleared away", key)
			}
		}
		place, err := s.Hold(ctx, placeClaim("there"), "")
		if err != nil {
			t.Fatal(err)
		}
		if !exists(placeClaim("here")) {
			t.Error("taking one place cleared away another's claim")
		}
		for _, h := range []*ledger.Held{held, place} {
			if err := h.Release(ctx); err != nil {
				t.Error(err)
			}
		}
	})
}
