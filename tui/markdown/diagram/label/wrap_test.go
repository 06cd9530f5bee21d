package label

import (
	"slices"
	"strings"
	"testing"
)

func TestLabelsWrapEvenly(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  Label
	}{
		{"short", 10, Label{"short"}},
		{"the long and pleasant one by the river", 20, Label{"the long and", "pleasant one", "by the river"}},
		{"an incomprehensible word", 8, Label{"an", "incomprehensible", "word"}},
		{strings.Repeat("x", 40), 8, Label{strings.Repeat("x", 32), strings.Repeat("x", 8)}},
		{"a_name.with/many-parts", 8, Label{"a_name.", "with/", "many-", "parts"}},
		{"用户请求（缓存）", 8, Label{"用户请求", "（缓存）"}},
		{"用户请求再试，一次缓存命", 16, Label{"用户请求再试，", "一次缓存命"}},
		{"keep-it-up now", 8, Label{"keep-it-up", "now"}},
	} {
		if got := (Label{test.text}).Wrap(test.width); !slices.Equal(got, test.want) {
			t.Errorf("%q in %d cells is %q, want %q", test.text, test.width, got, test.want)
		}
	}
}
