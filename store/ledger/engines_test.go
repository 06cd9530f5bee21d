package ledger_test

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// overEngines runs a test over each engine there is. A second call of the given
// function opens the same data once more, as another process would.
func overEngines(t *testing.T, test func(t *testing.T, open func() kv.Engine)) {
	t.Run("map", func(t *testing.T) {
		m := kvtest.NewMap()
		test(t, func() kv.Engine { return m })
	})
	t.Run("bolt", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "planb.db")
		test(t, func() kv.Engine { return openBolt(t, path) })
	})
}

func openBolt(t testing.TB, path string) *bolt.Engine {
	t.Helper()
	engine, err := bolt.Open(t.Context(), path, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	return engine
}

// putRecord writes a record behind the ledger's back.
func putRecord(t testing.TB, engine kv.Engine, key kv.Key, value any) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	err = engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: key, Value: data}}})
	if err != nil {
		t.Fatal(err)
	}
}
