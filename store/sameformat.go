package store

import "encoding/json"

// SameFormat reports whether two values of the key are format records of one
// format: stores that were begun apart, where neither could see the other, and
// that may become one.
func SameFormat(key Key, a, b []byte) bool {
	var one, other formatRecord
	return key == formatKey && json.Unmarshal(a, &one) == nil && json.Unmarshal(b, &other) == nil && one.V == other.V
}
