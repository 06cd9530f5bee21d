package store_test

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"planb/questions/safe/safetest"
	"planb/store"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// claiming returns a store whose claims live for ttl and whose clock for
// watching others' stands still until it is moved.
func claiming(t *testing.T, engine kv.Engine, ttl time.Duration) (*store.Store, func(time.Duration)) {
	t.Helper()
	s := store.New(engine, store.Options{By: "person@desk", TTL: ttl})
	return s, s.SetClock(t)
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
	overEngines(t, func(t *testing.T, open func() kv.Engine) {
		key := store.PlaceClaim("here")
		a, _ := claiming(t, open(), time.Hour)
		b, _ := claiming(t, open(), time.Hour)
		if _, alive, err := b.Alive(ctx, key); alive || err != nil {
			t.Errorf("nobody holds it: %v, %v", alive, err)
		}
		held, err := a.Hold(ctx, key, "a pane")
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []*store.Store{a, b} {
			var other *store.HeldError
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
		keys = append(keys, store.WaitClaim("ask", owner+string(rune('0'+len(keys)%10))+strings.Repeat("y", len(keys))))
	}
	for _, key := range keys {
		if _, err := s.Hold(ctx, key, ""); err != nil {
			t.Fatal(err)
		}
	}
	bell, err := s.Watch(ctx)
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
	key := store.ShowClaim("ask", "pane")
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
			claim := store.Claim{Owner: "elsewhere", Counter: 5, TTL: ttl, PID: 1, Host: "elsewhere", Boot: "b"}
			putRecord(t, engine, key, store.ClaimRecord(claim))
			_, alive, err := s.Alive(ctx, key)
			if err != nil {
				t.Fatal(err)
			}
			for i, d := range test.looks {
				if test.moves && i == len(test.looks)-1 {
					claim.Counter++
					putRecord(t, engine, key, store.ClaimRecord(claim))
				}
				pass(d)
				if _, alive, err = s.Alive(ctx, key); err != nil {
					t.Fatal(err)
				}
			}
			if alive == test.dead {
				t.Errorf("alive: %v", alive)
			}
			if any, err := s.AliveAny(ctx, store.ClaimKeys); any != alive || err != nil {
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

// While the disk takes no writes nobody can renew a claim, and nobody is taken for
// dead over it. Once it takes some again, who does not renew is.
func TestClaimsStandStillOnAFullDisk(t *testing.T) {
	const ttl = 30 * time.Millisecond
	disk := &fullable{Engine: kvtest.NewMap()}
	server, pass := claiming(t, disk, ttl)
	pane, _ := claiming(t, disk, ttl)
	if _, err := server.Hold(t.Context(), store.WaitClaim("ask", "server"), ""); err != nil {
		t.Fatal(err)
	}
	living, end := context.WithCancel(t.Context())
	key := store.ShowClaim("ask", "pane")
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

func TestAProcessOfThisMachine(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	engine := kvtest.NewMap()
	s, _ := claiming(t, engine, time.Hour)
	key := store.ShowClaim("ask", "pane")
	self := s.ThisProcess()
	if self.Boot == "" || self.Start == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("this system does not tell about its processes")
		}
		t.Skip("this system does not tell about its processes")
	}
	child := exec.Command(os.Args[0], "-test.run=^$")
	child.Env = append(os.Environ(), "GORACE=atexit_sleep_ms=0") // or it waits a second, under the race detector
	if err := child.Run(); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		edit  func(c *store.Claim)
		alive bool
	}{
		{"runs", func(*store.Claim) {}, true},
		{"is gone", func(c *store.Claim) { c.PID = child.Process.Pid }, false},
		{"is gone, on another machine", func(c *store.Claim) { c.PID, c.Host = child.Process.Pid, "elsewhere" }, true},
		{"is gone, before a boot or in another container", func(c *store.Claim) { c.PID, c.Boot = child.Process.Pid, "b" }, true},
		{"is gone, on a system that does not tell", func(c *store.Claim) { c.PID, c.Boot = child.Process.Pid, "" }, true},
		{"has given its PID to another", func(c *store.Claim) { c.Start = "1" }, false},
		{"does not know its start", func(c *store.Claim) { c.Start = "" }, true},
		{"has no PID", func(c *store.Claim) { c.PID = 0 }, true},
		{"has a nonsense PID", func(c *store.Claim) { c.PID = -1 }, true},
	} {
		claim := self
		claim.Owner, claim.TTL = "o", time.Hour
		test.edit(&claim)
		putRecord(t, engine, key, store.ClaimRecord(claim))
		if _, alive, err := s.Alive(ctx, key); alive != test.alive || err != nil {
			t.Errorf("a process that %s is alive: %v, %v", test.name, alive, err)
		}
	}
}

// holderPath tells a copy of this test that it is to hold a claim.
const holderPath = "PLANB_TEST_HOLDER_PATH"

func TestHolderProcess(t *testing.T) {
	path := os.Getenv(holderPath)
	if path == "" {
		t.Skip("only as a process of its own")
	}
	engine, err := bolt.Open(t.Context(), path, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := store.New(engine, store.Options{TTL: time.Hour})
	if _, err := s.Hold(t.Context(), store.PlaceClaim("here"), "to be killed"); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("held\n")
	<-t.Context().Done()
	select {}
}

func TestAKilledHolderIsDeadAtOnce(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "planb.db")
	s, _ := claiming(t, openBolt(t, path), time.Hour)
	if s.ThisProcess().Boot == "" {
		t.Skip("this system does not tell about its processes")
	}
	child := exec.Command(os.Args[0], "-test.run=^TestHolderProcess$", "-test.timeout=60s")
	child.Env = append(os.Environ(), holderPath+"="+path)
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		child.Process.Kill() // it is dead already unless the test failed
		child.Wait()         // which says so
	})
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "held" {
	}
	key := store.PlaceClaim("here")
	if claim, alive, err := s.Alive(ctx, key); !alive || err != nil || claim.PID != child.Process.Pid {
		t.Fatalf("the claim is %+v, alive %v, %v", claim, alive, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// It is not waited for: a process whose exit status nobody took is as dead.
	until(t, "the killed process's claim is dead", func() bool {
		_, alive, err := s.Alive(ctx, key)
		return err == nil && !alive
	})
	if _, err := s.Hold(ctx, key, "next"); err != nil {
		t.Error(err)
	}
}

func TestALostClaimIsNoticed(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s, _ := claiming(t, engine, 30*time.Millisecond)
	for name, take := range map[string]func(key kv.Key){
		"taken": func(key kv.Key) {
			putRecord(t, engine, key, store.ClaimRecord(store.Claim{Owner: "o", TTL: time.Hour}))
		},
		"taken by a newer planb": func(key kv.Key) {
			putRecord(t, engine, key, map[string]any{"v": store.Format + 1, "owner": 7})
		},
		"deleted": func(key kv.Key) {
			if err := engine.Commit(ctx, kv.Batch{Deletes: []kv.Key{key}}); err != nil {
				t.Error(err)
			}
		},
	} {
		key := store.ShowClaim(name, "pane")
		held, err := s.Hold(ctx, key, "")
		if err != nil {
			t.Fatal(err)
		}
		kept, err := s.Hold(ctx, store.ShowClaim(name+", not", "pane"), "")
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
		if left, err := s.LeavePlace(ctx, held, "here"); !left || err != nil {
			t.Errorf("leaving with a claim that was %s: %v, %v", name, left, err)
		}
	}
}

func TestClaimsEndWhenANewerPlanbHasTheStore(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s, _ := claiming(t, engine, 30*time.Millisecond)
	held, err := s.Hold(ctx, store.ShowClaim("ask", "pane"), "")
	if err != nil {
		t.Fatal(err)
	}
	putRecord(t, engine, store.FormatKey, map[string]any{"v": store.Format + 1})
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
	key := store.ShowClaim("ask", "pane")
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
	if _, err := other.Hold(t.Context(), key, ""); !errors.As(err, new(*store.HeldError)) {
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

func TestLeavingAPlace(t *testing.T) {
	ctx := t.Context()
	overEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := &meddler{Engine: open()}
		pane, _ := claiming(t, engine, time.Hour)
		server := newStore(t, open())
		session := newSession(t, server, "")
		key := store.PlaceClaim("here")
		hold := func() *store.Held {
			t.Helper()
			held, err := pane.Hold(ctx, key, "")
			if err != nil {
				t.Fatal(err)
			}
			return held
		}
		leave := func(held *store.Held, want bool) {
			t.Helper()
			left, err := pane.LeavePlace(ctx, held, "here")
			if err != nil || left != want {
				t.Errorf("it left: %v, want %v, %v", left, want, err)
			}
			if _, alive, err := server.Alive(ctx, key); alive == want || err != nil {
				t.Errorf("its claim is alive: %v, %v", alive, err)
			}
		}
		leave(hold(), true)
		held := hold()
		ask := openAsk(t, server, session.ID, "one", "here")
		leave(held, false)
		if _, err := server.Expire(ctx, ask.ID, ask.Asked); err != nil {
			t.Fatal(err)
		}
		leave(held, false)
		openAsk(t, server, session.ID, "elsewhere", "there")
		if _, err := server.Settle(ctx, ask.ID, answered("x")); err != nil {
			t.Fatal(err)
		}
		leave(held, true)
		// An ask that comes between looking at the queue and leaving is seen.
		held = hold()
		engine.beforeCommit(func() { openAsk(t, server, session.ID, "two", "here") })
		leave(held, false)
		if err := held.Release(ctx); err != nil {
			t.Error(err)
		}
	})
}

func TestHeldErrorIsSafeToPrint(t *testing.T) {
	for name, evil := range safetest.Hostile() {
		err := &store.HeldError{Claim: store.Claim{PID: 7, Host: evil, Note: evil}}
		for _, c := range err.Error() {
			if c < ' ' || c >= 0x7f && c < 0xa0 {
				t.Errorf("%s: the sentence has %q: %q", name, c, err)
				break
			}
		}
	}
	err := &store.HeldError{Claim: store.Claim{PID: 7, Host: "desk", Note: "a pane"}}
	if got, want := err.Error(), "process 7 on desk (a pane) has it already"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A claim from before this machine was started anew is dead at once; one of another
// machine is not, and neither is one of another container on this machine.
func TestAClaimEndsWithTheRunOfItsMachine(t *testing.T) {
	engine := kvtest.NewMap()
	s := store.New(engine, store.Options{Machine: "desk"})
	here := s.ThisProcess()
	kernel, space, _ := strings.Cut(here.Boot, " ")
	for _, test := range []struct {
		what, machine, boot string
		alive               bool
	}{
		{"before a reboot", "desk", "earlier " + space, false},
		{"another machine", "laptop", "earlier " + space, true},
		{"another container of this machine", "desk", kernel + " pid:[1]", true},
		{"a machine without a name", "", "earlier " + space, true},
	} {
		key := store.WaitClaim(test.what, "x")
		putRecord(t, engine, key, store.ClaimRecord(store.Claim{
			Owner: test.what, Counter: 1, TTL: time.Minute, PID: here.PID, Boot: test.boot, Host: here.Host, Machine: test.machine,
		}))
		if _, alive, err := s.Alive(t.Context(), key); err != nil || alive != test.alive {
			t.Errorf("%s: alive %v, %v", test.what, alive, err)
		}
	}
}
