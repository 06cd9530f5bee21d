package edit

import (
	"errors"
	"strings"
	"testing"
)

var _ Format = JSON{}

// planbServer returns the changes that register planb with a client.
func planbServer() []Change {
	return []Change{
		Set("/usr/bin/planb", "mcpServers", "planb", "command"),
		Set([]string{"mcp", "--wait", "59m30s"}, "mcpServers", "planb", "args"),
		Set(3600000, "mcpServers", "planb", "timeout"),
	}
}

const newServer = `{
  "mcpServers": {
    "planb": {
      "command": "/usr/bin/planb",
      "args": ["mcp", "--wait", "59m30s"],
      "timeout": 3600000
    }
  }
}
`

func TestChangingJSON(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		changes []Change
		want    string
	}{
		"no file":              {"", planbServer(), newServer},
		"blank":                {" \n\n", planbServer(), newServer},
		"an empty object":      {"{}\n", planbServer(), newServer},
		"empty without an end": {"{}", planbServer(), strings.TrimSuffix(newServer, "\n")},
		"nothing to change":    {newServer, planbServer(), newServer},
		"nothing, but odd": {
			"{ \"mcpServers\" : {\"planb\":{\"timeout\":3600000.0 , \"args\":[\"mcp\",/* how long */\"--wait\",\n\"59m30s\"],\"command\":\"\\/usr/bin/pl\\u0061nb\"}} }", planbServer(),
			"{ \"mcpServers\" : {\"planb\":{\"timeout\":3600000.0 , \"args\":[\"mcp\",/* how long */\"--wait\",\n\"59m30s\"],\"command\":\"\\/usr/bin/pl\\u0061nb\"}} }",
		},
		"others beside, tabs": {
			"{\n\t\"theme\": \"dark\",\n\t\"mcpServers\": {\n\t\t\"other\": {\n\t\t\t\"command\": \"x\"\n\t\t}\n\t}\n}", planbServer()[2:],
			"{\n\t\"theme\": \"dark\",\n\t\"mcpServers\": {\n\t\t\"other\": {\n\t\t\t\"command\": \"x\"\n\t\t},\n\t\t\"planb\": {\n\t\t\t\"timeout\": 3600000\n\t\t}\n\t}\n}",
		},
		"lines end with CR LF": {
			"{\r\n    \"a\": 1\r\n}\r\n", planbServer()[2:],
			"{\r\n    \"a\": 1,\r\n    \"mcpServers\": {\r\n        \"planb\": {\r\n            \"timeout\": 3600000\r\n        }\r\n    }\r\n}\r\n",
		},
		"one line":              {`{"a":1,"b":{"c":[]}}`, planbServer()[2:], `{"a":1,"b":{"c":[]}, "mcpServers": {"planb": {"timeout": 3600000}}}`},
		"a byte order mark":     {"\ufeff{\n  \"a\": 1\n}", planbServer()[2:], "\ufeff{\n  \"a\": 1,\n  \"mcpServers\": {\n    \"planb\": {\n      \"timeout\": 3600000\n    }\n  }\n}"},
		"a trailing comma":      {"{\n  \"a\": 1,\n}\n", []Change{Set(true, "b")}, "{\n  \"a\": 1,\n  \"b\": true,\n}\n"},
		"a comment behind":      {"{\n  \"a\": 1 // one\n  // no more\n}\n", []Change{Set(true, "b")}, "{\n  \"a\": 1, // one\n  // no more\n  \"b\": true\n}\n"},
		"a comma, a comment":    {"{\n  \"a\": 1, // one\n  // no more\n}\n", []Change{Set(true, "b")}, "{\n  \"a\": 1, // one\n  // no more\n  \"b\": true,\n}\n"},
		"only a comment":        {"{\n  // nothing yet\n}\n", []Change{Set(true, "b")}, "{\n  // nothing yet\n  \"b\": true\n}\n"},
		"a comment on the line": {"{ \"a\": 1 // one\n}\n", []Change{Set(true, "b")}, "{ \"a\": 1, // one\n\"b\": true\n}\n"},
		"a block in a line":     {`{"a": 1 /* one */}`, []Change{Set(true, "b")}, "{\"a\": 1, /* one */\n\"b\": true}"},
		"comments around":       {"// mine\n{\n  \"a\" /* x */ : /* y */ 1 /* z */\n}\n// end\n", []Change{Set(2, "a")}, "// mine\n{\n  \"a\" /* x */ : /* y */ 2 /* z */\n}\n// end\n"},
		"another value keeps what it does not know": {
			"{\n  \"mcpServers\": {\n    \"planb\": {\"env\": {\"A\": \"b\"}, \"command\": \"old\", \"disabled\": false}\n  }\n}\n", planbServer()[:1],
			"{\n  \"mcpServers\": {\n    \"planb\": {\"env\": {\"A\": \"b\"}, \"command\": \"/usr/bin/planb\", \"disabled\": false}\n  }\n}\n",
		},
		"an item to a new list":   {"{}", []Change{Add("mcp__planb", "permissions", "allow")}, "{\n  \"permissions\": {\n    \"allow\": [\"mcp__planb\"]\n  }\n}"},
		"an item to an empty one": {"{\n  \"allow\": []\n}", []Change{Add("mcp__planb", "allow")}, "{\n  \"allow\": [\"mcp__planb\"]\n}"},
		"an item to a list":       {"{\n  \"allow\": [\n    \"a\", // first\n    \"b\"\n  ]\n}", []Change{Add("c", "allow")}, "{\n  \"allow\": [\n    \"a\", // first\n    \"b\",\n    \"c\"\n  ]\n}"},
		"an item in a line":       {`{"allow": ["a"]}`, []Change{Add("b", "allow"), Add("a", "allow")}, `{"allow": ["a", "b"]}`},
		"an item less":            {"{\"allow\": [\"a\", \"b\", \"c\"]}", []Change{Drop("b", "allow"), Drop("c", "allow"), Drop("x", "allow")}, `{"allow": ["a"]}`},
		"no item left":            {"{\"allow\": [\n  \"a\",\n]}", []Change{Drop("a", "allow")}, `{"allow": []}`},
		"a member less":           {newServer, []Change{Remove("mcpServers", "planb", "args"), Remove("no", "such")}, strings.Replace(newServer, "\n      \"args\": [\"mcp\", \"--wait\", \"59m30s\"],", "", 1)},
		"the last member less":    {newServer, []Change{Remove("mcpServers", "planb", "timeout")}, strings.Replace(newServer, ",\n      \"timeout\": 3600000", "", 1)},
		"the only member less":    {newServer, []Change{Remove("mcpServers", "planb")}, "{\n  \"mcpServers\": {}\n}\n"},
		"comments stay":           {"{ // one\n  \"a\": 1, // two\n  // three\n  \"b\": 2 // four\n}", []Change{Remove("a"), Remove("b")}, "{ // one\n   // two\n  // three\n   // four\n}"},
		"hostile texts":           {"{}", []Change{Set("\"\\\n\x1b<&>\u2028\x7f\U0001f426", "a\"b")}, "{\n  \"a\\\"b\": \"\\\"\\\\\\n\\u001b<&>\\u2028\\u007f\U0001f426\"\n}"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Apply(JSON{}, []byte(c.text), c.changes...)
			if err != nil || string(got) != c.want {
				t.Fatalf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
			if again, err := Apply(JSON{}, got, c.changes...); err != nil || string(again) != c.want {
				t.Errorf("a second time: %v\n%s", err, again)
			}
		})
	}
}

