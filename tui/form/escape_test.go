package form

import (
	"testing"

	tea "charm.land/bubbletea/v2"
	uv "github.com/charmbracelet/ultraviolet"

	"planb/tui/keymap"
)

// sendBytes gives the form the keys that a terminal's bytes mean.
func (r *formRig) sendBytes(raw string) *formRig {
	r.t.Helper()
	var decoder uv.EventDecoder
	for len(raw) > 0 {
		n, event := decoder.Decode([]byte(raw))
		key, ok := event.(uv.KeyPressEvent)
		if !ok {
			r.t.Fatalf("%q is no key but %T", raw, event)
		}
		r.send(tea.KeyPressMsg(key))
		raw = raw[n:]
	}
	return r
}

// TestFormEscapeAndAKeyInOneRead holds that Esc and a quick next key count as these two keys,
// even if their bytes arrive together and so mean that key with Alt.
func TestFormEscapeAndAKeyInOneRead(t *testing.T) {
	t.Parallel()
	const (
		down    = "\x1b\x1b[B"
		byTmux  = "\x1b[1;3B" // the same, as tmux sends it on
		tab     = "\x1b\t"
		back    = "\x1b\x1b[Z"
		enter   = "\x1b\r"
		twice   = "\x1b\x1b"
		submit  = "\x1b\x13"
		altLeft = "\x1b[1;3D"
		altDel  = "\x1b\x7f"
	)
	ground := func(r *formRig) bool { return r.dialog == nil && r.sheet == nil }
	menu := func(r *formRig) bool { return r.dialog != nil && r.dialog.Title == "Menu" }
	for _, test := range []struct{ name, keys, raw, where, answers string }{
		{"Other, down", "right 4 x", down, "format/note", `{"format":"x"}`},
		{"Other, down through tmux", "right 4 x", byTmux, "format/note", `{"format":"x"}`},
		{"Other, tab", "right 4 x", tab, "fields/id", `{"format":"x"}`},
		{"Other, shift+tab", "right tab 5 x", back, "format/csv", `{"fields":["x"]}`},
		{"Other, enter", "right 4 x", enter, "fields/id", `{"format":"x"}`},
		{"Other, a digit", "right 4 x", "\x1b2", "fields/id", `{"format":"json"}`},
		{"Other, a command", "right 4 x", "\x1bn", "format/note", `{"format":"x"}`},
		{"Other, submit", "right 4 x", submit, "name", `{"format":"x"}`},
		{"note, tab", "right n x", tab, "fields/id", `{}`},
		{"note, down", "right n x", down, "fields/id", `{}`},
		{"zoom, tab", "right z", tab, "fields/id", `{}`},
		{"zoom, down", "right z", down, "format/json", `{}`},
		{"zoom, enter", "right z", enter, "format/csv", `{"format":"csv"}`},
		{"help, down", "right ?", down, "format/json", `{}`},
		{"menu, tab", "right esc", tab, "fields/id", `{}`},
		{"menu, a digit", "right esc", "\x1b2", "fields/id", `{"format":"json"}`},
		{"reply, tab", "right esc m x", tab, "fields/id", `{}`},
		{"the ground, the menu's first item", "right", enter, "format/csv", `{}`},
		{"alt+← is the tab before", "right alt+right x", altLeft, "format/csv", `{"name":"x"}`},
		{"and from a Mac", "right", "\x1bb", "intro", `{}`},
		{"alt+backspace deletes a word", "right alt+right x", altDel, "name", `{}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := richRig(t).keys(test.keys).sendBytes(test.raw)
			if !ground(r) {
				t.Fatalf("something is still open:\n%s", r.screen())
			}
			if where, answers := r.where(), r.answersNow(); where != test.where || answers != test.answers {
				t.Errorf("the focus is on %s with %s, want %s with %s\n%s", where, answers, test.where, test.answers, r.screen())
			}
		})
	}
	t.Run("Other, esc", func(t *testing.T) {
		if r := richRig(t).keys("right 4 x").sendBytes(twice); !menu(r) {
			t.Errorf("esc twice did not close Other and open the menu:\n%s", r.screen())
		}
	})
	t.Run("the ground, down", func(t *testing.T) {
		if r := richRig(t).keys("right").sendBytes(down); !menu(r) || r.dialog.At != 1 {
			t.Errorf("the menu's second item has not the focus:\n%s", r.screen())
		}
	})
	t.Run("letters", func(t *testing.T) {
		for raw, want := range map[string]string{"\x1bn": "n", "\x1bN": "N", "\x1b7": "7", "\x1b ": " ", "\x1bé": "é", tab: "", submit: ""} {
			var decoder uv.EventDecoder
			_, event := decoder.Decode([]byte(raw))
			if got, both := keymap.Form().AfterEscape(tea.KeyPressMsg(event.(uv.KeyPressEvent)), true); !both || got.Text != want {
				t.Errorf("%q: %t, %q; want %q", raw, both, got.Text, want)
			}
		}
	})
	t.Run("the end, enter", func(t *testing.T) {
		r := richRig(t).answerRequired().keys("ctrl+s ctrl+s").send(Settled{AskID: "the-ask"}).sendBytes(enter)
		leaves := 0
		for _, msg := range r.Told {
			if _, ok := msg.(LaterRequested); ok {
				leaves++
			}
		}
		if leaves != 1 {
			t.Errorf("left %d times", leaves)
		}
	})
}
