package diff_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"planb/plans/diff"
)

// marked puts the differing words into brackets.
func marked(text string, spans []diff.Span) string {
	for i := len(spans) - 1; i >= 0; i-- {
		s := spans[i]
		text = text[:s.From] + "[" + text[s.From:s.To] + "]" + text[s.To:]
	}
	return text
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ before, after, old, new string }{
		{"keep one queue per customer", "keep two queues per customer", "keep [one queue] per customer", "keep [two queues] per customer"},
		{"retry after 5 s", "retry after 5 s, then stop", "retry after 5 s", "retry after 5 s[, then stop]"},
		{"foo(bar, baz)", "foo(bar, qux)", "foo(bar, [baz])", "foo(bar, [qux])"},
		{"line\r\n", "line\n", "line[\r\n]", "line[\n]"},
		{"検索の結果を表示", "検索の順序を表示", "検索の[結果]を表示", "検索の[順序]を表示"},
		{"a cafe\u0301 here", "a cafe here", "a [cafe\u0301] here", "a [cafe] here"},
		{"send 👩\u200d💻 the bill", "send 👩\u200d🚀 the bill", "send [👩\u200d💻] the bill", "send [👩\u200d🚀] the bill"},
		{"the flag 🇩🇪 here", "the flag 🇩🇰 here", "the flag [🇩🇪] here", "the flag [🇩🇰] here"},
		{"flag 🏴\U000E0067\U000E0062\U000E007F of the team that plays here", "flag 🏴\U000E0066\U000E0072\U000E007F of the team that plays here", "flag [🏴\U000E0067\U000E0062\U000E007F] of the team that plays here", "flag [🏴\U000E0066\U000E0072\U000E007F] of the team that plays here"},
		{"กำหนดการ", "กาหนดการ", "[กำ]หนดการ", "[กา]หนดการ"},
		{"version \xff one", "version \xfe one", "version [\xff] one", "version [\xfe] one"},
	} {
		removed, added, ok := diff.Words(c.before, c.after)
		if got := marked(c.before, removed); !ok || got != c.old {
			t.Errorf("%q to %q: got %q, %v, want %q", c.before, c.after, got, ok, c.old)
		}
		if got := marked(c.after, added); got != c.new {
			t.Errorf("%q to %q: got %q, want %q", c.before, c.after, got, c.new)
		}
	}
}

func TestWordsThatHelpNobody(t *testing.T) {
	for _, c := range [][2]string{
		{"", "a"}, {"---", "***"}, {"one two three", "four five six"}, {"a b c d e f", "f e d c b a"},
		{"keep " + strings.Repeat("x", 64<<10), "keep " + strings.Repeat("x", 64<<10) + "y"},
	} {
		if removed, added, ok := diff.Words(c[0], c[1]); ok {
			t.Errorf("%.40q to %.40q: got %v and %v", c[0], c[1], removed, added)
		}
	}
}

func FuzzWords(f *testing.F) {
	f.Add("keep one queue", "keep two queues")
	f.Add("e\u0301\u200d👩\u200d💻 \xff", "e \u0301 検索")
	f.Fuzz(func(t *testing.T, before, after string) {
		removed, added, ok := diff.Words(before, after)
		if !ok {
			return
		}
		if a, b := without(t, diff.Line{Text: before, Words: removed}), without(t, diff.Line{Text: after, Words: added}); a != b {
			t.Fatalf("%q and %q have %q and %q in common", before, after, a, b)
		}
		for _, s := range removed {
			if utf8.ValidString(before) && !utf8.ValidString(before[s.From:s.To]) {
				t.Fatalf("%q is cut inside a character: %v", before, removed)
			}
		}
	})
}

func TestSplit(t *testing.T) {
	got := strings.Join(diff.Split("it's a\tqueue, 検索 e\u0301 x\xff"), "|")
	if want := "it|'|s| |a|\t|queue|,| |検|索| |e\u0301| |x|\xff"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPairs(t *testing.T) {
	for _, c := range []struct {
		name          string
		before, after []string
		want          string
	}{
		{"nothing", nil, []string{"a b"}, "[]"},
		{"as they come", []string{"one two three", "four five six"}, []string{"one two 3", "four five 6"}, "[[0 0] [1 1]]"},
		{"with one between", []string{"one two three"}, []string{"nothing alike", "one two 3"}, "[[0 1]]"},
		{"never crossing", []string{"one two three", "four five six"}, []string{"four five 6", "one two 3"}, "[[1 0]]"},
		{"too different", []string{"one two three"}, []string{"one 2 3 4 many others"}, "[]"},
		{"too large", []string{strings.Repeat("a b ", 2<<20)}, []string{"a b"}, "[]"},
	} {
		if got := fmt.Sprint(diff.Pairs(c.before, c.after)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
