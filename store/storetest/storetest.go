// Package storetest holds what the tests of store's rooms share: every engine that a store
// can stand on, and the records in an engine, read and written without the room under test.
// Only tests import it.
package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// Tester is what the functions here need of a test, a benchmark or a property.
type Tester interface {
	rapid.TB
	Context() context.Context
}

// OverEngines runs a test over each engine there is. A second call of open opens the same
// data once more, as another process would.
func OverEngines(t *testing.T, test func(t *testing.T, open func() kv.Engine)) {
	t.Run("map", func(t *testing.T) {
		m := kvtest.NewMap()
		test(t, func() kv.Engine { return m })
	})
	t.Run("bolt", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "planb.db")
		test(t, func() kv.Engine { return OpenBolt(t, path) })
	})
}

// OpenBolt opens the database at path, and makes it if there is none. The end of the test
// closes it.
func OpenBolt(t testing.TB, path string) *bolt.Engine {
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

// All returns every record below the prefix.
func All(t Tester, engine kv.Engine, prefix kv.Key) []kv.Record {
	t.Helper()
	var records []kv.Record
	for {
		after := kv.Key("")
		if len(records) > 0 {
			after = records[len(records)-1].Key
		}
		page, err := engine.Scan(t.Context(), prefix, after, kv.MaxPageRecords)
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, page.Records...)
		if !page.More {
			return records
		}
	}
}

// Dump returns all records as one text, to be compared.
func Dump(t Tester, engine kv.Engine) string {
	t.Helper()
	var text strings.Builder
	for _, r := range All(t, engine, "") {
		fmt.Fprintf(&text, "%s %q\n", r.Key, r.Value)
	}
	return text.String()
}

// PutRecord writes a value as the JSON of a record.
func PutRecord(t Tester, engine kv.Engine, key kv.Key, value any) {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	PutBytes(t, engine, key, data)
}

// PutBytes writes a record.
func PutBytes(t Tester, engine kv.Engine, key kv.Key, data []byte) {
	t.Helper()
	err := engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: key, Value: data}}})
	if err != nil {
		t.Fatal(err)
	}
}

// Whole reports whether a test tries all its cases, and not only those that differ most:
// where RAPID_CHECKS asks for as many random cases as CI does, or more.
func Whole() bool {
	const ci = 40
	asked, _ := strconv.Atoi(os.Getenv("RAPID_CHECKS")) // where it is no number, rapid says so
	return asked >= ci
}
