package bolt

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

const (
	// powerStatesEnv asks for more states than belong in every run.
	powerStatesEnv = "PLANB_POWER_STATES"
	// powerSeedEnv has the processes and the disk draw the same again.
	powerSeedEnv = "PLANB_POWER_SEED"
)

// powerStates is how many states of one trace are looked at before another is
// made.
const powerStates = 400

// TestPowerLoss simulates losses of power. Real processes work through a store.Store, and
// the test records their system calls on the store's directory, from before there is one.
// Then it picks a point of that record, builds the directory as a disk may have it that
// lost its power there, and opens it as planb does. bbolt writes with pwrite64 and maps
// its file only to read it (the reader of the record insists on that), so the record is
// complete.
//
// What was confirmed to a process must be there. What had begun may be there, whole or not
// at all. There must be nothing else. bbolt must find its file in order, and planb must be
// able to go on. First, a disk that forgets synced data shows that the test finds faults.
// The test looks at 80 states, or at as many as PLANB_POWER_STATES says.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	seed := powerNumber(t, powerSeedEnv, uint64(time.Now().UnixNano()%1e9))
	p := recordPower(t, seed)
	for _, forgotten := range []string{"files", "names"} {
		// In a process of its own, which a store that is damaged beyond what
		// planb answers for may end.
		out, err := child(t, "forgetful", p.trace, p.root, t.TempDir(), forgotten).CombinedOutput()
		if err == nil || !bytes.Contains(out, []byte(foundOut)) && !bytes.Contains(out, []byte("fatal error: ")) {
			t.Errorf("a disk that forgets %s was not found out; %s=%d: %v, %s", forgotten, powerSeedEnv, seed, err, out)
		}
		t.Logf("a disk that forgets %s: %.300s", forgotten, out)
	}
	states := powerNumber(t, powerStatesEnv, 80)
	looked, traces := uint64(0), 1
	for {
		most := min(powerStates, states-looked)
		looked += p.judge(t, most)
		if looked >= states || t.Failed() {
			break
		}
		seed, traces = seed+1, traces+1
		p = recordPower(t, seed)
	}
	t.Logf("%d states of %d records", looked, traces)
}

// judge judges some states, and returns how many.
func (p *power) judge(t *testing.T, most uint64) (n uint64) {
	t.Helper()
	err := p.lose(t.TempDir(), disk{}, func(l loss) bool {
		n++
		if err := judgeStore(t.Context(), l.path(), l.deeds); err != nil {
			p.report(t, l, err)
		}
		return n < most && !t.Failed()
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

const foundOut = "found out by state"

// childForgetful judges a disk that forgets synced data, until it finds a fault.
func childForgetful(trace, root, dir, forgotten string) error {
	p := &power{trace: trace, root: root}
	var err error
	if p.steps, err = readTrace(trace, root); err != nil {
		return err
	}
	n, found := 0, error(nil)
	err = p.lose(dir, disk{forgetsFiles: forgotten == "files", forgetsNames: forgotten == "names"}, func(l loss) bool {
		n++
		found = judgeStore(context.Background(), l.path(), l.deeds)
		return found == nil && n < powerStates
	})
	if found != nil {
		err = fmt.Errorf("%s %d: %w", foundOut, n, found)
	}
	return err
}

// power is a record of what processes did to a directory.
type power struct {
	seed  uint64
	trace string // its file
	root  string // the directory
	steps []step
}

// powerStore is where in the directory the store is.
const powerStore = "share/planb/planb.db"

// recordPower runs two processes until they end by themselves.
func recordPower(t *testing.T, seed uint64) *power {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &power{seed: seed, root: filepath.Join(root, "disk"), trace: filepath.Join(root, "trace")}
	if err := os.Mkdir(p.root, 0o700); err != nil {
		t.Fatal(err)
	}
	record(t, p.trace, "lives", filepath.Join(p.root, powerStore), strconv.FormatUint(seed, 10))
	if p.steps, err = readTrace(p.trace, p.root); err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, s := range p.steps {
		if s.deed != nil && s.deed.Done {
			kept++
		}
	}
	if kept != 2*(1+liveDeeds) {
		t.Fatalf("%d deeds are told in %s, want %d", kept, p.trace, 2*(1+liveDeeds))
	}
	return p
}

// loss is a directory after its power was lost.
type loss struct {
	dir      string
	deeds    []deed // what had been said by then
	after    step
	survival *survival
}

func (l loss) path() string { return filepath.Join(l.dir, powerStore) }

// lose simulates losses of power at several points, as long as look returns true. The
// result of each is in dir.
func (p *power) lose(dir string, kind disk, look func(loss) bool) error {
	for round := uint64(0); ; round++ {
		random := rand.New(rand.NewPCG(p.seed, round))
		d := newDisk(p.root)
		d.forgetsFiles, d.forgetsNames = kind.forgetsFiles, kind.forgetsNames
		var deeds []deed
		kept := false
		for _, s := range p.steps {
			if s.deed != nil {
				deeds = append(deeds, *s.deed)
				kept = kept || s.deed.Done
			} else if err := s.do(d); err != nil {
				return fmt.Errorf("replaying line %d of %s, %s: %w", s.line, p.trace, s.told, err)
			}
			// The first steps, which make the store, come but once.
			if kept && random.IntN(10) > 0 || !kept && random.IntN(2) > 0 {
				continue
			}
			l := loss{dir: filepath.Join(dir, "disk"), deeds: deeds, after: s, survival: newSurvival(random)}
			if err := d.restore(l.dir, l.survival); err != nil {
				return err
			}
			if !look(l) {
				return nil
			}
			if err := os.RemoveAll(l.dir); err != nil {
				return err
			}
		}
	}
}

// report describes a state that breaks the law, and keeps it if the test has a directory
// for artifacts.
func (p *power) report(t *testing.T, l loss, err error) {
	t.Helper()
	t.Errorf("%s=%d: the power went after line %d of the trace, %s; %s:\n%v",
		powerSeedEnv, p.seed, l.after.line, l.after.told, l.survival, err)
	for _, o := range owes(l.deeds) {
		t.Logf("%s had %d asks and %d plans, and began %+v", o.who, len(o.asks), len(o.plans), o.begun)
	}
	kept := t.ArtifactDir()
	if err := os.CopyFS(filepath.Join(kept, "found"), os.DirFS(l.dir)); err != nil {
		t.Error(err)
	}
	if err := os.Rename(p.trace, filepath.Join(kept, "trace")); err != nil {
		t.Error(err)
	}
}

// childLives has two processes live at once.
func childLives(path, seed string) error {
	var all []*exec.Cmd
	for _, who := range []string{"ada", "bob"} {
		cmd := exec.Command(os.Args[0], path, who, seed)
		cmd.Env = append(os.Environ(), childEnv+"=live")
		cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
		if err := cmd.Start(); err != nil {
			return err
		}
		all = append(all, cmd)
	}
	for _, cmd := range all {
		if err := cmd.Wait(); err != nil {
			return err
		}
	}
	return nil
}

func powerNumber(t *testing.T, name string, otherwise uint64) uint64 {
	t.Helper()
	value := os.Getenv(name)
	if value == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(value, 10, 64)
	if err != nil {
		t.Fatalf("%s is %q, a number is expected", name, value)
	}
	return n
}
