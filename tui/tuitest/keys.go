package tuitest

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// Key makes the message of a key by its name.
func Key(t testing.TB, name string) tea.KeyPressMsg {
	t.Helper()
	var mod tea.KeyMod
	for i, m := range []tea.KeyMod{tea.ModCtrl, tea.ModAlt, tea.ModShift} { // in this order, as they are written
		prefix := []string{"ctrl+", "alt+", "shift+"}[i]
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" {
			name, mod = rest, mod|m
		}
	}
	special := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
		"tab": tea.KeyTab, "enter": tea.KeyEnter, "esc": tea.KeyEscape, "space": tea.KeySpace, "backspace": tea.KeyBackspace,
		"delete": tea.KeyDelete, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown, "f1": tea.KeyF1,
	}
	k := tea.KeyPressMsg{Mod: mod}
	if code, ok := special[name]; ok {
		k.Code = code
		if name == "space" {
			k.Text = " "
		}
	} else if letters := []rune(name); len(letters) == 1 {
		k.Code = letters[0]
		if mod == 0 {
			k.Text = name
		}
	} else {
		t.Fatalf("no key is called %q", name)
	}
	return k
}
