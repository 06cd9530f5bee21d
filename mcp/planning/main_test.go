package planning_test

import (
	"testing"

	"planb/store/storetest"
)

// Each step of a random history is some syncs of the disk. One test is random here.
func TestMain(m *testing.M) { storetest.RunCases(m, "40") }
