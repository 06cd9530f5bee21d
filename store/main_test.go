package store_test

import (
	"testing"

	"planb/store/kv/kvtest"
)

// A case of a random test here is a whole history of a store. CI runs 100 of them.
func TestMain(m *testing.M) { kvtest.RunCases(m, "25") }
