package plans_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"planb/plans"
	"planb/questions/safe"
)

func TestOutline(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"none", "plain\ntext\n", ""},
		{"empty", "", ""},
		{"nested", "# A\na\n## B\nb\n### C\nc\n## D\n# E", "1 A 1-8, 2 B 3-7, 3 C 5-7, 2 D 7-8, 1 E 8-9"},
		{"levels that are left out", "### A\n# B\n#### C\n", "3 A 1-2, 1 B 2-4, 4 C 3-4"},
		{"text before the first", "intro\n\n# A\n", "1 A 3-4"},
		{"fenced code", "# A\n```sh\n# no\n```\n## B\n", "1 A 1-6, 2 B 5-6"},
		{"indented code", "# A\n\n    # no\n", "1 A 1-4"},
		{"a fence that is never closed", "# A\n~~~\n# no\n", "1 A 1-4"},
		{"underlined", "A\n===\ntext\n\nB\n-\n", "1 A 1-7, 2 B 5-7"},
		{"rules, lists and tables are not underlined", "text\ntext\n---\n\n---\n- a\n---\n| a |\n---\n", ""},
		{"a rule below a list, a quote or a table", "1. a\n---\n2) b\n---\n- c\n  d\n---\n> e\nf\n---\n| g |\nh\n---\n", ""},
		{"underlined below a rule", "* * *\nA\n---\n", "2 A 2-4"},
		{"underlined below a list", "- a\n\nB 2.\n---\n", "2 B 2. 3-5"},
		{"no text", "#\n##\n# #\n", ""},
		{"CR LF", "# A\r\n\r\n## B ##\r\n", "1 A 1-4, 2 B 3-4"},
		{"hostile", "# \x1b[31mA\n", "1 ␛[31mA 1-2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, s := range plans.Outline(safe.New(c.text)) {
				got = append(got, fmt.Sprintf("%d %s %d-%d", s.Level, s.Title, s.Line, s.End))
			}
			if joined := strings.Join(got, ", "); joined != c.want {
				t.Errorf("got  %s\nwant %s", joined, c.want)
			}
		})
	}
}

func FuzzOutline(f *testing.F) {
	f.Add("# a\n```\n# b\n## c\nd\n===\n")
	f.Fuzz(func(t *testing.T, text string) {
		lines := strings.Split(text, "\n")
		last := 0
		for _, s := range plans.Outline(safe.New(text)) {
			if s.Line <= last || s.End <= s.Line || s.End > len(lines)+1 || s.Level < 1 || s.Level > 6 {
				t.Fatalf("%q has a section %+v after line %d", text, s, last)
			}
			if last = s.Line; !strings.Contains(lines[s.Line-1], s.Title.Raw()) || s.Title.Blank() && s.Title.IsZero() {
				t.Fatalf("%q has a section %+v, which its line does not say", text, s)
			}
		}
	})
}

func TestBlocks(t *testing.T) {
	text := "a\n```go title\nx\n```\n    ```\n~~~~\n```\n~~~\n~~~~~\n  ```contract\ny"
	want := []plans.Block{
		{Fence: "```", Info: "go title", From: 2, To: 4}, {Fence: "~~~~", From: 6, To: 9}, {Fence: "```", Info: "contract", From: 10},
	}
	if got := plans.Blocks(text); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
