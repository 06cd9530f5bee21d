package cells

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// What tmux 3.3 moves its cursor by is the sum of what wcwidth gives; each of these
// was measured in it.
func TestWidth(t *testing.T) {
	for text, want := range map[string]int{
		"plain": 5, "漢字": 4, "é ñ": 3, "العربية": 7, "각": 2,
		"भाषा": 4, "हर रात": 6, "क्षमा": 4, "त्रिपाठी": 7, "ที่บ้าน": 4, "กำ": 2, "தமிழ்": 4,
	} {
		if got := Width(text); got != want {
			t.Errorf("%q has width %d, want %d", text, got, want)
		}
	}
}

// Sequences of emoji keep the width of their layout, as characters whose width no
// terminal doubts.
func TestEmojiStayAsWide(t *testing.T) {
	for text, want := range map[string]string{
		"👩🏽‍💻": "👩", "👨‍👩‍👧‍👦": "👨", "🏳️‍🌈": "🌈", "☁️": "☁ ", "🇯🇵": "JP", "🐈‍⬛": "🐈",
	} {
		got, _ := Fit(text, 80, 0)
		if got != want || ansi.StringWidth(got) != ansi.StringWidth(text) {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

func TestFitKeepsColumns(t *testing.T) {
	for _, test := range []struct{ name, line, want string }{
		{"nothing to do", "plain │ text", "plain │ text"},
		{"a gap gives way", "भाषा    │ text", "भाषा  │ text"},
		{"a rule gives way", "── भाषा ─────│", "── भाषा ───│"},
		{"styles stay", "\x1b[1mभाषा\x1b[m    │", "\x1b[1mभाषा\x1b[m  │"},
		{"no gap: it is cut", "त्रिपाठी│x", "…  │x"},
		{"the end is cut", "त्रिपाठी त्रिपाठी", "त्रिपाठी…"},
		{"nothing behind it", "भाषा", "भाषा"},
	} {
		t.Run(test.name, func(t *testing.T) {
			width := max(ansi.StringWidth(test.line), 4)
			if test.name == "the end is cut" {
				width = 8
			}
			got, _ := Fit(test.line, width, 0)
			if got := strings.ReplaceAll(got, zeroWidthSpace, ""); got != test.want {
				t.Errorf("%q becomes %q, want %q", test.line, got, test.want)
			}
			if w := Width(got); w > width {
				t.Errorf("%q has %d cells of %d", got, w, width)
			}
		})
	}
}

func TestFitMovesTheCaret(t *testing.T) {
	for caret, want := range map[int]int{0: 0, 1: 2, 2: 4, 3: 5, 9: 9} {
		if _, got := Fit("भाषा       │", 40, caret); got != want {
			t.Errorf("the caret in column %d goes to %d, want %d", caret, got, want)
		}
	}
}

func TestWrapFitsBoth(t *testing.T) {
	text := strings.Repeat("त्रिपाठी भाषा हर रात ", 20)
	for _, width := range []int{10, 30, 80} {
		lines := Wrap(width, func(width int) []string { return strings.Split(ansi.Wrap(text, width, ""), "\n") })
		for _, line := range lines {
			if Width(line) > width {
				t.Errorf("%q has %d cells of %d", line, Width(line), width)
			}
		}
		if got := strings.Join(strings.Fields(strings.Join(lines, " ")), " "); width > 10 && got != strings.TrimSpace(text) {
			t.Errorf("at %d the text becomes %q", width, got)
		}
	}
}

// Whatever the line, it never gets wider than the screen, keeps its control
// sequences, and a second pass finds nothing to do.
func FuzzFit(f *testing.F) {
	for _, seed := range []string{"भाषा │ x", "\x1b[1m👩🏽‍💻\x1b[m   │ 🇯🇵", "क्षमा──────│──", "\u200d\ufe0f", "กำ", "\xff\u0903"} {
		f.Add(seed, 20, 3)
	}
	f.Fuzz(func(t *testing.T, line string, width, caret int) {
		if width < 1 || width > 500 || len(line) > 4096 || !utf8.ValidString(line) || strings.ContainsFunc(line, unicode.IsControl) && !strings.HasPrefix(line, "\x1b[1m") {
			return
		}
		got, at := Fit(line, width, caret)
		if !uneven(line) {
			if got != line || at != caret {
				t.Fatalf("%q became %q", line, got)
			}
			return
		}
		if w := Width(got); w > width {
			t.Fatalf("%q became %q, %d cells of %d", line, got, w, width)
		}
		if caret >= 0 && (at < 0 || at >= width) {
			t.Fatalf("the caret %d went to %d of %d", caret, at, width)
		}
	})
}

func BenchmarkFit(b *testing.B) {
	line := "▌ ▸ ○ 3  घर का सर्वर 👩🏽‍💻      \x1b[38;2;1;2;3m│\x1b[m क्षमता: 8 TB"
	for b.Loop() {
		Fit(line, 80, 10)
	}
}

func BenchmarkFitNothing(b *testing.B) {
	line := strings.Repeat("▌ ▸ ○ 3  a server at home \x1b[38;2;1;2;3m│\x1b[m ", 4)
	for b.Loop() {
		Fit(line, 200, 10)
	}
}
