package edit

import (
	"strings"
	"testing"
)

var _ Format = TOML{}

const newSection = `[mcpServers.planb]
command = "/usr/bin/planb"
args = ["mcp", "--wait", "59m30s"]
timeout = 3600000
`

func TestChangingTOML(t *testing.T) {
	timeout := planbServer()[2:]
	for name, c := range map[string]struct {
		text    string
		changes []Change
		want    string
	}{
		"no file":              {"", planbServer(), newSection},
		"nothing to change":    {newSection, planbServer(), newSection},
		"nothing, but odd":     {"mcpServers.planb = { timeout = 3_600_000.0 }\n", timeout, "mcpServers.planb = { timeout = 3_600_000.0 }\n"},
		"behind others":        {"model = 'x' # mine\n\n[tools]\na = 1\n", timeout, "model = 'x' # mine\n\n[tools]\na = 1\n\n[mcpServers.planb]\ntimeout = 3600000\n"},
		"without a line's end": {"model = 'x'", timeout, "model = 'x'\n\n[mcpServers.planb]\ntimeout = 3600000\n"},
		"lines end with CR LF": {"model = 'x'\r\n", timeout, "model = 'x'\r\n\r\n[mcpServers.planb]\r\ntimeout = 3600000\r\n"},
		"a byte order mark":    {"\ufeffmodel = 'x'\n", []Change{Set("y", "model")}, "\ufeffmodel = \"y\"\n"},
		"a section there":      {"[mcpServers.planb]\n  command = 'x' # mine\n  # more\n\n[other]\na = 1\n", timeout, "[mcpServers.planb]\n  command = 'x' # mine\n  timeout = 3600000\n  # more\n\n[other]\na = 1\n"},
		"an empty section":     {"[ mcpServers . \"planb\" ] # mine\n[other]\na = 1\n", timeout, "[ mcpServers . \"planb\" ] # mine\ntimeout = 3600000\n[other]\na = 1\n"},
		"a value there":        {"[mcpServers.planb]\ntimeout=60 # a minute\nenv = { A = 'b' }\n", timeout, "[mcpServers.planb]\ntimeout=3600000 # a minute\nenv = { A = 'b' }\n"},
		"a list there":         {"[mcpServers.planb]\nargs = [\n  'mcp', # why\n]\n", planbServer()[1:2], "[mcpServers.planb]\nargs = [\"mcp\", \"--wait\", \"59m30s\"]\n"},
		"a long list": {"a = 1\r\n", []Change{Set([]string{strings.Repeat("x", 40), strings.Repeat("y", 28), "z", "end"}, "list")},
			"a = 1\r\nlist = [\r\n  \"" + strings.Repeat("x", 40) + "\", \"" + strings.Repeat("y", 28) + "\",\r\n  \"z\", \"end\",\r\n]\r\n"},
		"only below":           {"[mcpServers.planb.env]\nA = 'b'\n", timeout, "[mcpServers.planb.env]\nA = 'b'\n\n[mcpServers.planb]\ntimeout = 3600000\n"},
		"an inline table":      {"[mcpServers]\nplanb = { command = 'x' } # mine\n", timeout, "[mcpServers]\nplanb = { command = 'x', timeout = 3600000 } # mine\n"},
		"an empty inline one":  {"[mcpServers]\nplanb = {}\n", timeout, "[mcpServers]\nplanb = { timeout = 3600000 }\n"},
		"inline all":           {"mcpServers = { other = { command = 'x', args = ['a', 'b'] } }\n[x]\n", timeout, "mcpServers = { other = { command = 'x', args = ['a', 'b'] }, planb.timeout = 3600000 }\n[x]\n"},
		"inline on lines":      {"mcpServers = {\n  other = { command = 'x' }, # o\n}\n", timeout, "mcpServers = {\n  other = { command = 'x' }, planb.timeout = 3600000, # o\n}\n"},
		"dotted keys":          {"[mcpServers]\n  planb.command = 'x'\n  other.command = 'y'\n", timeout, "[mcpServers]\n  planb.command = 'x'\n  planb.timeout = 3600000\n  other.command = 'y'\n"},
		"dotted keys below":    {"mcpServers.planb.env.A = 'x'\n[other]\na = 1", timeout, "mcpServers.planb.env.A = 'x'\nmcpServers.planb.timeout = 3600000\n[other]\na = 1"},
		"dotted beside":        {"mcpServers.other.command = 'y'\n", timeout, "mcpServers.other.command = 'y'\n\n[mcpServers.planb]\ntimeout = 3600000\n"},
		"lists of tables":      {"[[a]]\nx = 1\n[a.mcpServers.planb]\ntimeout = 1\n[[a]]\nx = 2\n", timeout, "[[a]]\nx = 1\n[a.mcpServers.planb]\ntimeout = 1\n[[a]]\nx = 2\n\n[mcpServers.planb]\ntimeout = 3600000\n"},
		"a key at the top":     {"# mine\n[a]\nb = 1\n", []Change{Set(true, "c")}, "c = true\n# mine\n[a]\nb = 1\n"},
		"odd names":            {"", []Change{Set("\x7f\x00é", "a b", "", "c.d")}, "[\"a b\".\"\"]\n\"c.d\" = \"\\u007f\\u0000é\"\n"},
		"an item":              {"vars = ['A', # a\n  'B']\n", []Change{Add("C", "vars"), Add("A", "vars")}, "vars = ['A', # a\n  'B', \"C\"]\n"},
		"an item to none":      {"vars = [ # none\n]\n", []Change{Add("C", "vars")}, "vars = [\"C\" # none\n]\n"},
		"an item to tables":    {"vars = ['A', { name = 'B' }]\n", []Change{Add("C", "vars")}, "vars = [\"C\", 'A', { name = 'B' }]\n"},
		"an item to nothing":   {"[a]\n", []Change{Add("C", "a", "vars")}, "[a]\nvars = [\"C\"]\n"},
		"items less":           {"vars = ['A', 'B' , \"C\"]\n", []Change{Drop("B", "vars"), Drop("C", "vars")}, "vars = ['A']\n"},
		"the last item":        {"vars = ['A',]\n", []Change{Drop("A", "vars")}, "vars = []\n"},
		"a section less":       {"a = 1\n\n" + newSection, []Change{Remove("mcpServers", "planb")}, "a = 1\n"},
		"a section in between": {"a = 1\n\n" + newSection + "# about b\n\n[mcpServers.planb.env]\nX = 'y'\n\n[b]\n", []Change{Remove("mcpServers", "planb")}, "a = 1\n\n# about b\n\n[b]\n"},
		"an entry less":        {newSection, []Change{Remove("mcpServers", "planb", "args")}, strings.Replace(newSection, "args = [\"mcp\", \"--wait\", \"59m30s\"]\n", "", 1)},
		"inline entries less":  {"a = { planb = { b = 1 }, c = 2, d = 3 }\n", []Change{Remove("a", "planb"), Remove("a", "d")}, "a = { c = 2 }\n"},
		"dotted keys less":     {"planb.a = 1\nb = 2\nplanb.c = 3\n", []Change{Remove("planb")}, "b = 2\n"},
		"no number":            {"a = nan\n", []Change{Set(true, "b")}, "a = nan\nb = true\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Apply(TOML{}, []byte(c.text), c.changes...)
			if err != nil || string(got) != c.want {
				t.Fatalf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
			if again, err := Apply(TOML{}, got, c.changes...); err != nil || string(again) != c.want {
				t.Errorf("a second time: %v\n%s", err, again)
			}
		})
	}
}

