package diagram

import (
	"slices"
	"strings"
	"testing"
)

func TestLabelsWrapEvenly(t *testing.T) {
	for _, test := range []struct {
		text  string
		width int
		want  label
	}{
		{"short", 10, label{"short"}},
		{"the long and pleasant one by the river", 20, label{"the long and", "pleasant one", "by the river"}},
		{"an incomprehensible word", 8, label{"an", "incomprehensible", "word"}},
		{strings.Repeat("x", 40), 8, label{strings.Repeat("x", 32), strings.Repeat("x", 8)}},
		{"a_name.with/many-parts", 8, label{"a_name.", "with/", "many-", "parts"}},
		{"用户请求（缓存）", 8, label{"用户请求", "（缓存）"}},
		{"用户请求再试，一次缓存命", 16, label{"用户请求再试，", "一次缓存命"}},
		{"keep-it-up now", 8, label{"keep-it-up", "now"}},
	} {
		if got := (label{test.text}).wrap(test.width); !slices.Equal(got, test.want) {
			t.Errorf("%q in %d cells is %q, want %q", test.text, test.width, got, test.want)
		}
	}
}
