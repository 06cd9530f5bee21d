package pane

import (
	"strings"
	"testing"
)

func TestExplain(t *testing.T) {
	t.Parallel()
	tmux := map[string]string{"TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%1"}
	both := map[string]string{"TMUX": "/tmp/tmux-0/default,1,0", "TMUX_PANE": "%1", "STY": "1.x", "WINDOW": "0"}
	path := programs(t, "xdg-terminal-exec")
	desktop := map[string]string{"WAYLAND_DISPLAY": "wayland-0", "PATH": path}
	remote := map[string]string{"DISPLAY": ":0", "PATH": path, "SSH_CONNECTION": "10.0.0.1 5 10.0.0.2 22"}
	for _, c := range []struct {
		about  string
		env    map[string]string
		wanted string
		chosen string
		why    string
	}{
		{"nothing", nil, "", "", "in no terminal that it can open a pane in"},
		{"tmux", tmux, "", "tmux", "TMUX is set"},
		{"tmux and screen", both, "auto", "tmux", "first of those"},
		{"screen, as was set", both, "screen", "screen", "you have set it"},
		{"kitty, as was set", both, "kitty", "", "KITTY"},
		{"a window", desktop, "", "window", "WAYLAND_DISPLAY is set"},
		{"no window over SSH", remote, "", "", "SSH_CONNECTION is set"},
		{"a window over SSH, as was set", remote, "window", "window", "you have set it"},
		{"no program for a window", map[string]string{"DISPLAY": ":0"}, "", "", "xdg-terminal-exec"},
		{"none, as was set", both, "none", "", "switched off"},
	} {
		t.Run(c.about, func(t *testing.T) {
			env := func(name string) string { return c.env[name] }
			choice, err := Surroundings{Env: env}.Explain(t.Context(), c.wanted)
			if err != nil {
				t.Fatal(err)
			}
			name := ""
			if choice.Chosen != nil {
				name = choice.Chosen.Name()
			}
			if name != c.chosen || !strings.Contains(choice.Why, c.why) {
				t.Errorf("%q, %q; want %q, %q", name, choice.Why, c.chosen, c.why)
			}
			if len(choice.Known) != len(openers()) {
				t.Errorf("%d openers are told of", len(choice.Known))
			}
			for _, known := range choice.Known {
				if known.Name == name && known.Reason != "" {
					t.Errorf("%s is chosen and cannot be used: %s", name, known.Reason)
				}
			}
		})
	}
	if _, err := (Surroundings{Env: environment()}).Explain(t.Context(), "emacs"); err == nil {
		t.Error("an unknown opener is explained")
	}
}
