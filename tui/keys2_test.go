package tui

import (
	"testing"

	"planb/tui/keymap"
	"planb/tui/tuitest"
)

func TestMappedKeysOfALookAround(t *testing.T) {
	w := tuitest.NewWorld(t)
	w.Session("Nightly export", "/home/you/shop")
	deps := depsOf(w, false)
	var problems []keymap.Problem
	deps.keys, problems = keymap.New([]keymap.Setting{
		{Screen: "sessions", Action: "quit", Keys: []string{"Q"}},
		{Screen: "sessions", Action: "find", Keys: []string{"F"}},
		{Screen: "sessions", Action: "archive", Keys: []string{"ctrl+a"}},
		{Screen: "sessions", Action: "delete"},
	}, func(string, []string) string { return "" })
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	s := newSessionsScreen(deps)
	if act := keymap.ActionOf(s.keys, tuitest.Key(t, "F")); act != keymap.Find {
		t.Errorf("F is %v", act)
	}
	for _, gone := range []string{"f", "q", "D", "a"} {
		if act := keymap.ActionOf(s.keys, tuitest.Key(t, gone)); act != keymap.None {
			t.Errorf("%s is still %v", gone, act)
		}
	}
	for _, still := range []string{"ctrl+c", "Q"} {
		if act := keymap.ActionOf(s.keys, tuitest.Key(t, still)); act != keymap.Quit {
			t.Errorf("%s does not leave", still)
		}
	}
	if text := keymap.Tells(s.keys, "", keymap.Archive, " archives") + keymap.Tells(s.keys, "", keymap.Delete, " deletes"); text != "ctrl+a archives" {
		t.Errorf("told %q", text)
	}
}
