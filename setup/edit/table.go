package edit

import (
	"strconv"
	"strings"
)

// Table is a table of settings, its members in the order in which they are
// written.
type Table []Member

// Member is one of them. Its value is a string, a bool, an int or a []Table.
type Member struct {
	Key   string
	Value any
}

// generic is the table as decoding gives it.
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

// json is the table as JSON, on one line if unit is empty; else its lines begin
// with end, which is a line end and an indentation, and units.
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

// element is the one of the list at an index that is written out.
func element(list []any, index string) (any, bool) {
	i, err := strconv.Atoi(index)
	if err != nil || i < 0 || i >= len(list) {
		return nil, false
	}
	return list[i], true
}
