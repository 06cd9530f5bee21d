package setup

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"planb/themes"
)

// fileSettings returns the settings of a file without flags and variables.
func fileSettings(f File) Settings {
	return f.Resolve(func(string) string { return "" }, nil).Settings
}

func with(change func(*Settings)) Settings {
	s := Defaults()
	change(&s)
	return s
}

func TestSettingsAreReadFromTheFile(t *testing.T) {
	premium := Endpoint{"http://localhost:1/v1", "MY_KEY", 2, emptyProfiles()}
	premium.Profiles[1].Models, premium.Profiles[1].JSONObject = []string{"a", "b"}, true
	quiet := func(s *Settings) { s.Ring = Ring{Bell: false, Title: true, Desktop: false, Message: true} }
	for name, c := range map[string]struct {
		file string
		want Settings
	}{
		"nothing":   {"", Defaults()},
		"a comment": {"# wait = \"1m\"\n", Defaults()},
		"everything": {"wait = \"59m30s\"\nanswer-timeout = '7d'\nopener = \"tmux\"\ntheme = \"light\"\ntoolsets = ['all']\nplans-dir = 'plans'\nprompt-file = 'p.md'\neditor = 'ed -x'\npanel = '30%'\nmouse = false\naccessible = true\n[ring]\nbell = false\ntitle = false\ndesktop = false\nmessage = false\n[tasks]\nprojects = ['/home/me/shop']\nprojects_limit = '3'\nmonthly_limit = \"200\"\ngrace = '30s'\n[draft]\ncommand = ['claude', '-p']\nbase_url = 'http://localhost:1/v1'\nkey_env = 'MY_KEY'\nworkers = 2\ndedup_seconds = 0\n[draft.profiles.premium]\nmodels = ['a', 'b']\njson_object = true\n",
			Settings{59*time.Minute + 30*time.Second, 7 * 24 * time.Hour, "tmux", []string{"all"}, "plans", "p.md", "light", "ed -x", 30, false, true, Ring{}, []string{"/home/me/shop"}, Tasks{3, 200, 30 * time.Second}, []string{"claude", "-p"}, premium, 0}},
		"inline":    {"ring = { bell = false, desktop = false }\n", with(quiet)},
		"dotted":    {"ring.bell = false\nring.desktop = false # at night\n", with(quiet)},
		"spellings": {"\"wait\" = '1h'\nopener = \"TMUX \"\r\n", with(func(s *Settings) { s.Wait, s.Opener = time.Hour, "tmux" })},
		"a mark":    {"\ufefftheme = \"dark\"\n", with(func(s *Settings) { s.Theme = "dark" })},
	} {
		t.Run(name, func(t *testing.T) {
			file := parseSettings("config.toml", []byte(c.file), themes.Collection{})
			if got := fileSettings(file); !reflect.DeepEqual(got, c.want) || len(file.Problems) > 0 {
				t.Errorf("got %+v and %v, want %+v", got, file.Problems, c.want)
			}
		})
	}
}

func TestKeysAreReadFromTheFile(t *testing.T) {
	want := []KeySetting{{"", "help", []string{"f2"}, 2}, {"form", "submit", []string{"ctrl+x", "f5"}, 4}, {"form", "note", []string{}, 5}, {"plan", "copy", []string{"c"}, 6}}
	for _, text := range []string{
		"[keys]\nhelp = 'f2'\n[keys.form]\nsubmit = ['ctrl+x', \"f5\"]\nnote = []\nkeys.plan.copy = 'c'\n",
		"\nkeys.help = 'f2'\n\nkeys.form.submit = ['ctrl+x', \"f5\"]\nkeys.form.note = []\nkeys.plan = { copy = 'c' }\n",
	} {
		file := parseSettings("config.toml", []byte(strings.Replace(text, "keys.plan.copy = 'c'\n", "[keys.plan]\ncopy = 'c'\n", 1)), themes.Collection{})
		got := file.Keys
		if len(got) == 4 && got[3].Line == 7 {
			got[3].Line = 6 // its table has a line of its own
		}
		if !reflect.DeepEqual(got, want) || len(file.Problems) > 0 {
			t.Errorf("got %v and %v, want %v", got, file.Problems, want)
		}
	}
}

