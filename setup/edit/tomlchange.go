package edit

import (
	"bytes"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2/unstable"
)

// apply implements Format.
func (TOML) apply(text []byte, c Change) ([]byte, error) {
	if _, isTable := c.value.(map[string]any); isTable {
		return nil, &ConflictError{Path: c.Path, Reason: "planb can't add tables to lists of TOML"}
	}
	if c.do == remove {
		return removeTOML(text, c.Path)
	}
	f := parseTOML(text)
	at := slices.IndexFunc(f.entries, func(e tomlEntry) bool { return slices.Equal(e.path, c.Path) && !f.sections[e.section].list })
	switch {
	case at < 0 && c.do == add:
		return f.insert(c.Path, f.encode([]any{c.value})), nil
	case at < 0:
		return f.insert(c.Path, f.encode(c.value)), nil
	case c.do == add:
		return f.addItem(f.entries[at], encode(c.value)), nil
	case c.do == drop:
		return f.dropItem(f.entries[at], c.value.(string)), nil
	}
	return spliced(text, splice{f.entries[at].value, f.entries[at].end, f.encode(c.value)}), nil
}

// encode formats a value as TOML. A list longer than a line is broken into
// lines.
func (f *tomlFile) encode(value any) string {
	const indent, longest = "  ", 79 // leaves a cell for a diff's sign
	text := encode(value)
	list, isList := value.([]any)
	if !isList || len(text) <= longest {
		return text
	}
	nl := newline(f.text)
	var out strings.Builder
	out.WriteByte('[')
	for column, i := longest, 0; i < len(list); i++ {
		item := encode(list[i]) + ","
		if column += len(" ") + len(item); column > longest {
			out.WriteString(nl + indent + item)
			column = len(indent) + len(item)
			continue
		}
		out.WriteString(" " + item)
	}
	return out.String() + nl + "]"
}

// insert puts a new key beside other keys of its table, else into a new section
// at the end.
func (f *tomlFile) insert(path []string, value string) []byte {
	table := path[:len(path)-1]
	if e, ok := f.inlineTable(table); ok {
		return f.insertInline(e, tomlKey(path[len(e.path):])+" = "+value)
	}
	nl := newline(f.text)
	if len(table) == 0 {
		return f.insertLine(f.sections[0].end, "", path, value)
	}
	for _, s := range f.sections[1:] {
		if slices.Equal(s.path, table) {
			indent, _ := indentation(f.text, s.start+blanks(f.text[s.start:]))
			return f.insertLine(s.end, f.indentBefore(s, indent), path[len(table):], value)
		}
	}
	// A table made by dotted keys can't have a header of its own.
	for _, e := range slices.Backward(f.entries) {
		s := f.sections[e.section]
		if !e.inline && !s.list && len(s.path) < len(table) && len(e.path) > len(table) && hasPrefix(e.path, table) {
			indent, _ := indentation(f.text, e.start)
			return f.insertLine(lineEnd(f.text, e.end), indent, path[len(s.path):], value)
		}
	}
	section := "[" + tomlKey(table) + "]" + nl + tomlKey(path[len(table):]) + " = " + value + nl
	if !blank(f.text) {
		section = nl + section
	}
	if len(f.text) > 0 && !bytes.HasSuffix(f.text, []byte("\n")) {
		section = nl + section
	}
	return append(slices.Clone(f.text), section...)
}

// inlineTable returns the innermost inline table on the way to a table.
func (f *tomlFile) inlineTable(table []string) (found tomlEntry, ok bool) {
	for _, e := range f.entries {
		if e.kind == unstable.InlineTable && hasPrefix(table, e.path) && !f.sections[e.section].list {
			found, ok = e, true // the entries of an inline table come after it
		}
	}
	return found, ok
}

// indentBefore returns the indentation of the section's last entry, or
// otherwise.
func (f *tomlFile) indentBefore(s tomlSection, otherwise string) string {
	for _, e := range slices.Backward(f.entries) {
		if indent, alone := indentation(f.text, e.start); alone && slices.Equal(f.sections[e.section].path, s.path) && !e.inline {
			return indent
		}
	}
	return otherwise
}

