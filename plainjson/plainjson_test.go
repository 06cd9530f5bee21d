package plainjson_test

import (
	"math"
	"testing"

	"planb/plainjson"
)

func TestNothingIsEscapedForHTML(t *testing.T) {
	value := map[string]any{"a": "<b> & c", "d": []int{1}}
	for indent, want := range map[string]string{
		"":   `{"a":"<b> & c","d":[1]}`,
		"  ": "{\n  \"a\": \"<b> & c\",\n  \"d\": [\n    1\n  ]\n}",
	} {
		if got, err := plainjson.Indent(value, indent); err != nil || string(got) != want {
			t.Errorf("indented by %q: %s, %v", indent, got, err)
		}
	}
	if got, err := plainjson.Marshal("ends in a break\n"); err != nil || string(got) != `"ends in a break\n"` {
		t.Errorf("%s, %v", got, err)
	}
	if got, err := plainjson.Marshal(math.Inf(1)); err == nil || got != nil {
		t.Errorf("infinity became %s", got)
	}
}