// Each mistake is named, and the other settings apply.
func TestWrongSettingsAreNamedAndTheOthersCount(t *testing.T) {
	for name, c := range map[string]struct {
		file    string
		want    []string
		without []string
	}{
		"mistyped key":      {file: "\n\nopner = \"tmux\"", want: []string{`config.toml:3: there is no setting "opner"; did you mean opener?`}},
		"key without table": {file: "bell = false", want: []string{`config.toml:1: there is no setting "bell"; did you mean ring.bell?`}},
		"mistyped in table": {file: "[ring]\n\nbel = false", want: []string{`config.toml:3: there is no setting "ring.bel"; did you mean ring.bell?`}},
		"no such thing":     {file: "banana = 3", want: []string{`config.toml:1: there is no setting "banana"; ` + "`planb config` lists them all"}},
		"no such table":     {file: "[banana]\nwait = 3\n[ring]\nbell = 3", want: []string{`config.toml:1: there is no table "banana"`, "config.toml:4: ring.bell is 3; allowed: true or false"}},
		"list of tables":    {file: "[[ring]]\nbell = 3", want: []string{"config.toml:1: ring is one table, not a list of tables; write [ring]"}},
		"key as table":      {file: "[wait]\nx = 3", want: []string{`config.toml:1: wait is a setting, not a table; write it without brackets, as wait = "0s"`}},
		"table as key":      {file: "ring = true", want: []string{"config.toml:1: ring is a table, not a setting; the settings in it are ring.bell, ring.title, ring.desktop, ring.message"}},
		"in inline table":   {file: "ring = {\n bell = false,\n sound = true }", want: []string{`config.toml:3: there is no setting "ring.sound"`}},
		"negative wait":     {file: `wait = "-5s"`, want: []string{`config.toml:1: wait is "-5s"; allowed: a duration that is not negative, such as "4m30s"`}},
		"number as wait":    {file: "wait = 270", want: []string{"config.toml:1: wait is 270; allowed: a duration"}},
		"opener":            {file: `opener = "teleport"`, want: []string{`config.toml:1: opener is "teleport"; allowed: one of "auto", "none", "tmux"`}},
		"theme":             {file: `theme = ["dark"]`, want: []string{`config.toml:1: theme is a list; allowed: "", or one of "planb", "dark", "light"`}},
		"panel, too much":   {file: `panel = "91%"`, want: []string{`config.toml:1: panel is "91%"; allowed: "", or a percentage from 10% to 90%, such as "45%"`}},
		"panel, too little": {file: `panel = "9%"`, want: []string{`config.toml:1: panel is "9%"; allowed: "", or a percentage`}},
		"an address":        {file: `draft.base_url = "http://me:secret@host/v1"`, want: []string{`config.toml:1: draft.base_url is "http://me:secret@host/v1"; allowed: "", or an address without a user`}},
		"no address":        {file: `draft.base_url = "localhost"`, want: []string{`config.toml:1: draft.base_url is "localhost"; allowed: "", or an address`}},
		"a key":             {file: `draft.key_env = "sk-12"`, want: []string{`config.toml:1: draft.key_env is "sk-12"; allowed: "", or the name of a variable`}},
		"no seconds":        {file: `draft.dedup_seconds = -1`, want: []string{`config.toml:1: draft.dedup_seconds is -1; allowed: a whole number of seconds, such as "600"`}},
		"a limit of none":   {file: `tasks.monthly_limit = "0"`, want: []string{`config.toml:1: tasks.monthly_limit is "0"; allowed: "", or a whole number above 0, such as "8"`}},
		"a limit in words":  {file: `tasks.projects_limit = "few"`, want: []string{`config.toml:1: tasks.projects_limit is "few"; allowed: "", or a whole number`}},
		"no grace":          {file: `tasks.grace = "0s"`, want: []string{`config.toml:1: tasks.grace is "0s"; allowed: a duration above 0`}},
		"panel, a number":   {file: `panel = 45`, want: []string{`config.toml:1: panel is 45; allowed: "", or a percentage`}},
		"panel, no percent": {file: `panel = "45"`, want: []string{`config.toml:1: panel is "45"; allowed: "", or a percentage`}},
		"text as switch":    {file: `ring.bell = "false"`, want: []string{`config.toml:1: ring.bell is "false"; allowed: true or false`}},
		"not TOML":          {file: "wait = \"1m\"\nopener tmux\n", want: []string{"config.toml:2: the settings are not TOML, so the defaults are used: "}},
		"without quotes":    {file: "wait = \"1m\"\ntheme = nord # dark\n", want: []string{`config.toml:2: the settings are not TOML, so the defaults are used: a text needs quotes: theme = "nord"`}},
		"time, no quotes":   {file: "[tasks]\ngrace = 5m", want: []string{`config.toml:2: the settings are not TOML, so the defaults are used: a text needs quotes: grace = "5m"`}},
		"one name as list":  {file: `toolsets = "session"`, want: []string{`config.toml:1: toolsets is "session"; allowed: a list of "session", "review"`}},
		"twice":             {file: "wait = \"1m\"\nwait = \"2m\"\n", want: []string{"config.toml:2: the settings are not TOML"}},
		"hostile": {file: "\"\x7f\u202e\" = \"" + strings.Repeat("long", 100) + "\"\ntheme = \"\\u001b]0;x\\u0007" + strings.Repeat("long", 100) + "\"",
			want: []string{"not TOML"}, without: []string{"\x1b"}},
		"escapes": {file: "theme = \"\\u001b]0;x\\u0007" + strings.Repeat("long", 100) + "\"",
			want: []string{"… (406 bytes)"}, without: []string{"\x1b", strings.Repeat("long", 20)}},
	} {
		t.Run(name, func(t *testing.T) {
			problems := parseSettings("config.toml", []byte(c.file), themes.Collection{}).Problems
			var lines strings.Builder
			for _, p := range problems {
				lines.WriteString(p.Error() + "\n")
			}
			if len(problems) != len(c.want) {
				t.Errorf("%d problems, want %d:\n%s", len(problems), len(c.want), &lines)
			}
			for _, want := range c.want {
				if !strings.Contains(lines.String(), want) {
					t.Errorf("got\n%swant %s", &lines, want)
				}
			}
			for _, not := range c.without {
				if strings.Contains(lines.String(), not) {
					t.Errorf("got\n%swhich has %q", &lines, not)
				}
			}
		})
	}
	got := fileSettings(parseSettings("config.toml", []byte("wait = 3\ntheme = \"light\"\nring.bell = 1\nring.title = false"), themes.Collection{}))
	if want := with(func(s *Settings) { s.Theme, s.Ring.Title = "light", false }); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestAFileThatCannotBeReadLeavesTheDefaults(t *testing.T) {
	dir := t.TempDir()
	large, valid := filepath.Join(dir, "large"), filepath.Join(dir, "valid")
	for path, text := range map[string]string{large: strings.Repeat("#\n", maxSettingsBytes), valid: "theme = 'light'"} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "absent"): "",
		dir:                          "it is a directory, not a file",
		large:                        "it has 131072 bytes, the limit is 65536",
		filepath.Join(valid, "x"):    "not a directory",
	} {
		file := ReadFile(path, themes.Collection{})
		problems := file.Problems
		if settings := fileSettings(file); !reflect.DeepEqual(settings, Defaults()) {
			t.Errorf("%s: %+v", path, settings)
		}
		if want == "" && len(problems) > 0 || want != "" && (len(problems) != 1 || !strings.Contains(problems[0].Error(), want)) {
			t.Errorf("%s: %v, want %q", path, problems, want)
		}
	}
	if file := ReadFile(valid, themes.Collection{}); !file.Exists || fileSettings(file).Theme != "light" || len(file.Problems) > 0 {
		t.Errorf("%+v", file)
	}
}

