package main_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// built is the program under test, built once from the tree.
var built struct {
	once sync.Once
	dir  string
	path string
	err  error
}

func TestMain(m *testing.M) {
	if form := os.Getenv(soakFormEnv); form != "" {
		os.Exit(soakForm(form))
	}
	code := m.Run()
	if built.dir != "" {
		if err := os.RemoveAll(built.dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}
	os.Exit(code)
}

// planb returns the path of the program, named planb.
func planb(t testing.TB) string {
	t.Helper()
	built.once.Do(func() {
		if built.dir, built.err = os.MkdirTemp("", "planb-test-"); built.err != nil {
			return
		}
		built.path = filepath.Join(built.dir, "planb")
		out, err := exec.Command("go", "build", "-o", built.path, ".").CombinedOutput()
		if err != nil {
			built.err = fmt.Errorf("%w\n%s", err, out)
		}
	})
	if built.err != nil {
		t.Fatalf("planb can't be built: %v", built.err)
	}
	return built.path
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
