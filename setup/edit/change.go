package edit

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// Change is one thing that shall hold afterwards.
type Change struct {
	// Path names a value, by the keys on the way from the top; one of a list that
	// is there is named by its index. It is not empty, and ends in a key.
	Path []string
	do   verb
	// value is a string, a bool, an int64 or a list of strings as []any; for
	// add and drop a string or a table.
	value any
	table Table // value in its order, if it is a table to be added
}

type verb int

const (
	set verb = iota
	add
	drop
	remove
)

// Set makes the value at the path this one; what is missing on the way is made.
func Set[T string | bool | int | []string](value T, path ...string) Change {
	return Change{Path: path, do: set, value: generic(value)}
}

// Add makes this text one of the list at the path.
func Add(item string, path ...string) Change { return Change{Path: path, do: add, value: item} }

// AddTable makes this table one of the list at the path, in JSON.
func AddTable(item Table, path ...string) Change { return Change{path, add, item.generic(), item} }

// Drop makes this text none of the list at the path.
func Drop(item string, path ...string) Change { return Change{Path: path, do: drop, value: item} }

// DropTable makes this table, as Decode gives it, none of the list at the path.
func DropTable(item map[string]any, path ...string) Change {
	return Change{Path: path, do: drop, value: item}
}

// Remove takes the value at the path away, with all below it.
func Remove(path ...string) Change { return Change{Path: path, do: remove} }

// generic is a value as decoding gives it.
func generic(value any) any {
	switch v := value.(type) {
	case int:
		return int64(v)
	case []string:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = item
		}
		return list
	}
	return value
}

// Format is a notation of configuration files.
type Format interface {
	// Decode returns what the text says, as maps, slices, strings, bools, int64
	// and float64 (TOML has times, too). An empty text is an empty map. The error
	// is a *SyntaxError.
	Decode(text []byte) (map[string]any, error)
	// apply makes one change that is known to change something.
	apply(text []byte, c Change) ([]byte, error)
}

// Apply makes the changes, in their order. A change that holds already changes
// nothing. The error is a *SyntaxError or a *ConflictError; the text is then
// not to be written.
func Apply(format Format, text []byte, changes ...Change) ([]byte, error) {
	for _, c := range changes {
		data, err := format.Decode(text)
		if err != nil {
			return nil, err
		}
		changed, err := c.holdIn(data)
		if err != nil {
			return nil, err
		}
		if !changed {
			continue
		}
		if text, err = format.apply(text, c); err != nil {
			return nil, err
		}
		if result, err := format.Decode(text); err != nil || !c.leaves(result, data) {
			return nil, &ConflictError{Path: c.Path, Reason: "it is written in a way that planb can't change safely"}
		}
	}
	return text, nil
}

// holdIn makes the change in decoded data, and reports whether that changed
// anything.
func (c Change) holdIn(data map[string]any) (changed bool, err error) {
	last := len(c.Path) - 1
	for i := 0; i < last; i++ {
		below, there := data[c.Path[i]]
		if !there {
			if c.do == drop || c.do == remove {
				return false, nil
			}
			below = map[string]any{}
			data[c.Path[i]] = below
		}
		if list, ok := below.([]any); ok && i+1 < last {
			i++
			if below, ok = element(list, c.Path[i]); !ok {
				return false, &ConflictError{Path: c.Path[:i+1], Reason: "it is not there"}
			}
		}
		table, ok := below.(map[string]any)
		if !ok {
			return false, &ConflictError{Path: c.Path[:i+1], Reason: "it is " + describe(below) + ", not a table of settings"}
		}
		data = table
	}
	key := c.Path[last]
	old, there := data[key]
	switch c.do {
	case set:
		if there && equal(old, c.value) {
			return false, nil
		}
		if _, isTable := old.(map[string]any); isTable {
			return false, &ConflictError{Path: c.Path, Reason: "it is a table of settings, not one value"}
		}
		data[key] = c.value
		return true, nil
	case remove:
		delete(data, key)
		return there, nil
	}
	list, ok := old.([]any)
	if there && !ok {
		return false, &ConflictError{Path: c.Path, Reason: "it is " + describe(old) + ", not a list"}
	}
	at := slices.IndexFunc(list, func(item any) bool { return same(item, c.value) })
	switch {
	case c.do == add && at < 0:
		data[key] = append(slices.Clone(list), c.value)
		return true, nil
	case c.do == drop && at >= 0:
		data[key] = slices.Delete(slices.Clone(list), at, at+1)
		return true, nil
	}
	return false, nil
}

// leaves reports whether a change has given what it should have, and nothing
// else: where in a list an item was added counts for nothing, nor does a table
// that was left empty. It spoils both.
func (c Change) leaves(result, wanted map[string]any) bool {
	switch c.do {
	case add:
		c.do = drop
		if added, err := c.holdIn(result); err != nil || !added {
			return false
		}
		if _, err := c.holdIn(wanted); err != nil {
			return false
		}
	case remove:
		dropEmpty(result, c.Path)
		dropEmpty(wanted, c.Path)
	}
	return same(result, wanted)
}

// dropEmpty takes tables on the path away that hold nothing.
func dropEmpty(data map[string]any, path []string) {
	if below, ok := data[path[0]].(map[string]any); ok && len(path) > 1 {
		dropEmpty(below, path[1:])
		if len(below) == 0 {
			delete(data, path[0])
		}
	}
}

// equal compares a decoded value with one to be set; 3600.0 is 3600.
func equal(old, wanted any) bool {
	if f, ok := old.(float64); ok {
		if n, ok := wanted.(int64); ok {
			return f == float64(n)
		}
	}
	return same(old, wanted)
}

// same compares decoded data. A number that is none equals itself here.
func same(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for key, value := range a {
			if other, there := b[key]; !there || !same(value, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		return ok && slices.EqualFunc(a, b, same)
	case float64:
		b, ok := b.(float64)
		return ok && (a == b || math.IsNaN(a) && math.IsNaN(b))
	}
	return reflect.DeepEqual(a, b)
}

// describe names a decoded value in an error.
func describe(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case map[string]any:
		return "a table of settings"
	case []any:
		return "a list"
	case string:
		return strconv.Quote(v)
	}
	return fmt.Sprint(value)
}
