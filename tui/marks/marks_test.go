package marks_test

import (
	"slices"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"planb/tui/marks"
)

func TestMarksAreOneCellWideAndDiffer(t *testing.T) {
	var seen []string
	for _, mark := range []string{
		marks.Focus, marks.Required, marks.Answered, marks.Unchosen, marks.Chosen, marks.Unticked, marks.Ticked, marks.Bar,
		marks.HeldBack, marks.Folded, marks.Unfolded,
	} {
		if ansi.StringWidth(mark) != 1 || len([]rune(mark)) != 1 {
			t.Errorf("%q has %d cells", mark, ansi.StringWidth(mark))
		}
		if slices.Contains(seen, mark) {
			t.Errorf("%q means two things", mark)
		}
		seen = append(seen, mark)
	}
}
