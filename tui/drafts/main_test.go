package drafts

import (
	"os"
	"testing"

	"planb/tui/tuitest"
)

func TestMain(m *testing.M) { os.Exit(tuitest.Run(m)) }
