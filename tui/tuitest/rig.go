package tuitest

import (
	"context"
	"reflect"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"planb/themes"
	"planb/tui/screen"
)

// Rig drives a window one message after another. It runs every command at once, except
// those that would wait: the bell of the store, and those that Soon leaves out.
type Rig struct {
	*Window
	T   testing.TB
	Raw []tea.RawMsg // what was written to the terminal beside the screen
}

// Open shows a screen, and everything it reads when it starts.
func Open(t testing.TB, root screen.Screen, width, height int, theme themes.Theme) *Rig {
	t.Helper()
	r := &Rig{T: t, Window: NewWindow(t, root, theme)}
	t.Cleanup(func() { _, _ = r.Close(context.Background()) })
	r.Window.Update(tea.WindowSizeMsg{Width: width, Height: height})
	r.Run(r.Init())
	return r
}

// Soon is screen.After for screens that a Rig drives: what is due later than the next
// refresh and the next preview never comes.
func Soon(d time.Duration, msg tea.Msg) tea.Cmd {
	if d > max(screen.RefreshPause, screen.PeekPause) {
		return nil
	}
	return screen.Send(msg)
}

// Run runs a command and all that comes of it.
func (r *Rig) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil, screen.Hung:
	case tea.RawMsg:
		r.Raw = append(r.Raw, msg)
	case tea.BatchMsg:
		r.runAll(msg)
	default:
		if sequence := reflect.ValueOf(msg); sequence.Type().ConvertibleTo(reflect.TypeFor[[]tea.Cmd]()) {
			r.runAll(sequence.Convert(reflect.TypeFor[[]tea.Cmd]()).Interface().([]tea.Cmd))
			return
		}
		_, cmd := r.Update(msg)
		r.Run(cmd)
	}
}

func (r *Rig) runAll(cmds []tea.Cmd) {
	for _, cmd := range cmds {
		r.Run(cmd)
	}
}

// Send sends a message.
func (r *Rig) Send(msg tea.Msg) *Rig {
	_, cmd := r.Update(msg)
	r.Run(cmd)
	return r
}

// Keys presses keys by their names, which stand between blanks.
func (r *Rig) Keys(names string) *Rig {
	r.T.Helper()
	for _, name := range strings.Fields(names) {
		r.Send(Key(r.T, name))
	}
	return r
}

// Content is what the screen draws.
func (r *Rig) Content() string { return r.View().Content }

// Shows fails unless the screen shows all the texts.
func (r *Rig) Shows(texts ...string) {
	r.T.Helper()
	for _, text := range texts {
		if !strings.Contains(r.Text(), text) {
			r.T.Errorf("%q is not shown:\n%s", text, r.Text())
		}
	}
}

// Hides fails if the screen shows any of the texts.
func (r *Rig) Hides(texts ...string) {
	r.T.Helper()
	for _, text := range texts {
		if strings.Contains(r.Text(), text) {
			r.T.Errorf("%q is shown:\n%s", text, r.Text())
		}
	}
}
