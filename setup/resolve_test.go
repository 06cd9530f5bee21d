package setup

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"planb/themes"
)

// For every setting a flag overrides a variable, that overrides the file, and
// that overrides the default. A blank value counts as unset. A wrong value is
// named, and the weaker one applies.
func TestTheStrongerSettingCounts(t *testing.T) {
	for name, c := range map[string]struct{ inFile, ofFile, inEnv, ofEnv, flag, ofFlag string }{
		"wait":           {`"1m"`, `"1m"`, "2m", `"2m"`, "3m", `"3m"`},
		"answer-timeout": {`"2d"`, `"48h"`, "90000", `"1m30s"`, "36h", `"36h"`},
		"opener":         {`"tmux"`, `"tmux"`, " Zellij", `"zellij"`, "none", `"none"`},
		"toolsets":       {`["review"]`, `["review"]`, "", "", "session, review", `["session", "review"]`},
		"plans-dir":      {`"a b"`, `"a b"`, "", "", "c", `"c"`},
		"prompt-file":    {`"p.md"`, `"p.md"`, "", "", "q.md", `"q.md"`},
		"theme":          {`"light"`, `"light"`, "DARK", `"dark"`, "", ""},
		"editor":         {`"code --wait"`, `"code --wait"`, "vi", `"vi"`, "", ""},
		"panel":          {`"30%"`, `"30%"`, "", "", "", ""},
		"mouse":          {"false", "false", "", "", "", ""},
		"accessible":     {"true", "true", "1", "true", "", ""},
		"ring.bell":      {"false", "false", "", "", "", ""},
		"ring.title":     {"false", "false", "", "", "", ""},
		"ring.desktop":   {"false", "false", "", "", "", ""},
		"ring.message":   {"false", "false", "", "", "", ""},
		"tasks.projects": {`["/a", "/b"]`, `["/a", "/b"]`, "", "", "", ""},

		"tasks.projects_limit": {`"3"`, `"3"`, "", "", "", ""},
		"tasks.monthly_limit":  {`"200"`, `"200"`, "", "", "", ""},
		"tasks.grace":          {`"30s"`, `"30s"`, "", "", "", ""},

		"draft.command":  {`["claude", "-p"]`, `["claude", "-p"]`, "", "", "", ""},
		"draft.base_url": {`"https://models.example/v1"`, `"https://models.example/v1"`, "", "", "", ""},
		"draft.key_env":  {`"MY_KEY"`, `"MY_KEY"`, "", "", "", ""},
		"draft.workers":  {`2`, `"2"`, "", "", "", ""},

		"draft.dedup_seconds": {`30`, `"30"`, "", "", "", ""},

		"draft.profiles.baseline.models": {`["a", "b"]`, `["a", "b"]`, "", "", "", ""}, "draft.profiles.baseline.json_object": {"true", "true", "", "", "", ""},
		"draft.profiles.premium.models": {`["a", "b"]`, `["a", "b"]`, "", "", "", ""}, "draft.profiles.premium.json_object": {"true", "true", "", "", "", ""},
		"draft.profiles.frontier.models": {`["a", "b"]`, `["a", "b"]`, "", "", "", ""}, "draft.profiles.frontier.json_object": {"true", "true", "", "", "", ""},
		"draft.profiles.custom.models": {`["a", "b"]`, `["a", "b"]`, "", "", "", ""}, "draft.profiles.custom.json_object": {"true", "true", "", "", "", ""},
	} {
		key, err := keyNamed(name, Keys(themes.Collection{}))
		if err != nil {
			t.Fatal(err)
		}
		if (key.Env == "") != (c.inEnv == "") || (key.Flag == "") != (c.flag == "") {
			t.Errorf("%s: has the variable %q and the flag %q, the test %q and %q", name, key.Env, key.Flag, c.inEnv, c.flag)
		}
		file := parseSettings("config.toml", []byte("\n"+name+" = "+c.inFile), themes.Collection{})
		for _, step := range []struct {
			file        File
			env, flag   string
			value, from string
		}{
			{File{}, "", "", key.Default(), "default"},
			{file, "", "", c.ofFile, "line 2"},
			{file, c.inEnv, "", c.ofEnv, key.Env},
			{file, c.inEnv, c.flag, c.ofFlag, "--" + key.Flag},
			{file, "", c.flag, c.ofFlag, "--" + key.Flag},
			{file, "  ", " ", c.ofFile, "line 2"},
			{File{}, c.inEnv, "", c.ofEnv, key.Env},
		} {
			if step.value == "" {
				continue // it has no such thing
			}
			r := step.file.Resolve(func(variable string) string {
				if variable == key.Env {
					return step.env
				}
				return ""
			}, map[string]string{key.Flag: step.flag})
			for _, e := range r.List {
				want, from := e.Default(), "default"
				if e.Name == name {
					want, from = step.value, step.from
				}
				if e.Value != want || e.From() != from || r.Check() != nil {
					t.Errorf("%s of %+v: %s is %s from %s, want %s from %s; %v", name, step, e.Name, e.Value, e.From(), want, from, r.Check())
				}
			}
		}
	}
	if covered := len(Keys(themes.Collection{})); covered != 32 {
		t.Errorf("there are %d settings; add the new one to the table above", covered)
	}
}

