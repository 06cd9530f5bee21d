package markdown

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"
	"pgregory.net/rapid"

	"planb/questions/safe"
	"planb/questions/safe/safetest"
	"planb/themes"
)

// compared returns the comparison of two texts, with a mark before each line.
func compared(r *Renderer, before, after string, width int) string {
	doc := r.Diff(Excerpt{Text: safe.New(before)}, Excerpt{Text: safe.New(after)}, width)
	var out strings.Builder
	for _, block := range doc.Blocks {
		for _, line := range block.Lines {
			out.WriteString(strings.TrimRight([]string{Same: " ", Removed: "−", Added: "+", Mixed: "~"}[line.Change]+" "+line.Text, " ") + "\n")
		}
	}
	return out.String()
}

// TestDiffShown compares two versions of one document with everything in them.
func TestDiffShown(t *testing.T) {
	t.Parallel()
	older, newer := read(t, "testdata/older.md").Raw(), read(t, "testdata/newer.md").Raw()
	for _, name := range []string{themes.DefaultDark, themes.DefaultLight, themes.NoColor} {
		theme, err := (themes.Collection{}).Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{36, 80} {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) {
				golden.RequireEqual(t, compared(New(theme.Theme.Palette, 0), older, newer, width))
			})
		}
	}
}

// TestDiff checks what a person reads of a change.
func TestDiff(t *testing.T) {
	r := New(themes.None().Palette, 0)
	for name, c := range map[string]struct{ before, after, want string }{
		"nothing":             {"", "", ""},
		"the same":            {"# a\n\nb", "# a\n\nb", "  a\n  ━\n  b"},
		"read the same":       {"a\n=\n\n* b\n* c\n\n~~~\nd\n~~~", "# a\n\n- b\n- c\n\n```\nd\n```", "  a\n  ━\n  • b\n  • c\n\n  d"},
		"other line breaks":   {"one two\nthree four", "one two three\nfour", "  one two three\n  four"},
		"from nothing":        {"", "a\n\nb", "+ a\n+\n+ b"},
		"to nothing":          {"a\n\nb", "", "− a\n−\n− b"},
		"words":               {"one two three four five", "one 2 three four five six", "~ one [−two−]{+2+} three four five{+ six+}"},
		"other words":         {"one two three", "four five six", "− one two three\n\n+ four five six"},
		"a new emphasis":      {"one two three", "one **two** three", "~ one [−two−]{+two+} three"},
		"only a changed line": {"one two three four five  \nsix seven eight nine", "one two three four five  \nsix seven 8 nine", "  one two three four five\n~ six seven [−eight−]{+8+} nine"},
		"another level":       {"## a b c", "### a b c", "− a b c\n− ─────\n\n+ a b c"},
		"a heading":           {"## one two three", "## one 2 three", "~ one [−two−]{+2+} three\n~ ──────────────────────"},
		"an item":             {"- a\n- b\n- c", "- a\n- c\n- d", "  • a\n− • b\n  • c\n+ • d"},
		"numbers that follow": {"1. a\n2. b\n3. c", "1. a\n2. c", "  1. a\n− 2. b\n  2. c"},
		"a task":              {"- [ ] a b\n- [x] c d", "- [x] a b\n- [x] c d", "~ ■ a b\n  ■ c d"},
		"inside an item":      {"- a\n  - one two three\n  - four", "- a\n  - one 2 three\n  - four", "  • a\n~   ◦ one [−two−]{+2+} three\n    ◦ four"},
		"loose items":         {"- a\n\n- b", "- a\n\n- b\n\n- c\n\n- d", "  • a\n\n  • b\n\n+ • c\n+\n+ • d"},
		"an item's start":     {"- one\n\n  two three four", "- five\n\n  two three four", "− • one\n\n+ • five\n\n    two three four"},
		"in a quote":          {"> one two three\n>\n> - a", "> one two 3\n>\n> - a\n> - b", "~ │ one two [−three−]{+3+}\n  │\n  │ • a\n+ │ • b"},
		"a cell as wide":      {"|a|b|\n|-|-|\n|one two|3|", "|a|b|\n|-|-|\n|one ten|3|", "  a       │ b\n  ────────┼──\n− one two │ 3\n+ one ten │ 3"},
		"a cell":              {"|a|b|\n|-|-|\n|one two|3|", "|a|b|\n|-|-|\n|one 2|3|", "  a       │ b\n  ────────┼──\n− one two │ 3\n+ one 2   │ 3"},
		"a row":               {"|a|b|\n|-|-|\n|1|2|\n|3|4|", "|a|b|\n|-|-|\n|3|4|\n|5|6|", "  a │ b\n  ──┼──\n− 1 │ 2\n  3 │ 4\n+ 5 │ 6"},
		"a column":            {"|a|b|\n|-|-|\n|1|2|", "|a|c|b|\n|-|-|-|\n|1|3|2|", "− a │ b\n− ──┼──\n− 1 │ 2\n+ a │ c │ b\n+ ──┼───┼──\n+ 1 │ 3 │ 2"},
		"a column that went":  {"|a|c|b|\n|-|-|-|\n|1|3|2|", "|a|b|\n|-|-|\n|1|2|", "− a │ c │ b\n− ──┼───┼──\n− 1 │ 3 │ 2\n+ a │ b\n+ ──┼──\n+ 1 │ 2"},
		"code":                {"```\na\nb\nc\n```", "```\na\nx\nc\n```", "  a\n− b\n+ x\n  c"},
		"another language":    {"```go\na b c\n```", "```c\na b c\n```", ""},
		"code that grew wide": {"```go\n" + strings.Repeat("the same text\n", 9) + "```", "```go\n" + strings.Repeat("the same text\n", 9) + strings.Repeat("x", 59) + "\n```", strings.Repeat("  the same text\n", 9) + "+ " + strings.Repeat("x", 59)},
		"a definition":        {"[a][x]\n\n[x]: https://a.example/one", "[a][x]\n\n[x]: https://a.example/two", "~ a (https://a.example/[−one−]{+two+})\n\n− [x]: https://a.example/one\n+ [x]: https://a.example/two"},
		"a comment":           {"<!-- one two three -->", "<!-- one 2 three -->", "− <!-- one two three -->\n+ <!-- one 2 three -->"},
	} {
		t.Run(name, func(t *testing.T) {
			got := ansi.Strip(compared(r, c.before, c.after, 60))
			if want := c.want + "\n"; got != want && !(c.want == "" && name == "another language") && got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// A link whose definition stands outside the excerpt shows its address.
func TestDiffKnowsLinksOfElsewhere(t *testing.T) {
	links := safe.New("[x]: https://a.example\n")
	doc := New(themes.None().Palette, 0).Diff(Excerpt{safe.New("[one][x]"), links}, Excerpt{safe.New("[one two][x]"), links}, 60)
	if got := ansi.Strip(doc.Blocks[0].Lines[0].Text); got != "one {+two +}(https://a.example)" || len(doc.Blocks) != 1 {
		t.Errorf("got %v", doc.Blocks)
	}
}

func TestDiffNamesHeadings(t *testing.T) {
	doc := New(themes.None().Palette, 0).Diff(
		Excerpt{Text: safe.New("a\n\n# b\n\n## gone &amp; *over*\n\n# c\n")},
		Excerpt{Text: safe.New("a\nmore\n\n# b\n\n# c\n\nd\n=\n")}, 60)
	var got []string
	for _, b := range doc.Blocks {
		got = append(got, fmt.Sprintf("%d %d %s", b.Old, b.New, b.Heading))
	}
	if want := "0 0 |0 0 |3 4 b|5 0 gone & over|7 6 c|0 8 d"; strings.Join(got, "|") != want {
		t.Errorf("got  %s\nwant %s", strings.Join(got, "|"), want)
	}
}

// drawnTexts draws two versions of a document with all kinds of blocks.
func drawnTexts(t *rapid.T) (before, after string) {
	word := rapid.SampledFrom([]string{"queue", "worker", "lock", "day", "table", "event", "customer", "order"})
	words := rapid.Custom(func(t *rapid.T) string {
		return strings.Join(rapid.SliceOfN(word, 1, 8).Draw(t, "words"), " ")
	})
	block := rapid.Custom(func(t *rapid.T) string {
		lines := rapid.SliceOfN(words, 1, 4).Draw(t, "lines")
		switch rapid.IntRange(0, 6).Draw(t, "kind") {
		case 0:
			return "## " + lines[0]
		case 1:
			return "- " + strings.Join(lines, "\n- ")
		case 2:
			return "> " + strings.Join(lines, "\n>\n> ")
		case 3:
			return "```\n" + strings.Join(lines, "\n") + "\n```"
		case 4:
			return "| a | b |\n|---|---|\n| " + strings.Join(lines, " | x |\n| ") + " | y |"
		case 5:
			return "- " + lines[0] + "\n\n  " + strings.Join(lines, "\n  - ")
		}
		return strings.Join(lines, " **and** ")
	})
	list := rapid.SliceOfN(block, 0, 6).Draw(t, "blocks")
	before = strings.Join(list, "\n\n")
	for range rapid.IntRange(0, 3).Draw(t, "changes") {
		at := rapid.IntRange(0, len(list)).Draw(t, "at")
		until := min(at+rapid.IntRange(0, 2).Draw(t, "gone"), len(list))
		list = append(append(append([]string(nil), list[:at]...), rapid.SliceOfN(block, 0, 2).Draw(t, "come")...), list[until:]...)
	}
	after = strings.Join(list, "\n\n")
	for range rapid.IntRange(0, 3).Draw(t, "words changed") {
		after = strings.Replace(after, word.Draw(t, "was"), word.Draw(t, "is"), 1)
	}
	return before, after
}

// Without the parts marked as added, a change reads as the old text. Without the
// parts marked as removed, it reads as the new one.
func TestADiffReadsAsBothTexts(t *testing.T) {
	t.Parallel()
	r := New(themes.None().Palette, 0)
	const width = 2000
	gone, come := regexp.MustCompile(`\[−.*?−\]`), regexp.MustCompile(`\{\+.*?\+\}`)
	rapid.Check(t, func(t *rapid.T) {
		before, after := drawnTexts(t)
		var old, new strings.Builder
		for line := range strings.Lines(ansi.Strip(compared(r, before, after, width))) {
			sign, text, _ := strings.Cut(line, " ")
			switch sign {
			case "−":
				old.WriteString(text)
			case "+":
				new.WriteString(text)
			default:
				old.WriteString(strings.NewReplacer("[−", "", "−]", "").Replace(come.ReplaceAllString(text, "")))
				new.WriteString(strings.NewReplacer("{+", "", "+}", "").Replace(gone.ReplaceAllString(text, "")))
			}
		}
		for _, c := range []struct{ name, text, got string }{{"old", before, old.String()}, {"new", after, new.String()}} {
			if want := readWords(strings.Join(r.Render(safe.New(c.text), width).Lines, "\n")); readWords(c.got) != want {
				t.Fatalf("%s\n---\n%s\nas %s:\n%s\nwant\n%s", before, after, c.name, readWords(c.got), want)
			}
		}
	})
}

// readWords returns the words that a person reads, without line breaks.
func readWords(text string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("─", "", "━", "", "┼", "", "│", "", "•", "", "◦", "").Replace(ansi.Strip(text))), " ")
}

func TestEvilTextIsCompared(t *testing.T) {
	t.Parallel()
	renderers := []*Renderer{New(themes.Default(true).Palette, 0), New(themes.None().Palette, 0)}
	n := 0
	for kind, text := range safetest.Hostile() {
		for place, format := range places() {
			n++ // alternate: one palette is enough for each text
			checkDiff(t, renderers[n%2], fmt.Sprintf(format, text), fmt.Sprintf(format, "some "+text+" x"), 40, kind+" in "+place)
		}
	}
}

func FuzzDiff(f *testing.F) {
	for _, format := range places() {
		f.Add(fmt.Sprintf(format, "x"), fmt.Sprintf(format, "x y"), 12)
	}
	f.Add("| a | b |\n|:-:|--|\n| 漢字 | `|` <br> |\n", "| a | c |\n|:-:|--|\n| 漢 | `|` <br> |\n", 10)
	f.Add("1. a\n   > - b\n   > ```go\n   > x\n", "1. a\n   > - c\n   > ```go\n   > y\n", 11)
	renderers := []*Renderer{New(themes.Default(true).Palette, 0), New(themes.None().Palette, 0)}
	f.Fuzz(func(t *testing.T, before, after string, width int) {
		if len(before)+len(after) > 4<<10 {
			return // TestLimits tests large texts
		}
		for _, r := range renderers {
			checkDiff(t, r, before, after, min(max(width, 0), 200), "fuzzed text")
		}
	})
}

// checkDiff checks the promises of Diff that hold for all texts.
func checkDiff(t *testing.T, r *Renderer, before, after string, width int, what string) {
	t.Helper()
	doc := r.Diff(Excerpt{Text: safe.New(before)}, Excerpt{Text: safe.New(after)}, width)
	if strings.Contains(doc.Notice, "failed") {
		t.Fatalf("%s: panicked on %q and %q", what, before, after)
	}
	var lines []string
	for _, block := range doc.Blocks {
		lines = append(lines, block.Heading)
		for _, line := range block.Lines {
			lines = append(lines, line.Text)
			if ansi.StringWidth(line.Text) > doc.Width {
				t.Errorf("%s: a line is wider than %d: %q", what, doc.Width, line.Text)
			}
			if before == after && line.Change != Same {
				t.Errorf("%s: %q differs from itself: %q", what, before, line.Text)
			}
		}
	}
	if bad := obeyed(lines); bad != "" {
		t.Errorf("%s: %s in %q", what, bad, lines)
	}
}

// A text that is too large or too deeply nested for Markdown is compared line by
// line.
func TestDiffOfTooMuch(t *testing.T) {
	t.Parallel()
	r := New(themes.None().Palette, 0)
	for name, text := range map[string]string{
		"large": strings.Repeat("one two three\n", maxBytes/8),
		"deep":  strings.Repeat("> ", 200) + "x\n",
		"wide":  strings.Repeat("x", maxLine+1) + "\n",
	} {
		doc := r.Diff(Excerpt{Text: safe.New(text)}, Excerpt{Text: safe.New(text + "more\n")}, 80)
		if doc.Notice == "" || len(doc.Blocks) != 1 {
			t.Fatalf("%s: notice %q, %d blocks", name, doc.Notice, len(doc.Blocks))
		}
		if last := doc.Blocks[0].Lines[len(doc.Blocks[0].Lines)-1]; last != (DiffLine{"more", Added}) {
			t.Errorf("%s: the last line is %q", name, last)
		}
	}
}

// The test counts work in allocations, which do not depend on the machine. Twice the
// text may take little more than twice the work, for every kind of text.
func TestWorkGrowsWithTheTextsCompared(t *testing.T) {
	r := New(themes.Default(true).Palette, 0)
	r.Diff(Excerpt{Text: safe.New("a")}, Excerpt{Text: safe.New("b")}, 80) // makes what all later ones use
	for name, texts := range map[string]func(n int) (before, after string){
		"items": func(n int) (string, string) {
			return strings.Repeat("- a b c\n", 150*n), strings.Repeat("- a b c\n- d\n", 75*n)
		},
		"nested": func(n int) (string, string) {
			return strings.Repeat("- a\n  - b\n    - c\n      - d\n", 25*n), strings.Repeat("- a\n  - b\n    - c\n      - e\n", 25*n)
		},
		"cells": func(n int) (string, string) {
			return "|a|b|\n|-|-|\n" + strings.Repeat("|one two|3|\n", 50*n), "|a|c|\n|-|-|\n" + strings.Repeat("|one 2|3|\n", 50*n)
		},
		"words": func(n int) (string, string) {
			return strings.Repeat("one two three ", 500*n), strings.Repeat("two one three ", 500*n)
		},
		"paragraphs": func(n int) (string, string) {
			return strings.Repeat("one two three\n\n", 100*n), strings.Repeat("one two four\n\n", 100*n)
		},
		"code": func(n int) (string, string) {
			return "```\n" + strings.Repeat("one\ntwo\n", 800*n) + "```", "```\n" + strings.Repeat("two\none\nthree\n", 500*n) + "```"
		},
	} {
		work := func(n int) uint64 {
			old, new := texts(n)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r.Diff(Excerpt{Text: safe.New(old)}, Excerpt{Text: safe.New(new)}, 80)
			runtime.ReadMemStats(&after)
			return after.Mallocs - before.Mallocs
		}
		if once, twice := work(1), work(2); twice > once/2*5 {
			t.Errorf("%s: %d allocations became %d with twice the text", name, once, twice)
		}
	}
}
