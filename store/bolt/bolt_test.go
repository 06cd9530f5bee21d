package bolt

import (
	"path/filepath"
	"testing"

	"planb/store/kv"
	"planb/store/kv/kvtest"
)

func TestEngine(t *testing.T) {
	kvtest.TestEngine(t, func(t *testing.T) kv.Engine { return openNew(t) })
}

func TestTwoEnginesOverOneFile(t *testing.T) {
	kvtest.TestShared(t, func(t *testing.T) (one, other kv.Engine) {
		path := filepath.Join(t.TempDir(), "planb.db")
		return openAt(t, path), openAt(t, path)
	})
}

// openNew opens an engine over a new store.
func openNew(t testing.TB) *Engine {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "data", "planb.db"))
}

// openAt opens an engine and expects no trouble of it.
func openAt(t testing.TB, path string) *Engine {
	t.Helper()
	e, err := Open(t.Context(), path, Options{Notice: func(err error) { t.Errorf("notice: %v", err) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}
