package sessionpage_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"planb/plans/page"
	"planb/questions"
	"planb/questions/safe"
	"planb/store/archive/sessionpage"
)

// TestDiagrams tests that diagrams are drawn in plans, intros, descriptions and
// illustrations, each with its source.
func TestDiagrams(t *testing.T) {
	const drawing = `<div class="diagram"><pre tabindex="0" role="img" aria-label="A diagram, drawn as text. Its source is below.">draw a│` + "\n"
	s := planned("```mermaid\ndraw a\n```\n\n~~~ Mermaid title=\"x\"\ndraw a\n~~~\n\n> ```MERMAID\n> draw a\n> ```")
	html := write(t, s)
	checkMarkup(t, html)
	if got := strings.Count(html, drawing); got != 3 {
		t.Errorf("%d of 3 are drawn:\n%s", got, html)
	}
	for _, want := range []string{
		`<span class="d-outline"></span>│`, `<p class="legend">short: draw a`,
		`<summary>Source of the diagram</summary><div class="code"><pre tabindex="0"><code>draw a` + "\n</code></pre></div>\n</details></div>",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %s", want)
		}
	}

	ask := fixture(t)
	ask.Asks[0].Spec.Intro = safe.New("```mermaid\ndraw a\n```")
	q := &ask.Asks[0].Spec.Questions[0]
	q.Kind, q.Description = questions.Single, safe.New("```mermaid\ndraw a\n```")
	q.Options = []questions.Option{{Value: safe.New("v"), Markdown: safe.New("```mermaid\ndraw a\n```")}}
	if got := strings.Count(write(t, ask), drawing); got != 3 {
		t.Errorf("%d of 3 are drawn in an ask", got)
	}
}

// TestDiagramsThatAreNotDrawn tests that the page shows their source, and why
// they are not drawn.
func TestDiagramsThatAreNotDrawn(t *testing.T) {
	html := write(t, planned("```mermaid\ngantt <x>\n```\n\n```go\ndraw\n```"))
	for _, want := range []string{
		`<p class="undrawn">&#34;gantt &lt;x&gt;&#34; is not understood; here is the source:</p>` + "\n" + `<div class="code"><span class="lang">mermaid</span><pre tabindex="0"><code>gantt &lt;x&gt;`,
		`<span class="lang">go</span><pre tabindex="0"><code>draw`,
	} {
		if !strings.Contains(html, want) {
			t.Errorf("the page has no %s in\n%s", want, html)
		}
	}

	s := planned("```mermaid\ndraw a\n```")
	var out bytes.Buffer
	if err := sessionpage.Write(t.Context(), &out, s, nil); err != nil || !strings.Contains(out.String(), `<span class="lang">mermaid</span><pre tabindex="0"><code>draw a`) {
		t.Errorf("without one who draws: %v\n%s", err, out.String())
	}
	out.Reset()
	failing := func(string) (page.Drawing, error) { return page.Drawing{}, errors.New("it is <too> odd") }
	if err := sessionpage.Write(t.Context(), &out, s, failing); err != nil || !strings.Contains(out.String(), "It is &lt;too&gt; odd; here is the source:") {
		t.Errorf("with one who fails: %v\n%s", err, out.String())
	}
}

// TestTooManyDiagrams tests that a page draws some diagrams, and says so at
// those that it does not draw.
func TestTooManyDiagrams(t *testing.T) {
	t.Parallel()
	one := "```mermaid\ndraw\n" + strings.Repeat("a line of a diagram\n", 2000) + "```\n\n"
	html := write(t, planned(strings.Repeat(one, 10), strings.Repeat(one, 10), strings.Repeat(one, 10)))
	drawn, left := strings.Count(html, `class="diagram"`), strings.Count(html, "The page has too many diagrams to draw this one; here is the source:")
	if drawn+left != 30 || drawn < 20 || left < 1 {
		t.Errorf("%d are drawn, %d are not", drawn, left)
	}
}

// TestLargeDrawings tests that a page stays small enough for a browser, even if
// short sources give large drawings.
func TestLargeDrawings(t *testing.T) {
	t.Parallel()
	one := "```mermaid\ndraw\n" + strings.Repeat("\n", 60_000) + "```\n\n"
	html := write(t, planned(strings.Repeat(one, 5), strings.Repeat(one, 5)))
	drawn, left := strings.Count(html, `class="diagram"`), strings.Count(html, "The page has too many diagrams to draw this one; here is the source:")
	if drawn+left != 10 || drawn < 2 || left < 2 || len(html) > 12<<20 {
		t.Errorf("%d are drawn, %d are not, on a page of %d MB", drawn, left, len(html)>>20)
	}
}