func TestTOMLThatIsNotUnderstoodIsNotChanged(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no TOML":        {"a = 1\nb\n", "line 2, column 2: expected '=' after key"},
		"no end":         {"a = [1,\n", "line 1, column 8: array is incomplete"},
		"twice":          {"a = 1\na = 2\n", "line 2, column 1: "},
		"a text above":   {"mcpServers = 'none'", `mcpServers can't be changed: it is "none", not a table of settings`},
		"a list of them": {"[[mcpServers.planb]]\ncommand = 'x'\n", "mcpServers.planb can't be changed: it is a list, not a table of settings"},
		"a table there":  {"[mcpServers.planb.command]\n", "mcpServers.planb.command can't be changed: it is a table of settings, not one value"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Apply(TOML{}, []byte(c.text), planbServer()...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
}

func FuzzTOML(f *testing.F) {
	for _, seed := range []string{
		"", newSection, "a = 1 # b\n[[c]]\nd = [1, { e = 2 }]\n[c.f]\n", "mcpServers = {}\n", "mcpServers.planb.env.A = 'x'\n", "allow = [['a'], # b\n]",
		"\ufeff\"\" = \"\"\"\nx\"\"\"\r\n[ a . 'b' ]\n", "mcpServers.other.x = 1\n[mcpServers.b.c]\n", "[allow]\n", "a = 2020-01-01T00:00:00Z\nb = inf\nc = nan",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkChanges(t, TOML{}, text) })
}
