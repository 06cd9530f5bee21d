package edit

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// apply implements Format.
func (JSON) apply(text []byte, c Change) ([]byte, error) {
	for {
		if blank(text) {
			text = append(bytes.TrimRight(text, " \t\r\n"), "{}\n"...)
		}
		root, err := parseJSON(text)
		if err != nil {
			return nil, err
		}
		e := jsonEditor{text: text, unit: indentUnit(text, root)}
		found, missing, err := e.find(&root, c.Path)
		if err != nil {
			return nil, err
		}
		if len(missing) > 1 {
			// Add one level at a time, each formatted like its surroundings.
			text = e.insertMember(found, missing[0], "{}")
			continue
		}
		return e.change(found, missing, c)
	}
}

// jsonEditor makes one change to a text.
type jsonEditor struct {
	text []byte
	unit string // indentation of one level
}

// find follows the path as far as it exists.
func (e jsonEditor) find(root *hujson.Value, path []string) (found *hujson.Value, missing []string, err error) {
	found = root
	for i, key := range path {
		if list, ok := found.Value.(*hujson.Array); ok {
			at, err := strconv.Atoi(key)
			if err != nil {
				return nil, nil, &ConflictError{Path: path[:i+1], Reason: "it is in a list"}
			}
			found = &list.Elements[at] // applyTo has checked it in the decoded data
			continue
		}
		object := found.Value.(*hujson.Object) // checked there, too
		var next *hujson.Value
		for j := range object.Members {
			m := &object.Members[j]
			if m.Name.Value.(hujson.Literal).String() != key {
				continue
			}
			if next != nil {
				return nil, nil, &ConflictError{path[:i+1], lineOf(e.text, m.Name.StartOffset), "it is there twice; leave one"}
			}
			next = &m.Value
		}
		if next == nil {
			return found, path[i:], nil
		}
		found = next
	}
	return found, nil, nil
}

func (e jsonEditor) change(found *hujson.Value, missing []string, c Change) ([]byte, error) {
	switch {
	case c.do == remove:
		return e.remove(c.Path)
	case c.do == drop:
		return e.dropItem(found, c.value)
	case len(missing) == 1 && c.do == set:
		return e.insertMember(found, missing[0], encode(c.value)), nil
	case len(missing) == 1:
		return e.insertMember(found, missing[0], e.newList(found, c)), nil
	case c.do == add:
		return e.insert(found, e.item(found, c)), nil
	}
	return spliced(e.text, splice{found.StartOffset, found.EndOffset, encode(c.value)}), nil
}

// newList formats a new list in the object, with the one item of the change.
func (e jsonEditor) newList(object *hujson.Value, c Change) string {
	if c.table == nil {
		return encode([]any{c.value})
	}
	indent, multiline := e.layout(object)
	if !multiline {
		return "[" + c.table.json("", "") + "]"
	}
	end := newline(e.text) + indent + e.unit
	return bracketed("[", []string{c.table.json(end+e.unit, e.unit)}, "]", end, e.unit)
}

// item formats the item that a change adds, like the items that are there.
func (e jsonEditor) item(list *hujson.Value, c Change) string {
	if c.table == nil {
		return encode(c.value)
	}
	if !bytes.ContainsRune(bytes.TrimSpace(e.text), '\n') {
		return c.table.json("", "")
	}
	indent, _ := e.layout(list)
	if items, _ := itemsOf(list); len(items) > 0 {
		if own, alone := indentation(e.text, items[len(items)-1].start); alone {
			indent = own
		}
	}
	return c.table.json(newline(e.text)+indent, e.unit)
}

func (e jsonEditor) insertMember(object *hujson.Value, name, value string) []byte {
	return e.insert(object, encode(name)+": "+value)
}

// insert adds an item after all others of an object or a list, formatted like
// the last of them.
func (e jsonEditor) insert(into *hujson.Value, item string) []byte {
	items, after := itemsOf(into)
	closing := into.EndOffset - 1
	tail := closing - len(after) // end of the last item and its comma
	comments := bytes.TrimRight(after, " \t\r\n")
	at := tail + len(comments)
	if len(items) == 0 {
		indent, multiline := e.layout(into)
		if !multiline && len(comments) == 0 {
			return spliced(e.text, splice{at, closing, item})
		}
		nl := newline(e.text)
		return spliced(e.text, splice{at, closing, nl + indent + e.unit + item + nl + indent})
	}
	last := items[len(items)-1]
	trailingComma := last.comma >= 0
	separator := " "
	if indent, alone := indentation(e.text, last.start); alone {
		separator = newline(e.text) + indent
	} else if len(comments) > 0 {
		separator = newline(e.text) // the comment may reach to the line's end
	}
	if trailingComma {
		return spliced(e.text, splice{at, at, separator + item + ","})
	}
	return spliced(e.text, splice{last.end, last.end, ","}, splice{at, at, separator + item})
}

