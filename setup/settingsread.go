package setup

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"planb/themes"

	"github.com/pelletier/go-toml/v2/unstable"
)

// settingsReader walks through a file that is valid TOML.
type settingsReader struct {
	file    File
	keys    []Key
	parser  unstable.Parser
	text    []byte
	line    int      // of offset
	offset  int      // lines are counted up to here
	table   []string // path of the current header
	foreign bool     // the current header is unknown, and was reported
}

func readSettings(path string, text []byte, themes themes.Collection) File {
	r := settingsReader{file: File{Path: path, Exists: true, themes: themes, values: map[string]fileValue{}}, keys: Keys(themes), text: text, line: 1}
	r.parser.Reset(text)
	for r.parser.NextExpression() {
		switch node := r.parser.Expression(); node.Kind {
		case unstable.Table, unstable.ArrayTable:
			r.header(node)
		case unstable.KeyValue:
			if !r.foreign {
				r.keyValue(r.table, node)
			}
		}
	}
	return r.file
}

func (r *settingsReader) header(node *unstable.Node) {
	path, line := r.path(nil, node)
	name := strings.Join(path, ".")
	r.table, r.foreign = path, true
	_, isKey := r.key(name)
	switch {
	case isKey:
		r.problem(line, "%s is a setting, not a table; write it without brackets, as %s", name, r.example(name))
	case !r.isTable(name) && !isKeysTable(path):
		r.problem(line, "there is no table %s%s", quote(name), suggestSetting(name, r.keys))
	case node.Kind == unstable.ArrayTable:
		r.problem(line, "%s is one table, not a list of tables; write [%s]", name, name)
	default:
		r.foreign = false
	}
}

// keyValue reads one line, or one entry of an inline table.
func (r *settingsReader) keyValue(table []string, node *unstable.Node) {
	path, line := r.path(table, node)
	name := strings.Join(path, ".")
	value := node.Value()
	key, known := r.key(name)
	switch {
	case known:
		r.set(key, line, value)
	case path[0] == keysTable:
		r.keySetting(path, line, value)
	case r.isTable(name) && value.Kind == unstable.InlineTable:
		for entries := value.Children(); entries.Next(); {
			r.keyValue(path, entries.Node())
		}
	case r.isTable(name):
		r.problem(line, "%s is a table, not a setting; the settings in it are %s", name, strings.Join(r.within(name), ", "))
	default:
		r.problem(line, "there is no setting %s%s", quote(name), suggestSetting(name, r.keys))
	}
}

func (r *settingsReader) set(key Key, line int, node *unstable.Node) {
	var v value
	fits := false
	switch key.kind {
	case kindText:
		v.text, fits = string(node.Data), node.Kind == unstable.String
	case kindNumber:
		v.text, fits = string(node.Data), node.Kind == unstable.String || node.Kind == unstable.Integer
	case kindSwitch:
		v.on, fits = string(node.Data) == "true", node.Kind == unstable.Bool
	case kindList:
		v.list, fits = texts(node)
	}
	if settings := Defaults(); !fits || !key.set(&settings, v) {
		r.problem(line, "%v", key.refuse(key.Name, string(node.Data), got(node)))
		return
	}
	r.file.values[key.Name] = fileValue{v, line}
}

// keysTable is the table of keys, which holds the tables of screens.
const keysTable = "keys"

func isKeysTable(path []string) bool { return path[0] == keysTable && len(path) <= 2 }