// A file full of mistakes must not delay a form: a file twice as long may take
// little more than twice the work.
func TestAFileOfMistakesIsReadAtOnce(t *testing.T) {
	for name, texts := range map[string]func(size int) string{
		"no settings": func(size int) string {
			return linesUpTo(size, func(i int) string { return fmt.Sprintf("x%d = []\n", i) })
		},
		"no keys": func(size int) string {
			return "[keys.form]\n" + linesUpTo(size, func(i int) string { return fmt.Sprintf("x%d = 1\n", i) })
		},
	} {
		parse := func(size int) File {
			return parseSettings("config.toml", []byte("theme = 'light'\n"+texts(size)), themes.Collection{})
		}
		work := func(size int) float64 { return testing.AllocsPerRun(1, func() { parse(size) }) }
		if half, whole := work(maxSettingsBytes/8), work(maxSettingsBytes/4); whole > 2.5*half {
			t.Errorf("%s: %.0f allocations became %.0f with twice the file", name, half, whole)
		}
		file := parse(maxSettingsBytes / 4)
		if n := len(file.Problems); n != maxProblems+1 || !strings.Contains(file.Problems[n-1].Reason, "more mistakes") {
			t.Errorf("%s: %d problems, the last one %v", name, n, file.Problems[n-1])
		}
		if fileSettings(file).Theme != "light" {
			t.Errorf("%s: what is right does not count", name)
		}
	}
}

