package rig

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"testing"
)

// Main runs the tests of a package and returns the exit code. They run in the
// module's root, where testdata is.
func Main(m *testing.M) int {
	if err := chdirRoot(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	raiseParallel()
	if flag.Lookup("test.bench").Value.String() == "" && flag.Lookup("budget") == nil {
		collectLess()
	}
	return m.Run()
}

// gcVariable is how Go names the setting of its garbage collector.
const gcVariable = "GOGC"

// collectLess has the garbage collected less often, here and in the programs that the tests
// start: most of them end before they need it, and it takes a tenth of the time.
func collectLess() {
	const percent = 400
	debug.SetGCPercent(percent)
	if err := os.Setenv(gcVariable, fmt.Sprint(percent)); err != nil {
		panic(err)
	}
}

// chdirRoot changes the working directory to the module's root.
func chdirRoot() error {
	dir, err := os.Getwd()
	if err != nil {
		return err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return os.Chdir(dir)
		}
		above := filepath.Dir(dir)
		if above == dir {
			return errors.New("no go.mod lies above this package, so its tests find no testdata; run them in planb's tree")
		}
		dir = above
	}
}

// raiseParallel allows more parallel tests than there are processors, unless
// -parallel is given. Most tests wait for a program, a terminal or a clock. With more than
// four for each processor, the load makes planb give up the search for a tmux.
func raiseParallel() {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said {
		return
	}
	if err := flag.Set("test.parallel", fmt.Sprint(4*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
}

// Run runs planb and returns its stdout. It fails the test if planb fails.
func Run(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command(Planb(t), args...).Output()
	if err != nil {
		t.Fatalf("planb %v: %v", args, err)
	}
	return string(out)
}
