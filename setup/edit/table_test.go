package edit

import (
	"strings"
	"testing"
)

func hook(command string) Table {
	return Table{{"matcher", "Exit"}, {"hooks", []Table{{{"command", command}, {"timeout", 9}}}}}
}

const newHook = `{
  "hooks": {
    "Ask": [
      {
        "matcher": "Exit",
        "hooks": [
          {
            "command": "a <b>",
            "timeout": 9
          }
        ]
      }
    ]
  }
}
`

func TestTablesInLists(t *testing.T) {
	added := []Change{AddTable(hook("a <b>"), "hooks", "Ask")}
	for name, c := range map[string]struct {
		text    string
		changes []Change
		want    string
	}{
		"no file": {"", added, newHook},
		"there":   {newHook, added, newHook},
		"there, written otherwise": {
			`{"hooks":{"Ask":[/* mine */{"hooks":[{"timeout":9,"command":"a \u003cb>"}],"matcher":"Exit"}]}}`, added,
			`{"hooks":{"Ask":[/* mine */{"hooks":[{"timeout":9,"command":"a \u003cb>"}],"matcher":"Exit"}]}}`,
		},
		"one line": {
			`{"hooks": {"Ask": [{"matcher": "x"}]}}`, added,
			`{"hooks": {"Ask": [{"matcher": "x"}, {"matcher": "Exit", "hooks": [{"command": "a <b>", "timeout": 9}]}]}}`,
		},
		"behind others, tabs": {
			"{\n\t\"hooks\": {\n\t\t\"Ask\": [\n\t\t\t{\n\t\t\t\t\"matcher\": \"x\" // mine\n\t\t\t}\n\t\t]\n\t}\n}\n", added,
			"{\n\t\"hooks\": {\n\t\t\"Ask\": [\n\t\t\t{\n\t\t\t\t\"matcher\": \"x\" // mine\n\t\t\t},\n\t\t\t{\n\t\t\t\t\"matcher\": \"Exit\",\n\t\t\t\t\"hooks\": [\n\t\t\t\t\t{\n\t\t\t\t\t\t\"command\": \"a <b>\",\n\t\t\t\t\t\t\"timeout\": 9\n\t\t\t\t\t}\n\t\t\t\t]\n\t\t\t}\n\t\t]\n\t}\n}\n",
		},
		"an empty list": {
			"{\n  \"hooks\": {\n    \"Ask\": []\n  }\n}\n", added,
			"{\n  \"hooks\": {\n    \"Ask\": [{\n      \"matcher\": \"Exit\",\n      \"hooks\": [\n        {\n          \"command\": \"a <b>\",\n          \"timeout\": 9\n        }\n      ]\n    }]\n  }\n}\n",
		},
		"a value below a list": {
			newHook, []Change{Set("b", "hooks", "Ask", "0", "hooks", "0", "command")}, strings.Replace(newHook, "a <b>", "b", 1),
		},
		"gone again": {
			"{\"a\": [{\"b\": 1}, /* keep */ {\"c\": [2]}]}", []Change{DropTable(map[string]any{"b": int64(1)}, "a")},
			"{\"a\": [ /* keep */ {\"c\": [2]}]}",
		},
		"gone from a list in a list": {
			`{"a": [{"b": [{"c": 1}, {"c": 2}]}]}`, []Change{DropTable(map[string]any{"c": int64(2)}, "a", "0", "b")},
			`{"a": [{"b": [{"c": 1}]}]}`,
		},
		"gone, a comment before": {
			"{\"a\": [\n  {\"b\": 1} // mine\n]}", []Change{AddTable(hook("x"), "a"), DropTable(hook("x").generic(), "a")},
			"{\"a\": [\n  {\"b\": 1} // mine\n]}",
		},
		"not there": {`{"a": [{"b": 1}]}`, []Change{DropTable(map[string]any{"b": int64(2)}, "a")}, `{"a": [{"b": 1}]}`},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := Apply(JSON{}, []byte(c.text), c.changes...)
			if err != nil || string(got) != c.want {
				t.Errorf("got %v\n%s\nwant\n%s", err, got, c.want)
			}
		})
	}
}

func TestTablesThatCannotBeChanged(t *testing.T) {
	for name, c := range map[string]struct {
		format Format
		text   string
		change Change
		want   string
	}{
		"no such index": {JSON{}, `{"a": [{}]}`, Set(1, "a", "1", "b"), "a.1 can't be changed: it is not there"},
		"no index":      {JSON{}, `{"a": [{}]}`, Set(1, "a", "x", "b"), "a can't be changed: it is a list, not a table of settings"},
		"not a table":   {JSON{}, `{"a": [1]}`, Set(1, "a", "0", "b"), "a.0 can't be changed: it is 1, not a table of settings"},
		"not a list":    {JSON{}, `{"a": {}}`, AddTable(hook("a"), "a"), "a can't be changed: it is a table of settings, not a list"},
		"TOML":          {TOML{}, "", AddTable(hook("a"), "a"), "a can't be changed: planb can't add tables to lists of TOML"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Apply(c.format, []byte(c.text), c.change); err == nil || err.Error() != c.want {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
		})
	}
}