// linesUpTo returns as many lines as fit a size.
func linesUpTo(size int, line func(i int) string) string {
	var text strings.Builder
	for i := 0; text.Len()+len(line(i)) <= size; i++ {
		text.WriteString(line(i))
	}
	return text.String()
}

// The list of keys is their documentation, so it must be true.
func TestEveryKeyIsDocumentedTruly(t *testing.T) {
	for _, key := range Keys(themes.Collection{}) {
		if key.About == "" || key.Allowed() == "" {
			t.Errorf("%s is not documented", key.Name)
		}
		file := parseSettings("config.toml", []byte(key.Name+" = "+key.Default()), themes.Collection{})
		if got := fileSettings(file); !reflect.DeepEqual(got, Defaults()) || len(file.Problems) > 0 || len(file.values) != 1 {
			t.Errorf("the default of %s sets %+v, %v", key.Name, got, file.Problems)
		}
	}
}

func FuzzSettings(f *testing.F) {
	for _, seed := range []string{"", "wait = \"1m\"", "[ring]\nbell = false", "ring = { bell = 3 }", "[[ring]]\n[a.b]\nc.d = [1,\n{e=2}]", "opner = ''", "[keys]\nhelp = 'f2'\n[keys.form]\nnote = []\n", "keys = { form = { x = ['a', 1] } }", "[[keys.form]]", "keys.a.b.c = 1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, file string) {
		read := parseSettings("config.toml", []byte(file), themes.Collection{})
		for _, p := range read.Problems {
			if p.Line < 0 || p.Line > strings.Count(file, "\n")+1 || p.Reason == "" {
				t.Errorf("%#v", p)
			}
		}
		if settings := fileSettings(read); settings.Wait < 0 || settings.AnswerTimeout <= 0 || len(settings.Toolsets) == 0 {
			t.Errorf("%+v", settings)
		}
		for _, k := range read.Keys {
			if k.Action == "" && k.Screen == "" && !strings.Contains(file, `"`) && !strings.Contains(file, "'") || k.Keys == nil || k.Line < 1 {
				t.Errorf("%+v", k)
			}
		}
	})
}
