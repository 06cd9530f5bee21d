package lenient

import (
	"reflect"
	"slices"
	"strings"
)

// Field is the name of a field, and other names that models use for it. Case,
// underscores and dashes do not matter: multi_select is multiSelect.
type Field struct {
	Name   string
	Also   []string
	Hidden bool // it is understood, but no error names it
}

// Named returns a field with its other names.
func Named(name string, also ...string) Field { return Field{Name: name, Also: also} }

// Means reports whether a key is one of the field's names.
func (f Field) Means(key string) bool {
	return SameName(key, f.Name) || slices.ContainsFunc(f.Also, func(word string) bool { return SameName(key, word) })
}

// SameName reports whether two names differ at most in case, underscores,
// dashes and spaces.
func SameName(a, b string) bool {
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

// ignored reports whether a field is a note of the tools that carry the JSON, and
// says nothing of its subject.
func ignored(key string) bool {
	return slices.Contains([]string{"$schema", "$comment", "_meta", "metadata"}, key)
}

// Object is a JSON object whose fields a reader reads.
type Object struct {
	At    string // where it is in the whole
	given []given
}

// given is a member, with the name of the field that its key means.
type given struct {
	name string
	Member
}

func (o *Object) find(name string) (Member, bool) {
	for i := range o.given {
		if o.given[i].name == name {
			return o.given[i].Member, true
		}
	}
	return Member{}, false
}

// Object reads n as an object with the given fields. It reports every other field
// that is not blank. It returns false if n is not an object. A null field counts
// as absent.
func (r *Reader) Object(at string, n Node, fields []Field) (*Object, bool) {
	n = Unwrap(n)
	if n.Kind != ObjectNode {
		return nil, false
	}
	o := &Object{At: at, given: make([]given, 0, len(n.Members))}
	for _, m := range n.Members {
		if ignored(m.Key) || m.Value.Kind == NullNode {
			continue
		}
		i := slices.IndexFunc(fields, func(f Field) bool { return f.Name == m.Key })
		if i < 0 {
			i = slices.IndexFunc(fields, func(f Field) bool { return f.Means(m.Key) })
		}
		if i < 0 {
			if !m.Value.Blank() {
				r.unknown(at, m.Key, fields)
			}
			continue
		}
		name := fields[i].Name
		first, found := o.find(name)
		switch {
		case !found:
			o.given = append(o.given, given{name, m})
		case reflect.DeepEqual(first.Value, m.Value): // repeated with the same value
		case first.Key == m.Key:
			r.Problems.Add(Join(at, m.Key), "the field twice", "once", "")
		default:
			r.Problems.Add(Join(at, m.Key), m.Value.String(),
				"only one of "+Quote(first.Key)+" and "+Quote(m.Key)+", both mean "+name, "")
		}
	}
	return o, true
}

// unknown reports an unknown field and the field that the agent probably meant.
// Once there are more problems than an error shows, it stops looking for the
// field meant.
func (r *Reader) unknown(at, key string, fields []Field) {
	allowed := names(fields)
	if len(r.Problems) < MaxProblems {
		if name, ok := nearest(key, fields); ok {
			allowed = Quote(name) + ", which is probably meant"
		}
	}
	r.Problems.Add(Join(at, key), "a field that planb does not know", allowed, "")
}

// Get returns the value of a field.
func (o *Object) Get(name string) (n Node, ok bool) {
	m, ok := o.find(name)
	return m.Value, ok
}

// Place returns where a field is or would be.
func (o *Object) Place(name string) string {
	if m, ok := o.find(name); ok {
		name = m.Key
	}
	return Join(o.At, name)
}

// Has reports whether a field is given and not empty.
func (o *Object) Has(name string) bool {
	m, ok := o.find(name)
	return ok && !m.Value.Empty()
}

// Join appends a field's name to a place, quoted if it is not a plain name.
func Join(at, key string) string {
	for _, r := range key {
		if r != '_' && r != '$' && r != '-' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			key = Quote(key)
			break
		}
	}
	if key == "" || len(key) > 80 {
		key = Quote(key)
	}
	if at == "" {
		return key
	}
	return at + "." + key
}

func names(fields []Field) string {
	list := make([]string, 0, len(fields))
	for _, f := range fields {
		if !f.Hidden {
			list = append(list, f.Name)
		}
	}
	return strings.Join(list, ", ")
}

// nearest returns the field that a key probably means.
func nearest(key string, fields []Field) (name string, ok bool) {
	owner := map[string]string{}
	var words []string
	for _, f := range fields {
		for _, word := range append([]string{f.Name}, f.Also...) {
			owner[word] = f.Name
			words = append(words, word)
		}
	}
	word, ok := Nearest(key, words)
	return owner[word], ok
}

// Nearest returns the name that is at most two changes away from word, in any
// letter case, and fewer changes than half the name's length.
func Nearest(word string, names []string) (name string, ok bool) {
	word = strings.ToLower(word)
	best := 3
	for _, candidate := range names {
		if d := distance(word, strings.ToLower(candidate)); d < best && 2*d < len(candidate) {
			best, name = d, candidate
		}
	}
	return name, best < 3
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
