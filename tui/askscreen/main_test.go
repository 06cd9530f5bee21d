package askscreen

import (
	"os"
	"testing"

	"planb/tui/tuitest"
)

func TestMain(m *testing.M) { os.Exit(tuitest.RunAtOnce(m, 8)) }
