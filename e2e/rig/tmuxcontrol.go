package rig

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// Control is a tmux client in control mode. tmux tells it about every byte that
// a pane receives, after tmux has drawn it. It presses keys without starting a
// process.
type Control struct {
	t  testing.TB
	in io.WriteCloser

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
	cmd := exec.Command("tmux", "-S", tm.Socket, "-C", "attach-session", "-t", "work")
	cmd.Env = append(os.Environ(), "TMUX=", "TMUX_PANE=", "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	in, err := cmd.StdinPipe()
	if err != nil {
		tm.T.Fatal(err)
	}
	c.in = in
	out, err := cmd.StdoutPipe()
	if err != nil {
		tm.T.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tm.T.Fatal(err)
	}
	attached, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		c.read(out, attached)
	}()
	tm.T.Cleanup(func() {
		_ = in.Close() // detaches; the server may be gone already
		<-ended
		_ = cmd.Wait()
	})
	select {
	case <-attached:
	case <-ended:
		tm.T.Fatal("tmux did not attach a control client")
	case <-time.After(Patience):
		tm.T.Fatalf("tmux attached no control client within %v", Patience)
	}
	return c
}

func (c *Control) read(out io.Reader, attached chan<- struct{}) {
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			return // the server has ended
		}
		at := time.Now()
		switch verb, rest, _ := strings.Cut(line, " "); verb {
		case "%session-changed":
			close(attached)
		case "%output":
			pane, text, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), " ")
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

// Command sends tmux a command without waiting for it.
func (c *Control) Command(words ...string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, strings.Join(words, " ")+"\n"); err != nil {
		c.t.Fatal(err)
	}
}