// layout returns the indentation of the line with the value, and whether its
// content gets lines of its own. A file of one line stays one line.
func (e jsonEditor) layout(v *hujson.Value) (indent string, multiline bool) {
	line := e.text[lineStart(e.text, v.StartOffset):v.StartOffset]
	indent = string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
	whole := bytes.TrimSpace(e.text)
	return indent, v.Value.Kind() == '{' && (bytes.ContainsRune(whole, '\n') || len(whole) == v.EndOffset-v.StartOffset)
}

// jsonItem is a member or an element in the text.
type jsonItem struct {
	start, end int // from the name or the value to the value's end
	comma      int // offset of the comma after it, or -1
	before     int // bytes of white space and comments before it
	value      *hujson.Value
}

// itemsOf lists the members or elements, and returns the text between the last
// one (with its comma) and the end.
func itemsOf(v *hujson.Value) ([]jsonItem, []byte) {
	var items []jsonItem
	item := func(first, value *hujson.Value, last bool) {
		comma := value.EndOffset + len(value.AfterExtra)
		if last && value.AfterExtra == nil {
			comma = -1
		}
		items = append(items, jsonItem{first.StartOffset, value.EndOffset, comma, len(first.BeforeExtra), value})
	}
	switch composite := v.Value.(type) {
	case *hujson.Object:
		for i := range composite.Members {
			m := &composite.Members[i]
			item(&m.Name, &m.Value, i == len(composite.Members)-1)
		}
		return items, composite.AfterExtra
	case *hujson.Array:
		for i := range composite.Elements {
			item(&composite.Elements[i], &composite.Elements[i], i == len(composite.Elements)-1)
		}
		return items, composite.AfterExtra
	}
	return nil, nil
}

func (e jsonEditor) remove(path []string) ([]byte, error) {
	root, err := parseJSON(e.text)
	if err != nil {
		return nil, err
	}
	last := len(path) - 1
	parent, _, err := e.find(&root, path[:last])
	if err != nil {
		return nil, err
	}
	value, _, err := e.find(parent, path[last:])
	if err != nil {
		return nil, err
	}
	items, after := itemsOf(parent)
	for i := range items {
		if items[i].value == value {
			return e.removeItem(items, i, after), nil
		}
	}
	return e.text, nil
}

func (e jsonEditor) dropItem(list *hujson.Value, unwanted any) ([]byte, error) {
	items, after := itemsOf(list)
	for i := range items {
		value, err := decodeJSON(items[i].value.Clone())
		if err != nil {
			return nil, err
		}
		if same(value, unwanted) {
			return e.removeItem(items, i, after), nil
		}
	}
	return e.text, nil
}

// removeItem removes an item with one comma and the white space before it.
// Comments around it stay.
func (e jsonEditor) removeItem(items []jsonItem, i int, after []byte) []byte {
	item := items[i]
	start := item.start
	before := e.text[start-item.before : start]
	comments := bytes.TrimRight(before, " \t\r\n")
	if len(comments) == 0 || item.comma < 0 && atLineEnd(e.text[item.end:]) { // otherwise a comment before it may reach to the line's end
		start -= len(before) - len(comments)
	}
	if item.comma >= 0 {
		// Text between the value and the comma can only be removed if it is
		// white space.
		between := strings.TrimSpace(string(e.text[item.end:item.comma]))
		if len(items) == 1 && len(bytes.TrimSpace(after)) == 0 && between == "" {
			return spliced(e.text, splice{start, item.comma + 1 + len(after), ""})
		}
		return spliced(e.text, splice{start, item.end, ""}, splice{item.comma, item.comma + 1, ""})
	}
	end := item.end
	if len(items) == 1 && len(bytes.TrimSpace(after)) == 0 {
		end += len(after) // so that {} is left
	}
	splices := []splice{{start, end, ""}}
	if i > 0 {
		comma := items[i-1].comma
		splices = append(splices, splice{comma, comma + 1, ""})
	}
	return spliced(e.text, splices...)
}

// atLineEnd reports whether the rest of the line is blank.
func atLineEnd(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r")
	return len(text) == 0 || text[0] == '\n'
}

// indentUnit returns the indentation of the file's first level; two spaces if
// there is none.
func indentUnit(text []byte, root hujson.Value) string {
	items, _ := itemsOf(&root)
	for _, item := range items {
		if indent, alone := indentation(text, item.start); alone && indent != "" {
			return indent
		}
	}
	return "  "
}
