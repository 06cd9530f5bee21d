package planning_test

import (
	"testing"

	"planb/store/kv/kvtest"
)

// Each step of a random history is some syncs of the disk. One test is random here.
func TestMain(m *testing.M) { kvtest.RunCases(m, "40") }
