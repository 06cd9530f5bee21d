package panes_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// A person's settings file gives submit another key and removes the colours.
// The footer shows the new key, the new key submits, and the old key does
// nothing. The form reports a mistake in the file, with what may have been
// meant, and a key that two actions share. The environment overrides the file:
// if it asks for colours there are colours, a theme's own or the terminal's
// sixteen.
func TestAFormIsAsTheSettingsWantIt(t *testing.T) {
	t.Parallel()
	tm := rig.StartTmux(t, 110, 24)
	config := filepath.Join(tm.Home, "config", "planb", "config.toml")
	form, answers := filepath.Join(tm.Home, "name.json"), filepath.Join(tm.Home, "answers")
	if err := os.MkdirAll(filepath.Dir(config), 0o700); err != nil {
		t.Fatal(err)
	}
	for file, text := range map[string]string{
		config: "theme = \"none\"\nopner = \"tmux\"\n[keys.form]\nsubmit = \"ctrl+x\"\n",
		form:   `{"title": "Name the project", "questions": [{"id": "name", "kind": "text", "label": "What shall it be called?"}]}`,
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ask := func(theme string) string {
		data := filepath.Join(tm.Home, "data"+theme) // a directory of its own, so that each form is new
		return tm.NewWindow("-e", "PLANB_DATA_DIR="+data, "-e", "LC_ALL=C.UTF-8",
			"-e", "XDG_CONFIG_HOME="+filepath.Dir(filepath.Dir(config)), "-e", "PLANB_THEME="+theme, "-e", "NO_COLOR=",
			"--", "sh", "-c", `exec "$1" ask "$2" > "$3"`, "sh", rig.Planb(t), form, answers)
	}
	coloured := func(pane string) bool {
		return strings.Contains(tm.Run("capture-pane", "-e", "-p", "-t", pane), "\x1b[38;")
	}

	pane := ask("")
	tm.Shows(pane, "ctrl+x submit", `In your settings: config.toml:2: there is no setting "opner"; did you mean opener?`)
	if coloured(pane) {
		t.Errorf("the file's theme has no colours, but there are some:\n%q", tm.Run("capture-pane", "-e", "-p", "-t", pane))
	}
	tm.Text(pane, "heron")
	tm.Shows(pane, "heron")
	tm.Keys(pane, "C-s")
	tm.Text(pane, "s")
	tm.Shows(pane, "herons", "ctrl+x submit")
	tm.Keys(pane, "C-x")
	tm.Gone(pane)
	if text, err := os.ReadFile(answers); err != nil || !strings.Contains(string(text), `"herons"`) {
		t.Errorf("answered %q, %v", text, err)
	}

	if err := os.WriteFile(config, []byte("theme = \"none\"\n[keys.form]\nsubmit = \"ctrl+x\"\nzoom = \"n\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pane = ask("dark")
	tm.Shows(pane, "ctrl+s submit", "config.toml:4: keys.form.zoom: n is the key of both form.note and form.zoom")
	rig.Until(t, "the environment's theme colours the form", func() bool { return coloured(pane) })
	sixteen := ask("terminal-dark")
	tm.Shows(sixteen, "ctrl+s submit")
	rig.Until(t, "the form has the terminal's own colours", func() bool {
		drawn := tm.Run("capture-pane", "-e", "-p", "-t", sixteen)
		return !coloured(sixteen) && regexp.MustCompile(`\x1b\[[0-9;]*[39][0-7]m`).MatchString(drawn)
	})
}
