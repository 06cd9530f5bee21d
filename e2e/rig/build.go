package rig

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// built builds the program under test, once a process.
var built = sync.OnceValues(func() (string, error) {
	sum, err := treeSum()
	if err != nil {
		return "", err
	}
	dir, err := BuildsDir()
	if err != nil {
		return "", err
	}
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, "planb.lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()

	path, stamp := filepath.Join(dir, "planb"), filepath.Join(dir, "planb.sum")
	if of, err := os.ReadFile(stamp); err == nil && string(of) == sum {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	if err := os.Remove(stamp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if _, err := Build("planb", "-ldflags=-w", "."); err != nil { // debug information takes a third of the linker's time
		return "", err
	}
	return path, os.WriteFile(stamp, []byte(sum), 0o600)
})

// treeSum returns a digest of what a build of this tree depends on: its files without
// the tests, the version of Go, and Go's environment variables. To compute it takes 30 ms;
// go build takes a second to find that nothing has changed.
// It reads by absolute paths. go test records the files that a test opens and runs the test
// again when one changes, so a change of planb also reruns tests whose own package did not
// change. go test would look for relative paths in the package's directory, but Main has
// changed to the module's root.
func treeSum() (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version())
	for _, variable := range os.Environ() {
		if strings.HasPrefix(variable, gcVariable+"=") {
			continue // how a program runs, not how it is built
		}
		if strings.HasPrefix(variable, "GO") || strings.HasPrefix(variable, "CGO") {
			fmt.Fprintf(hash, "%q\n", variable)
		}
	}
	root, err := os.Getwd()
	if err != nil {
		return "", err
	}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.Name() == ".git" && entry.IsDir():
			return filepath.SkipDir
		case !entry.Type().IsRegular() || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(hash, "%q %d\n", strings.TrimPrefix(path, root), len(text))
		_, err = hash.Write(text)
		return err
	})
	return hex.EncodeToString(hash.Sum(nil)), err
}

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
