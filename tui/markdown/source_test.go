package markdown_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/markdown"
)

func TestEveryLineKnowsItsSource(t *testing.T) {
	for _, test := range []struct {
		name, text string
		width      int
		want       string // for each line, its text and the source lines that it shows
	}{
		{"paragraphs and headings", "# One\n\nfirst\nsecond\n\nTwo\n===\n", 40, "One 1-1\n━━━ 1-1\nfirst 3-3\nsecond 4-4\n 0-0\nTwo 6-6\n━━━ 6-6"},
		{"a long line", "alpha beta gamma\nx **y\nz** w", 10, "alpha beta 1-1\ngamma 1-1\nx y 2-2\nz w 3-3"},
		{"code over a line's end", "see `a\nb` there", 40, "see a b there 1-2"},
		{"lists", "- one\n  more\n- two\n  1. in\n\n> quote\n> again", 40, "• one 1-1\n  more 2-2\n• two 3-3\n  1. in 4-4\n 0-0\n│ quote 6-6\n│ again 7-7"},
		{"code", "```go\na := 1\n\nb\n```\n\n    in\n    den", 40, "  a := 1 2-2\n 3-3\n  b 4-4\n 0-0\nin 7-7\nden 8-8"},
		{"a diagram", "```mermaid\nsequenceDiagram\nparticipant A\n```\nx", 40, "┌───┐ 2-3\n│ A │ 2-3\n└─┬─┘ 2-3\n  ╵ 2-3\n 0-0\nx 5-5"},
		{"a diagram that is not drawn", "```mermaid\nsequenceDiagram\nwhat\n```", 100, "This diagram is not drawn (line 2: “what” is not understood); here is the source: 2-2\nsequenceDiagram 2-2\nwhat 3-3"},
		{"what a fence says", "```go title\nx\n```", 40, "go title 2-2\n  x 2-2"},
		{"a table", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |", 40, "a │ b 1-1\n──┼── 1-1\n1 │ 2 3-3\n3 │ 4 4-4"},
		{"a table as records", "| alpha | beta | gamma |\n|---|---|---|\n| one two three | four five six | seven eight nine |", 20, "• alpha: one two 3-3\n  three 3-3\n  beta: four five 3-3\n  six 3-3\n  gamma: seven eight 3-3\n  nine 3-3"},
		{"HTML and definitions", "<b>\nx\n</b>\n\n[a]: http://b\n\nsee [a]", 40, "<b> 1-1\nx 2-2\n</b> 3-3\n 0-0\n[a]: http://b 5-5\n 0-0\nsee a (http://b) 7-7"},
	} {
		t.Run(test.name, func(t *testing.T) {
			flat := themes.Default(true).Palette
			flat.Surface = ""
			doc := markdown.New(flat, 0).Render(safe.New(test.text), test.width)
			if got := withSource(doc); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
	t.Run("joined", func(t *testing.T) {
		doc := markdown.New(themes.Default(true).Palette, 0).Joined().Render(safe.New("alpha beta\ngamma delta\nand more  \nbroken\n\nshort\nlines"), 14)
		if got := withSource(doc); got != "alpha beta 1-1\ngamma delta 2-2\nand more 3-3\nbroken 4-4\n 0-0\nshort 6-6\nlines 7-7" {
			t.Errorf("lines that fit:\n%s", got)
		}
		doc = markdown.New(themes.Default(true).Palette, 0).Joined().Render(safe.New("alpha beta gamma\ndelta and more  \nbroken\n\nshort\nlines"), 14)
		if got := withSource(doc); got != "alpha beta 1-3\ngamma delta 1-3\nand more 1-3\nbroken 1-3\n 0-0\nshort 5-5\nlines 6-6" {
			t.Errorf("lines that do not fit:\n%s", got)
		}
	})
	t.Run("code on a surface", func(t *testing.T) {
		doc := markdown.New(themes.Default(true).Palette, 0).Render(safe.New("# One\n\n```go\na := 12345678\nb\n```"), 14)
		if got := withSource(doc); got != " One           1-1\n 0-0\n           go  4-4\n a := 12345678 4-4\n b             5-5" {
			t.Errorf("got\n%s", got)
		}
	})
	t.Run("plain text", func(t *testing.T) {
		if got := withSource(markdown.Plain(safe.New("alpha beta gamma\r\n\nx"), 10)); got != "alpha beta 1-1\ngamma 1-1\n 2-2\nx 3-3" {
			t.Errorf("got\n%s", got)
		}
	})
}

func withSource(doc markdown.Doc) string {
	lines := make([]string, len(doc.Lines))
	for i, line := range doc.Lines {
		lines[i] = fmt.Sprintf("%s %d-%d", ansi.Strip(line), doc.Source[i].From, doc.Source[i].To)
	}
	return strings.Join(lines, "\n")
}

// The Source of a drawn word's line contains the word's line of the text.
func TestWordsStandWhereTheirSourceSays(t *testing.T) {
	t.Parallel()
	renderer := markdown.New(themes.Default(true).Palette, 0)
	lead := rapid.SampledFrom([]string{"", "# ", "- ", "  - ", "> ", "1. ", "    ", "| a | ", "**", "`", "```\n", "<p>\n", "\t", "***\n", "~~~ go x\n"})
	rapid.Check(t, func(t *rapid.T) {
		var text strings.Builder
		n := rapid.IntRange(1, 25).Draw(t, "lines")
		for i := range n {
			if rapid.IntRange(0, 3).Draw(t, "blank") == 0 {
				text.WriteString("\n")
			}
			fmt.Fprintf(&text, "%sw%dw%s\n", lead.Draw(t, "lead"), i, rapid.SampledFrom([]string{"", "**", "`", " |", "\n---", " <br> y"}).Draw(t, "end"))
		}
		doc := renderer.Render(safe.New(text.String()), rapid.IntRange(10, 60).Draw(t, "width"))
		source := strings.Split(text.String(), "\n")
		for i, line := range doc.Lines {
			from := doc.Source[i]
			if from.From < 0 || from.To < from.From || from.To > len(source) {
				t.Fatalf("line %d shows %v of %d lines", i, from, len(source))
			}
			for w := range n {
				word := fmt.Sprintf("w%dw", w)
				if !from.IsZero() && strings.Contains(ansi.Strip(line), word) && !strings.Contains(strings.Join(source[from.From-1:from.To], "\n"), word) {
					t.Fatalf("%q is drawn from lines %v of\n%s", line, from, text.String())
				}
			}
		}
	})
}
