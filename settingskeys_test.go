package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A person's file of settings gives submit another key and takes the colours away:
// the footer says the key, it submits, and the one it had does nothing any more. A
// mistake beside it is told in the form, with what may have been meant, and so is a
// key that two actions would have. The environment is stronger: there are colours
// where it wants them, a theme's own or the terminal's sixteen.
func TestAFormIsAsTheSettingsWantIt(t *testing.T) {
	t.Parallel()
	tm := startTmux(t, 110, 24)
	config := filepath.Join(tm.home, "config", "planb", "config.toml")
	form, answers := filepath.Join(tm.home, "name.json"), filepath.Join(tm.home, "answers")
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
		data := filepath.Join(tm.home, "data"+theme) // its own, so that each form is new
		return tm.run("new-window", "-d", "-P", "-F", "#{pane_id}", "-e", "PLANB_DATA_DIR="+data, "-e", "LC_ALL=C.UTF-8",
			"-e", "XDG_CONFIG_HOME="+filepath.Dir(filepath.Dir(config)), "-e", "PLANB_THEME="+theme, "-e", "NO_COLOR=",
			"--", "sh", "-c", `exec "$1" ask "$2" > "$3"`, "sh", planb(t), form, answers)
	}
	coloured := func(pane string) bool {
		return strings.Contains(tm.run("capture-pane", "-e", "-p", "-t", pane), "\x1b[38;")
	}

	pane := ask("")
	tm.shows(pane, "ctrl+x submit", `In your settings: config.toml:2: there is no setting "opner"; did you mean opener?`)
	if coloured(pane) {
		t.Errorf("the file's theme has no colours, but there are some:\n%q", tm.run("capture-pane", "-e", "-p", "-t", pane))
	}
	tm.text(pane, "heron")
	tm.shows(pane, "heron")
	tm.keys(pane, "C-s")
	tm.text(pane, "s")
	tm.shows(pane, "herons", "ctrl+x submit")
	tm.keys(pane, "C-x")
	tm.gone(pane)
	if text, err := os.ReadFile(answers); err != nil || !strings.Contains(string(text), `"herons"`) {
		t.Errorf("answered %q, %v", text, err)
	}

	if err := os.WriteFile(config, []byte("theme = \"none\"\n[keys.form]\nsubmit = \"ctrl+x\"\nzoom = \"n\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pane = ask("dark")
	tm.shows(pane, "ctrl+x submit", "config.toml:4: keys.form.zoom: n is the key of note, too")
	until(t, "the environment's theme colours the form", func() bool { return coloured(pane) })
	sixteen := ask("terminal-dark")
	tm.shows(sixteen, "ctrl+x submit")
	until(t, "the form has the terminal's own colours", func() bool {
		drawn := tm.run("capture-pane", "-e", "-p", "-t", sixteen)
		return !coloured(sixteen) && regexp.MustCompile(`\x1b\[[0-9;]*[39][0-7]m`).MatchString(drawn)
	})
}
