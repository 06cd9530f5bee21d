package report_test

import (
	"os"
	"testing"

	"planb/drafts/draftstest"
)

func TestMain(m *testing.M) { os.Exit(draftstest.Run(m)) }
