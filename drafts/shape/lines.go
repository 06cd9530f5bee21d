package shape

import (
	"strings"
)

// Detail chooses what Lines tells.
type Detail uint8

const (
	Whole  Detail = iota
	Digest        // only the fields marked as Key
	Heads         // of these, only the first words and the numbers of each record
)

// Lines returns an output as later models read it: a line for each field, item and
// record. It is shorter than JSON by a quarter.
func (s Shape) Lines(o Object, d Detail) []string {
	var lines []string
	for _, f := range s {
		value, found := o[f.Name]
		if !found || f.Unread || d != Whole && !f.Key {
			continue
		}
		lines = append(lines, f.lines(value, d)...)
	}
	return lines
}

func (f Field) lines(value any, d Detail) (lines []string) {
	items, isList := value.([]any)
	if !isList {
		record, ok := value.(Object)
		switch {
		case !ok:
			return []string{f.Name + ": " + f.line(value)}
		case f.Kind == Record && f.Fields.textless():
			return []string{f.Name + ": " + strings.Join(f.Fields.Lines(record, d), "; ")}
		case f.Kind == Record:
			return append([]string{f.Name + ":"}, f.Fields.Lines(record, d)...)
		case len(record) == 0:
			return nil
		}
		lines = append(lines, f.Name+":")
		for _, key := range record.Keys() {
			lines = append(lines, "- "+key+": "+f.value().line(record[key]))
		}
		return lines
	}
	if len(items) == 0 {
		return nil
	}
	if f.Kind == Text && f.Words == 1 {
		return []string{f.Name + ": " + f.inline(value)}
	}
	if id, ok := f.Fields.id(); !ok || id.Kind == Ref { // ids of other records do not say what the list is
		lines = append(lines, f.Name+":")
	}
	for _, item := range items {
		record, ok := item.(Object)
		if !ok {
			lines = append(lines, "- "+f.item().line(item))
			continue
		}
		lines = append(lines, f.Fields.recordLines(record, d)...)
	}
	return lines
}

// textless reports whether a record fits in one line: all its values are short.
func (s Shape) textless() bool {
	for _, f := range s {
		if f.List || f.Kind == Text || f.Kind == Record || f.Kind == Map {
			return false
		}
	}
	return true
}

// id returns the field that identifies a record.
func (s Shape) id() (Field, bool) {
	for _, f := range s {
		if f.identifies() {
			return f, true
		}
	}
	return Field{}, false
}

// recordLines returns a record in one line: "C1 must: no loan; why: …". Its id and
// short values stand before the first text, all further values have their names.
// Records inside it follow in lines of their own.
func (s Shape) recordLines(o Object, d Detail) []string {
	var named, below []string
	head, lead := "-", ""
	for _, f := range s {
		value, found := o[f.Name]
		if !found || f.Unread || d != Whole && !f.Key && !f.identifies() {
			continue
		}
		if f.List && f.Kind == Record {
			for _, line := range f.lines(value, d) {
				below = append(below, "  "+line)
			}
			continue
		}
		text := f.inline(value)
		switch {
		case text == "":
		case f.identifies() && lead == "":
			head = text
		case (f.Kind == Choice || f.Kind == Day) && lead == "" && len(named) == 0:
			head += " " + text
		case f.Kind == Text && lead == "" && len(named) == 0:
			lead = ": " + text
		case d == Heads && (f.Kind == Text || f.List):
		default:
			named = append(named, f.Name+": "+text)
		}
	}
	if head == "-" {
		lead = " " + strings.TrimPrefix(lead, ": ")
	}
	for _, text := range named {
		lead = strings.TrimSuffix(lead, ".") + "; " + text
	}
	return append([]string{head + lead}, below...)
}

// identifies reports whether the field names its record.
func (f Field) identifies() bool { return f.Kind == ID || f.Name == "id" }

// inline returns the value of a field within a line.
func (f Field) inline(value any) string {
	items, ok := value.([]any)
	if !ok {
		return f.line(value)
	}
	texts := make([]string, 0, len(items))
	for _, item := range items {
		texts = append(texts, f.item().line(item))
	}
	return strings.Join(texts, " | ")
}

func (f Field) line(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case float64:
		return FormatNumber(value)
	case bool:
		if value {
			return "yes"
		}
		return "no"
	case Object:
		if f.Kind == Record {
			return strings.Join(f.Fields.Lines(value, Whole), "; ")
		}
		parts := make([]string, 0, len(value))
		for _, key := range value.Keys() {
			parts = append(parts, key+" = "+f.value().line(value[key]))
		}
		return strings.Join(parts, ", ")
	}
	return ""
}
