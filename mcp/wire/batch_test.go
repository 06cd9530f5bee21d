package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
)

// A batch is split as encoding/json splits an array, up to the most there may be.
func FuzzBatch(f *testing.F) {
	for _, line := range []string{
		`[]`, ` [1]`, `[1,2]`, `[{"a":["]"]},"]",null]`, `[1,]`, `[1 2]`, `[1]]`, `[1] 2`, `[`, `[[`, `[1`, "[\"\\\"]\"]\r", `{`, `[1}`,
		"[" + string(bytes.Repeat([]byte("1,"), maxBatch-1)) + "1]", "[" + string(bytes.Repeat([]byte("1,"), maxBatch)) + "1]",
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if !isBatch(line) {
			return
		}
		got, err := splitBatch(line)
		var want []json.RawMessage
		invalid := json.Unmarshal(line, &want)
		switch {
		case errors.Is(err, errBatchTooLong):
			if invalid == nil && len(want) <= maxBatch {
				t.Fatalf("%q is too long", line)
			}
			return
		case (err == nil) != (invalid == nil):
			t.Fatalf("%q: %v, want %v", line, err, invalid)
		case err != nil:
			return
		}
		if len(got) != len(want) {
			t.Fatalf("%q: %q, want %q", line, got, want)
		}
		for i := range got {
			if !bytes.Equal(got[i], bytes.TrimSpace(want[i])) {
				t.Fatalf("%q: %q, want %q", line, got, want)
			}
			if values := countValues(got[i]); values < valuesIn(t, got[i]) {
				t.Fatalf("%q: %d values were counted", got[i], values)
			}
		}
	})
}

// valuesIn counts the values of the JSON, without the keys of its objects.
func valuesIn(t *testing.T, raw json.RawMessage) int {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch {
	case raw[0] == '[' && json.Unmarshal(raw, &list) == nil:
	case raw[0] == '{' && json.Unmarshal(raw, &object) == nil:
	case raw[0] == '[' || raw[0] == '{':
		t.Fatalf("%q is not valid", raw)
	}
	for _, value := range object {
		list = append(list, value)
	}
	count := 1
	for _, value := range list {
		count += valuesIn(t, bytes.TrimSpace(value))
	}
	return count
}
