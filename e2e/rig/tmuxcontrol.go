package rig

import (
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Control is a tmux client in control mode. tmux tells it about every byte that
// a pane receives, after tmux has drawn it.
type Control struct {
	t testing.TB

	mu       sync.Mutex
	received map[string]string // by pane, since the last Await
	text     string            // the awaited text
	seen     chan paint
}

// paint is where and when an awaited text was drawn.
type paint struct {
	Pane string
	At   time.Time
}

// Control attaches a client in control mode.
func (tm *Tmux) Control() *Control {
	tm.T.Helper()
	c := &Control{t: tm.T, received: map[string]string{}, seen: make(chan paint, 1)}
	startControl(tm.T, exec.Command("tmux", "-S", tm.Socket, "-C", "attach-session", "-t", "work"), make(chan struct{}), c.read)
	return c
}

func (c *Control) read(next func() (string, error)) {
	for {
		line, err := next()
		if err != nil {
			return // the server has ended
		}
		at := time.Now()
		if output, is := strings.CutPrefix(line, "%output "); is {
			pane, text, _ := strings.Cut(output, " ")
			c.draw(pane, text, at)
		}
	}
}

// draw looks for the awaited text in what a pane has received. tmux writes
// control characters as three octal digits, so the awaited text must be one
// plain word.
func (c *Control) draw(pane, text string, at time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.received[pane] += text
	if c.text != "" && strings.Contains(c.received[pane], c.text) {
		c.text = ""
		c.seen <- paint{pane, at}
	}
}

// Await starts to look for a word in what any pane receives.
func (c *Control) Await(word string) <-chan paint {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.received)
	c.text = word
	return c.seen
}

// Painted waits for the awaited word.
func (c *Control) Painted(seen <-chan paint) paint {
	c.t.Helper()
	select {
	case p := <-seen:
		return p
	case <-time.After(Patience):
		c.mu.Lock()
		defer c.mu.Unlock()
		c.t.Fatalf("no pane received %q within %v, but\n%q", c.text, Patience, c.received)
	}
	return paint{}
}
