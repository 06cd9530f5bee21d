package mermaid

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"planb/tui/markdown/diagram/label"
)

// checkError checks that a source cannot be read, and the reason.
func checkError(t *testing.T, source string, line int, why string) {
	t.Helper()
	_, err := Read(source)
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Line != line || e.Why != why {
		t.Errorf("%.60q: %v\nwant line %d: %s", source, err, line, why)
	}
}

// The error for an unsupported diagram names the problem and its line.
func TestBoxesNotUnderstood(t *testing.T) {
	boxes := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "n%d\n", i)
		}
		return b.String()
	}
	for _, test := range []struct {
		name, source string
		line         int
		why          string
	}{
		{"nothing", " \n%% only this\n", 0, "the diagram is empty"},
		{"another kind", "gantt\n title x", 0, `diagrams of the kind "gantt" are not drawn`},
		{"open front matter", "\n---\ntitle: x\n", 2, "the front matter is not closed by a second line ---"},
		{"open directive", "graph TD\n%%{init: {}", 2, "a directive %%{ is not closed by }%%"},
		{"a direction", "graph XY\na", 0, `the direction "XY" is not one of TB, TD, BT, LR and RL`},
		{"no link", "graph TD\na b", 2, `a link such as --> was expected, not "b"`},
		{"a long title", "---\ntitle: " + strings.Repeat("x", maxLabel+1) + "\n---\ngraph TD\na", 0, "the title has 2001 bytes; at most 2000 are drawn"},
		{"a direction in one line", "graph TD a-->b", 0, `the direction "TD a-->b" is not one of TB, TD, BT, LR and RL`},
		{"no target", "graph TD\n\na -->", 3, "the name of a box was expected, not the end of the statement"},
		{"an open shape", "graph TD\na\nb[x", 3, `"x" is not closed by ]`},
		{"an open label", "graph TD\na -->|x b", 2, `"x b" is not closed by |`},
		{"a shape", "graph TD\na@{ shape: banana }", 2, `the shape "banana" is not known`},
		{"an end", "graph TD\nend", 2, "there is an end without a subgraph"},
		{"no end", "graph TD\nsubgraph x\na", 0, `the subgraph "x" has no end`},
		{"too many boxes", "graph TD\n" + boxes(maxNodes+1), maxNodes + 2, "there are more than 500 boxes"},
		{"too many lines", "graph TD\n" + strings.Repeat("a-->b\n", maxEdges+1), maxEdges + 2, "there are more than 1000 lines between boxes"},
		{"too deep", "graph TD\n" + strings.Repeat("subgraph x\n", maxNesting+1), maxNesting + 2, "groups are nested deeper than 12"},
		{"a long label", "graph TD\na[" + strings.Repeat("x", maxLabel+1) + "]", 2, "a label has 2001 bytes; at most 2000 are drawn"},
		{"too long", "graph TD\n" + strings.Repeat("\n", maxSource), 0, "the diagram has 65545 bytes of source; at most 65536 are drawn"},
		{"a state", "stateDiagram\nx y z", 2, `the name of a state was expected, not "x y z"`},
		{"a kind of state", "stateDiagram\nstate x <<odd>>", 2, `states of the kind "odd" are not drawn`},
		{"an open state", "stateDiagram\nstate x {\n", 0, `the composite state "x" is not closed by }`},
		{"a brace", "stateDiagram\n}", 2, "there is a } without a composite state"},
		{"a division", "stateDiagram\n--", 2, "two hyphens divide a composite state, and none is open"},
		{"an open note", "stateDiagram\nnote left of x\ny", 2, "a note is not closed by end note"},
		{"a loose note", "stateDiagram\nnote \"x\" as y", 2, `a note must be "left of" or "right of" a state`},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkError(t, test.source, test.line, test.why)
		})
	}
}

func TestLabelsAreRead(t *testing.T) {
	for _, test := range []struct {
		text string
		want label.Label
	}{
		{"  plain  words ", label.Label{"plain words"}},
		{`"quoted <br/> and broken\nagain"`, label.Label{"quoted", "and broken", "again"}},
		{"one<BR>two<br >three", label.Label{"one", "two", "three"}},
		{`a #quot;b#quot; #amp; c #35;1 &lt;d&gt; #9829;`, label.Label{`a "b" & c #1 <d> ♥`}},
		{"#1234567890; &#35; &quot;x&quot; ?a=1&copy=2 #amp;lt;", label.Label{`# "x" ?a=1&copy=2 &lt;`}},
		{"#35;#9829; #x41; #160;a#nbsp;b", label.Label{"#♥ A a b"}},
		{"no #entity or #; here; C#", label.Label{"no #entity or #; here; C#"}},
		{"\"`**bold** *slanted* snake_case 2*3`\"", label.Label{"bold slanted snake_case 2*3"}},
		{"<b>bold</b> a < b > c <T>", label.Label{"bold a < b > c <T>"}},
		{"`a` and `b`", label.Label{"`a` and `b`"}},
		{"fa:fa-car A car", label.Label{"A car"}},
		{"fa:fa-car", label.Label{"fa:fa-car"}},
		{"#27;[31m\x1b]0;x\a\u202eback\u200dward", label.Label{"[31m ]0;x back\u200dward"}},
		{"", nil},
	} {
		if got := readLabel(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%q is %q, want %q", test.text, got, test.want)
		}
	}
}

// A comment begins behind white space and outside of quotes.
func TestCommentsBehindStatements(t *testing.T) {
	for line, want := range map[string]string{
		"a --> b %% why":       "a --> b",
		"a --> b\t%%why":       "a --> b",
		"a[50%% off] --> b":    "a[50%% off] --> b",
		`a["50 %% off"] %% b`:  `a["50 %% off"]`,
		`a["50 %% off"] --> b`: `a["50 %% off"] --> b`,
	} {
		if got := withoutComment(line); got != want {
			t.Errorf("%q is %q, want %q", line, got, want)
		}
	}
}

// A long text of signs that could begin tags is read once, not once a sign.
func TestSignsThatBeginNoTag(t *testing.T) {
	text := strings.Repeat("<", 60000) + "B>"
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := withoutTags(text)
	runtime.ReadMemStats(&after)
	if read := after.TotalAlloc - before.TotalAlloc; got != text[:60000-1] || read > 10<<20 {
		t.Errorf("%d bytes of %d, and %d bytes for it", len(got), len(text), read)
	}
}
