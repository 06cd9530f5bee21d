package clients

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/mcp/pane"
	"planb/setup/edit"
	"planb/setup/known"
)

// home returns a place without files.
func home(t *testing.T, env ...string) Place {
	t.Helper()
	dir := t.TempDir()
	return Place{
		Home: dir,
		Env: func(name string) string {
			for _, pair := range env {
				if value, ok := strings.CutPrefix(pair, name+"="); ok {
					return strings.ReplaceAll(value, "HOME", dir)
				}
			}
			return ""
		},
		Exists: func(path string) bool {
			_, err := os.Stat(path)
			return err == nil
		},
	}
}

func client(t *testing.T, name string) Client {
	t.Helper()
	c, ok := ByName(name)
	if !ok {
		t.Fatalf("no client %s", name)
	}
	return c
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// put writes all planned files, and returns their texts by the path below the
// place.
func put(t *testing.T, files []File, below string) (texts map[string]string, changed bool) {
	t.Helper()
	texts = map[string]string{}
	for _, f := range files {
		r, err := f.Plan()
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(below, f.Path)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = string(r.After)
		if r.Changed() {
			changed = true
			if _, err := r.Write(time.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	return texts, changed
}

// variableLines are the variables that Codex must pass on, formatted as package
// edit does.
func variableLines(t *testing.T) string {
	t.Helper()
	text, err := edit.Apply(edit.TOML{}, nil, edit.Set(known.Variables(), "env_vars"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// keepByName accepts a name that starts the same program.
func keepByName(registered string) bool { return registered == "my-planb" }

func TestRegistering(t *testing.T) {
	variables := variableLines(t)
	for name, c := range map[string]struct {
		client string
		env    []string
		before map[string]string // below home
		want   map[string]string
	}{
		"claude, nothing there": {
			client: "claude",
			want: map[string]string{
				".claude.json":          "{\n  \"mcpServers\": {\n    \"planb\": {\n      \"type\": \"stdio\",\n      \"command\": \"/opt/planb\",\n      \"args\": [\"mcp\"],\n      \"timeout\": 100800000\n    }\n  }\n}\n",
				".claude/settings.json": "{\n  \"permissions\": {\n    \"allow\": [\"mcp__planb\"]\n  }\n}\n",
			},
		},
		"claude, with others": {
			client: "claude", env: []string{"CLAUDE_CONFIG_DIR=HOME/cc"},
			before: map[string]string{
				"cc/.claude.json":  "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"ask\": {\n      \"command\": \"/old/planb\",\n      \"args\": [\"mcp\", \"--toolsets\", \"all\"],\n      \"env\": {\"A\": \"b\"}\n    }\n  },\n  \"projects\": {}\n}\n",
				"cc/settings.json": "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls:*)\"\n    ]\n  }\n}\n",
			},
			want: map[string]string{
				"cc/.claude.json":  "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"ask\": {\n      \"command\": \"/opt/planb\",\n      \"args\": [\"mcp\", \"--toolsets\", \"all\"],\n      \"env\": {\"A\": \"b\"},\n      \"type\": \"stdio\",\n      \"timeout\": 100800000\n    }\n  },\n  \"projects\": {}\n}\n",
				"cc/settings.json": "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(ls:*)\",\n      \"mcp__ask\"\n    ]\n  }\n}\n",
			},
		},
		"claude, allowed by another rule": {
			client: "claude",
			before: map[string]string{".claude/.config.json": "{}", ".claude/settings.json": "{\"permissions\": {\"allow\": [\"mcp__planb__*\"]}}"},
			want: map[string]string{
				".claude/.config.json":  "{\n  \"mcpServers\": {\n    \"planb\": {\n      \"type\": \"stdio\",\n      \"command\": \"/opt/planb\",\n      \"args\": [\"mcp\"],\n      \"timeout\": 100800000\n    }\n  }\n}",
				".claude/settings.json": "{\"permissions\": {\"allow\": [\"mcp__planb__*\"]}}",
			},
		},
		"claude, added in a project": {
			client: "claude",
			before: map[string]string{".claude.json": "{\n  \"projects\": {\n    \"/a\": {\n      \"mcpServers\": {\n        \"planb\": { \"command\": \"planb\", \"args\": [\"mcp\"], \"timeout\": 60000 }\n      }\n    },\n    \"/b\": {}\n  },\n  \"mcpServers\": {}\n}\n", ".claude/settings.json": "{\"permissions\": {\"allow\": [\"mcp__planb\"]}}"},
			want: map[string]string{
				".claude.json":          "{\n  \"projects\": {\n    \"/a\": {\n      \"mcpServers\": {\n        \"planb\": { \"command\": \"/opt/planb\", \"args\": [\"mcp\"], \"timeout\": 100800000, \"type\": \"stdio\" }\n      }\n    },\n    \"/b\": {}\n  },\n  \"mcpServers\": {\n    \"planb\": {\n      \"type\": \"stdio\",\n      \"command\": \"/opt/planb\",\n      \"args\": [\"mcp\"],\n      \"timeout\": 100800000\n    }\n  }\n}\n",
				".claude/settings.json": "{\"permissions\": {\"allow\": [\"mcp__planb\"]}}",
			},
		},
		"codex, nothing there": {
			client: "codex",
			want: map[string]string{".codex/config.toml": "[mcp_servers.planb]\ncommand = \"/opt/planb\"\nargs = [\"mcp\", \"--wait\", \"59m30s\"]\n" + variables +
				"tool_timeout_sec = 3600\ndefault_tools_approval_mode = \"approve\"\n"},
		},
		"codex, an older entry": {
			client: "codex", env: []string{"CODEX_HOME=HOME/cx"},
			before: map[string]string{"cx/config.toml": "model = \"m\" # mine\n\n[mcp_servers.planb]\ncommand = '/opt/planb'\nargs = [\"mcp\", \"--wait=5m\", \"--opener\", \"tmux\"] # five\nenv_vars = [\"MINE\", \"TMUX\"]\nenabled = false\ndefault_tools_approval_mode = \"prompt\"\n\n[tui]\na = 1\n"},
			want: map[string]string{"cx/config.toml": "model = \"m\" # mine\n\n[mcp_servers.planb]\ncommand = '/opt/planb'\nargs = [\"mcp\", \"--wait\", \"59m30s\", \"--opener\", \"tmux\"] # five\nenv_vars = [\"MINE\", " +
				`"` + strings.Join(known.Variables(), `", "`) + `"]` + "\nenabled = true\ndefault_tools_approval_mode = \"prompt\"\ntool_timeout_sec = 3600\n\n[tui]\na = 1\n"},
		},
		// Codex and opencode refuse an entry with both an address and a command, and Gemini CLI
		// prefers the address.
		"codex, a server elsewhere": {
			client: "codex",
			before: map[string]string{".codex/config.toml": "model = \"m\"\n\n[mcp_servers.planb]\nurl = \"https://example.invalid/mcp\"\ndefault_tools_approval_mode = \"prompt\"\n\n[mcp_servers.planb.http_headers]\nX = \"y\"\n\n[tui]\na = 1\n"},
			want: map[string]string{".codex/config.toml": "model = \"m\"\n\n[mcp_servers.planb]\ndefault_tools_approval_mode = \"prompt\"\ncommand = \"/opt/planb\"\nargs = [\"mcp\", \"--wait\", \"59m30s\"]\n" + variables +
				"tool_timeout_sec = 3600\n\n[tui]\na = 1\n"},
		},
		"opencode, a server elsewhere": {
			client: "opencode", env: []string{"OPENCODE_CONFIG=HOME/my.json"},
			before: map[string]string{"my.json": `{"mcp": {"planb": {"type": "remote", "url": "https://example.invalid/mcp", "headers": {}, "enabled": false}}}`},
			want:   map[string]string{"my.json": `{"mcp": {"planb": {"type": "local", "enabled": true, "command": ["/opt/planb", "mcp"], "timeout": 3600000}}}`},
		},
		"gemini, a server elsewhere beside a command": {
			client: "gemini",
			before: map[string]string{".gemini/settings.json": `{"mcpServers": {"planb": {"httpUrl": "https://example.invalid/mcp", "command": "my-planb", "args": ["mcp", "--opener", "tmux"]}, "x": {"url": "y"}}}`},
			want:   map[string]string{".gemini/settings.json": `{"mcpServers": {"planb": { "command": "my-planb", "args": ["mcp", "--wait", "59m30s", "--opener", "tmux"], "timeout": 3600000, "trust": true}, "x": {"url": "y"}}}`},
		},
		"claude, a server elsewhere": {
			client: "claude",
			before: map[string]string{".claude.json": `{"mcpServers": {"planb": {"type": "http", "url": "https://example.invalid/mcp"}}}`},
			want: map[string]string{
				".claude.json":          `{"mcpServers": {"planb": {"type": "stdio", "command": "/opt/planb", "args": ["mcp"], "timeout": 100800000}}}`,
				".claude/settings.json": "{\n  \"permissions\": {\n    \"allow\": [\"mcp__planb\"]\n  }\n}\n",
			},
		},
		"opencode, nothing there": {
			client: "opencode", env: []string{"XDG_CONFIG_HOME=HOME/xdg"},
			want: map[string]string{"xdg/opencode/opencode.json": "{\n  \"mcp\": {\n    \"planb\": {\n      \"type\": \"local\",\n      \"command\": [\"/opt/planb\", \"mcp\"],\n      \"timeout\": 3600000\n    }\n  }\n}\n"},
		},
		"opencode, with comments": {
			client: "opencode",
			before: map[string]string{".config/opencode/opencode.jsonc": "{\n  // mine\n  \"mcp\": {\n    \"planb\": { \"type\": \"local\", \"enabled\": false, \"command\": [\"/opt/planb\", \"mcp\", \"--wait\", \"5m\"], },\n  },\n}\n"},
			want:   map[string]string{".config/opencode/opencode.jsonc": "{\n  // mine\n  \"mcp\": {\n    \"planb\": { \"type\": \"local\", \"enabled\": true, \"command\": [\"/opt/planb\", \"mcp\", \"--wait\", \"5m\"], \"timeout\": 3600000, },\n  },\n}\n"},
		},
		"opencode, a file by name": {
			client: "opencode", env: []string{"OPENCODE_CONFIG=HOME/my.json"},
			before: map[string]string{"my.json": "{}"},
			want:   map[string]string{"my.json": "{\n  \"mcp\": {\n    \"planb\": {\n      \"type\": \"local\",\n      \"command\": [\"/opt/planb\", \"mcp\"],\n      \"timeout\": 3600000\n    }\n  }\n}"},
		},
		"gemini, another name of the program": {
			client: "gemini",
			before: map[string]string{".gemini/settings.json": `{"mcpServers": {"planb": {"command": "my-planb", "args": ["mcp", "--opener", "tmux"]}}}`},
			want:   map[string]string{".gemini/settings.json": `{"mcpServers": {"planb": {"command": "my-planb", "args": ["mcp", "--wait", "59m30s", "--opener", "tmux"], "timeout": 3600000, "trust": true}}}`},
		},
		"gemini": {
			client: "gemini", env: []string{"GEMINI_CLI_HOME=HOME/g"},
			before: map[string]string{"g/.gemini/settings.json": "{\n  \"mcpServers\": {\n    \"planb\": {\n      \"command\": \"docker\",\n      \"args\": [\"run\", \"planb\"],\n      \"trust\": false\n    }\n  }\n}\n"},
			want:   map[string]string{"g/.gemini/settings.json": "{\n  \"mcpServers\": {\n    \"planb\": {\n      \"command\": \"/opt/planb\",\n      \"args\": [\"mcp\", \"--wait\", \"59m30s\"],\n      \"trust\": false,\n      \"timeout\": 3600000\n    }\n  }\n}\n"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			place := home(t, c.env...)
			for path, text := range c.before {
				write(t, filepath.Join(place.Home, path), text)
			}
			cl := client(t, c.client)
			got, _ := put(t, cl.Register(place, "/opt/planb", keepByName), place.Home)
			for path, want := range c.want {
				if got[path] != want {
					t.Errorf("%s holds\n%s\nwant\n%s", path, got[path], want)
				}
			}
			if len(got) != len(c.want) {
				t.Errorf("files %v", got)
			}
			if again, changed := put(t, cl.Register(place, "/opt/planb", keepByName), place.Home); changed {
				t.Errorf("a second time changes %v", again)
			}
			r := cl.Inspect(place)
			if r.Err != nil || !r.Registered || r.Disabled || r.Command != "/opt/planb" && r.Command != "my-planb" || r.Limit != cl.Limit || !r.WaitFits() || len(r.Missing) > 0 {
				t.Errorf("inspected: %+v", r)
			}
			put(t, cl.Unregister(place), place.Home)
			if r := cl.Inspect(place); r.Err != nil || r.Registered || r.Projects != nil {
				t.Errorf("still there: %+v", r)
			}
		})
	}
}

// A person who removes planb means every entry that starts it, whatever its name.
func TestEveryEntryIsRemoved(t *testing.T) {
	claude, place := client(t, "claude"), home(t)
	const entry = `{"command": "/opt/planb", "args": ["mcp"]}`
	write(t, filepath.Join(place.Home, ".claude.json"),
		`{"mcpServers": {"planb": {"command": "npx"}, "ask": `+entry+`, "other": {"command": "x"}}, "projects": {"/a": {"mcpServers": {"one": `+entry+`, "two": `+entry+`}}}}`)
	write(t, filepath.Join(place.Home, ".claude/settings.json"), `{"permissions": {"allow": ["mcp__planb", "mcp__ask", "mcp__other"]}}`)
	texts, _ := put(t, claude.Unregister(place), place.Home)
	if r := claude.Inspect(place); r.Registered || r.Projects != nil || !strings.Contains(texts[".claude.json"], `"other"`) {
		t.Errorf("left is %s", texts[".claude.json"])
	}
	if got := texts[".claude/settings.json"]; got != `{"permissions": {"allow": [ "mcp__other"]}}` {
		t.Errorf("allowed is %s", got)
	}
}

// A file that a team commits contains no person's directories.
func TestRegisteringForAProject(t *testing.T) {
	want := map[string][]string{
		"claude":   {".mcp.json", ".claude/settings.json"},
		"codex":    {".codex/config.toml"},
		"opencode": {"opencode.json"},
		"gemini":   {".gemini/settings.json"},
	}
	for _, c := range All() {
		place := home(t)
		place.Project = t.TempDir()
		got, _ := put(t, c.Register(place, "planb", nil), place.Project)
		for _, name := range want[c.Name] {
			if !strings.Contains(got[name], "planb") {
				t.Errorf("%s: %s holds %q", c.Name, name, got[name])
			}
		}
		for name, text := range got {
			if strings.Contains(text, place.Home) || strings.Contains(text, place.Project) {
				t.Errorf("%s names a directory of this machine:\n%s", name, text)
			}
		}
		if len(got) != len(want[c.Name]) {
			t.Errorf("%s: %v", c.Name, got)
		}
	}
}

func TestInspecting(t *testing.T) {
	missing := func(r Registration) bool { return slices.Contains(r.Missing, "TMUX") }
	for name, c := range map[string]struct {
		client string
		files  map[string]string
		holds  func(Registration) bool
	}{
		"nothing": {"codex", nil, func(r Registration) bool { return !r.Exists && !r.Registered && r.Err == nil }},
		"another": {"codex", map[string]string{".codex/config.toml": "[mcp_servers.x]\ncommand = 'x'"}, func(r Registration) bool { return r.Exists && !r.Registered }},
		"by hand": {"codex", map[string]string{".codex/config.toml": "[mcp_servers.p]\ncommand = 'planb'\nargs = ['mcp']"}, func(r Registration) bool {
			return r.Name == "p" && r.Limit == 5*time.Minute && r.WaitFits() && missing(r) && r.Permission == Asked
		}},
		"elsewhere":          {"gemini", map[string]string{".gemini/settings.json": `{"mcpServers": {"planb": {"httpUrl": "https://example.invalid", "command": "planb"}}}`}, func(r Registration) bool { return r.Registered && r.Elsewhere }},
		"waits too long":     {"codex", map[string]string{".codex/config.toml": "[mcp_servers.planb]\ncommand = 'planb'\nargs = ['mcp', '--wait', '5m']"}, func(r Registration) bool { return r.Wait == 5*time.Minute && !r.WaitFits() }},
		"shorter than known": {"codex", map[string]string{".codex/config.toml": "[mcp_servers.planb]\ncommand = 'planb'\ntool_timeout_sec = 30.5"}, func(r Registration) bool { return r.Limit == 30500*time.Millisecond && !r.WaitFits() }},
		"switched off":       {"opencode", map[string]string{".config/opencode/config.json": `{"mcp": {"planb": {"enabled": false, "command": ["planb"]}}}`}, func(r Registration) bool { return r.Disabled && r.Permission == Allowed }},
		"passes tables":      {"codex", map[string]string{".codex/config.toml": "[mcp_servers.planb]\ncommand = 'planb'\nenv_vars = [{ name = 'TMUX' }]"}, func(r Registration) bool { return !missing(r) && len(r.Missing) == len(known.Variables())-1 }},
		"allowed":            {"claude", map[string]string{".claude.json": `{"mcpServers": {"planb": {"command": "planb", "args": ["mcp"]}}}`, ".claude/settings.json": `{"permissions": {"allow": ["mcp__planb"]}}`}, func(r Registration) bool { return r.Permission == Allowed }},
		"forbidden":          {"claude", map[string]string{".claude.json": `{"mcpServers": {"planb": {"command": "planb", "args": ["mcp"]}}}`, ".claude/settings.json": `{"permissions": {"allow": ["mcp__planb"], "deny": ["mcp__planb__*"]}}`}, func(r Registration) bool { return r.Permission == Forbidden }},
		"in a project":       {"claude", map[string]string{".claude.json": `{"projects": {"/a": {"mcpServers": {"planb": {"command": "planb"}}}, "/b": 3}}`}, func(r Registration) bool { return !r.Registered && slices.Equal(r.Projects, []string{"/a"}) }},
		"a minute":           {"claude", map[string]string{".claude.json": `{"mcpServers": {"planb": {"command": "planb", "timeout": 60000}}}`}, func(r Registration) bool { return r.Limit == time.Minute && !r.WaitFits() }},
		"a minute, extended": {"opencode", map[string]string{".config/opencode/opencode.json": `{"mcp": {"planb": {"command": ["planb"], "timeout": 60000}}}`}, func(r Registration) bool { return r.Limit == time.Minute && r.WaitFits() }},
		"trusted":            {"gemini", map[string]string{".gemini/settings.json": `{"mcpServers": {"planb": {"command": "planb", "trust": true}}}`}, func(r Registration) bool { return r.Permission == Allowed }},
		"not to be understood": {"gemini", map[string]string{".gemini/settings.json": "{\n  mcpServers: {}\n}"}, func(r Registration) bool {
			return r.Exists && strings.Contains(r.Err.Error(), ".gemini/settings.json: line 2, column 3: ")
		}},
		"all of the wrong kind": {"claude", map[string]string{".claude.json": `{"mcpServers": {"planb": {"command": 3, "args": {}, "timeout": "x"}}}`}, func(r Registration) bool { return r.Registered && r.Command == "" && r.Limit == r.Client.DefaultLimit }},
	} {
		t.Run(name, func(t *testing.T) {
			place := home(t)
			for path, text := range c.files {
				write(t, filepath.Join(place.Home, path), text)
			}
			if r := client(t, c.client).Inspect(place); !c.holds(r) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func TestWhatARegisteredCommandStarts(t *testing.T) {
	dir := t.TempDir()
	this, other := filepath.Join(dir, "planb"), filepath.Join(dir, "other")
	write(t, this, "")
	write(t, other, "")
	if err := os.Symlink(this, filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	look := func(command string) (string, error) {
		if command == "planb" {
			return this, nil
		}
		if filepath.IsAbs(command) {
			return command, nil
		}
		return "", exec.ErrNotFound
	}
	for command, want := range map[string]bool{"planb": true, this: true, filepath.Join(dir, "link"): true, other: false} {
		if got, err := (Registration{Command: command}).Starts(this, look); got != want || err != nil {
			t.Errorf("%s: %v, %v", command, got, err)
		}
	}
	for _, command := range []string{"nothing", filepath.Join(dir, "gone"), ""} {
		if got, err := (Registration{Command: command}).Starts(this, look); got || !errors.Is(err, ErrNotFound) {
			t.Errorf("%s: %v, %v", command, got, err)
		}
	}
}

// A file that can't be parsed is not changed, and planb says what to add by
// hand.
func TestAFileThatIsNotUnderstood(t *testing.T) {
	place := home(t)
	path := filepath.Join(place.Home, ".codex", "config.toml")
	write(t, path, "model = \n")
	files := client(t, "codex").Register(place, "/opt/planb", keepByName)
	_, err := files[0].Plan()
	var syntax *edit.SyntaxError
	if !errors.As(err, &syntax) || syntax.Line != 1 || !strings.HasPrefix(err.Error(), path+": line 1, column ") {
		t.Errorf("%v", err)
	}
	if manual, err := files[0].Manual(); err != nil || !strings.HasPrefix(manual, "[mcp_servers.planb]\ncommand = \"/opt/planb\"\n") {
		t.Errorf("%s, %v", manual, err)
	}
}

// Every variable that planb reads is passed on by a client that passes on only
// those it is told to.
func TestEveryVariableIsPassedOn(t *testing.T) {
	looked := map[string]bool{}
	env := func(name string) string {
		looked[name] = true
		return ""
	}
	if _, err := pane.Detect(env, ""); err != nil {
		t.Fatal(err)
	}
	pane.Environment(env)
	passed := append(known.Variables(), "CI", "HOME", "LANG", "LC_ALL", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER", "LOGNAME")
	for name := range looked {
		if !slices.Contains(passed, name) {
			t.Errorf("%s is looked at, but not passed on", name)
		}
	}
}

func TestManualsHoldTheCommand(t *testing.T) {
	for _, m := range Manuals(`C:\planb "x".exe`) {
		if !strings.Contains(m.Entry, `"C:\\planb \"x\".exe"`) || m.Title == "" || m.File == "" {
			t.Errorf("%+v", m)
		}
		if _, err := (edit.JSON{}).Decode([]byte(m.Entry)); err != nil && m.Name != "goose" {
			t.Errorf("%s: %v\n%s", m.Name, err, m.Entry)
		}
		if _, known := ByName(m.Name); known {
			t.Errorf("%s is written and printed", m.Name)
		}
	}
}

func TestWaitFlag(t *testing.T) {
	for _, c := range []struct {
		args []string
		wait time.Duration
		want string
	}{
		{nil, 0, "mcp"},
		{nil, time.Minute, "mcp --wait 1m"},
		{[]string{"mcp", "--wait", "5m", "--opener", "tmux"}, time.Hour, "mcp --wait 1h --opener tmux"},
		{[]string{"mcp", "--wait=5m"}, 0, "mcp --wait=5m"},
		{[]string{"mcp", "--wait=5m", "--wait"}, 90 * time.Second, "mcp --wait 1m30s"},
	} {
		if got := strings.Join(withWait(c.args, c.wait), " "); got != c.want {
			t.Errorf("%q with %s: %q, want %q", c.args, c.wait, got, c.want)
		}
	}
	for args, want := range map[string]time.Duration{"mcp": 0, "mcp --wait 5m": 5 * time.Minute, "mcp --wait=1h": time.Hour, "mcp --wait": 0, "mcp --wait x": 0} {
		if got := waitIn(strings.Fields(args)); got != want {
			t.Errorf("%q: %s, want %s", args, got, want)
		}
	}
}
