package tui

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/ask"
	"planb/tui/askscreen"
	"planb/tui/inbox"
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

// shows waits until the screen shows the texts.
func (d *driver) shows(what string, texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		d.until(what+" to show "+text, func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), text) })
	}
}

// enter enters the form on top, or its dialog, and waits until keys count.
func (d *driver) enter() {
	d.t.Helper()
	entered := func() bool { return d.w.top().(*askscreen.Screen).Entered() }
	shut := false
	d.do(func() { shut = !entered() })
	if shut {
		d.press("down")
	}
	d.until("keys to count", entered)
}

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

func (w *world) openedAsk(id string) ask.Input {
	w.T.Helper()
	host := ask.NewHost(w.Store, ask.Options{ID: id, By: "you@desk"})
	opened, err := host.Start()
	if err = errors.Join(err, host.Close(w.T.Context(), ask.Left)); err != nil {
		w.T.Fatal(err)
	}
	return opened.Input
}

// form is the screen of an ask.
func (w *world) form(o askscreen.Options) *askscreen.Screen {
	o.By, o.Now = "you@desk", w.Clock
	return askscreen.New(w.User("you@desk"), o)
}

// found is past sessions with what a search for the query opens, which is listed with a
// text of its own.
func (w *world) found(query, listed string) *driver {
	w.T.Helper()
	d := drive(w.T, inbox.New(Options{Store: w.Store, By: "you@desk", Now: w.Clock}.inbox(false)), 80, 24)
	list := d.w.top()
	d.press("f")
	d.until("the search", func() bool { return d.w.top() != list })
	d.program.Send(tea.PasteMsg{Content: query})
	d.until("keys to count again", func() bool { return !d.w.pastes.resting })
	d.shows("the search", listed)
	d.press("enter")
	d.until("the form", func() bool {
		form, open := d.w.top().(*askscreen.Screen)
		return open && form.Opened()
	})
	return d
}

func must2[T any](value T, ok bool, err error) T {
	if err != nil || !ok {
		panic(errors.Join(err, errors.New("there is none")))
	}
	return value
}
