package rig

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// BuildsDir is the directory for programs that the tests build. Main sets it.
var BuildsDir string

// Main runs the tests of a package and returns the exit code. They run in the
// module's root, where testdata is. Main removes the programs that the tests
// built.
func Main(m *testing.M) (code int) {
	err := chdirRoot()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	if BuildsDir, err = os.MkdirTemp("", "planb-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := os.RemoveAll(BuildsDir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	raiseParallel()
	return m.Run()
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
// -parallel is given. Most tests wait for a program, a terminal or a clock.
func raiseParallel() {
	flag.Parse()
	said := false
	flag.Visit(func(f *flag.Flag) { said = said || f.Name == "test.parallel" })
	if said {
		return
	}
	if err := flag.Set("test.parallel", fmt.Sprint(2*runtime.GOMAXPROCS(0)+1)); err != nil {
		panic(err)
	}
}

// built builds the program under test, once.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(BuildsDir, "planb")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return path, err
})

// Planb returns the path of the program under test.
func Planb(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatalf("planb can't be built: %v", err)
	}
	return path
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
