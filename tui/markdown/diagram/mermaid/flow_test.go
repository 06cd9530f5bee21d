package mermaid

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"planb/tui/markdown/diagram/graph"
)

// flowOf reads the statements of a flowchart, or of a state diagram if they begin with
// its name. It returns a line for each box, then one for each line between two boxes.
func flowOf(t *testing.T, statements string) []string {
	t.Helper()
	if !strings.HasPrefix(statements, "stateDiagram") {
		statements = "graph TD\n" + statements
	}
	d, err := Read(statements)
	if err != nil {
		t.Fatalf("%q: %v", statements, err)
	}
	g := d.Body.(*graph.Graph)
	var out []string
	for _, n := range g.Nodes {
		out = append(out, n.Label.String())
		for _, note := range n.Notes {
			out = append(out, n.Label.String()+" ("+note.Label.String()+")")
		}
	}
	for _, e := range g.Edges {
		said := ""
		if len(e.Label) > 0 {
			said = ": " + e.Label.String()
		}
		out = append(out, fmt.Sprintf("%s to %s%s", g.Nodes[e.From].Label, g.Nodes[e.To].Label, said))
	}
	return out
}

func checkFlow(t *testing.T, statements string, want ...string) {
	t.Helper()
	if got := flowOf(t, statements); !slices.Equal(got, want) {
		t.Errorf("%q is read as %q, want %q", statements, got, want)
	}
}

// A statement that only styles ends with a semicolon, as any other does.
func TestAStyleHidesNoStatementBehindIt(t *testing.T) {
	for _, style := range []string{
		"classDef hot fill:red", "class a hot", "style a fill:#f00,stroke:#333", "linkStyle 0 stroke:red",
		`click a "https://example.com/?a;b" "A tip; b"`, "style a fill:red;stroke:blue; stroke-width:2px",
	} {
		checkFlow(t, "a-->b; "+style+"; b-->c:::hot", "a", "b", "c", "a to b", "b to c")
	}
}

// A box may have the name of a statement.
func TestBoxesNamedAsStatements(t *testing.T) {
	checkFlow(t, "a-->class\nclass --> style & href\nstyle & click -- x --> href\nhref -.-> b",
		"a", "class", "style", "href", "click", "b",
		"a to class", "class to style", "class to href", "style to href: x", "click to href: x", "href to b")
}

// A state may have the name of a statement.
func TestStatesNamedAsStatements(t *testing.T) {
	checkFlow(t, "stateDiagram-v2\nclass --> hide\nhide: Hidden\nclass : A class\nnote: Noted\ndirection: Left\n"+
		"scale:::hot\nscale 350 width\naccTitle: a title\nclass hide hot",
		"A class", "Hidden", "Noted", "Left", "scale", "A class to Hidden")
}

// An arrow in words is no transition.
func TestArrowsInWordsOfStates(t *testing.T) {
	checkFlow(t, "stateDiagram-v2\na:::hot --> b : then b --> c\nnote right of a : as a --> b\nb : goes --> on\nstate \"x --> y\" as c",
		"a", "a (as a --> b)", "goes --> on", "x --> y", "a to goes --> on: then b --> c")
}

// A bracket or a slash behind the opening bracket belongs to the shape only if the label
// ends with its counterpart.
func TestLabelsThatBeginWithABracket(t *testing.T) {
	checkFlow(t, `a[/api/users] --> b[/in/out/] --> c[\\host\share]; d["/x"] --> e[/] --> f[/tops\] --> g[/list[0]]`,
		"/api/users", "in/out", `\\host\share`, "/x", "/", "tops", "/list[0]",
		"/api/users to in/out", `in/out to \\host\share`, "/x to /", "/ to tops", "tops to /list[0]")
	checkFlow(t, "a[(optional) step] --> b[(Data (base))] --> c[(a) or (b)]; d((x) y) & e(-5 degrees) --> f(((a (b)))) & g[[0] of a]; h{{x} y}",
		"(optional) step", "Data (base)", "(a) or (b)", "(x) y", "-5 degrees", "a (b)", "[0] of a", "{x} y",
		"(optional) step to Data (base)", "Data (base) to (a) or (b)",
		"(x) y to a (b)", "(x) y to [0] of a", "-5 degrees to a (b)", "-5 degrees to [0] of a")
}

// Dots are words of a dotted link, unless they close it.
func TestDotsInWordsOfDottedLinks(t *testing.T) {
	for link, want := range map[string]string{
		"-. wait... then .->": "wait... then", "-. v1.2 .-": "v1.2", "-. x ...->": "x", "-.x.->": "x", "-. x -.->": "x", "-. x-y .-": "x-y",
	} {
		checkFlow(t, "a "+link+" b", "a", "b", "a to b: "+want)
	}
}

// The title of a subgraph may have an entity.
func TestEntitiesInTitles(t *testing.T) {
	d, err := Read("graph TD; subgraph x [#9829; and #35;1]; a; end; a-->b")
	if err != nil {
		t.Fatal(err)
	}
	if g := d.Body.(*graph.Graph); len(g.Groups) != 1 || g.Groups[0].Title.String() != "♥ and #1" || len(g.Nodes) != 2 {
		t.Errorf("%+v", g)
	}
}

// Attributes are YAML, in which words may stand in single quotes, too.
func TestAttributesInSingleQuotes(t *testing.T) {
	checkFlow(t, "a@{ shape: 'hex', label: 'Well, \"x\": y' } --> b@{ label: \"it's, well\", shape: rect }\nc@{label: don't}",
		`Well, "x": y`, "it's, well", "don't", `Well, "x": y to it's, well`)
}
