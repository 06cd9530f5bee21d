package markdown

import (
	"runtime"
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/themes"
)

// TestLimits checks that text over a limit is shown whole and plainly, below a
// sentence that says so, and that text within the limit is formatted.
func TestLimits(t *testing.T) {
	t.Parallel()
	nested := func(mark string, n int) string { return strings.Repeat(mark, n) + "**end**" }
	fill := func(n int) string {
		line := strings.Repeat("w ", 49) + "\n\n"
		return strings.Repeat(line, n/len(line)) + strings.Repeat("w", n%len(line))
	}
	for name, c := range map[string]struct{ src, notice string }{
		"size at the limit":   {fill(maxBytes), ""},
		"size over the limit": {fill(maxBytes + 1), "Shown as plain text: 257 KB of Markdown, more than the 256 KB that are formatted."},
		"line at the limit":   {strings.Repeat("w ", maxLine/2), ""},
		"line over the limit": {strings.Repeat("w ", maxLine/2+512), "Shown as plain text: a line of 65 KB, longer than the 64 KB that are formatted."},
		"quotes at the limit": {nested("> ", maxDepth), ""},
		"quotes over it":      {nested("> ", maxDepth+1), nestingNotice},
		"very many quotes":    {nested(">", maxLine-8), nestingNotice},
		"quotes after marks":  {nested("1. - > ", 300), nestingNotice},
		"lists at the limit":  {nested("- ", maxDepth), ""},
		"lists over it":       {nested("- ", maxDepth+1), nestingNotice},
		"mixed over it":       {nested("> 1. ", maxDepth/2+1), nestingNotice},
		"emphasis over it":    {strings.Repeat("*a _b ", 100) + strings.Repeat("_*", 100), nestingNotice},
		"marks at the limit":  {strings.Repeat("_a*", maxMarks/2), ""},
		"marks over it":       {strings.Repeat("_a*b\n", maxMarks/2+1), marksNotice},
		"marks in paragraphs": {strings.Repeat(strings.Repeat("_a*", maxMarks/2)+"\n\n", 2), ""},
		"long runs of marks":  {strings.Repeat("_", 3*maxMarks), ""},
		"tildes at the limit": {"a " + strings.Repeat("~", maxMarks), ""},
		"tildes over it":      {"a " + strings.Repeat("~", maxMarks+1), marksNotice},
		"arrows in a sketch":  {"```\n" + strings.Repeat(">", 80) + "\n```", ""},
		"a long rule":         {strings.Repeat("- ", 1000), ""},
	} {
		t.Run(name, func(t *testing.T) {
			doc := New(themes.None().Palette, 0).Render(safe.New(c.src), 80)
			if doc.Notice != c.notice {
				t.Fatalf("notice %q, want %q", doc.Notice, c.notice)
			}
			if c.notice == "" {
				return
			}
			letters := func(s string) string { return strings.Join(strings.Fields(s), "") }
			if letters(unstyled(doc.Lines)) != letters(c.src) {
				t.Error("the plain text is not the whole text")
			}
		})
	}
}

// Before it is parsed, a line is refused whose nesting the parser needs quadratic time for.
func TestNestingInOneLineIsNotParsed(t *testing.T) {
	for mark, want := range map[string]string{
		"- ": nestingNotice, "* ": nestingNotice, "1. ": nestingNotice, "2)\t": nestingNotice, "> - ": nestingNotice,
		"-": "", "*": "", "1.": "", "+ a ": "",
	} {
		if got := tooMuch([]byte(strings.Repeat(mark, maxNestingMarks+1) + "end")); got != want {
			t.Errorf("many times %q: %q", mark, got)
		}
	}
}

// The same holds for marks that the parser looks for in all that follows.
func TestMarksWithoutAnEndAreNotParsed(t *testing.T) {
	for text, n := range map[string]int{"a <!-- \n": maxMarks / 4, "a <? \n": maxMarks / 4, "a <![CDATA[ \n": maxMarks / 4, "[](": maxMarks, "![a](\n": maxMarks} {
		for more, want := range []string{"", marksNotice} {
			if got := tooMuch([]byte(strings.Repeat(text, n+more))); got != want {
				t.Errorf("%d times %q: %q", n+more, text, got)
			}
		}
	}
}

// At a bracket that begins no citation, the rest of the line is not copied.
func TestBracketsAreCheap(t *testing.T) {
	r := New(themes.None().Palette, 0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	r.Render(safe.New(strings.Repeat("[", 60000)), 80)
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 400 {
		t.Errorf("%d MB for 60 KB of brackets", mb)
	}
}

func TestLargeTableIsShownAsWritten(t *testing.T) {
	row := "| " + strings.Repeat("a | ", 10) + "\n"
	src := row + strings.Repeat("|-", 10) + "|\n" + strings.Repeat(row, maxTableCells/10)
	doc := New(themes.None().Palette, 0).Render(safe.New("before\n\n"+src+"\nafter"), 80)
	if doc.Notice != "" || len(doc.Lines) != maxTableCells/10+2+5 {
		t.Fatalf("%d lines, notice %q", len(doc.Lines), doc.Notice)
	}
	if got := unstyled(doc.Lines[2:4]); got != "large table, shown as source\n"+strings.TrimSpace(row) {
		t.Errorf("starts with %q", got)
	}
}

// TestPanicBecomesPlainText checks that a Renderer shows the plain text after a
// panic, and still works afterwards.
func TestPanicBecomesPlainText(t *testing.T) {
	r := New(themes.None().Palette, 0)
	working := r.parser
	r.parser = nil // calling it panics
	doc := r.Render(safe.New("**text**"), 40)
	if unstyled(doc.Lines) != "**text**" || doc.Notice != "Shown as plain text: formatting this Markdown failed." {
		t.Errorf("%q, notice %q", doc.Lines, doc.Notice)
	}
	r.parser = working
	if doc := r.Render(safe.New("**text**"), 40); unstyled(doc.Lines) != "text" || doc.Notice != "" {
		t.Errorf("afterwards: %q, notice %q", doc.Lines, doc.Notice)
	}
}
