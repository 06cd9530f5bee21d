package markdown

import "testing"

func TestEvenTabs(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"no fence", "  \tx\n", "  \tx\n"},
		{"in a fence", "   ```\n   a\n   \tb\n   \t\tc\td\n   ```\n", "   ```\n   a\n       b\n           c\td\n   ```\n"},
		{"tabs alone", "```\n\ta\n```\n", "```\n\ta\n```\n"},
		{"after the fence", "```\n \ta\n```\n \tb\n", "```\n     a\n```\n \tb\n"},
		{"the other mark", "~~~\n```\n \ta\n~~~\n \tb\n", "~~~\n```\n     a\n~~~\n \tb\n"},
		{"a shorter mark", "````\n```\n \ta\n````\n \tb", "````\n```\n     a\n````\n \tb"},
		{"a mark with words", "```go\n```go\n \ta\n```\n \tb", "```go\n```go\n     a\n```\n \tb"},
		{"mixed", "```\n \t \ta\n```", "```\n          a\n```"},
		{"unclosed", "```\n \ta", "```\n     a"},
		{"no tabs", "```\n  a", "```\n  a"},
	} {
		if got := evenTabs(c.in); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
