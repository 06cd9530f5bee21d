package drafts

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"
)

// A person may leave right after a decision: the draft's screen waits until it is written,
// and tells a failure that no screen can tell any more.
func TestLeavingRightAfterADecision(t *testing.T) {
	t.Parallel()
	s := New(Deps{}, draftID)
	write := s.write(func(context.Context) (string, error) { return "", errors.New("the disk is full") })
	soon, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := s.Close(soon); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("it closed before the decision was written: %v", err)
	}
	go write()
	if parting, err := s.Close(t.Context()); err != nil || !slices.Equal(parting, []string{"That could not be done: the disk is full"}) {
		t.Errorf("%q, %v", parting, err)
	}
}
