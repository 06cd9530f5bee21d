package layout_test

import (
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"planb/cli/layout"
)

const id = "01a1fe5f-50fc-7b2a-91f2-758a695983da"

func TestMessage(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, head, text string
		width            int
		want             string
	}{
		{"short", "planb: ", "all is well", 40, "planb: all is well"},
		{"between words", "", "one two three four five six seven", 20, "one two three four\nfive six seven"},
		{"to the last column", "", "one two three four five six", 23, "one two three four five\nsix"},
		{"behind the head", "planb: ", "one two three four five six seven", 30, "planb: one two three four five\n       six seven"},
		{"an id stays whole", "planb: ", "the session " + id + " is gone", 41, "planb: the session\n    " + id + "\n       is gone"},
		{"wider than the terminal", "", "in " + id + " now", 30, "in\n" + id + "\nnow"},
		{"backquotes", "", "you may look with `planb sessions` here", 30, "you may look with\n`planb sessions` here"},
		{"a lone backquote", "", "one ` two three four five six", 20, "one ` two three four\nfive six"},
		{"a command", "planb: ", "kept; answer it with  planb tui ask 1a2b3c4d", 80, "planb: kept; answer it with\n         planb tui ask 1a2b3c4d"},
		{"a command within", "", "install it with  go install .  and set that up", 80, "install it with\n  go install .\nand set that up"},
		{"a wide command", "planb: ", "with  planb show " + id, 48, "planb: with\nplanb show " + id},
		{"code", "", "Add:\n\n    a = [\"one\",  \"two\", \"three\"]\n", 20, "Add:\n\n    a = [\"one\",  \"two\", \"three\"]\n"},
		{"lines", "planb: ", "first\nsecond one", 40, "planb: first\n       second one"},
		{"an indented line", "", "  one two three four five six", 20, "  one two three four\n  five six"},
		{"no edge", "planb: ", "with  planb tui  and\nmore", layout.Endless, "planb: with  planb tui  and\nmore"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := layout.Message(test.head, test.text, test.width); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

func TestStyled(t *testing.T) {
	t.Parallel()
	style := func(copied string) string { return "\x1b[32m" + copied + "\x1b[m" }
	for text, want := range map[string]string{
		"see `planb diff --help`, or  planb tui": "✗ see \x1b[32mplanb diff --help\x1b[m, or\n    \x1b[32mplanb tui\x1b[m",
		"one ` two":                              "✗ one ` two",
	} {
		if got := layout.Styled("✗ ", text, 30, func(word string) string { return word }, style); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	got := layout.Text("- a list  with things\n\nand more of it", 16)
	if want := "- a list  with\nthings\n\nand more of it"; got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestRow(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, head, text string
		width            int
		want             string
	}{
		{"beside", "1a2b  ", "a title · an agent · a project", 26, "1a2b  a title · an agent ·\n      a project\n"},
		{"columns", "1a2b  ", "v1 Plan  +4 −0", 40, "1a2b  v1 Plan  +4 −0\n"},
		{"broken at columns", "1a2b  ", "version one of it  +4 −0", 26, "1a2b  version one of it\n      +4 −0\n"},
		{"below", "1a2b3c4d  2026-11-21  ", "a title, an agent", 40, "1a2b3c4d  2026-11-21\n    a title, an agent\n"},
		{"a wide word further left", "1a2b3c4d  2026  ", "of " + id, 44, "1a2b3c4d  2026  of\n    " + id + "\n"},
		{"colours count nothing", "\x1b[32m✓\x1b[m ", "one two three four five", 25, "\x1b[32m✓\x1b[m one two three four five\n"},
		{"no edge", "1a2b  ", "a title  here", layout.Endless, "1a2b  a title  here\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if got := layout.Row(test.head, test.text, test.width); got != test.want {
				t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
			}
		})
	}
}

func TestItem(t *testing.T) {
	t.Parallel()
	const path = "/home/me/My Documents/planb.db"
	for width, want := range map[int]string{
		80:             "Kept: " + path + "\n",
		34:             "Kept:\n    " + path + "\n",
		20:             "Kept:\n" + path + "\n",
		layout.Endless: "Kept: " + path + "\n",
	} {
		if got := layout.Item("Kept: ", path, width); got != want {
			t.Errorf("in %d columns:\n%s\nwant:\n%s", width, got, want)
		}
	}
}

// For any text: only blanks are lost, no word is broken, and a line wider than
// the terminal has only one word.
func TestNothingIsLostOrBroken(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching("([a-z`·/]{1,30}| |  |\n)*").Draw(t, "text")
		width := rapid.IntRange(1, 60).Draw(t, "width")
		for _, got := range []string{layout.Message("planb: ", text, width), layout.Text("planb: "+text, width), layout.Row("planb: ", text, width)} {
			if g, w := strings.Fields(got), strings.Fields("planb: "+text); strings.Join(g, " ") != strings.Join(w, " ") {
				t.Fatalf("got %q of %q", got, text)
			}
			for line := range strings.Lines(got) {
				line = strings.TrimRight(line, "\n")
				if ansi.StringWidth(line) > width && !strings.Contains(text, "`") && !strings.Contains(text, "·") && !strings.Contains(text, "  ") &&
					len(strings.Fields(line)) > 1 {
					t.Fatalf("%q is wider than %d", line, width)
				}
			}
		}
	})
}
