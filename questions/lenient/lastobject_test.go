package lenient_test

import (
	"strings"
	"testing"

	"planb/questions/lenient"
)

func TestLastObject(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":1}`:                               `{"a":1}`,
		"Sure!\n```json\n{\"a\": 1}\n```\n":     `{"a": 1}`,
		`{"a":1} {"b":{"c":2}} done {`:          `{"b":{"c":2}}`,
		`an example {like this} and {"a":"}{"}`: `{"a":"}{"}`,
		`{"a":`:                                 "",
		"":                                      "",
		"words":                                 "",
	} {
		got, found := lenient.LastObject([]byte(text))
		if string(got) != want || found != (want != "") {
			t.Errorf("%q: got %q, %v", text, got, found)
		}
	}
}

func FuzzLastObject(f *testing.F) {
	f.Add([]byte(`x {"a":[{}]} y`))
	f.Add([]byte(strings.Repeat(`{"a":`, 1000)))
	f.Fuzz(func(t *testing.T, text []byte) {
		got, found := lenient.LastObject(text)
		if found && (got[0] != '{' || got[len(got)-1] != '}' || !strings.Contains(string(text), string(got))) {
			t.Errorf("got %q", got)
		}
	})
}
