package inbox

import (
	"testing"

	"planb/tui/keymap"
	"planb/tui/tuitest"
)

func TestMappedKeysOfALookAround(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Session("Nightly export", "/home/you/shop")
	deps := depsOf(w, false)
	deps.Keys = remapped(t, keymap.Setting{Action: "quit", Keys: []string{"Q"}}, keymap.Setting{Action: "find", Keys: []string{"F"}},
		keymap.Setting{Action: "archive", Keys: []string{"ctrl+a"}}, keymap.Setting{Action: "delete"})
	s := New(deps)
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

// The key by which the list goes back leaves a prompt, too, and the prompt names it.
func TestMappedKeysLeavePrompts(t *testing.T) {
	t.Parallel()
	for keys, wants := range map[string][]string{"": {"esc", "n"}, "ctrl+b": {"ctrl+b", "esc", "n"}, "y": {"esc"}} {
		bound := keymap.Keys{}.On(keymap.OfInbox, keymap.Inbox(true))
		if keys != "" {
			bound = remapped(t, keymap.Setting{Action: "back", Keys: []string{keys}}).On(keymap.OfInbox, keymap.Inbox(true))
		}
		for name, prompt := range map[string][]keymap.Binding{"withdraw": keymap.Withdrawing(), "delete": keymap.Deleting(), "snooze": keymap.Snoozing(true, "tomorrow")} {
			prompt = keymap.Leaving(bound, prompt)
			if label := keymap.Label(prompt, keymap.Escape); keys != "y" && label != wants[0] {
				t.Errorf("%s, %s: it is left by %s", keys, name, label)
			}
			for _, want := range wants {
				if act := keymap.ActionOf(prompt, tuitest.Key(t, want)); act != keymap.Escape && (want != "n" || name != "snooze") {
					t.Errorf("%s, %s: %s is %v", keys, name, want, act)
				}
			}
			if act := keymap.ActionOf(prompt, tuitest.Key(t, "y")); name != "snooze" && act != keymap.Yes {
				t.Errorf("%s, %s: y is %v", keys, name, act)
			}
		}
	}
}

// remapped are keys with settings for the list.
func remapped(t *testing.T, settings ...keymap.Setting) keymap.Keys {
	t.Helper()
	for i := range settings {
		settings[i].Screen = "sessions"
	}
	keys, problems := keymap.New(settings, func(string, []string) string { return "" })
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return keys
}
