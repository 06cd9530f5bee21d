package markdown

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/exp/golden"

	"planb/questions/safe"
	"planb/themes"
)

// TestRich shows one document with everything in it. Its golden lines end in ⏎, so
// that trailing spaces would be visible.
func TestRich(t *testing.T) {
	t.Parallel()
	src := read(t, "testdata/rich.md")
	for _, name := range []string{themes.DefaultDark, themes.DefaultLight, themes.NoColor} {
		theme, err := (themes.Collection{}).Find(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, width := range []int{40, 80, 120} {
			t.Run(fmt.Sprintf("%s-%d", name, width), func(t *testing.T) {
				doc := New(theme.Theme.Palette, 0).Render(src, width)
				golden.RequireEqual(t, strings.Join(doc.Lines, "⏎\n")+"⏎\n"+doc.Notice)
			})
		}
	}
}

// TestShown checks what a person reads of a source.
func TestShown(t *testing.T) {
	for name, c := range map[string]struct {
		src  string // ´ stands for a backtick
		want string
	}{
		"nothing":                  {"", ""},
		"blank lines only":         {"\n \n\n", ""},
		"a line break breaks":      {"one\ntwo  \nthree\\\nfour", "one\ntwo\nthree\nfour"},
		"break tags break":         {"one<br>two<BR />three", "one\ntwo\nthree"},
		"generics stay":            {"a Vec<u8> and a Map<K, V> of <T>", "a Vec<u8> and a Map<K, V> of <T>"},
		"tags stay":                {"<b>x</b> <i class=\"a&amp;b\">y</i>", "<b>x</b> <i class=\"a&amp;b\">y</i>"},
		"HTML blocks stay":         {"<div>\n  *x*\n</div>", "<div>\n  *x*\n</div>"},
		"comments stay":            {"a\n\n<!-- b\n c -->\n\nd <!-- e --> f", "a\n\n<!-- b\n c -->\n\nd <!-- e --> f"},
		"entities are decoded":     {"&lt;b&gt; &amp;lt; &copy; &#65; &unknown;", "<b> &lt; © A &unknown;"},
		"but not in code":          {"´&lt; \\* &amp;´", "`&lt; \\* &amp;`"},
		"escapes are resolved":     {`\*a\* \\n C:\dir \&amp;`, `*a* \n C:\dir &amp;`},
		"code in a link":           {"[´\\.´ x](u)", "\\. x (u)"},
		"backslashes in addresses": {`[a](\\host\share)`, `a (\host\share)`},
		"also of linked images":    {`[![a](b\\_c)](d)`, `[image: a] (b\_c) (d)`},
		"a link says where":        {"[good.example](https://evil.example)", "good.example (https://evil.example)"},
		"one address once":         {"[https://a.example](https://a.example) <https://b.example>", "https://a.example https://b.example"},
		"a cited answer":           {"30 days [q:keep_it],\n*once [q:a*b]*.\n\n- why [q:db]", "30 days (answer to “keep_it”),\nonce (answer to “a*b”).\n\n• why (answer to “db”)"},
		"several cited answers":    {"one[q:b][q:a\\b&amp;]", "one(answer to “b”) (answer to\n“a\\b&amp;”)"},
		"no cited answer":          {"[q:] [q: a] ´[q:a]´ [q](u) \\[q:b]", "[q:] [q: a] `[q:a]` q (u) [q:b]"},
		"cited in a link":          {"[see [q:a]](u)", "see (answer to “a”) (u)"},
		"mail":                     {"<me@a.example> [me@a.example](mailto:me@a.example)", "me@a.example me@a.example"},
		"fragment and relative":    {"[a](#b) [c](/d/e.md) [f](g)", "a (#b) c (/d/e.md) f (g)"},
		"broken address":           {"[a](http://[::1) [b](%zz)", "a (http://[::1) b (%zz)"},
		"title":                    {`[a](b "c")`, "a (b) “c”"},
		"comments in links":        {"[<!-- a -->](b) [b<!-- c -->](b)", "<!-- a --> (b) b<!-- c --> (b)"},
		"nameless linked image":    {"[![](a.png)](b) [![b](a.png)](b)", "[image] (a.png) (b) [image: b] (a.png)\n(b)"},
		"empty link":               {"[](https://a.example)", "https://a.example"},
		"reference":                {"[a][1]\n\n[1]: https://a.example", "a (https://a.example)\n\n[1]: https://a.example"},
		"unused definitions":       {"[//]: # (hidden *text*)\n[b]: c\n[b]: d\ntext\n\n- [x]: y\n\n  z", "[//]: # (hidden *text*)\n[b]: c\n[b]: d\n\ntext\n\n• [x]: y\n\n  z"},
		"definitions of two lines": {"a\n\n[b]:\n  <c>\n  'd'\n", "a\n\n[b]:\n  <c>\n  'd'"},
		"words behind a fence":     {"´´´go title=\"a b\"\nx\n´´´", "go title=\"a b\"\n  x"},
		"cells beyond the columns": {"|a|b|\n|-|-|\n|c|d|e *f*|g|\n|h| |i|", "a │ b\n──┼────────────\nc │ d |e *f*|g|\nh │  |i|"},
		"image":                    {"![alt *text*](a.png) ![](b.png)", "[image: alt text] (a.png) [image]\n(b.png)"},
		"linked image":             {"[![alt](a.png)](https://a.example)", "[image: alt] (a.png) (https://a.example)"},
		"struck link":              {"~~a [b](c) d~~", "a b (c) d"},
		"bare addresses":           {"see www.a.example or https://b.example.", "see www.a.example or https://b.example."},
		"headings":                 {"# a\n## b c\n### d", "a\n━\n\nb c\n───\n\nd"},
		"below a heading":          {"## a\nb\n### c\n- d", "a\n─\nb\n\nc\n\n• d"},
		"long heading":             {"# one two three four", "one two three four\n━━━━━━━━━━━━━━━━━━"},
		"empty heading":            {"#\n\na", "a"},
		"rule":                     {"a\n\n---\n\nb", "a\n\n────────────────────────\n\nb"},
		"tight list":               {"- a\n- b\n  - c\n    - d\n      - e", "• a\n• b\n  ◦ c\n    ▪ d\n      • e"},
		"loose list":               {"- a\n\n  b\n- c", "• a\n\n  b\n\n• c"},
		"numbers":                  {"9) a\n1) b", " 9) a\n10) b"},
		"hanging indent":           {"1. " + strings.Repeat("word ", 8), "1. word word word word word word word\n   word"},
		"empty item":               {"-\n- a", "•\n• a"},
		"tasks":                    {"- [ ] a\n- [x] b\n\n1. [X] c", "□ a\n■ b\n\n1. ■ c"},
		"code in an item":          {"- a\n  ´´´\n  b   c\n  ´´´\n  d", "• a\n\n  b   c\n\n  d"},
		"quote":                    {"> a\n> b\n>> c", "│ a\n│ b\n│\n│ │ c"},
		"table":                    {"|a|bb|\n|--|-:|\n|ccc|d|\n|e|", "a   │ bb\n────┼───\nccc │  d\ne   │"},
		"table without rows":       {"|a|b|\n|-|-|", "a │ b\n──┼──"},
		"pipes and breaks in cell": {"|header|\n|-|\n|´x\\|y´<br>z|", "header\n──────\n`x|y`\nz"},
		"backslashes in cell":      {"|a header|\n|-|\n|´\\d+\\.´|", "a header\n────────\n`\\d+\\.`"},
		"wide table": {
			"|name|what|why|\n|-|-|-|\n|a redis thing|a long description of it|another long text here|",
			"• name: a redis thing\n  what: a long description of it\n  why: another long text here",
		},
		"wide table without rows": {
			"|a long header cell|another long header|a third long one|\n|-|-|-|",
			"• a long header cell:\n  another long header:\n  a third long one:",
		},
		"sketch": {"´´´text\n +--+   +--+\n |  |-->|  |\n\n\n +--+\n´´´", " +--+   +--+\n |  |-->|  |\n\n\n +--+"},
		"mermaid": {
			"´´´mermaid\nsequenceDiagram\n  a->>b: hi\n´´´",
			"┌───┐ ┌───┐\n│ a │ │ b │\n└─┬─┘ └─┬─┘\n  │ hi  │\n  ├────►│\n  ╵     ╵",
		},
		"code":            {"´´´go\nx := 1\n\n\ty()\n´´´", "  x := 1\n\n      y()"},
		"unclosed fence":  {"´´´py\nx = 1", "  x = 1"},
		"empty fence":     {"a\n\n´´´\n´´´\n\nb", "a\n\n\n\nb"},
		"indented code":   {"a\n\n    b   c\n      d", "a\n\nb   c\n  d"},
		"marks in a row":  {"***a** b* _c_", "a b c"},
		"a lone mark":     {"5 * 3 * 2, a_b_c, ~x~", "5 * 3 * 2, a_b_c, x"},
		"tabs":            {"a\tb\n\n´´´\n\tx\ty\n´´´", "a   b\n\n    x   y"},
		"emoji and marks": {"👩‍👩‍👧 *️⃣ é é नमस्ते 漢字", "👩‍👩‍👧 *️⃣ é é नमस्ते 漢字"},
	} {
		t.Run(name, func(t *testing.T) {
			src := strings.ReplaceAll(c.src, "´", "`")
			flat := themes.Default(false).Palette
			flat.Surface = "" // see TestCodeLiesOnTheSurface
			for _, p := range []themes.Palette{themes.None().Palette, flat} {
				doc := New(p, 0).Render(safe.New(src), 40)
				want := c.want
				if !p.Colorless() { // with colours, a background marks code
					want = strings.ReplaceAll(want, "`", "")
				}
				if got := unstyled(doc.Lines); got != want || doc.Notice != "" {
					t.Errorf("%q shows %q (%s)\nwant %q", src, got, doc.Notice, want)
				}
			}
		})
	}
}

// TestWidth checks that only code exceeds the width.
func TestWidth(t *testing.T) {
	t.Parallel()
	src := strings.ReplaceAll(string(read(t, "testdata/rich.md").Raw()), "```", "~~~ignored\n")
	var prose []string
	code := false
	for line := range strings.SplitSeq(src, "\n") {
		if strings.Contains(line, "~~~") {
			code = !code
		}
		if !code && !strings.Contains(line, "~~~") && !strings.HasPrefix(line, "    ") {
			prose = append(prose, line)
		}
	}
	prose = append(prose, strings.Repeat("漢字", 100), strings.Repeat("x", 500), "# "+strings.Repeat("heading ", 40),
		"> > > > > > > > > > > > "+strings.Repeat("deep ", 20), "99999999. number", "- - - - - - - - - item")
	text := safe.New(strings.Join(prose, "\n"))
	for width := MinWidth; width <= 130; width++ {
		doc := New(themes.Default(true).Palette, 0).Render(text, width)
		for _, line := range doc.Lines {
			if w := ansi.StringWidth(line); w > width {
				t.Fatalf("at width %d a line of %d cells: %q", width, w, line)
			}
		}
		if doc.Notice != "" || doc.Width > width {
			t.Fatalf("at width %d: Width %d, %s", width, doc.Width, doc.Notice)
		}
	}
}

// TestNarrow checks that a width below MinWidth counts as MinWidth.
func TestNarrow(t *testing.T) {
	r := New(themes.None().Palette, 0)
	want := r.Render(safe.New("some words"), MinWidth)
	for _, width := range []int{-1, 0, 1, MinWidth - 1} {
		if got := r.Render(safe.New("some words"), width); unstyled(got.Lines) != unstyled(want.Lines) {
			t.Errorf("width %d: %q", width, got.Lines)
		}
	}
}

// TestCodeLiesOnTheSurface checks where code stands on its ground, which is as wide as the
// page, and wider only if the code is.
func TestCodeLiesOnTheSurface(t *testing.T) {
	p := themes.Default(true).Palette
	for name, c := range map[string]struct {
		src   string // ´ stands for a backtick
		width int
		want  []string
	}{
		"code":               {"´´´go\nx := 1\n\ny()\n´´´", 20, []string{" x := 1          go ", "                    ", " y()                "}},
		"no room beside":     {"´´´go\nxxxxx := yyyyyyyyyy\n´´´", 20, []string{"                 go ", " xxxxx := yyyyyyyyyy"}},
		"just as wide":       {"´´´text\n12345678901234567890\n´´´", 20, []string{"12345678901234567890"}},
		"wider":              {"´´´go\nxxxxx := yyyyyyyyyyyyyy\n´´´", 20, []string{" go                     ", " xxxxx := yyyyyyyyyyyyyy"}},
		"a sketch":           {"´´´text\n +--+\n´´´", 20, []string{"  +--+              "}},
		"what a fence says":  {"´´´go title=a\nx\n´´´", 20, []string{"go title=a", " x                  "}},
		"a heading":          {"# one *two* three four five\n## b", 20, []string{" one two three four ", " five               ", "", "b", "─"}},
		"wide characters":    {"´´´text\n世界\n´´´", 12, []string{" 世界       "}},
		"code in an item":    {"- a\n  ´´´\n  b\n  ´´´", 12, []string{"• a", "", "   b        "}},
		"a hostile language": {"´´´\x1b[2Jgo\nx\n´´´", 20, []string{" x           ␛[2Jgo "}},
	} {
		t.Run(name, func(t *testing.T) {
			doc := New(p, 0).Render(safe.New(strings.ReplaceAll(c.src, "´", "`")), c.width)
			var got []string
			for _, line := range doc.Lines {
				got = append(got, ansi.Strip(line))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("it shows\n%q\nwant\n%q", got, c.want)
			}
			for i, line := range doc.Lines {
				if text := ansi.Strip(line); strings.HasSuffix(text, " ") && !strings.Contains(line, "48;2;32;38;46") {
					t.Errorf("line %d has blanks on no ground: %q", i, line)
				}
			}
		})
	}
}

// TestCodeInTablesHasNoGround checks that code in a cell has no background of its own.
func TestCodeInTablesHasNoGround(t *testing.T) {
	doc := New(themes.Default(true).Palette, 0).Render(safe.New("|a|\n|-|\n|`x`|\n\n`y`"), 20)
	for _, line := range doc.Lines {
		if ground := strings.Contains(line, "48;2;38;44;54"); ground != strings.Contains(line, "y") {
			t.Errorf("%q: on a ground is %t", line, ground)
		}
	}
}

func TestCodeIsWhole(t *testing.T) {
	long := "x = " + strings.Repeat("0123456789 ", 30) + "."
	for _, fence := range []string{"", "text", "python", "mermaid", "nosuchlanguage"} {
		doc := New(themes.Default(true).Palette, 0).Render(safe.New("```"+fence+"\n"+long+"\n```"), 40)
		if last := unstyled(doc.Lines[len(doc.Lines)-1:]); last != " "+long {
			t.Errorf("%q: %q", fence, last)
		}
		if doc.Width != 1+len(long) {
			t.Errorf("%q: Width %d, want %d", fence, doc.Width, 1+len(long))
		}
	}
}

func TestPlain(t *testing.T) {
	doc := Plain(safe.New("# *not* Markdown\n\n  indented <b> &amp; "+strings.Repeat("y", 22)+"\x1b[2J\n\n"), 20)
	want := "# *not* Markdown\n\n  indented <b> &amp;\nyyyyyyyyyyyyyyyyyyyy\nyy␛[2J"
	if got := strings.Join(doc.Lines, "\n"); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if doc.Width != 20 || doc.Notice != "" {
		t.Errorf("Width %d, notice %q", doc.Width, doc.Notice)
	}
	if one := Plain(safe.New(""), 20); len(one.Lines) != 1 || one.Lines[0] != "" {
		t.Errorf("no text: %q", one.Lines)
	}
}

// TestConcurrent renders in many goroutines and two palettes at once.
func TestConcurrent(t *testing.T) {
	t.Parallel()
	src := read(t, "testdata/rich.md")
	dark := New(themes.Default(true).Palette, 0)
	dark.limit = time.Hour // else a busy machine draws some code without colours
	light := dark.WithPalette(themes.Default(false).Palette)
	want := map[*Renderer]Doc{dark: dark.Render(src, 60), light: light.Render(src, 60)}
	var wg sync.WaitGroup
	for range 4 {
		for r, doc := range want {
			wg.Go(func() {
				if got := r.Render(src, 60); strings.Join(got.Lines, "\n") != strings.Join(doc.Lines, "\n") {
					t.Error("another result when rendered at the same time as others")
				}
			})
		}
	}
	wg.Wait()
}

func read(tb testing.TB, name string) safe.Text {
	tb.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		tb.Fatal(err)
	}
	return safe.New(string(b))
}

// One cache serves renderers that know different answers.
func TestCitationsShowTheAnswer(t *testing.T) {
	text := safe.New("Park them [q:keep], tell [q:who].")
	r := New(themes.None().Palette, DefaultCacheBytes)
	for _, c := range []struct {
		by   *Renderer
		want string
	}{
		{r, "Park them (answer to “keep”), tell\n(answer to “who”)."},
		{r.Citing(NewCited(map[string]string{"keep": "answer: \x1b[1m30 *days*"})), "Park them (answer: ␛[1m30 *days*), tell\n(answer to “who”)."},
		{r.Citing(NewCited(map[string]string{"keep": "answer: 7 days"})), "Park them (answer: 7 days), tell (answer\nto “who”)."},
	} {
		if got := unstyled(c.by.Render(text, 40).Lines); got != c.want {
			t.Errorf("it shows %q, want %q", got, c.want)
		}
	}
}