func TestWrongVariablesAndFlagsAreNamed(t *testing.T) {
	file := parseSettings("config.toml", []byte("wait = '1m'\ntheme = 'light'"), themes.Collection{})
	env := map[string]string{"PLANB_WAIT": "soon", "PLANB_OPENER": "tmus", "ASK_ANSWER_TIMEOUT_MS": "0", "PLANB_THEME": "ligth"}
	r := file.Resolve(func(name string) string { return env[name] }, map[string]string{"toolsets": "session,all of them"})
	want := `PLANB_WAIT is "soon"; allowed: a duration that is not negative, such as "4m30s"
ASK_ANSWER_TIMEOUT_MS is "0", not a whole number of milliseconds above 0; set it to, for example, 86400000 (a day), or unset it
PLANB_OPENER is "tmus"; did you mean "tmux"? Allowed: one of "auto", …
--toolsets is "session,all of them"; allowed: a list of "session", "review", "tasks", "work", "drafts", "drafts-v1", "all"
PLANB_THEME is "ligth"; did you mean "light"? ` + "`planb tui themes` shows what is allowed"
	got := regexp.MustCompile(`(one of "auto", ).*`).ReplaceAllString(r.Check().Error(), "${1}…")
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if r.Check("mouse", "editor") != nil || r.Check("theme") == nil {
		t.Error("the check of some is not about them")
	}
	if r.Wait.Minutes() != 1 || r.Theme != "light" || r.Opener != "auto" {
		t.Errorf("%+v", r.Settings)
	}
	right := file.Resolve(func(name string) string { return env[name] }, map[string]string{"wait": "2m"})
	if right.Check("wait") != nil || right.Wait.Minutes() != 2 {
		t.Errorf("a flag does not stand for a wrong variable: %v, %v", right.Wait, right.Check("wait"))
	}
}

// The example is a settings file that sets nothing. Each of its settings shows
// the default.
func TestTheExampleIsAFile(t *testing.T) {
	example := Example()
	for line := range strings.Lines(example) {
		if len(line) > 81 {
			t.Errorf("a line of %d characters: %s", len(line)-1, line)
		}
	}
	file := parseSettings("config.toml", []byte(example), themes.Collection{})
	if len(file.values) > 0 || len(file.Keys) > 0 || len(file.Problems) > 0 {
		t.Errorf("%+v", file)
	}
	settings := regexp.MustCompile(`(?m)^# ([a-z_-]+ = )`)
	file = parseSettings("config.toml", []byte(settings.ReplaceAllString(example, "$1")), themes.Collection{})
	if len(file.values) != len(Keys(themes.Collection{})) || len(file.Keys) != 2 || len(file.Problems) > 0 || !reflect.DeepEqual(fileSettings(file), Defaults()) {
		t.Errorf("%+v", file)
	}
	for _, key := range Keys(themes.Collection{}) {
		path := settingsFile(t, example)
		text := strings.Trim(key.Default(), `"`)
		if key.IsList() {
			text = strings.NewReplacer("[", "", "]", "", `"`, "").Replace(key.Default())
		}
		if err := SetSetting(path, key.Name, text, themes.Collection{}); err != nil {
			t.Fatal(err)
		}
		set := ReadFile(path, themes.Collection{})
		if len(set.values) != 1 || strings.Count(readText(t, path), "\n") != strings.Count(example, "\n") {
			t.Errorf("%s was not brought to life where it stands", key.Name)
		}
	}
}
