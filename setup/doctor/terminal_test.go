package doctor

import (
	"errors"
	"testing"
	"time"
)

// good returns a terminal that gives no warning, changed by change.
func good(change func(*Terminal)) Terminal {
	t := Terminal{
		There: true, Width: 120, Height: 40, Colours: "24-bit colours", Name: "tmux-256color", UTF8: true, Locale: "LANG=C.UTF-8",
		Tmux: &Tmux{Version: "3.6a", EscapeTime: 10 * time.Millisecond, RGB: true},
	}
	if change != nil {
		change(&t)
	}
	return t
}

func TestTerminal(t *testing.T) {
	for _, c := range []struct {
		about  string
		change func(*Terminal)
		name   string // of the finding
		state  State
	}{
		{"as wanted", nil, "size", OK},
		{"small", func(t *Terminal) { t.Width = 79 }, "size", Warning},
		{"low", func(t *Terminal) { t.Height = 23 }, "size", Warning},
		{"too small", func(t *Terminal) { t.Width = 39 }, "size", Problem},
		{"too low", func(t *Terminal) { t.Height = 11 }, "size", Problem},
		{"dumb", func(t *Terminal) { t.Name = "dumb" }, "colours", Warning},
		{"nameless", func(t *Terminal) { t.Name = "" }, "colours", Warning},
		{"no colours wanted", func(t *Terminal) { t.Colours = "none" }, "colours", OK},
		{"Latin 1", func(t *Terminal) { t.UTF8, t.Locale = false, "LANG=de_DE" }, "encoding", Warning},
		{"tmux's own escape-time", func(t *Terminal) { t.Tmux.EscapeTime = 500 * time.Millisecond }, "escape-time", Warning},
		{"the longest escape-time nobody feels", func(t *Terminal) { t.Tmux.EscapeTime = 50 * time.Millisecond }, "escape-time", OK},
		{"tmux without 24-bit colours", func(t *Terminal) { t.Tmux.RGB = false }, "tmux colours", Note},
		{"tmux that is gone", func(t *Terminal) { t.Tmux.Err = errors.New("no server") }, "tmux", Problem},
		{"none", func(t *Terminal) { t.There = false }, "terminal", Note},
	} {
		t.Run(c.about, func(t *testing.T) {
			for _, f := range good(c.change).Findings() {
				wellFormed(t, f)
				switch {
				case f.Name == c.name && f.State != c.state:
					t.Errorf("%s is %s, want %s", f.Name, f.State, c.state)
				case f.Name != c.name && f.State > Note:
					t.Errorf("%s is %s: %s", f.Name, f.State, f.Detail)
				case f.Name == c.name:
					return
				}
			}
			t.Errorf("nothing is said of %s", c.name)
		})
	}
}

// wellFormed checks what every reader of a finding relies on.
func wellFormed(t *testing.T, f Finding) {
	t.Helper()
	if f.Area == "" || f.Name == "" || f.Detail == "" {
		t.Errorf("a finding that says too little: %+v", f)
	}
	if (f.State >= Warning) != (f.Remedy != "") {
		t.Errorf("a remedy goes with a trouble, and only with one: %+v", f)
	}
}
