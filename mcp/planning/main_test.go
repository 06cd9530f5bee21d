package planning_test

import (
	"testing"

	"planb/store/kv/kvtest"
)

// Each step of a random history is some syncs of the disk. One test is random here. Many others
// wait until a command that hangs is given up.
func TestMain(m *testing.M) {
	kvtest.AtOnce(8)
	kvtest.RunCases(m, "40")
}
