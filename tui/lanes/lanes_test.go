package lanes

import (
	"strings"
	"testing"
)

// TestLay draws a graph in which 2 and 3 wait for 1, and 4 for both and for 1, which 2
// implies. The critical path is 1, 3, 4.
func TestLay(t *testing.T) {
	t.Parallel()
	g := Graph{Layers: [][]int{{1}, {2, 3}, {4}, {5}}, Before: [][]int{nil, {1}, {1}, {1, 2, 3}, nil}, Critical: []int{1, 3, 4}}
	for most, want := range map[int]string{
		3: "\n1\n┃\n┡━3\n2 ┃\n│ ┃\n╰─4\n\n5",
		1: "\n1\n┃\n┡3\n2\n│\n4\n\n5",
	} {
		rows := Lay(g, most, false)
		var lines []string
		for _, row := range rows {
			mark := ""
			if row.Node != 0 {
				mark = string(rune('0' + row.Node))
			}
			lines = append(lines, strings.TrimRight(NewPen().Draw(row, mark, Width(rows)), " "))
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Errorf("with %d lanes:\n%s\nwant:\n%s", most, got, want)
		}
	}
}
