package questions

import (
	"reflect"
	"slices"
	"strings"
)

// field is a name that an object may have, and other names models give it.
// Case, underscores and dashes make no difference: multi_select is
// multiSelect.
type field struct {
	name string
	also []string
}

func (f field) means(key string) bool {
	return sameName(key, f.name) || slices.ContainsFunc(f.also, func(word string) bool { return sameName(key, word) })
}

// sameName reports whether two names differ at most in case, underscores,
// dashes and spaces.
func sameName(a, b string) bool {
	for {
		a, b = strings.TrimLeft(a, separators), strings.TrimLeft(b, separators)
		if a == "" || b == "" {
			return a == b
		}
		if lower(a[0]) != lower(b[0]) {
			return false
		}
		a, b = a[1:], b[1:]
	}
}

const separators = "_- "

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

// ignored reports fields that say nothing about the form: notes of the
// tools that carry it.
func ignored(key string) bool {
	return slices.Contains([]string{"$schema", "$comment", "_meta", "metadata"}, key)
}

// object is a JSON object under reading.
type object struct {
	at    string // where it is in the form
	given map[string]member
}

// object reads n as an object with the given fields, reports all others that
// hold anything, and returns false if it is no object at all. Null fields count
// as absent.
func (r *reader) object(at string, n node, fields []field) (*object, bool) {
	n = unwrap(n)
	if n.kind != objectNode {
		return nil, false
	}
	o := &object{at: at, given: map[string]member{}}
	for _, m := range n.members {
		if ignored(m.key) || m.value.kind == nullNode {
			continue
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.means(m.key) })
		if i < 0 {
			if !m.value.blank() {
				r.unknown(at, m.key, fields)
			}
			continue
		}
		name := fields[i].name
		first, twice := o.given[name]
		switch {
		case !twice:
			o.given[name] = m
		case reflect.DeepEqual(first.value, m.value): // said twice, but the same
		case first.key == m.key:
			r.problems.add(join(at, m.key), "the field twice", "once", "")
		default:
			r.problems.add(join(at, m.key), m.value.String(),
				"only one of "+quote(first.key)+" and "+quote(m.key)+", both mean "+name, "")
		}
	}
	return o, true
}

// unknown reports a field that is none of those given, and which was probably
// meant. Far beyond what an error shows, it no longer looks for that.
func (r *reader) unknown(at, key string, fields []field) {
	allowed := names(fields)
	if len(r.problems) < MaxProblems {
		if name, ok := nearest(key, fields); ok {
			allowed = quote(name) + ", which is probably meant"
		}
	}
	r.problems.add(join(at, key), "a field that planb does not know", allowed, "")
}

// get returns the value of a field, and where it is or would be.
func (o *object) get(name string) (n node, at string, ok bool) {
	m, ok := o.given[name]
	if !ok {
		return node{}, join(o.at, name), false
	}
	return m.value, join(o.at, m.key), true
}

// has reports whether a field is given and says something.
func (o *object) has(name string) bool {
	m, ok := o.given[name]
	return ok && !m.value.empty()
}

// join appends a field to a place.
func join(at, key string) string {
	for _, r := range key {
		if r != '_' && r != '$' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			key = quote(key)
			break
		}
	}
	if key == "" || len(key) > 80 {
		key = quote(key)
	}
	if at == "" {
		return key
	}
	return at + "." + key
}

func names(fields []field) string {
	list := make([]string, 0, len(fields))
	for _, f := range fields {
		if f.name != multiSelect {
			list = append(list, f.name)
		}
	}
	return strings.Join(list, ", ")
}

// nearest returns the field whose name or other word is at most two changes
// from key, and fewer than half the word.
func nearest(key string, fields []field) (name string, ok bool) {
	key = strings.ToLower(key)
	best := 3
	for _, f := range fields {
		for _, word := range append([]string{f.name}, f.also...) {
			if d := distance(key, strings.ToLower(word)); d < best && 2*d < len(word) {
				best, name = d, f.name
			}
		}
	}
	return name, name != ""
}

// distance is how many characters must be inserted, removed or changed to
// make b of a (Levenshtein). Names far longer than any field are far away.
func distance(a, b string) int {
	const long = 64
	if len(a) > long {
		return long
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}
