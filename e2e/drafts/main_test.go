package drafts_test

import (
	"os"
	"testing"

	"planb/e2e/rig"
)

func TestMain(m *testing.M) { os.Exit(rig.Main(m)) }
