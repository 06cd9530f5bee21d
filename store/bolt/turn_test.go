package bolt

import (
	"testing"
)

// TestTurn checks that the operations of other engines wait for the end of a turn, and that
// those of the engine that has the turn do not.
func TestTurn(t *testing.T) {
	if turnThroughout {
		t.Skip("the turnstile cannot be kept here")
	}
	e := fillStore(t)
	other, err := At(e.path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	end, err := e.TakeTurn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	written := make(chan error, 1)
	go func() { written <- write(t, other) }()
	eventually(t, "the other engine waits", func() bool { return len(other.gate.token) == 0 })
	inner, err := e.TakeTurn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inner()
	wantSaved(t, e)
	if err := write(t, e); err != nil {
		t.Error(err)
	}
	select {
	case err := <-written:
		t.Errorf("the other engine did not wait: %v", err)
	default:
	}
	end()
	if err := <-written; err != nil {
		t.Error(err)
	}
	eventually(t, "the turnstile is free", func() bool { return !waitsFor(e.turn) })
	wantSaved(t, e)
}
