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
	key = fold(key)
	return key == fold(f.name) || slices.ContainsFunc(f.also, func(word string) bool { return key == fold(word) })
}

// fold makes the ways of writing one name equal.
func fold(name string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(name))
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

// object reads n as an object with the given fields, reports all others, and
// returns false if it is no object at all. Null fields count as absent.
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
			r.problems.add(join(at, m.key), "a field that planb does not know", suggest(m.key, fields), "")
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

// suggest names the field that was probably meant, else all there are.
func suggest(key string, fields []field) string {
	names := make([]string, 0, len(fields))
	best, bestAt := 3, -1
	for i, f := range fields {
		names = append(names, f.name)
		for _, word := range append([]string{f.name}, f.also...) {
			if d := distance(fold(key), fold(word)); d < best && d < len(word)/2+1 {
				best, bestAt = d, i
			}
		}
	}
	if bestAt >= 0 {
		return quote(fields[bestAt].name) + ", which is probably meant"
	}
	return strings.Join(names, ", ")
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
