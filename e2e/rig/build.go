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
	return Build("planb", "-ldflags=-w", ".") // debug information takes a third of the linker's time
})

// sumOfTree computes treeSum once a process.
var sumOfTree = sync.OnceValues(treeSum)

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
// go build, without -o. A program stays in the person's cache directory, with what it was
// built from: as long as that is the same, no go build starts.
func Build(name string, args ...string) (string, error) { return BuildOf(name, "", args...) }

// BuildOf is Build for a program that does not depend on the tree alone. The text beside
// describes all else that it is built from.
func BuildOf(name, beside string, args ...string) (string, error) {
	tree, err := sumOfTree()
	if err != nil {
		return "", err
	}
	dir, err := BuildsDir()
	if err != nil {
		return "", err
	}
	// Each program has its own lock, so that no test waits while a program is built that it
	// does not need.
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, name+".lock")).Lock()
	if err != nil {
		return "", err
	}
	defer unlock()

	path, stamp := filepath.Join(dir, name), filepath.Join(dir, name+".sum")
	sum := fmt.Sprintf("%x", sha256.Sum256(fmt.Appendf(nil, "%s %q %q", tree, args, beside)))
	if was, err := os.ReadFile(stamp); err == nil && string(was) == sum {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	if err := os.Remove(stamp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if err := goBuild(dir, path, args); err != nil {
		return "", err
	}
	return path, os.WriteFile(stamp, []byte(sum), 0o600)
}

// goBuild builds one program at a time: many depend on the same packages.
func goBuild(dir, path string, args []string) error {
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, "lock")).Lock()
	if err != nil {
		return err
	}
	defer unlock()
	out, err := exec.Command("go", append([]string{"build", "-o", path}, args...)...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
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