// keySetting reads the keys of an action: one text, or a list.
func (r *settingsReader) keySetting(path []string, line int, node *unstable.Node) {
	name := strings.Join(path, ".")
	if node.Kind == unstable.InlineTable && isKeysTable(path) {
		for entries := node.Children(); entries.Next(); {
			r.keyValue(path, entries.Node())
		}
		return
	}
	list, fits := texts(node)
	if node.Kind == unstable.String {
		list, fits = []string{string(node.Data)}, true
	}
	setting := KeySetting{Action: path[len(path)-1], Keys: list, Line: line}
	if len(path) == 3 {
		setting.Screen = path[1]
	}
	switch {
	case len(path) == 1:
		r.problem(line, "keys is a table, not a setting; write [keys] and under it, for example, submit = \"ctrl+x\"")
	case len(path) > 3:
		r.problem(line, "%s is too deep; write keys.SCREEN.ACTION, or keys.ACTION", quote(name))
	case !fits:
		r.problem(line, "%s is %s; allowed: a key, such as \"ctrl+x\", or a list of keys", quote(name), got(node))
	default:
		r.file.Keys = append(r.file.Keys, setting)
	}
}

// texts returns the items of a list of texts; false if node is not such a list.
func texts(node *unstable.Node) ([]string, bool) {
	list := []string{}
	if node.Kind != unstable.Array {
		return nil, false
	}
	for items := node.Children(); items.Next(); {
		if items.Node().Kind != unstable.String {
			return nil, false
		}
		list = append(list, string(items.Node().Data))
	}
	return list, true
}

// got formats a value for an error.
func got(node *unstable.Node) string {
	switch node.Kind {
	case unstable.Array:
		return "a list"
	case unstable.InlineTable:
		return "a table"
	case unstable.String:
		return quote(string(node.Data))
	}
	return string(node.Data)
}

// quote formats a text for an error: quoted, and cut if long.
func quote(text string) string {
	const most = 60
	if characters := []rune(text); len(characters) > most {
		return fmt.Sprintf("%q… (%d bytes)", string(characters[:most]), len(text))
	}
	return strconv.Quote(text)
}

// path returns the full name of a header or a key, and its line.
func (r *settingsReader) path(table []string, node *unstable.Node) ([]string, int) {
	path, line := slices.Clone(table), 0
	for parts := node.Key(); parts.Next(); {
		part := parts.Node()
		if line == 0 {
			line = r.lineAt(int(part.Raw.Offset))
		}
		path = append(path, string(part.Data))
	}
	return path, line
}

// lineAt returns the line of an offset. Offsets must come in ascending order.
func (r *settingsReader) lineAt(offset int) int {
	r.line += bytes.Count(r.text[r.offset:offset], []byte("\n"))
	r.offset = offset
	return r.line
}

func (r *settingsReader) key(name string) (Key, bool) {
	for _, key := range r.keys {
		if key.Name == name {
			return key, true
		}
	}
	return Key{}, false
}

func (r *settingsReader) isTable(name string) bool { return len(r.within(name)) > 0 }

// within lists the settings of a table.
func (r *settingsReader) within(table string) []string {
	var names []string
	for _, key := range r.keys {
		if strings.HasPrefix(key.Name, table+".") {
			names = append(names, key.Name)
		}
	}
	return names
}

func (r *settingsReader) example(name string) string {
	key, _ := r.key(name)
	return key.Name + " = " + key.Default()
}

// suggestSetting names the setting that was probably meant.
func suggestSetting(name string, keys []Key) string {
	var names []string
	for _, key := range keys {
		names = append(names, key.Name)
	}
	return DidYouMean(name, names, "; `planb config` lists them all")
}

// SuggestKey continues an error about a key, an action or a screen: with the
// known name that was probably meant, else with the command that shows them.
func SuggestKey(name string, known []string) string {
	return DidYouMean(name, known, "; see `planb config keys`")
}

// maxProblems limits the mistakes reported of one file. No person corrects more at
// once, and a file of another kind may have one in every line.
const maxProblems = 50

func (r *settingsReader) problem(line int, format string, args ...any) {
	if len(r.file.Problems) == maxProblems {
		r.file.Problems = append(r.file.Problems, Problem{r.file.Path, line, "there are more mistakes from here on"})
	}
	if len(r.file.Problems) > maxProblems {
		return
	}
	r.file.Problems = append(r.file.Problems, Problem{r.file.Path, line, fmt.Sprintf(format, args...)})
}
