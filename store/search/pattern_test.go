package search

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestPatternsAreFoundWhereTheyLie(t *testing.T) {
	for _, test := range []struct {
		pattern, text string
		want          []string
	}{
		{"cache", "The Cache caches.", []string{"Cache", "cache"}},
		{"cache", "cash", nil},
		{"a b", "a b, a  \n\tb; ab", []string{"a b", "a  \n\tb"}},
		{"a b", "a a b", []string{"a b"}},
		{"a b", "a ", nil},
		{"ÄRGER", "viel ärger, ÄRGER", []string{"ärger", "ÄRGER"}},
		{"aa", "aaaaa", []string{"aaaa"}}, // matches that touch become one
		{"i", "İi", []string{"i"}},        // the lower case of İ would be shorter
		{"x", "\xff\xfeX", []string{"X"}},
		{"x", "\uFFFDX", []string{"X"}},
		{"日本", "これは日本語", []string{"日本"}},
	} {
		var got []string
		for _, s := range spans(words(test.pattern), fold(nil, test.text), 100) {
			got = append(got, test.text[s.start:s.end])
		}
		if strings.Join(got, "|") != strings.Join(test.want, "|") {
			t.Errorf("%q in %q: got %q, want %q", test.pattern, test.text, got, test.want)
		}
	}
}

// FuzzFold tests what spans relies on: folding keeps every offset and changes
// nothing but the case of letters.
func FuzzFold(f *testing.F) {
	for _, text := range []string{"", "Aa", "ÄİẞK", "\xff\xc3", "\uFFFD日"} {
		f.Add(text, "x")
		f.Add(text, text)
	}
	f.Fuzz(func(t *testing.T, text, word string) {
		folded := fold(nil, text)
		if len(folded) != len(text) {
			t.Fatalf("%q: %d bytes became %d", text, len(text), len(folded))
		}
		for i := 0; i < len(text); {
			r, size := utf8.DecodeRuneInString(text[i:])
			if got := string(folded[i : i+size]); got != text[i:i+size] && got != string(unicode.ToLower(r)) {
				t.Fatalf("%q: %q became %q", text, text[i:i+size], got)
			}
			i += size
		}
		if again := fold(nil, string(folded)); string(again) != string(folded) {
			t.Fatalf("%q: folded twice it is %q, not %q", text, again, folded)
		}
		for _, p := range appendPattern(nil, word) {
			for _, s := range spans([]pattern{p}, folded, 100) {
				if s.start < 0 || s.end > len(text) || s.start >= s.end {
					t.Fatalf("%q in %q: found at %v", word, text, s)
				}
			}
			if strings.Contains(text, word) && utf8.ValidString(word) && len(p) == 1 && !p.in(text) {
				t.Fatalf("%q is not found in %q", word, text)
			}
		}
	})
}
