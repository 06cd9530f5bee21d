package lanes

import (
	"strings"
	"testing"
)

// draw draws a graph of up to nine nodes.
func draw(g Graph, most int) string {
	rows := Lay(g, most, false)
	var lines []string
	for _, row := range rows {
		mark := ""
		if row.Node != 0 {
			mark = string(rune('0' + row.Node))
		}
		lines = append(lines, strings.TrimRight(NewPen().Draw(row, mark, Width(rows)), " "))
	}
	return strings.Join(lines, "\n")
}

// TestLay draws a graph in which 2 and 3 wait for 1, and 4 for both and for 1, which 2
// implies. The critical path is 1, 3, 4.
func TestLay(t *testing.T) {
	t.Parallel()
	g := Graph{Layers: [][]int{{1}, {2, 3}, {4}, {5}}, Before: [][]int{nil, {1}, {1}, {1, 2, 3}, nil}, Critical: []int{1, 3, 4}}
	for most, want := range map[int]string{
		3: "\n1\n┃\n┡━3\n2 ┃\n│ ┃\n╰─4\n\n5",
		1: "\n1\n┃\n┡3\n2\n│\n4\n\n5",
	} {
		if got := draw(g, most); got != want {
			t.Errorf("with %d lanes:\n%s\nwant:\n%s", most, got, want)
		}
	}
}

// A line that ends on its way is joined by those from beyond it, in whatever order a node names
// what it waits for. One that goes on stands where none has to cross it.
func TestLinesThatEndAreJoined(t *testing.T) {
	t.Parallel()
	const want = "\n  1\n2 │\n│ │ 3\n│ │ │ 4\n│ │ │ │\n│ 5─┴─╯\n│\n6"
	for _, before := range [][]int{{1, 3, 4}, {1, 4, 3}} {
		g := Graph{Layers: [][]int{{1, 2, 3, 4}, {5}, {6}}, Before: [][]int{nil, nil, nil, nil, before, {2}}}
		if got := draw(g, 4); got != want {
			t.Errorf("5 waits for %v:\n%s\nwant:\n%s", before, got, want)
		}
	}
}

// A line that only crosses a lane is drawn through it. Where a line leaves a lane and another one
// passes, there is a point.
func TestCrossingLinesAreToldFromThoseThatMeet(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		fifth []int // what 5 waits for
		want  string
	}{
		{[]int{1, 3}, "\n1\n│     2\n│   3 │\n│   │ │\n├─4─┼─┤\n├─5─┤ │\n│   │ │\n6   │ │\n    │ │\n    │ 7\n    │\n    8"},
		{[]int{1, 2, 3}, "\n1\n│   2\n│   │ 3\n│   │ │\n├─4─┤ │\n├─5─•─┤\n│   │ │\n6   │ │\n    │ │\n    7 │\n      │\n      8"},
	} {
		g := Graph{Layers: [][]int{{1, 2, 3}, {4, 5}, {6}, {7}, {8}}, Before: [][]int{nil, nil, nil, {1, 2}, test.fifth, {1}, {2}, {3}}}
		if got := draw(g, 9); got != test.want {
			t.Errorf("got:\n%s\nwant:\n%s", got, test.want)
		}
	}
}
