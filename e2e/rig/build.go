package rig

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// built builds the program under test, once a process.
var built = sync.OnceValues(func() (string, error) { return Build("planb", ".") })

// Planb returns the path of the program under test.
func Planb(t testing.TB) string {
	t.Helper()
	path, err := built()
	if err != nil {
		t.Fatalf("planb can't be built: %v", err)
	}
	return path
}

// Build builds a program of this tree and returns its path. The arguments are those of
// go build, without -o. A program stays in the person's cache directory: go build
// leaves one alone that is up to date, so a run of all tests links planb once and not
// once a package.
func Build(name string, args ...string) (string, error) {
	dir, err := BuildsDir()
	if err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, "lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()

	path := filepath.Join(dir, name)
	out, err := exec.Command("go", append([]string{"build", "-o", path}, args...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
}

// BuildsDir returns the directory of the programs that tests of this tree build. Each
// tree has its own, so that two of them can be tested at once.
func BuildsDir() (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	tree, err := os.Getwd() // Main has gone to the module's root
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(tree))
	dir := filepath.Join(cache, "planb-tests", "builds", hex.EncodeToString(sum[:8]))
	return dir, os.MkdirAll(dir, 0o700)
}
