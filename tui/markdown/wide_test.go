package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/cells"
)

// tableOf returns a table in which each cell is a word of its own.
func tableOf(columns, rows int, cell func(column, row int) string) string {
	var b strings.Builder
	for y := range rows + 2 {
		for x := range columns {
			switch {
			case y == 0:
				fmt.Fprintf(&b, "|h%d", x)
			case y == 1:
				b.WriteString("|---")
			default:
				b.WriteString("|" + cell(x, y-2))
			}
		}
		b.WriteString("|\n")
	}
	return b.String()
}

// TestNoColumnIsLost checks that every cell of a table is in the lines, at any width,
// and that lines beyond the width are listed as a block.
func TestNoColumnIsLost(t *testing.T) {
	t.Parallel()
	short := func(x, y int) string { return fmt.Sprintf("v%dx%d", x, y) }
	tables := map[string]func(x, y int) string{
		"short": short,
		"wide characters": func(x, y int) string {
			return "漢字" + short(x, y)
		},
		"joined": func(x, y int) string { return "नि" + short(x, y) },
		"one long column": func(x, y int) string {
			if x == 1 {
				return "some words that need room " + short(x, y)
			}
			return short(x, y)
		},
		"long": func(x, y int) string { return "a few words " + short(x, y) },
	}
	r := New(themes.None().Palette, 0)
	for name, cell := range tables {
		for columns := 1; columns <= 14; columns++ {
			src := safe.New(tableOf(columns, 3, cell))
			for _, width := range []int{10, 18, 30, 40, 62, 80, 120} {
				doc := r.Render(src, width)
				text := unstyled(doc.Lines)
				for y := range 3 {
					for x := range columns {
						if !strings.Contains(text, short(x, y)) {
							t.Fatalf("%s: %d columns in %d cells lost %s:\n%s", name, columns, width, short(x, y), text)
						}
					}
				}
				toldWide(t, doc, width)
			}
		}
	}
}

// toldWide checks that only lines in doc.Wide exceed the width, and that doc.Wide is
// right.
func toldWide(t *testing.T, doc Doc, width int) {
	t.Helper()
	in := make([]bool, len(doc.Lines))
	from := 0
	for _, b := range doc.Wide {
		widest := 0
		if b.From < from || b.To <= b.From || b.To > len(doc.Lines) || b.Still < 0 || b.Still >= width {
			t.Fatalf("a block %+v of %d lines in %d cells:\n%s", b, len(doc.Lines), width, unstyled(doc.Lines))
		}
		from = b.To
		for i := b.From; i < b.To; i++ {
			in[i] = true
			widest = max(widest, cells.Width(doc.Lines[i]))
		}
		if widest != b.Width || widest <= width {
			t.Fatalf("a block %+v has %d cells, asked were %d:\n%s", b, widest, width, unstyled(doc.Lines))
		}
	}
	for i, line := range doc.Lines {
		if w := ansi.StringWidth(line); w > width && !in[i] {
			t.Fatalf("%d cells, asked were %d, in no block: %q", w, width, ansi.Strip(line))
		}
	}
}

// TestTableOfShortValues checks that a grid that does not fit stays a grid, with its
// first column kept in view.
func TestTableOfShortValues(t *testing.T) {
	doc := New(themes.None().Palette, 0).Render(safe.New(tableOf(12, 2, func(x, y int) string { return fmt.Sprintf("v%dx%d", x, y) })), 30)
	if len(doc.Lines) != 4 || len(doc.Wide) != 1 {
		t.Fatalf("%d lines, blocks %+v:\n%s", len(doc.Lines), doc.Wide, unstyled(doc.Lines))
	}
	if b := doc.Wide[0]; b.From != 0 || b.To != 4 || b.Still != len("v0x0")+3 || b.Width != doc.Width {
		t.Errorf("the block is %+v, the widest line %d", b, doc.Width)
	}
}

// TestWideBlocks checks which lines form a block and which of its cells stay in view.
func TestWideBlocks(t *testing.T) {
	code := "´´´go\nx := 1\n\n" + strings.Repeat("y", 50) + "\n´´´"
	inside := func(lead string) string {
		return lead + strings.ReplaceAll(code, "\n", "\n"+strings.Repeat(" ", len(lead)))
	}
	for name, c := range map[string]struct {
		src  string
		want string
	}{
		"none":            {"text\n\n´´´go\nx\n´´´", "[]"},
		"code":            {"text\n\n" + code + "\n\ntext", "[{2 5 50 0}]"},
		"two":             {code + "\n" + code, "[{0 3 50 0} {4 7 50 0}]"},
		"one of two":      {code + "\n´´´\nz\n´´´", "[{0 3 50 0}]"},
		"in an item":      {inside("- "), "[{0 3 52 2}]"},
		"in a quote":      {"> " + strings.ReplaceAll(code, "\n", "\n> "), "[{0 3 52 2}]"},
		"below a caption": {"´´´go title=\"x\"\n" + strings.Repeat("y", 50) + "\n´´´", "[{1 2 50 0}]"},
		"indented":        {"    " + strings.Repeat("y", 50), "[{0 1 50 0}]"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := New(themes.None().Palette, 0).Render(safe.New(strings.ReplaceAll(c.src, "´", "`")), 40)
			if got := fmt.Sprint(doc.Wide); got != c.want {
				t.Errorf("blocks %s, want %s:\n%s", got, c.want, unstyled(doc.Lines))
			}
			toldWide(t, doc, 40)
		})
	}
}

// TestSourceFitsTerminalsWithoutClusters checks that text shown as it was written is
// not cut on terminals that count grapheme clusters as wider.
func TestSourceFitsTerminalsWithoutClusters(t *testing.T) {
	words := strings.TrimSpace(strings.Repeat("त्रिपाठी भाषा กำแพง ", 12))
	renderer := New(themes.None().Palette, 0)
	same := renderer.Diff(Excerpt{Text: safe.New("x")}, Excerpt{Text: safe.New(words + "\n" + strings.Repeat(">", 300))}, 30)
	lines := renderer.Render(safe.New("<div>\n"+words+"\n</div>"), 30).Lines
	for _, block := range same.Blocks {
		for _, line := range block.Lines {
			lines = append(lines, line.Text)
		}
	}
	for _, line := range lines {
		if cells.Width(line) > 30 {
			t.Errorf("%q has %d cells of 30", line, cells.Width(line))
		}
	}
}
