package shape

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"planb/questions/lenient"
)

// Object is a read output, or a record in it. Its values are string, float64,
// bool, []any and Object.
type Object map[string]any

// Text returns a text field; empty if it is not there.
func (o Object) Text(name string) string {
	text, _ := o[name].(string)
	return text
}

// Number returns a number field; 0 if it is not there.
func (o Object) Number(name string) float64 {
	n, _ := o[name].(float64)
	return n
}

// Int returns a number field as an integer.
func (o Object) Int(name string) int { return int(o.Number(name)) }

// Flag returns a flag; false if it is not there.
func (o Object) Flag(name string) bool {
	flag, _ := o[name].(bool)
	return flag
}

// Record returns a record or a map; nil if it is not there.
func (o Object) Record(name string) Object {
	record, _ := o[name].(Object)
	return record
}

// Records returns a list of records.
func (o Object) Records(name string) []Object {
	items, _ := o[name].([]any)
	list := make([]Object, 0, len(items))
	for _, item := range items {
		if record, ok := item.(Object); ok {
			list = append(list, record)
		}
	}
	return list
}

// Texts returns a list of texts.
func (o Object) Texts(name string) []string {
	items, _ := o[name].([]any)
	list := make([]string, 0, len(items))
	for _, item := range items {
		if text, ok := item.(string); ok {
			list = append(list, text)
		}
	}
	return list
}

// Keys returns the keys of a map in order: L2 before L10.
func (o Object) Keys() []string {
	return slices.SortedFunc(maps.Keys(o), func(a, b string) int {
		x, y := tailNumber(a), tailNumber(b)
		if x != y && strings.TrimRight(a, digits) == strings.TrimRight(b, digits) {
			return x - y
		}
		return strings.Compare(a, b)
	})
}

const digits = "0123456789"

// tailNumber returns the number at the end of an id.
func tailNumber(id string) int {
	n, _ := strconv.Atoi(id[len(strings.TrimRight(id, digits)):])
	return n
}

// JSON returns an output as it is stored: the fields in the order of their
// declaration, without white space and without HTML escapes. Equal outputs have
// equal bytes.
func (s Shape) JSON(o Object) []byte {
	var out strings.Builder
	s.write(&out, o)
	return []byte(out.String())
}

// JSONLines is JSON with a line for each field and each item of a list.
func (s Shape) JSONLines(o Object) []string {
	lines := []string{"{"}
	end := func(with string) { lines[len(lines)-1] += with }
	first := true
	for _, f := range s {
		value, found := o[f.Name]
		if !found {
			continue
		}
		if !first {
			end(",")
		}
		first = false
		items, isList := value.([]any)
		if !isList || len(items) == 0 {
			lines = append(lines, quoted(f.Name)+":"+f.json(value))
			continue
		}
		lines = append(lines, quoted(f.Name)+":[")
		for i, item := range items {
			if i > 0 {
				end(",")
			}
			lines = append(lines, f.item().json(item))
		}
		end("]")
	}
	end("}")
	return lines
}

func (f Field) json(value any) string {
	var out strings.Builder
	f.write(&out, value)
	return out.String()
}

func (s Shape) write(out *strings.Builder, o Object) {
	out.WriteByte('{')
	first := true
	for _, f := range s {
		value, found := o[f.Name]
		if !found {
			continue
		}
		if !first {
			out.WriteByte(',')
		}
		first = false
		out.WriteString(quoted(f.Name) + ":")
		f.write(out, value)
	}
	out.WriteByte('}')
}

func (f Field) write(out *strings.Builder, value any) {
	switch value := value.(type) {
	case []any:
		out.WriteByte('[')
		for i, item := range value {
			if i > 0 {
				out.WriteByte(',')
			}
			f.item().write(out, item)
		}
		out.WriteByte(']')
	case Object:
		if f.Kind == Record {
			f.Fields.write(out, value)
			return
		}
		out.WriteByte('{')
		for i, key := range value.Keys() {
			if i > 0 {
				out.WriteByte(',')
			}
			out.WriteString(quoted(key) + ":")
			f.value().write(out, value[key])
		}
		out.WriteByte('}')
	case string:
		out.WriteString(quoted(value))
	case float64:
		out.WriteString(FormatNumber(value))
	case bool:
		out.WriteString(strconv.FormatBool(value))
	}
}

// FormatNumber returns the shortest decimal form that reads back as n.
func FormatNumber(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }

// quoted is a JSON string without the escaping of <, > and &.
func quoted(s string) string {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		return `""` // a string always encodes
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// Walk calls visit for each value of an output that is neither a list nor a
// record, in the order of the declaration. The path names the place of the value. If
// visit returns another value, Walk puts it there. Else Walk only reads, so that several
// goroutines may walk one output.
func (s Shape) Walk(o Object, visit func(path string, f Field, value any) any) {
	s.walk("", o, visit)
}

func (s Shape) walk(at string, o Object, visit func(string, Field, any) any) {
	for _, f := range s {
		value, found := o[f.Name]
		if !found {
			continue
		}
		if said := f.walk(lenient.Join(at, f.Name), value, visit); changed(value, said) {
			o[f.Name] = said
		}
	}
}

func (f Field) walk(at string, value any, visit func(string, Field, any) any) any {
	switch value := value.(type) {
	case []any:
		inner := f.item()
		for i, item := range value {
			if said := inner.walk(at+"["+strconv.Itoa(i)+"]", item, visit); changed(item, said) {
				value[i] = said
			}
		}
		return value
	case Object:
		if f.Kind == Record {
			f.Fields.walk(at, value, visit)
			return value
		}
		for _, key := range value.Keys() {
			item := value[key]
			if said := f.value().walk(lenient.Join(at, key), item, visit); changed(item, said) {
				value[key] = said
			}
		}
		return value
	}
	return visit(at, f, value)
}

// changed reports whether a visit returned another value. It is false for lists and
// records, because Walk has changed the values inside them.
func changed(before, after any) bool {
	switch before.(type) {
	case []any, Object:
		return false
	}
	return before != after
}

// Stored reads an output as JSON wrote it. It checks nothing: a shape may have changed
// since.
func Stored(data []byte) (Object, error) {
	var o map[string]any
	if err := json.Unmarshal(data, &o); err != nil {
		return nil, err
	}
	return objects(o).(Object), nil
}

// objects makes Objects of decoded JSON.
func objects(value any) any {
	switch value := value.(type) {
	case map[string]any:
		o := make(Object, len(value))
		for name, inner := range value {
			o[name] = objects(inner)
		}
		return o
	case []any:
		for i, inner := range value {
			value[i] = objects(inner)
		}
	}
	return value
}
