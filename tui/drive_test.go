package tui

import (
	"context"
	"errors"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/themes"
	"planb/tui/ask"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// driver runs a window in a real Bubble Tea program without a terminal.
type driver struct {
	*tuitest.Driver
	t       *testing.T
	w       *window
	program *tea.Program
}

func drive(t *testing.T, root screen.Screen, width, height int) *driver {
	t.Helper()
	d := &driver{t: t, w: newWindow(root, only(themes.Default(true)))}
	t.Cleanup(func() { _, _ = d.w.closeAll(context.Background()) }) // when the program has ended
	d.Driver = tuitest.Drive(t, d.w, width, height)
	d.program = d.Program
	return d
}

func (d *driver) do(look func())                       { d.t.Helper(); d.Do(look) }
func (d *driver) until(what string, holds func() bool) { d.t.Helper(); d.Until(what, holds) }
func (d *driver) text() string                         { d.t.Helper(); return d.Text() }
func (d *driver) press(keys ...string)                 { d.Press(keys...) }

// end waits for the program to end by itself, and puts its screens away.
func (d *driver) end() (parting []string) {
	d.t.Helper()
	d.Wait()
	parting, err := d.w.closeAll(context.Background())
	if err != nil {
		d.t.Fatal(err)
	}
	return parting
}

// world is a world in which screens can be opened.
type world struct{ *tuitest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{tuitest.NewWorld(t)}
}

func (w *world) openedAsk(id string, readOnly bool) ask.Input {
	w.T.Helper()
	host := ask.NewHost(w.Store, ask.Options{ID: id, ReadOnly: readOnly, By: "you@desk"})
	opened, err := host.Start()
	if err = errors.Join(err, host.Close(w.T.Context(), ask.Left)); err != nil {
		w.T.Fatal(err)
	}
	return opened.Input
}