func (f *tomlFile) insertLine(at int, indent string, key []string, value string) []byte {
	nl := newline(f.text)
	line := indent + tomlKey(key) + " = " + value + nl
	if at > 0 && f.text[at-1] != '\n' {
		line = nl + line
	}
	if at == 0 && bytes.HasPrefix(f.text, []byte(byteOrderMark)) {
		at = len(byteOrderMark)
	}
	return spliced(f.text, splice{at, at, line})
}

// insertInline adds an entry after the last one of an inline table.
func (f *tomlFile) insertInline(table tomlEntry, entry string) []byte {
	last := -1
	for _, e := range f.entries {
		if e.inline && e.start > table.value && e.end < table.end && !f.insideDeeper(table, e) {
			last = e.end
		}
	}
	if last < 0 {
		return spliced(f.text, splice{table.value + 1, table.value + 1, " " + entry + " "})
	}
	return spliced(f.text, splice{last, last, ", " + entry})
}

// insideDeeper reports whether the entry stands in another table or list inside
// the inline table.
func (f *tomlFile) insideDeeper(table, entry tomlEntry) bool {
	return slices.ContainsFunc(f.entries, func(e tomlEntry) bool {
		return e.inline && e.start > table.value && e.end < table.end && e.value < entry.start && entry.end < e.end
	})
}

// addItem adds an item after the last one of a list. If the last one is itself
// a list or a table, it adds the item before the first.
func (f *tomlFile) addItem(list tomlEntry, item string) []byte {
	if len(list.items) == 0 {
		return spliced(f.text, splice{list.value + 1, list.value + 1, item})
	}
	if last := list.items[len(list.items)-1]; last.end > 0 {
		return spliced(f.text, splice{last.end, last.end, ", " + item})
	}
	return spliced(f.text, splice{list.value + 1, list.value + 1, item + ", "})
}

func (f *tomlFile) dropItem(list tomlEntry, text string) []byte {
	at := slices.IndexFunc(list.items, func(i tomlItem) bool { return i.isText && i.text == text })
	return f.removeWithComma(list.items[at].start, list.items[at].end)
}

// removeWithComma removes a part of a list or an inline table, with the comma
// after it, else the one before it.
func (f *tomlFile) removeWithComma(start, end int) []byte {
	behind := end + len(f.text[end:]) - len(bytes.TrimLeft(f.text[end:], " \t\r\n"))
	if behind < len(f.text) && f.text[behind] == ',' {
		behind++
		return spliced(f.text, splice{start, behind + blanks(f.text[behind:]), ""})
	}
	if before := bytes.TrimRight(f.text[:start], " \t\r\n"); bytes.HasSuffix(before, []byte(",")) {
		return spliced(f.text, splice{len(before) - 1, end, ""})
	}
	return spliced(f.text, splice{start, end, ""})
}

// removeTOML removes everything at the path or below it.
func removeTOML(text []byte, path []string) ([]byte, error) {
	for {
		f := parseTOML(text)
		shorter := f.removeOne(path)
		if len(shorter) == len(text) {
			return text, nil
		}
		if _, err := (TOML{}).Decode(shorter); err != nil {
			return nil, &ConflictError{Path: path, Reason: "it is written in a form that planb can't remove safely"}
		}
		text = shorter
	}
}

func (f *tomlFile) removeOne(path []string) []byte {
	for _, s := range slices.Backward(f.sections[1:]) {
		if !hasPrefix(s.path, path) {
			continue
		}
		start := s.start
		nl := []byte(newline(f.text))
		if rest := f.text[s.end:]; len(rest) == 0 || bytes.HasPrefix(rest, nl) {
			start -= len(f.text[:start]) - len(withoutBlankLine(f.text[:start], nl))
		}
		return spliced(f.text, splice{start, s.end, ""})
	}
	for _, e := range f.entries {
		switch {
		case !hasPrefix(e.path, path) || f.sections[e.section].list:
		case e.inline:
			return f.removeWithComma(e.start, e.end)
		default:
			return spliced(f.text, splice{lineStart(f.text, e.start), lineEnd(f.text, e.end), ""})
		}
	}
	return f.text
}

// withoutBlankLine removes one empty line from the end.
func withoutBlankLine(text, nl []byte) []byte {
	shorter := bytes.TrimSuffix(text, nl)
	if len(shorter) == 0 || bytes.HasSuffix(shorter, []byte("\n")) {
		return shorter
	}
	return text
}

func hasPrefix(path, prefix []string) bool {
	return len(path) >= len(prefix) && slices.Equal(path[:len(prefix)], prefix)
}
