package edit

import (
	"bytes"
	"errors"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// TOML is TOML 1.0, and what its parser accepts of 1.1.
type TOML struct{}

// Decode implements Format.
func (TOML) Decode(text []byte) (map[string]any, error) {
	data := map[string]any{}
	if err := toml.Unmarshal(withoutBOM(text), &data); err != nil {
		var decode *toml.DecodeError
		if !errors.As(err, &decode) {
			return nil, &SyntaxError{1, 1, err.Error()}
		}
		line, column := decode.Position()
		return nil, &SyntaxError{line, column, strings.TrimPrefix(err.Error(), "toml: ")}
	}
	return data, nil
}

// withoutBOM replaces a byte order mark by white space of the same length.
func withoutBOM(text []byte) []byte {
	if !bytes.HasPrefix(text, []byte(byteOrderMark)) {
		return text
	}
	text = bytes.Clone(text)
	copy(text, "   ")
	return text
}

// tomlSection is a header and what follows it. The first section has no header.
type tomlSection struct {
	path  []string
	start int  // of the header's line
	end   int  // end of the last entry's line, or of the header's
	list  bool // [[…]], or below one: several sections may have the name
}

// tomlEntry is a key with its value.
type tomlEntry struct {
	path       []string // the full path
	section    int
	inline     bool // in an inline table
	start, end int  // from the key to the value's end
	value      int  // the offset of the value
	kind       unstable.Kind
	items      []tomlItem // if it is a list
}

// tomlItem is an element of a list.
type tomlItem struct {
	start, end int // both 0 if it is a list or a table
	text       string
	isText     bool
}

// tomlFile holds the positions in a valid TOML text.
type tomlFile struct {
	text     []byte
	parser   unstable.Parser
	sections []tomlSection
	entries  []tomlEntry
}

func parseTOML(text []byte) *tomlFile {
	f := &tomlFile{text: text, sections: []tomlSection{{}}}
	f.parser.Reset(withoutBOM(text))
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

// keyPath returns the name of a header or an entry, and the position of its
// last part.
func keyPath(node *unstable.Node) ([]string, unstable.Range) {
	var path []string
	var last unstable.Range
	for parts := node.Key(); parts.Next(); {
		path, last = append(path, string(parts.Node().Data)), parts.Node().Raw
	}
	return path, last
}

func blanks(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }

// tomlKey formats a path for a file.
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
