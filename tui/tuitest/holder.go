package tuitest

import (
	"reflect"
	"strings"
	"testing"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/screen"
)

// Holder drives one screen as its window and its holder would, one message after
// another, and notes what the screen tells them.
type Holder struct {
	T      testing.TB
	Screen screen.Screen
	Told   []tea.Msg
}

// Hold shows a screen.
func Hold(t testing.TB, s screen.Screen, width, height int, theme themes.Theme) *Holder {
	t.Helper()
	h := &Holder{T: t, Screen: s}
	s.Retheme((*screen.Look)(nil).With(theme.Palette))
	s.Resize(width, height)
	h.Run(s.Init())
	return h
}

// Run runs a command. A message that only the screen's own room can know goes back to
// the screen.
func (h *Holder) Run(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case nil:
	case tea.BatchMsg:
		for _, c := range msg {
			h.Run(c)
		}
	case screen.Relaid:
		h.Send(msg)
	default:
		kind := reflect.TypeOf(msg)
		if own := []rune(kind.Name()); strings.HasPrefix(kind.PkgPath(), "planb/") && unicode.IsLower(own[0]) {
			h.Send(msg)
			return
		}
		h.Told = append(h.Told, msg)
	}
}

// Send gives the screen a message and runs what it asks for.
func (h *Holder) Send(msg tea.Msg) { h.Run(h.Screen.Update(msg)) }

// Keys presses keys by their names, which stand between blanks.
func (h *Holder) Keys(names string) {
	h.T.Helper()
	for _, name := range strings.Fields(names) {
		h.Send(Key(h.T, name))
	}
}

// Write types a text letter by letter.
func (h *Holder) Write(text string) {
	for _, c := range text {
		h.Send(tea.KeyPressMsg{Code: c, Text: string(c)})
	}
}

// Text is what the screen shows, without colours.
func (h *Holder) Text() string { return ansi.Strip(h.Screen.View().Content) }

// ClickOn clicks the first place of the screen that shows a text.
func (h *Holder) ClickOn(text string) {
	h.T.Helper()
	for y, line := range strings.Split(h.Text(), "\n") {
		if at := strings.Index(line, text); at >= 0 {
			h.Send(tea.MouseClickMsg{X: ansi.StringWidth(line[:at]), Y: y, Button: tea.MouseLeft})
			return
		}
	}
	h.T.Fatalf("nothing shows %q:\n%s", text, h.Text())
}

// Dialog is the title of the dialog that lies over the screen; empty if there is none.
func (h *Holder) Dialog() string {
	_, title, _ := strings.Cut(h.Text(), "╭─ ")
	title, _, _ = strings.Cut(title, " ─")
	return title
}

// Last is the newest thing of a type that the screen told.
func Last[T any](h *Holder) (T, bool) {
	for i := len(h.Told) - 1; i >= 0; i-- {
		if msg, ok := h.Told[i].(T); ok {
			return msg, true
		}
	}
	var none T
	return none, false
}
