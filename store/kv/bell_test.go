package kv

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The bell says when there is somebody to listen for, wakes those whom a ring concerns,
// and ends each watch once: with its context, or with the bell.
func TestBell(t *testing.T) {
	var said []string
	b := NewBell(func() { said = append(said, "begin") }, func() { said = append(said, "end") })
	ctx, cancel := context.WithCancel(t.Context())
	join := func(ctx context.Context, prefix Key) <-chan struct{} {
		t.Helper()
		c, err := b.Join(ctx, prefix)
		if err != nil {
			t.Fatal(err)
		}
		if _, open := <-c; !open {
			t.Fatal("it is closed at once")
		}
		return c
	}
	first, second := join(ctx, "a/"), join(t.Context(), "b/")
	for range 2 {
		b.Ring(func(prefix Key) bool { return strings.HasPrefix("a/1", string(prefix)) })
	}
	if len(first) != 1 || len(second) != 0 {
		t.Errorf("rings for a/ woke a/ %d times and b/ %d times", len(first), len(second))
	}
	b.RingAll()
	if len(first) != 1 || len(second) != 1 {
		t.Errorf("a ring for all woke a/ %d times and b/ %d times", len(first), len(second))
	}
	cancel()
	for range first { // until it is closed
	}
	if fmt.Sprint(said) != "[begin]" {
		t.Errorf("with one watcher left the engine was told %v", said)
	}
	b.Close()
	b.Close()
	for range second {
	}
	if _, err := b.Join(t.Context(), ""); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed bell is joined: %v", err)
	}
	if !slices.Equal(said, []string{"begin", "end"}) {
		t.Errorf("the engine was told %v", said)
	}
}
