package tuitest

import (
	"io"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Driver runs a model, such as a Window, in a real Bubble Tea program without a terminal.
// Everything that looks at a screen runs inside the program's loop.
type Driver struct {
	T       *testing.T
	Program *tea.Program
	model   tea.Model
	ended   chan error
}

// inspect is a function to run inside the loop.
type inspect struct {
	look func()
	done chan struct{}
}

// Drive starts the program. It ends with the test, at the latest.
func Drive(t *testing.T, model tea.Model, width, height int) *Driver {
	t.Helper()
	d := &Driver{T: t, model: model, ended: make(chan error, 1)}
	// Its input has ended. Without any, Bubble Tea waits half a second for that end before it
	// lends the terminal to an editor.
	d.Program = tea.NewProgram(model,
		tea.WithInput(strings.NewReader("")), tea.WithOutput(io.Discard), tea.WithEnvironment([]string{"TERM=xterm-256color"}),
		tea.WithWindowSize(width, height), tea.WithoutSignalHandler(),
		tea.WithFilter(func(_ tea.Model, msg tea.Msg) tea.Msg {
			if i, ok := msg.(inspect); ok {
				i.look()
				close(i.done)
				return nil
			}
			return msg
		}))
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, err := d.Program.Run()
		d.ended <- err
	}()
	t.Cleanup(func() {
		d.Program.Kill()
		<-gone
	})
	return d
}

// Do runs a function inside the program's loop.
func (d *Driver) Do(look func()) {
	d.T.Helper()
	i := inspect{look, make(chan struct{})}
	d.Program.Send(i)
	select {
	case <-i.done:
	case <-time.After(Patience):
		d.T.Fatal("the program's loop does not answer")
	}
}

// Until polls, inside the loop, until a condition holds.
func (d *Driver) Until(what string, holds func() bool) {
	d.T.Helper()
	Poll(d.T, what, func() bool {
		d.T.Helper()
		ok := false
		d.Do(func() { ok = holds() })
		return ok
	})
}

// Wait waits for the program to end by itself.
func (d *Driver) Wait() {
	d.T.Helper()
	select {
	case err := <-d.ended:
		if err != nil {
			d.T.Fatal(err)
		}
	case <-time.After(Patience):
		d.T.Fatal("the program does not end")
	}
}

// Text is what the screen shows, without colours.
func (d *Driver) Text() string {
	d.T.Helper()
	var text string
	d.Do(func() { text = ansi.Strip(d.model.View().Content) })
	return text
}

// Press sends keys by their names, or single characters.
func (d *Driver) Press(keys ...string) {
	for _, key := range keys {
		d.Program.Send(Key(d.T, key))
	}
}
