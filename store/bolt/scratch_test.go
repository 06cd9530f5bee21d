package bolt

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"planb/store/kv"
)

// childScratch makes a Scratch with a file in it, tells where, and stays.
func childScratch(dir string) error {
	s, err := NewScratch(dir, 1)
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(s.Dir, "planb.db"), make([]byte, 5000), 0o600); err != nil {
		return err
	}
	fmt.Println(s.Dir)
	select {}
}

// A living process keeps its copy. The copy of a killed one goes when the next is made.
func TestAKilledMakersScratchIsSweptAtOnce(t *testing.T) {
	dir := t.TempDir()
	cmd := child(t, "scratch", dir)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	made := strings.TrimSpace(line)
	if left, err := SweepScratch(dir); err != nil || len(left) != 0 {
		t.Fatalf("swept %+v of a maker that lives, %v", left, err)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err == nil {
		t.Fatal("it was not killed")
	}
	own, err := NewScratch(dir, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(made); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the killed one's is there: %v", err)
	}
	if left, err := SweepScratch(dir); err != nil || len(left) != 0 {
		t.Errorf("swept its own: %+v, %v", left, err)
	}
	if err := own.Close(); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left %v, %v", entries, err)
	}
}

func TestWhatASweepTakes(t *testing.T) {
	long := time.Now().Add(-2 * bareScratch)
	for name, test := range map[string]struct {
		make  func(t *testing.T, dir string)
		swept bool
	}{
		"one without a lock, just made": {func(*testing.T, string) {}, false},
		"one without a lock, of long ago": {func(t *testing.T, dir string) {
			if err := os.Chtimes(dir, long, long); err != nil {
				t.Fatal(err)
			}
		}, true},
		"one whose maker has made the lock and is about to hold it": {func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, scratchLock), nil, 0o600); err != nil {
				t.Fatal(err)
			}
		}, false},
		"one with a lock that nobody ever held, of long ago": {func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, scratchLock), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(dir, long, long); err != nil {
				t.Fatal(err)
			}
		}, true},
		"one with a lock that nobody holds": {func(t *testing.T, dir string) {
			if err := os.WriteFile(filepath.Join(dir, scratchLock), make([]byte, 7), 0o600); err != nil {
				t.Fatal(err)
			}
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			above := filepath.Join(t.TempDir(), "odd[da-ta")
			dir := filepath.Join(above, "planb-check-1")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			test.make(t, dir)
			left, err := SweepScratch(above)
			if err != nil || (len(left) == 1) != test.swept {
				t.Fatalf("swept %+v, %v", left, err)
			}
			if test.swept && (left[0].Path != dir || left[0].Err != nil) {
				t.Errorf("swept %+v", left[0])
			}
		})
	}
}

// Even if a sweep runs while a Scratch is being made, the maker keeps the directory and
// the lock in it.
func TestNoSweepTakesALivingMakersScratch(t *testing.T) {
	dir := t.TempDir()
	stop, swept := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(swept)
		for {
			select {
			case <-stop:
				return
			default:
				_, _ = SweepScratch(dir) // what it must not remove is looked at below
			}
		}
	}()
	for range 200 {
		s, err := NewScratch(dir, 1)
		if err != nil {
			t.Error(err)
			break
		}
		if dead(s.Dir) {
			t.Errorf("%s has no living maker", s.Dir)
		}
		if _, err := os.Stat(filepath.Join(s.Dir, scratchLock)); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	<-swept
}

func TestNothingIsBegunWithoutRoom(t *testing.T) {
	dir := t.TempDir()
	_, err := NewScratch(dir, 1<<60)
	fault, ok := errors.AsType[*kv.Fault](err)
	if !ok || fault.Kind != kv.FaultFull || !strings.Contains(err.Error(), "and a copy of the store takes 1099511627776.0 MB") {
		t.Errorf("%v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 0 {
		t.Errorf("left %v, %v", entries, err)
	}
}

// Some network mounts have no locks. What is made for a place on one is made in the
// temporary directory, and moved there when it is done.
func TestAScratchForAPlaceWithoutLocks(t *testing.T) {
	mount, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	noLocksOn := func(dirs ...string) locker {
		return func(f *os.File, exclusive, wait bool) (bool, error) {
			for _, dir := range dirs {
				if strings.HasPrefix(f.Name(), dir) {
					return false, &os.PathError{Op: "flock", Path: f.Name(), Err: syscall.ENOLCK}
				}
			}
			return lock(f, exclusive, wait)
		}
	}
	s, err := newScratch(mount, 1, noLocksOn(mount))
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Dir(s.Dir) != temp || dead(s.Dir) {
		t.Errorf("it is %s", s.Dir)
	}
	made, to := filepath.Join(s.Dir, "planb.db"), filepath.Join(mount, "copy.db")
	if err := errors.Join(os.WriteFile(made, []byte("whole"), 0o600), MoveFile(made, to), s.Close()); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(to); err != nil || string(data) != "whole" {
		t.Errorf("moved %q, %v", data, err)
	}
	_, err = newScratch(mount, 1, noLocksOn(mount, temp))
	for _, want := range []string{mount, temp} {
		if err == nil || !errors.Is(err, syscall.ENOLCK) || !strings.Contains(err.Error(), want) {
			t.Errorf("without locks anywhere: %v", err)
		}
	}
	for dir, want := range map[string]int{mount: 1, temp: 0} {
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != want {
			t.Errorf("%s holds %v, %v", dir, entries, err)
		}
	}
}