func TestJSONThatIsNotUnderstoodIsNotChanged(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":       {"{\n  \"a\": 1,\n  b: 2\n}", "line 3, column 3: invalid literal: b"},
		"no end":        {"{\n  \"a\": {", "line 2, column 9: "},
		"two objects":   {"{}\n{}", "line 2, column 1: invalid character '{' after top-level value"},
		"a list":        {"\n[]", "line 2, column 1: the file is JSON, but not an object { … }"},
		"too deep":      {strings.Repeat("[", 1<<20), "nested more than 1000 deep"},
		"a text above":  {`{"mcpServers": "none"}`, `mcpServers can't be changed: it is "none", not a table of settings`},
		"null above":    {`{"mcpServers": null}`, `mcpServers can't be changed: it is null, not a table of settings`},
		"a list of all": {`{"mcpServers": []}`, `mcpServers can't be changed: it is a list, not a table of settings`},
		"a list above":  {`{"mcpServers": {"planb": [1]}}`, `mcpServers.planb can't be changed: it is a list, not a table of settings`},
		"there twice":   {"{\"mcpServers\": {},\n\"mcpServers\": {}}", `line 2: mcpServers can't be changed: it is there twice; leave one`},
		"a table there": {`{"mcpServers": {"planb": {"command": {}}}}`, `mcpServers.planb.command can't be changed: it is a table of settings, not one value`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Apply(JSON{}, []byte(c.text), planbServer()...)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
	if _, err := Apply(JSON{}, []byte(`{"allow": {}}`), Add("a", "allow")); err == nil || !strings.Contains(err.Error(), "it is a table of settings, not a list") {
		t.Error(err)
	}
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		"", "{}", newServer, `{"mcpServers":{"planb":{"timeout":1,},},}`, "{ // c\n\"mcpServers\" /* d */ : { \"x\": [1, 2.5e3, null,], // e\n } , }",
		"{\"allow\": [\"mcp__planb\" // c\n, 3]}", "\ufeff{\r\n\t\"allow\"\r\n:[]}", `{"mcpServers":null}`, `{"allow":{}}`, `{"a":1,"a":2}`, `{"a":12345678901234567890e999}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) { checkChanges(t, JSON{}, text) })
}

// checkChanges checks a format's promises on any text.
func checkChanges(t *testing.T, format Format, text string) {
	before, err := format.Decode([]byte(text))
	if err != nil {
		var syntax *SyntaxError
		if !errors.As(err, &syntax) || syntax.Line < 1 || syntax.Line > strings.Count(text, "\n")+1 {
			t.Fatalf("%v", err)
		}
		return
	}
	wholly := append(planbServer(), Add("mcp__planb", "allow"))
	taken := []Change{Remove("mcpServers", "planb"), Drop("mcp__planb", "allow")}
	_, hadServers := before["mcpServers"]
	_, hadList := before["allow"]

	changed, err := Apply(format, []byte(text), wholly...)
	var conflict *ConflictError
	if errors.As(err, &conflict) {
		if !hadServers && !hadList {
			t.Fatalf("nothing is in the way, but %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Apply(format, changed, wholly...); err != nil || string(again) != string(changed) {
		t.Fatalf("a second time: %v\n%s\n%s", err, changed, again)
	}
	if !hadServers && !hadList {
		if !contains(string(changed), text) {
			t.Fatalf("something was lost of\n%s\nin\n%s", text, changed)
		}
		back, err := Apply(format, changed, taken...)
		if err != nil {
			t.Fatalf("%v\n%s", err, changed)
		}
		after, err := format.Decode(back)
		if err != nil {
			t.Fatal(err)
		}
		delete(after, "mcpServers")
		delete(after, "allow")
		if !same(after, before) || !contains(string(back), text) {
			t.Fatalf("something else is left of\n%s\nin\n%s", text, back)
		}
	}
}

// contains reports whether whole has all characters of part but white space, in
// their order.
func contains(whole, part string) bool {
	for i := range len(part) {
		if strings.Contains(" \t\r\n", part[i:i+1]) {
			continue
		}
		_, rest, found := strings.Cut(whole, part[i:i+1])
		if !found {
			return false
		}
		whole = rest
	}
	return true
}
