package main_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
)

// buildsDir is where the tests build programs.
var buildsDir string

func TestMain(m *testing.M) {
	if form := os.Getenv(soakFormEnv); form != "" {
		os.Exit(soakForm(form))
	}
	os.Exit(run(m))
}

func run(m *testing.M) (code int) {
	var err error
	if buildsDir, err = os.MkdirTemp("", "planb-test-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := os.RemoveAll(buildsDir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}()
	moreAtOnce()
	return m.Run()
}

// moreAtOnce lets more tests run beside each other than there are processors, unless
// -parallel says how many: most wait for a program, a terminal or a clock.
func moreAtOnce() {
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

// built is the program under test, built once from the tree.
var built = sync.OnceValues(func() (string, error) {
	path := filepath.Join(buildsDir, "planb")
	out, err := exec.Command("go", "build", "-o", path, ".").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return path, err
})

// planb returns the path of the program, named planb.
func planb(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatalf("planb can't be built: %v", err)
	}
	return path
}

// runPlanb runs a command that must succeed and returns what it printed.
func runPlanb(t testing.TB, args ...string) string {
	t.Helper()
	out, err := exec.Command(planb(t), args...).Output()
	if err != nil {
		t.Fatalf("planb %v: %v", args, err)
	}
	return string(out)
}
