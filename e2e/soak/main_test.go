package soak_test

import (
	"os"
	"testing"

	"planb/e2e/rig"
)

// TestMain becomes a form if the soak started this program as one.
func TestMain(m *testing.M) {
	if form := os.Getenv(formVariable); form != "" {
		os.Exit(playForm(form))
	}
	os.Exit(rig.Main(m))
}
