package ledger_test

import (
	"bufio"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"planb/store/bolt"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
)

func TestAProcessOfThisMachine(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	engine := kvtest.NewMap()
	s, _ := claiming(t, engine, time.Hour)
	key := showClaim("ask", "pane")
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
		edit  func(c *ledger.Claim)
		alive bool
	}{
		{"runs", func(*ledger.Claim) {}, true},
		{"is gone", func(c *ledger.Claim) { c.PID = child.Process.Pid }, false},
		{"is gone, on another machine", func(c *ledger.Claim) { c.PID, c.Host = child.Process.Pid, "elsewhere" }, true},
		{"is gone, before a boot or in another container", func(c *ledger.Claim) { c.PID, c.Boot = child.Process.Pid, "b" }, true},
		{"is gone, on a system that does not tell", func(c *ledger.Claim) { c.PID, c.Boot = child.Process.Pid, "" }, true},
		{"has given its PID to another", func(c *ledger.Claim) { c.Start = "1" }, false},
		{"does not know its start", func(c *ledger.Claim) { c.Start = "" }, true},
		{"has no PID", func(c *ledger.Claim) { c.PID = 0 }, true},
		{"has a nonsense PID", func(c *ledger.Claim) { c.PID = -1 }, true},
	} {
		claim := self
		claim.Owner, claim.TTL = "o", time.Hour
		test.edit(&claim)
		storetest.PutRecord(t, engine, key, recorded(claim))
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
	s := ledger.NewClaims(ledger.New(engine, ledger.Options{}), ledger.ClaimOptions{TTL: time.Hour})
	if _, err := s.Hold(t.Context(), placeClaim("here"), "to be killed"); err != nil {
		t.Fatal(err)
	}
	os.Stdout.WriteString("held\n")
	<-t.Context().Done()
	select {}
}

func TestAKilledHolderIsDeadAtOnce(t *testing.T) {
	ctx := t.Context()
	path := filepath.Join(t.TempDir(), "planb.db")
	s, _ := claiming(t, storetest.OpenBolt(t, path), time.Hour)
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
	key := placeClaim("here")
	if claim, alive, err := s.Alive(ctx, key); !alive || err != nil || claim.PID != child.Process.Pid {
		t.Fatalf("the claim is %+v, alive %v, %v", claim, alive, err)
	}
	if err := child.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	// The test does not wait for it: a zombie is dead as well.
	until(t, "the killed process's claim is dead", func() bool {
		_, alive, err := s.Alive(ctx, key)
		return err == nil && !alive
	})
	if _, err := s.Hold(ctx, key, "next"); err != nil {
		t.Error(err)
	}
}

// A claim from before this machine was started anew is dead at once; one of another
// machine is not, and neither is one of another container on this machine.
func TestAClaimEndsWithTheRunOfItsMachine(t *testing.T) {
	engine := kvtest.NewMap()
	s := ledger.NewClaims(ledger.New(engine, ledger.Options{}), ledger.ClaimOptions{Machine: "desk"})
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
		key := waitClaim(test.what, "x")
		storetest.PutRecord(t, engine, key, recorded(ledger.Claim{
			Owner: test.what, Counter: 1, TTL: time.Minute, PID: here.PID, Boot: test.boot, Host: here.Host, Machine: test.machine,
		}))
		if _, alive, err := s.Alive(t.Context(), key); err != nil || alive != test.alive {
			t.Errorf("%s: alive %v, %v", test.what, alive, err)
		}
	}
}
