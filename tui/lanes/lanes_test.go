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
// what it waits for. One that goes on is crossed.
func TestLinesThatEndAreJoined(t *testing.T) {
	t.Parallel()
	const want = "\n1\n│ 2\n│ │ 3\n│ │ │ 4\n│ │ │ │\n5─│─┴─╯\n  │\n  6"
	for _, before := range [][]int{{1, 3, 4}, {1, 4, 3}} {
		g := Graph{Layers: [][]int{{1, 2, 3, 4}, {5}, {6}}, Before: [][]int{nil, nil, nil, nil, before, {2}}}
		if got := draw(g, 4); got != want {
			t.Errorf("5 waits for %v:\n%s\nwant:\n%s", before, got, want)
		}
	}
}
