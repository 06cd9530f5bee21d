package questions

import (
	"reflect"
	"slices"
	"strings"
)

// field is the name of a field, and other names that models use for it. Case,
// underscores and dashes do not matter: multi_select is multiSelect.
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

// ignored reports whether a field is a note of the tools that carry the form, and
// says nothing about the form itself.
func ignored(key string) bool {
	return slices.Contains([]string{"$schema", "$comment", "_meta", "metadata"}, key)
}

// object is a JSON object whose fields a reader reads.
type object struct {
	at    string // where it is in the form
	given map[string]member
}

// object reads n as an object with the given fields. It reports every other field
// that is not blank. It returns false if n is not an object. A null field counts
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
		first, found := o.given[name]
		switch {
		case !found:
			o.given[name] = m
		case reflect.DeepEqual(first.value, m.value): // repeated with the same value
		case first.key == m.key:
			r.problems.add(join(at, m.key), "the field twice", "once", "")
		default:
			r.problems.add(join(at, m.key), m.value.String(),
				"only one of "+quote(first.key)+" and "+quote(m.key)+", both mean "+name, "")
		}
	}
	return o, true
}

// unknown reports an unknown field and the field that the agent probably meant.
// Once there are more problems than an error shows, it stops looking for the
// field meant.
func (r *reader) unknown(at, key string, fields []field) {
	allowed := names(fields)
	if len(r.problems) < MaxProblems {
		if name, ok := nearest(key, fields); ok {
			allowed = quote(name) + ", which is probably meant"
		}
	}
	r.problems.add(join(at, key), "a field that planb does not know", allowed, "")
}

// get returns the value of a field, and the place where it is or would be.
func (o *object) get(name string) (n node, at string, ok bool) {
	m, ok := o.given[name]
	if !ok {
		return node{}, join(o.at, name), false
	}
	return m.value, join(o.at, m.key), true
}

// has reports whether a field is given and not empty.
func (o *object) has(name string) bool {
	m, ok := o.given[name]
	return ok && !m.value.empty()
}

// join appends a field's name to a place, quoted if it is not a plain name.
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

// nearest returns the field with a name that is at most two changes away from key,
// and fewer changes than half the name's length.
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

// distance returns how many characters must be inserted, removed or changed to
// turn a into b (Levenshtein). A name much longer than any field is far away.
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
