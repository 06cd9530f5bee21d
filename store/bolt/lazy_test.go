package bolt_test

import (
	"os"
	"path/filepath"
	"testing"

	"planb/store/bolt"
)

func TestLazyEngineTriesAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	inTheWay := filepath.Join(dir, "data")
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	engine := bolt.NewLazy(filepath.Join(inTheWay, "planb.db"), bolt.Options{})
	defer engine.Close()
	if _, err := engine.Get(t.Context(), "a"); err == nil {
		t.Fatal("a store below a file was opened")
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.Get(t.Context(), "a"); err != nil {
		t.Fatalf("with nothing in the way any more: %v", err)
	}
}

func TestLazyEngineCreatesNothingByItself(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "data", "planb.db")
	if err := bolt.NewLazy(path, bolt.Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Fatalf("the directory was made (%v)", err)
	}
}
