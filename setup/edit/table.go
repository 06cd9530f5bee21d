package edit

import (
	"strconv"
	"strings"
)

// Table is a table of settings with its members in their written order.
type Table []Member

// Member is a key of a table. Value is a string, a bool, an int or a []Table.
type Member struct {
	Key   string
	Value any
}

// generic converts the table to the type that decoding gives.
func (t Table) generic() map[string]any {
	members := map[string]any{}
	for _, m := range t {
		if tables, ok := m.Value.([]Table); ok {
			list := make([]any, len(tables))
			for i, below := range tables {
				list[i] = below.generic()
			}
			members[m.Key] = list
			continue
		}
		members[m.Key] = generic(m.Value)
	}
	return members
}

// json formats the table as JSON: on one line if unit is empty, else with lines
// that begin with end, which is a line end and an indentation, and units of
// indentation.
func (t Table) json(end, unit string) string {
	members := make([]string, len(t))
	for i, m := range t {
		value := ""
		if tables, ok := m.Value.([]Table); ok {
			items := make([]string, len(tables))
			for j, below := range tables {
				items[j] = below.json(end+unit+unit, unit)
			}
			value = bracketed("[", items, "]", end+unit, unit)
		} else {
			value = encode(generic(m.Value))
		}
		members[i] = encode(m.Key) + ": " + value
	}
	return bracketed("{", members, "}", end, unit)
}

func bracketed(left string, items []string, right, end, unit string) string {
	if unit == "" {
		return left + strings.Join(items, ", ") + right
	}
	return left + end + unit + strings.Join(items, ","+end+unit) + end + right
}

func isIndex(key string) bool {
	_, err := strconv.Atoi(key)
	return err == nil
}

// element returns the item of the list at an index written as text.
func element(list []any, index string) (any, bool) {
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(list) {
		return nil, false
	}
	return list[i], true
}
