package edit

import (
	"bytes"
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// TOML is TOML 1.0, and of 1.1 what its parser takes.
type TOML struct{}

// Decode implements Format.
func (TOML) Decode(text []byte) (map[string]any, error) {
	data := map[string]any{}
	if err := toml.Unmarshal(withoutMark(text), &data); err != nil {
		var decode *toml.DecodeError
		if !errors.As(err, &decode) {
			return nil, &SyntaxError{1, 1, err.Error()}
		}
		line, column := decode.Position()
		return nil, &SyntaxError{line, column, strings.TrimPrefix(err.Error(), "toml: ")}
	}
	return data, nil
}

// withoutMark has white space of the same length where a byte order mark was.
func withoutMark(text []byte) []byte {
	if !bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return text
	}
	text = bytes.Clone(text)
	copy(text, "   ")
	return text
}

// tomlSection is a header with what follows it; the first one has no header.
type tomlSection struct {
	path  []string
	start int  // of the header's line
	end   int  // of the line of its last entry, or of the header
	list  bool // [[…]], or below one: there may be several of that name
}

// tomlEntry is a key with its value.
type tomlEntry struct {
	path       []string // in full
	section    int
	inline     bool // it stands in an inline table
	start, end int  // from the key to the value's end
	value      int  // the offset of the value
	kind       unstable.Kind
	items      []tomlItem // of a list
}

// tomlItem is an element of a list.
type tomlItem struct {
	start, end int // both 0 if it is a list or a table itself
	text       string
	isText     bool
}

// tomlFile is where everything is in a text that is known to be TOML.
type tomlFile struct {
	text     []byte
	parser   unstable.Parser
	sections []tomlSection
	entries  []tomlEntry
}

func parseTOML(text []byte) *tomlFile {
	f := &tomlFile{text: text, sections: []tomlSection{{}}}
	f.parser.Reset(withoutMark(text))
	for f.parser.NextExpression() {
		switch node := f.parser.Expression(); node.Kind {
		case unstable.Table, unstable.ArrayTable:
			f.addSection(node)
		case unstable.KeyValue:
			section := len(f.sections) - 1
			f.addEntry(node, f.sections[section].path, section, false)
			f.sections[section].end = lineEnd(text, f.end(node.Raw))
		}
	}
	return f
}

func (f *tomlFile) addSection(node *unstable.Node) {
	path, last := keyPath(node)
	s := tomlSection{path: path, start: lineStart(f.text, f.end(last)), end: lineEnd(f.text, f.end(last))}
	s.list = node.Kind == unstable.ArrayTable
	for _, before := range f.sections {
		s.list = s.list || before.list && hasPrefix(path, before.path)
	}
	f.sections = append(f.sections, s)
}

func (f *tomlFile) addEntry(node *unstable.Node, table []string, section int, inline bool) {
	key, last := keyPath(node)
	value := node.Value()
	e := tomlEntry{
		path: append(table[:len(table):len(table)], key...), section: section, inline: inline, kind: value.Kind,
		start: int(node.Raw.Offset), end: f.end(node.Raw),
	}
	equals := f.end(last) + bytes.IndexByte(f.text[f.end(last):], '=')
	e.value = equals + 1 + blanks(f.text[equals+1:])
	if value.Kind == unstable.Array {
		for items := value.Children(); items.Next(); {
			e.items = append(e.items, f.item(items.Node()))
		}
	}
	f.entries = append(f.entries, e)
	if value.Kind == unstable.InlineTable {
		for below := value.Children(); below.Next(); {
			f.addEntry(below.Node(), e.path, section, true)
		}
	}
}

func (f *tomlFile) item(node *unstable.Node) tomlItem {
	if node.Kind == unstable.Array || node.Kind == unstable.InlineTable {
		return tomlItem{}
	}
	return tomlItem{int(node.Raw.Offset), f.end(node.Raw), string(node.Data), node.Kind == unstable.String}
}

func (f *tomlFile) end(r unstable.Range) int { return int(r.Offset + r.Length) }

// keyPath is the name of a header or an entry, and where its last part is.
func keyPath(node *unstable.Node) ([]string, unstable.Range) {
	var path []string
	var last unstable.Range
	for parts := node.Key(); parts.Next(); {
		path, last = append(path, string(parts.Node().Data)), parts.Node().Raw
	}
	return path, last
}

func blanks(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }

// tomlKey is a path as it stands in a file.
func tomlKey(path []string) string {
	var parts []string
	for _, part := range path {
		if strings.Trim(part, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "" || part == "" {
			part = encode(part)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ".")
}
