package setup

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"planb/themes"
)

func settingsFile(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "planb", "config.toml")
	if text == "" {
		return path
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestOneSettingIsSetAndAllElseStays(t *testing.T) {
	for name, c := range map[string]struct{ file, key, value, want string }{
		"no file":           {"", "theme", "light", "theme = \"light\"\n"},
		"another value":     {"# mine\ntheme = 'dark' # at night\nwait = \"1m\"\n", "theme", "light", "# mine\ntheme = \"light\" # at night\nwait = \"1m\"\n"},
		"the same value":    {"theme = 'light'\n", "theme", "light", "theme = 'light'\n"},
		"in a table":        {"wait = \"1m\"\n\n[ring]\n# loud\ntitle = true\n", "ring.bell", "false", "wait = \"1m\"\n\n[ring]\n# loud\ntitle = true\nbell = false\n"},
		"a comment revived": {"# planb\n\n# The colours.\n#theme = \"\"\n\n[ring]\n# bell = true\n", "theme", "dark", "# planb\n\n# The colours.\ntheme = \"dark\"\n\n[ring]\n# bell = true\n"},
		"one in a table":    {"# bell = 1\n[ring]\r\n# bell = true\r\n# title = true\r\n", "ring.bell", "false", "# bell = 1\n[ring]\r\nbell = false\r\n# title = true\r\n"},
		"words, no comment": {"# theme = the colours\n", "theme", "dark", "theme = \"dark\"\n# theme = the colours\n"},
		"there as well":     {"theme = \"dark\"\n# theme = \"light\"\n", "theme", "light", "theme = \"light\"\n# theme = \"light\"\n"},
		"a list":            {"", "toolsets", "session, review", "toolsets = [\"session\", \"review\"]\n"},
		"a key":             {"[keys.form]\nzoom = 'Z'\n", "keys.form.submit", "ctrl+x", "[keys.form]\nzoom = 'Z'\nsubmit = \"ctrl+x\"\n"},
		"keys":              {"", "keys.help", "f2 H", "[keys]\nhelp = [\"f2\", \"H\"]\n"},
		"no key":            {"", "keys.form.note", "", "[keys.form]\nnote = []\n"},
		"spaces around":     {"", "opener", " tmux ", "opener = \"tmux\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			path := settingsFile(t, c.file)
			if err := SetSetting(path, c.key, c.value, themes.Collection{}); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil || string(got) != c.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
			if file := ReadFile(path, themes.Collection{}); len(file.Problems) > 0 {
				t.Error(file.Problems)
			}
			files, err := os.ReadDir(filepath.Dir(path))
			if err != nil || len(files) != 1 {
				t.Errorf("%d files, %v", len(files), err)
			}
		})
	}
}

// If several processes and goroutines set something at once, no change is lost,
// not even when they create the file.
func TestManyMaySetAtOnce(t *testing.T) {
	path := settingsFile(t, "")
	for _, round := range []string{"zoom", "note"} {
		var setting sync.WaitGroup
		for i := range 20 {
			screen := []string{"form", "review"}[i%2]
			action := []string{round, "copy", "help", "menu", "back", "up", "down", "left", "right", "end"}[i/2]
			setting.Go(func() {
				if err := SetSetting(path, "keys."+screen+"."+action, "alt+"+string(rune('a'+i)), themes.Collection{}); err != nil {
					t.Error(err)
				}
			})
		}
		setting.Wait()
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 20 {
			if !strings.Contains(string(text), "= \"alt+"+string(rune('a'+i))+"\"\n") {
				t.Errorf("%s: what was set with %c is lost:\n%s", round, 'a'+i, text)
			}
		}
	}
	if files, err := os.ReadDir(filepath.Dir(path)); err != nil || len(files) != 1 {
		t.Errorf("beside the file there are %v, %v", files, err)
	}
}

func TestWhatCannotBeSetLeavesTheFile(t *testing.T) {
	for name, c := range map[string]struct{ file, key, value, want string }{
		"no such setting": {"a = 1\n", "them", "dark", `there is no setting "them"; did you mean theme?`},
		"a wrong value":   {"a = 1\n", "theme", "bright", `theme is "bright"; allowed: "", or one of "planb", "dark", `},
		"no switch":       {"a = 1\n", "ring.bell", "loud", `ring.bell is "loud"; allowed: true or false`},
		"no TOML":         {"wait = 1\ntheme dark\n", "theme", "dark", "config.toml:2: the settings are not TOML, so nothing was changed: "},
		"no quotes":       {"theme = nord\n", "wait", "5m", `config.toml:1: the settings are not TOML, so nothing was changed: a text needs quotes: theme = "nord"`},
		"too large":       {strings.Repeat("#\n", maxSettingsBytes), "wait", "5m", "config.toml has 131072 bytes, and planb reads at most 65536; nothing was changed"},
		"half a list":     {"a = 1\n", "draft.command", `["claude,-p`, `draft.command is "[\"claude,-p"; allowed: a list of`},
		"no table":        {"ring = 3\n", "ring.bell", "true", "config.toml: ring can't be changed: it is 3, not a table of settings"},
	} {
		t.Run(name, func(t *testing.T) {
			path := settingsFile(t, c.file)
			if err := SetSetting(path, c.key, c.value, themes.Collection{}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if got, err := os.ReadFile(path); err != nil || string(got) != c.file {
				t.Errorf("%v, the file is now\n%s", err, got)
			}
		})
	}
}

func TestASettingIsTakenOut(t *testing.T) {
	path := settingsFile(t, "# mine\ntheme = 'dark'\n[ring]\nbell = false\n")
	for _, step := range []struct {
		key  string
		had  bool
		want string
	}{
		{"theme", true, "# mine\n[ring]\nbell = false\n"},
		{"wait", false, "# mine\n[ring]\nbell = false\n"},
		{"ring.bell", true, "# mine\n[ring]\n"},
	} {
		had, err := UnsetSetting(path, step.key)
		got, readErr := os.ReadFile(path)
		if err != nil || readErr != nil || had != step.had || string(got) != step.want {
			t.Errorf("%s: %v, %v, %v\n%s", step.key, had, err, readErr, got)
		}
	}
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestAListInTheFileIsChanged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.toml")
	const name = "tasks.projects"
	add := func(dir string) func([]string) []string {
		return func(list []string) []string { return append(list, dir) }
	}
	change := func(f func([]string) []string) error { return ChangeList(path, name, f, themes.Collection{}) }
	if err := os.WriteFile(path, []byte("wait = \"1h\" # mine\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/a", "/b, with a comma"} {
		if err := change(add(dir)); err != nil {
			t.Fatal(err)
		}
	}
	if got := fileSettings(ReadFile(path, themes.Collection{})).TaskProjects; !slices.Equal(got, []string{"/a", "/b, with a comma"}) {
		t.Errorf("the list is %q", got)
	}
	if err := change(add("relative")); !errors.As(err, new(InputError)) {
		t.Errorf("a relative path: %v", err)
	}
	if err := change(func([]string) []string { return nil }); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(text), "projects") || !strings.Contains(string(text), "wait = \"1h\" # mine") {
		t.Errorf("after the last one left the file is %q, %v", text, err)
	}
	if err := ChangeList(path, "tasks.project", add("/a"), themes.Collection{}); !errors.As(err, new(InputError)) {
		t.Errorf("an unknown setting: %v", err)
	}
}
