package pane

import (
	"context"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// A tmux that hangs, such as one that was stopped, takes calls and answers none.
func TestATmuxThatHangsIsSaidToHang(t *testing.T) {
	t.Parallel()
	socket := filepath.Join(t.TempDir(), "tmux")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, err = newTmux(socket+",1,0", "%1").tmux(ctx, "list-panes")
	if err == nil || err.Error() != "tmux did not answer in time" {
		t.Errorf("got %v", err)
	}
}

// A program that has done its work has done it, even if something else keeps its output open.
func TestAProgramThatEndedWellHasAnswered(t *testing.T) {
	t.Parallel()
	out, err := call{argv: []string{"/bin/sh", "-c", "echo %1; sleep 5 &"}}.run(t.Context())
	if out != "%1" || err != nil {
		t.Errorf("got %q, %v", out, err)
	}
}

// The first question asks tmux for the window. Those that follow wait for no tmux, however
// long it takes to answer.
func TestPlaceWaitsForTmuxOnce(t *testing.T) {
	t.Parallel()
	asked, answer := make(chan struct{}, 100), make(chan struct{})
	m := newTmux("/x,1,0", "%1")
	m.run = func(context.Context, []string) (string, error) {
		asked <- struct{}{}
		<-answer
		return "%1 @1 80 24 0 1 1 $0 layout", nil
	}
	go func() { answer <- struct{}{} }()
	first, err := m.Place(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	<-asked
	m.seenAt = time.Time{} // it was long ago
	for range 3 {
		placed := make(chan string, 1)
		go func() {
			place, err := m.Place(t.Context())
			if err != nil {
				t.Error(err)
			}
			placed <- place
		}()
		select {
		case place := <-placed:
			if place != first {
				t.Errorf("the place is %s, and was %s", place, first)
			}
		case <-time.After(10 * time.Second):
			t.Fatal("a later question waits for a tmux that does not answer")
		}
	}
	<-asked // in the background
	close(answer)
}
