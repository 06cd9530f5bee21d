package edit

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
)

// Change is one change to a configuration.
type Change struct {
	// Path names a value by the keys from the top. An index names an item of a
	// list that exists. The path is not empty and ends in a key.
	Path []string
	do   verb
	// value is a string, a bool, an int64, or a list of strings as []any; for
	// add and drop a string or a table.
	value any
	table Table // value with its order, if it is a table to add
}

type verb int

const (
	set verb = iota
	add
	drop
	remove
)

// Set sets the value at the path. It creates missing tables on the way.
func Set[T string | bool | int | []string](value T, path ...string) Change {
	return Change{Path: path, do: set, value: generic(value)}
}

// Add adds a text to the list at the path, unless it is there.
func Add(item string, path ...string) Change { return Change{Path: path, do: add, value: item} }

// AddTable adds a table to the list at the path, unless it is there. Only JSON
// supports it.
func AddTable(item Table, path ...string) Change { return Change{path, add, item.generic(), item} }

// Drop removes a text from the list at the path.
func Drop(item string, path ...string) Change { return Change{Path: path, do: drop, value: item} }

// DropTable removes a table, as Decode returns it, from the list at the path.
func DropTable(item map[string]any, path ...string) Change {
	return Change{Path: path, do: drop, value: item}
}

// Remove removes the value at the path and everything below it.
func Remove(path ...string) Change { return Change{Path: path, do: remove} }

// generic converts a value to the type that decoding gives.
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
	// Decode returns the content as maps, slices, strings, bools, int64 and
	// float64; TOML has times, too. An empty text gives an empty map. The error
	// is a *SyntaxError.
	Decode(text []byte) (map[string]any, error)
	// apply makes one change, which must not hold already.
	apply(text []byte, c Change) ([]byte, error)
}

// Apply makes the changes in order. A change that holds already does nothing.
// The error is a *SyntaxError or a *ConflictError; on an error the file must
// not be written.
func Apply(format Format, text []byte, changes ...Change) ([]byte, error) {
	for _, c := range changes {
		data, err := format.Decode(text)
		if err != nil {
			return nil, err
		}
		changed, err := c.applyTo(data)
		if err != nil {
			return nil, err
		}
		if !changed {
			continue
		}
		if text, err = format.apply(text, c); err != nil {
			return nil, err
		}
		if result, err := format.Decode(text); err != nil || !c.yields(result, data) {
			return nil, &ConflictError{Path: c.Path, Reason: "it is written in a form that planb can't change safely"}
		}
	}
	return text, nil
}

// applyTo makes the change in decoded data, and reports whether that changed
// anything.
func (c Change) applyTo(data map[string]any) (changed bool, err error) {
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
		if list, ok := below.([]any); ok && i+1 < last && isIndex(c.Path[i+1]) {
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

// yields reports whether a change did what it should and nothing else. It ignores the
// position of an added item, and tables that were left empty. It modifies both
// arguments.
func (c Change) yields(result, wanted map[string]any) bool {
	switch c.do {
	case add:
		c.do = drop
		if added, err := c.applyTo(result); err != nil || !added {
			return false
		}
		if _, err := c.applyTo(wanted); err != nil {
			return false
		}
	case remove:
		dropEmpty(result, c.Path)
		dropEmpty(wanted, c.Path)
	}
	return same(result, wanted)
}

// dropEmpty removes empty tables on the path.
func dropEmpty(data map[string]any, path []string) {
	if below, ok := data[path[0]].(map[string]any); ok && len(path) > 1 {
		dropEmpty(below, path[1:])
		if len(below) == 0 {
			delete(data, path[0])
		}
	}
}

// equal compares a decoded value with a value to set; 3600.0 equals 3600.
func equal(old, wanted any) bool {
	if f, ok := old.(float64); ok {
		if n, ok := wanted.(int64); ok {
			return f == float64(n)
		}
	}
	return same(old, wanted)
}

// same compares decoded data. NaN equals itself here.
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

// describe words a decoded value for an error.
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
