package markdown

import (
	"slices"
	"strings"
	"testing"
)

// Wide columns share the room that narrow ones leave, by how much text they have. A table does
// not fit if one of its cells would be a high and narrow pile of words.
func TestColumnWidths(t *testing.T) {
	row := func(cells ...int) (row []string) {
		for _, n := range cells {
			row = append(row, strings.Repeat("x", n))
		}
		return row
	}
	for _, test := range []struct {
		name  string
		rows  [][]string
		width int
		want  []int // nil: the table does not fit
	}{
		{"all fit", [][]string{row(4, 9), row(8, 2)}, 40, []int{8, 9}},
		{"one is wide", [][]string{row(4, 200)}, 60, []int{4, 53}},
		{"two share by need", [][]string{row(4, 200, 100)}, 70, []int{4, 40, 20}},
		{"no column is too narrow", [][]string{row(40, 30, 400)}, 80, []int{16, 16, 42}},
		{"too many for the width", [][]string{row(20, 20, 20, 20, 20, 20)}, 80, nil},
		{"a pile of words", [][]string{row(21, 45, 36, 34, 250)}, 76, nil},
		{"the same with more room", [][]string{row(21, 45, 36, 34, 250)}, 100, []int{14, 14, 14, 14, 32}},
		{"a pile of words unless the others are narrow", [][]string{row(21, 45, 36, 34, 320)}, 92, []int{12, 12, 12, 12, 32}},
	} {
		got, fit := columnWidths(test.rows, test.width)
		if !fit {
			got = nil
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}
