package cells

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"
)

func TestCutParts(t *testing.T) {
	for _, c := range []struct {
		text  string
		cells int
		want  string
	}{
		{"Codex · orders · 2 forms", 24, "Codex · orders · 2 forms"},
		{"Codex · orders · 2 forms", 23, "Codex · orders"},
		{"Codex · orders · 2 forms", 14, "Codex · orders"},
		{"Codex · orders · 2 forms", 10, "Codex"},
		{"Codex · a-project-with-a-name", 20, "Codex · a-project-w…"}, // Codex alone would waste the line
		{"one long word", 8, "one lon…"},
		{"", 0, ""},
		{"a · b", 0, ""},
	} {
		if got := CutParts(c.text, c.cells); got != c.want {
			t.Errorf("CutParts(%q, %d) = %q, want %q", c.text, c.cells, got, c.want)
		}
	}
}

func TestCutWords(t *testing.T) {
	for _, c := range []struct {
		text  string
		cells int
		want  string
	}{
		{"what happens in here today", 26, "what happens in here today"},
		{"what happens in here today and then", 26, "what happens in here…"},
		{"what happens in here today and then", 27, "what happens in here today…"},
		{"what happens in here tomorrow", 26, "what happens in here…"},
		{"what happens extraordinarily", 25, "what happens extraordina…"}, // the whole word would cost too much
		{"\x1b[1mwhat happens\x1b[m here \x1b[1mtoday and\x1b[m", 22, "\x1b[1mwhat happens\x1b[m here…\x1b[1m\x1b[m"},
		{"日本 日本 日本 日本 日本 日本", 24, "日本 日本 日本 日本…"},
		{"word", 1, "…"},
		{"word", 0, ""},
	} {
		if got := CutWords(c.text, c.cells); got != c.want {
			t.Errorf("CutWords(%q, %d) = %q, want %q", c.text, c.cells, got, c.want)
		}
	}
}

func TestPartLines(t *testing.T) {
	for _, c := range []struct {
		text  string
		width int
		want  []string
	}{
		{"1 comment · 1 section held back", 31, []string{"1 comment · 1 section held back"}},
		{"1 comment · 1 section held back", 30, []string{"1 comment", "1 section held back"}},
		{"1 comment · 1 section held back\nIt counts.", 40, []string{"1 comment · 1 section held back", "It counts."}},
		{"a part of many words · b · c", 12, []string{"a part of", "many words", "b · c"}},
		{"a part of many words · b · c", 14, []string{"a part of many", "words · b · c"}},
		{"no parts here", 8, []string{"no parts", "here"}},
		{"Goes along:\n• no parts here\n• one", 10, []string{"Goes", "along:", "• no parts", "  here", "• one"}},
		{"", 8, []string{""}},
	} {
		if got := PartLines(c.text, c.width); !slices.Equal(got, c.want) {
			t.Errorf("PartLines(%q, %d) = %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

// A view never begins with the rule of a heading that is out of view.
func TestTopRow(t *testing.T) {
	for line, want := range map[string]string{
		"\x1b[2m  ─────\x1b[m":      "",
		"━━━":                       "",
		"text":                      "text",
		"─ text ─":                  "─ text ─",
		"───┼───":                   "───┼───",
		"\x1b[48;2;1;2;3m   \x1b[m": "\x1b[48;2;1;2;3m   \x1b[m",
	} {
		if got := TopRow(line); got != want {
			t.Errorf("%q is shown as %q, want %q", line, got, want)
		}
	}
}

// A piece over a line of wide characters is in its place, and the line keeps its width.
func TestOverlayOnWideCharacters(t *testing.T) {
	for left, want := range map[int]string{0: "[==]語日本   ", 1: " [==] 日本   ", 2: "日[==]日本   ", 4: "日本[==]本   ", 9: "日本語日 [==]"} {
		if got := ansi.Strip(Overlay("日本\x1b[31m語日\x1b[m本", "[==]", left, 4, 13)); got != want {
			t.Errorf("at %d: %q, want %q", left, got, want)
		}
	}
}
