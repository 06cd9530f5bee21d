package home

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/store"
)

// checkerEnv makes the test binary the checker of the tests' stores: "check" checks the
// file, "crash" dies as damage may have it die, "silent" prints nothing. "backup" backs up the
// store of PLANB_HOME_TEST_DATA.
const checkerEnv = "PLANB_HOME_TEST_CHECKER"

func TestMain(m *testing.M) {
	path := os.Args[len(os.Args)-1]
	switch os.Getenv(checkerEnv) {
	case "":
		os.Exit(m.Run())
	case "check":
		if err := json.NewEncoder(os.Stdout).Encode(Check(context.Background(), path)); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case "crash":
		panic("a page that cannot be")
	case "backup":
		if _, err := at(os.Getenv("PLANB_HOME_TEST_DATA"), "check", nil).Backup(context.Background(), path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}

// at is the home in the directory, with a checker of that kind.
func at(dir, checker string, env map[string]string) *Home {
	return At(dir, Options{
		By: "you@example", Env: func(name string) string { return env[name] },
		Checker: []string{os.Args[0]}, Environ: append(os.Environ(), checkerEnv+"="+checker),
	})
}

// newHome is a home in a directory of its own, whose store has sessions of these titles.
func newHome(t *testing.T, titles ...string) *Home {
	t.Helper()
	h := at(filepath.Join(t.TempDir(), "data"), "check", nil)
	h.add(t, titles...)
	return h
}

// add adds sessions of these titles.
func (h *Home) add(t *testing.T, titles ...string) {
	t.Helper()
	st, err := h.Open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, title := range titles {
		if _, err := st.CreateSession(t.Context(), store.Session{Title: safe.New(title), Project: safe.New("/srv/project")}); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
}

// holds fails unless the store at that path has the sessions of these titles, and no
// others.
func holds(t *testing.T, path string, titles ...string) {
	t.Helper()
	engine, err := keeper(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer engine.Close()
	sessions, _, err := store.New(engine, store.Options{}).Sessions(t.Context(), "", 100)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, session := range sessions {
		if session.Err == nil {
			got = append(got, session.Title.Raw())
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, titles) {
		t.Errorf("%s has the sessions %q, want %q", path, got, titles)
	}
}

// damage changes a letter of every record that holds the word, so that their checksums
// are wrong.
func damage(t *testing.T, path, word string) {
	t.Helper()
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(file, []byte(word)) {
		t.Fatalf("%s does not hold %q", path, word)
	}
	write(t, path, bytes.ReplaceAll(file, []byte(word), []byte(strings.ToUpper(word))))
}

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// leavesNothing fails if a command left a copy of the store behind.
func leavesNothing(t *testing.T, dirs ...string) {
	t.Helper()
	for _, dir := range dirs {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range entries {
			if name := entry.Name(); strings.HasPrefix(name, "planb-check-") || strings.Contains(name, ".new-") || strings.HasSuffix(name, ".tmp") {
				t.Errorf("%s is left in %s", name, dir)
			}
		}
	}
}
