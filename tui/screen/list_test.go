package screen

import (
	"fmt"
	"testing"

	tea "charm.land/bubbletea/v2"
	"pgregory.net/rapid"
)

func TestPickListKeepsItsCursorInView(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := List{Around: rapid.IntRange(0, 2).Draw(t, "around")}
		l.SetRows(rapid.SliceOfN(rapid.IntRange(1, 4), 0, 40).Draw(t, "heights"), 0)
		l.SetLines(rapid.IntRange(4, 30).Draw(t, "lines"))
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				l.Move(rapid.IntRange(-3, 3).Draw(t, "by"))
			case 1:
				l.page(rapid.SampledFrom([]int{-1, 1}).Draw(t, "page"))
			case 2:
				l.MoveTo(rapid.IntRange(-5, 50).Draw(t, "to"))
			case 3:
				l.SetLines(rapid.IntRange(4, 30).Draw(t, "lines"))
			case 4:
				l.SetRows(rapid.SliceOfN(rapid.IntRange(1, 4), 0, 40).Draw(t, "heights"), l.Cursor)
			}
			if len(l.heights) == 0 {
				continue
			}
			start, total := 0, 0
			for i, h := range l.heights {
				if i < l.Cursor {
					start += h
				}
				total += h
			}
			end := start + l.heights[l.Cursor]
			if start < l.Top || end > l.Top+l.Lines {
				t.Fatalf("row %d is lines %d to %d, in view are %d to %d", l.Cursor, start, end, l.Top, l.Top+l.Lines)
			}
			if l.Top > 0 && l.Top+l.Lines > total {
				t.Fatalf("%d lines of %d are in view from %d: the end leaves a gap", l.Lines, total, l.Top)
			}
			if row, ok := l.RowAt(start - l.Top); !ok || row != l.Cursor {
				t.Fatalf("a click on the cursor's first line finds row %d", row)
			}
		}
	})
}

func TestPickListPages(t *testing.T) {
	var l List
	l.SetRows([]int{2, 2, 2, 2, 2, 9, 2}, 0)
	l.SetLines(6)
	var at []int
	for range 5 {
		l.page(1)
		at = append(at, l.Cursor)
	}
	if got := fmt.Sprint(at); got != "[2 4 5 6 6]" {
		t.Errorf("five pages down go to rows %s", got)
	}
}

// A list says which rows are in view as long as some are not, also if a heading makes a row
// higher.
func TestAListSaysWhichRowsAreInView(t *testing.T) {
	var l List
	l.SetRows([]int{2, 1, 1, 2, 1}, 0)
	for _, c := range []struct {
		lines, cursor int
		want          string
	}{{7, 0, ""}, {4, 0, "1–3 of 5"}, {5, 0, "1–3 of 5"}, {4, 4, "3–5 of 5"}, {0, 0, ""}} {
		l.SetLines(c.lines)
		l.MoveTo(c.cursor)
		if got := l.Position(); got != c.want {
			t.Errorf("with %d lines and the cursor on row %d it says %q, want %q", c.lines, c.cursor, got, c.want)
		}
		l.MoveTo(0)
	}
}

// TestPickListBeginsAtItsTop holds that a list whose cursor is set before it is known how many
// lines are visible is scrolled no further than the cursor needs.
func TestPickListBeginsAtItsTop(t *testing.T) {
	for _, test := range []struct{ at, lines, top int }{{3, 6, 0}, {5, 6, 0}, {7, 6, 2}} {
		var l List
		l.SetRows([]int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, test.at)
		if l.SetLines(test.lines); l.Top != test.top {
			t.Errorf("with the cursor on row %d of %d visible lines, the first in view is %d, want %d", test.at, test.lines, l.Top, test.top)
		}
	}
}

// A move shows what comes next. A click does not scroll, so that the second one finds the same row.
func TestAListShowsRowsAroundTheCursor(t *testing.T) {
	l := List{Around: 1}
	l.SetRows([]int{1, 2, 1, 1, 2, 1, 1, 1}, 0)
	l.SetLines(5)
	for to, top := range map[int]int{0: 0, 3: 2, 6: 5, 7: 5} {
		if l.Top, l.Cursor = 0, 0; to > 0 {
			l.MoveTo(to)
		}
		if l.Top != top {
			t.Errorf("with the cursor on row %d the first line in view is %d, want %d", to, l.Top, top)
		}
	}
	l.MoveTo(0)
	for _, want := range []bool{false, true} {
		if _, again := l.Click(tea.Mouse{Y: 4, Button: tea.MouseLeft}, 0); again != want || l.Cursor != 3 || l.Top != 0 {
			t.Errorf("a click put the cursor on row %d, with line %d at the top", l.Cursor, l.Top)
		}
	}
}
