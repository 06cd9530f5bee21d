package runs

import (
	"testing"
	"time"

	"planb/store/ledger"
)

// TestWriterOf reads the notes of claims: those of this planb, and any other text.
func TestWriterOf(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for note, want := range map[string]Writer{
		Writer{"Codex", since}.Note():              {"Codex", since},
		Writer{"since Monday since", since}.Note(): {"since Monday since", since},
		"Codex":              {Name: "Codex"},
		"Codex since Monday": {Name: "Codex since Monday"},
	} {
		if got := WriterOf(ledger.Claim{Note: note}); got != want {
			t.Errorf("%q: got %+v, want %+v", note, got, want)
		}
	}
}
