package askscreen

import (
	"context"
	"errors"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/themes"
	"planb/tui/ask"
	"planb/tui/form"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// window is one that keeps what a screen's end says is kept nowhere else.
type window struct {
	*tuitest.Window
	lost []string
}

// Update takes one message.
func (w *window) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	if ended, ok := msg.(ask.Ended); ok {
		w.lost = append(w.lost, ended.Lost...)
	}
	_, cmd := w.Window.Update(msg)
	return w, cmd
}

// closeAll puts the screens away and returns what is to be printed.
func (w *window) closeAll(ctx context.Context) (parting []string, err error) {
	parting, err = w.Close(ctx)
	return append(w.lost, parting...), err
}

// driver runs a window in a real Bubble Tea program without a terminal.
type driver struct {
	*tuitest.Driver
	t       *testing.T
	w       *window
	program *tea.Program
}

func drive(t *testing.T, root screen.Screen, width, height int) *driver {
	t.Helper()
	d := &driver{t: t, w: &window{Window: tuitest.NewWindow(t, root, themes.Default(true))}}
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

// shows waits until the screen shows the texts.
func (d *driver) shows(what string, texts ...string) {
	d.t.Helper()
	for _, text := range texts {
		d.until(what+" to show "+text, func() bool { return strings.Contains(ansi.Strip(d.w.View().Content), text) })
	}
}

// ready enters the form, or its dialog, if that came up by itself, and waits until keys
// count.
func (d *driver) ready(h *Screen) {
	d.t.Helper()
	d.until("the form", func() bool { return h.phase == phaseOpen })
	shut := false
	d.do(func() {
		shut = !h.form.Entered()
		h.form.Follow(form.New(form.Input{}, nil)) // as if the person had paused
	})
	if shut {
		d.press("down")
	}
	d.until("keys to count", func() bool { return h.phase == phaseOpen && h.form.Entered() })
}

func (d *driver) settle(h *Screen, id string) {
	d.t.Helper()
	d.until("the form of the next ask", func() bool { return h.phase == phaseOpen && h.state.Ask.ID == id })
	d.program.Send(form.SettleRequested{AskID: id, Outcome: questions.Outcome{State: questions.Answered, Reply: tuitest.TextReply("Vega")}})
}

// world is a world in which asks can be opened.
type world struct{ *tuitest.World }

func newWorld(t *testing.T) *world {
	t.Helper()
	return &world{tuitest.NewWorld(t)}
}

// host drives a Screen over the world's store, and waits for its form.
func (w *world) host(o Options) (*driver, *Screen) {
	w.T.Helper()
	h := w.screen(o)
	d := drive(w.T, h, 80, 24)
	d.until("the form to open", func() bool { return h.phase == phaseOpen })
	if o.ID != "" {
		tuitest.Poll(w.T, "the ask to be marked as shown", func() bool { return !w.Stored(o.ID).Shown.IsZero() })
	}
	return d, h
}

func (w *world) screen(o Options) *Screen {
	o.By, o.Now = "you@desk", w.Clock
	return New(w.User("you@desk"), o)
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

// seen is what the form of a screen shows, without colours.
func seen(h *Screen) string { return ansi.Strip(h.form.View().Content) }

func must2[T any](value T, ok bool, err error) T {
	if err != nil || !ok {
		panic(errors.Join(err, errors.New("there is none")))
	}
	return value
}

const window1 = "tmux window 1"

// errBroken is what a broken store says.
var errBroken = errors.New("the disk is on fire")
