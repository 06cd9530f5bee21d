package tuitest

import (
	"strings"
	"testing"

	"planb/tui/keymap"
)

// Mapped returns the keys of settings without mistakes, such as
// "form.submit=ctrl+x,f5 help=f2".
func Mapped(t testing.TB, text string) keymap.Keys {
	t.Helper()
	var settings []keymap.Setting
	for _, field := range strings.Fields(text) {
		name, keys, _ := strings.Cut(field, "=")
		setting := keymap.Setting{Action: name}
		if screen, action, ok := strings.Cut(name, "."); ok {
			setting.Screen, setting.Action = screen, action
		}
		if keys != "" {
			setting.Keys = strings.Split(keys, ",")
		}
		settings = append(settings, setting)
	}
	keys, problems := keymap.New(settings, func(string, []string) string { return "" })
	if len(problems) > 0 {
		t.Fatalf("%s: %v", text, problems)
	}
	return keys
}
