package tui

import (
	"context"
	"io"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// driver runs a window in a real Bubble Tea program without a terminal.
// Everything that looks at a screen runs inside the program's loop.
type driver struct {
	t       *testing.T
	w       *window
	program *tea.Program
	ended   chan error
}

// inspect is a function to run inside the loop.
type inspect struct {
	look func()
	done chan struct{}
}

func drive(t *testing.T, root screen.Screen, width, height int) *driver {
	t.Helper()
	d := &driver{t: t, w: newWindow(root, only(themes.Default(true))), ended: make(chan error, 1)}
	d.program = tea.NewProgram(d.w,
		tea.WithInput(nil), tea.WithOutput(io.Discard), tea.WithEnvironment([]string{"TERM=xterm-256color"}),
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
		_, err := d.program.Run()
		d.ended <- err
	}()
	t.Cleanup(func() {
		d.program.Kill()
		<-gone
		_, _ = d.w.closeAll(context.Background())
	})
	return d
}

// do runs a function inside the program's loop.
func (d *driver) do(look func()) {
	d.t.Helper()
	i := inspect{look, make(chan struct{})}
	d.program.Send(i)
	select {
	case <-i.done:
	case <-time.After(tuitest.Patience):
		d.t.Fatal("the program's loop does not answer")
	}
}

// until polls, inside the loop, until a condition holds.
func (d *driver) until(what string, holds func() bool) {
	d.t.Helper()
	tuitest.Poll(d.t, what, func() bool {
		d.t.Helper()
		ok := false
		d.do(func() { ok = holds() })
		return ok
	})
}

// end waits for the program to end by itself, and puts its screens away.
func (d *driver) end() (parting []string) {
	d.t.Helper()
	select {
	case err := <-d.ended:
		if err != nil {
			d.t.Fatal(err)
		}
	case <-time.After(tuitest.Patience):
		d.t.Fatal("the program does not end")
	}
	parting, err := d.w.closeAll(context.Background())
	if err != nil {
		d.t.Fatal(err)
	}
	return parting
}

// text is what the screen shows, without colours.
func (d *driver) text() string {
	d.t.Helper()
	var text string
	d.do(func() { text = ansi.Strip(d.w.View().Content) })
	return text
}

// press sends keys by their names, or single characters.
func (d *driver) press(keys ...string) {
	for _, key := range keys {
		d.program.Send(tuitest.Key(d.t, key))
	}
}

// world is a world in which screens can be opened.
type world struct{ *tuitest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{tuitest.NewWorld(t)}
}
