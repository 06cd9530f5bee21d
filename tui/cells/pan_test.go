package cells

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"
)

func TestPannedShowsAPartOfALine(t *testing.T) {
	const red, off = "\x1b[31m", "\x1b[m"
	family := "👨\u200d👩\u200d👧"
	for name, c := range map[string]struct {
		line              string
		left, room, still int
		want              string
	}{
		"fits":                       {"abcdef", 0, 6, 0, "abcdef"},
		"goes on":                    {"abcdefg", 0, 6, 0, "abcde›"},
		"both ways":                  {"abcdefghij", 2, 6, 0, "‹defg›"},
		"to its end":                 {"abcdefghij", 4, 6, 0, "‹fghij"},
		"beyond its end":             {"abc", 4, 6, 0, "‹"},
		"empty":                      {"", 4, 6, 0, ""},
		"no room":                    {"abc", 0, 0, 0, ""},
		"what stays":                 {"ab│cdefghij", 4, 7, 3, "ab│‹hij"},
		"what stays goes on":         {"ab│cdefghijklm", 1, 7, 3, "ab│‹ef›"},
		"nothing but what stays":     {"ab│", 4, 7, 3, "ab│"},
		"more stays than there is":   {"abcdefghij", 2, 4, 9, "ab‹›"},
		"wide at the left":           {"世界和平", 1, 7, 0, "‹界和平"},
		"half of a wide one, left":   {"a世界和平", 1, 8, 0, "‹ 界和平"},
		"half of a wide one, right":  {"a世界和平", 0, 6, 0, "a世界›"},
		"half of a wide one, right2": {"世界和平", 0, 6, 0, "世界 ›"},
		"joined":                     {"ab" + family + "cdef", 0, 5, 0, "ab" + family + "›"},
		"joined, half at the right":  {"ab" + family + "cdef", 0, 4, 0, "ab ›"},
		"joined, half at the left":   {"ab" + family + "cdef", 2, 6, 0, "‹ cdef"},
		"combined":                   {"abe\u0301fgh", 1, 5, 0, "‹e\u0301fgh"},
		"a style from before":        {red + "abcdef" + off + "gh", 2, 6, 0, "‹" + red + "def" + off + "gh"},
		"a style beyond":             {"abc" + red + "defgh" + off, 0, 4, 0, "abc›"},
		"a style cut at both":        {"a" + red + "bcdefgh" + off + "i", 2, 5, 0, "‹" + red + "def" + off + "›"},
		"styles one after another":   {red + "\x1b[1mab" + off + "cdefg", 1, 6, 0, "‹cdefg"},
		"two styles in force":        {red + "\x1b[1mabcd" + off + "efg", 1, 6, 0, "‹" + red + "\x1b[1mcd" + off + "efg"},
		"half a number, right":       {"of 1048 rows and more", 0, 16, 0, "of 1048 rows an›"},
		"no half a number, right":    {"the sum of 1048 rows", 0, 15, 0, "the sum of    ›"},
		"no half a number, left":     {"2048 is the sum of it", 1, 17, 0, "‹   is the sum o›"},
		"a number of many digits":    {"of 12345678 rows and", 0, 8, 0, "of 1234›"},
		"a cell at the right":        {"one │ 10 48 │ three │ four", 0, 17, 0, "one │ 10 48 │   ›"},
		"a cell at the left":         {"one │ 10 48 │ three │ four", 7, 19, 0, "‹    │ three │ four"},
		"a rule ends":                {"────┼───────┼──────", 0, 8, 0, "────┼───"},
		"a rule, panned":             {"────┼───────┼──────", 3, 8, 0, "─┼──────"},
		"a crossing below a mark":    {"────┼───────┼──────", 4, 9, 0, "─────────"},
		"a crossing where it ends":   {"────┼───────┼", 4, 9, 0, "────────┼"},
		"a crossing below what ends": {red + "────┼───────┼──────" + off, 0, 5, 0, red + "─────" + off},
		"what stays keeps its style": {red + "ab" + off + "cdefgh", 2, 6, 2, red + "ab" + off + "‹fgh"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Panned(c.line, c.left, c.room, c.still); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestPanningLosesNothing holds of any line: no part is wider than its room, every
// character is in view somewhere, and in the style it had.
func TestPanningLosesNothing(t *testing.T) {
	pieces := []string{"a", "b ", "12 ", "7", "世", "界", "👨\u200d👩\u200d👧", "🇩🇪", "e\u0301", "नि", "\x1b[31m", "\x1b[38;2;1;2;3m", "\x1b[1m", "\x1b[m", "│"}
	rapid.Check(t, func(t *rapid.T) {
		line := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 1, 40).Draw(t, "pieces"), "") + "\x1b[m"
		room := rapid.IntRange(6, 30).Draw(t, "room")
		still := rapid.IntRange(0, 3).Draw(t, "still")
		cells := ansi.StringWidth(line)
		last := max(cells-room, 0)
		all := ansi.Strip(line)
		for left := 0; left <= last; left++ {
			got := Panned(line, left, room, still)
			if w := ansi.StringWidth(got); w > room {
				t.Fatalf("%q has %d cells at %d, there are %d", got, w, left, room)
			}
			if got != ansi.Strip(got) && !strings.HasSuffix(got, ansi.ResetStyle) && strings.Count(got, ansi.ResetStyle) == 0 {
				t.Fatalf("%q does not end its style", got)
			}
			for part := range strings.FieldsFuncSeq(ansi.Strip(got), func(r rune) bool { return strings.ContainsRune("‹› ", r) }) {
				if !strings.Contains(all, part) {
					t.Fatalf("%q at %d is no part of %q", part, left, all)
				}
			}
			goesOn := left < last && inkWidth(line) > left+room // blanks alone are not told
			if strings.Contains(got, goesOnRight) != goesOn && cells > still {
				t.Fatalf("at %d of %d: %q", left, last, got)
			}
		}
		end := strings.TrimRight(ansi.Strip(Panned(line, last, room, still)), " ")
		if tail := []rune(strings.TrimRight(all, " ")); len(tail) > 0 && cells > room && !strings.HasSuffix(end, string(tail[len(tail)-1])) {
			t.Fatalf("panned to its end it shows %q of %q", end, all)
		}
	})
}
