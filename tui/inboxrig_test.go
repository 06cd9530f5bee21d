package tui

import (
	"reflect"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/inbox"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// browseRig drives the window of the program one message after another. It runs every
// command but those that wait for the bell of the store. The screen of an ask has a clock
// that never stops, so it needs a driver.
type browseRig struct {
	t   *testing.T
	w   *window
	raw []tea.RawMsg // what was written to the terminal beside the screen
}

func (w *world) browse(answers bool, width, height int, theme themes.Theme) *browseRig {
	w.T.Helper()
	b := Options{Store: w.Store, By: "you@desk", Now: w.Clock, Rings: inbox.Rings{Title: true}}.inbox(answers)
	b.After = tuitest.Soon
	return browseWith(w.T, inbox.New(b), width, height, theme)
}

// only is the choice of one theme, whatever the terminal's background.
func only(theme themes.Theme) themes.Choice {
	c, err := (themes.Collection{}).Find(theme.Name)
	if err != nil {
		panic(err)
	}
	return c
}

func browseWith(t *testing.T, root screen.Screen, width, height int, theme themes.Theme) *browseRig {
	t.Helper()
	r := &browseRig{t: t, w: newWindow(root, only(theme))}
	r.w.painted = true
	r.w.Update(tea.WindowSizeMsg{Width: width, Height: height})
	r.run(root.Init())
	return r
}

func (r *browseRig) run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case screen.Hung: // nothing waits for the bell
	case nil:
	case tea.RawMsg:
		r.raw = append(r.raw, msg)
	case tea.BatchMsg:
		for _, c := range msg {
			r.run(c)
		}
	default:
		if sequence := reflect.ValueOf(msg); sequence.Type().ConvertibleTo(reflect.TypeFor[[]tea.Cmd]()) {
			for _, c := range sequence.Convert(reflect.TypeFor[[]tea.Cmd]()).Interface().([]tea.Cmd) {
				r.run(c)
			}
			return
		}
		_, cmd := r.w.Update(msg)
		r.run(cmd)
	}
}

func (r *browseRig) send(msg tea.Msg) *browseRig {
	_, cmd := r.w.Update(msg)
	r.run(cmd)
	return r
}

func (r *browseRig) keys(names string) *browseRig {
	r.t.Helper()
	for _, name := range strings.Fields(names) {
		r.send(tuitest.Key(r.t, name))
	}
	return r
}

func (r *browseRig) content() string { return r.w.View().Content }
func (r *browseRig) text() string    { return ansi.Strip(r.content()) }

// shows fails unless the screen shows all the texts.
func (r *browseRig) shows(texts ...string) {
	r.t.Helper()
	for _, text := range texts {
		if !strings.Contains(r.text(), text) {
			r.t.Errorf("%q is not shown:\n%s", text, r.text())
		}
	}
}
