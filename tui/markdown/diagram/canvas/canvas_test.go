package canvas

import (
	"errors"
	"image"
	"slices"
	"strings"
	"testing"
)

// shown returns the text of a canvas without the last line break.
func shown(t *testing.T, c *Canvas) string {
	t.Helper()
	lines, _, err := c.Lines()
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, len(lines))
	for i, line := range lines {
		texts[i] = line.String()
	}
	return strings.Join(texts, "\n")
}

func TestLinesThatMeetMakeJunctions(t *testing.T) {
	for _, test := range []struct {
		name        string
		paint       func(c *Canvas)
		rich, plain string
	}{
		{
			"a cross",
			func(c *Canvas) { c.Horizontal(0, 4, 1, Light, Edge); c.Vertical(2, 0, 2, Light, Edge) },
			"  ╷\n╶─┼─╴\n  ╵", "  |\n--+--\n  |",
		},
		{
			"a line out of a box",
			func(c *Canvas) { c.Box(0, 0, 5, 3, false, Light, Border); c.Vertical(2, 2, 3, Light, Edge) },
			"┌───┐\n│   │\n└─┬─┘\n  ╵", "+---+\n|   |\n+-+-+\n  |",
		},
		{
			"a heavy line out of a round box",
			func(c *Canvas) { c.Box(0, 0, 5, 3, true, Light, Border); c.Vertical(2, 2, 4, Heavy, Edge) },
			"╭───╮\n│   │\n╰─┰─╯\n  ┃\n  ╹", ".---.\n|   |\n'-+-'\n  #\n  #",
		},
		{
			"a dotted line with bends",
			func(c *Canvas) { c.Path([]image.Point{{0, 0}, {3, 0}, {3, 2}, {6, 2}}, Dotted, Edge) },
			"╶┄┄╮\n   ┆\n   ╰┄┄╴", "....\n   :\n   '...",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for ascii, want := range map[bool]string{false: test.rich, true: test.plain} {
				c := New(ascii)
				test.paint(c)
				if got := shown(t, c); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
		})
	}
}

func TestWideCharactersCoverTheirCells(t *testing.T) {
	c := New(false)
	c.Text(0, 0, "日本語", Text)
	c.Text(3, 0, "x", Edge) // the second half of 本
	if got := shown(t, c); got != "日 x語" {
		t.Errorf("got %q", got)
	}
	lines, width, err := c.Lines()
	if err != nil || width != 6 || len(lines[0]) != 4 {
		t.Errorf("got %+v, %d cells, %v", lines, width, err)
	}
}

func TestACanvasHasALimit(t *testing.T) {
	t.Parallel()
	c := New(false)
	c.Horizontal(0, 2*MaxCells, 0, Light, Edge)
	if _, _, err := c.Lines(); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v", err)
	}
}

// Of two lines on one path the heavier one is visible, in either order of drawing.
func TestAHeavierLineStays(t *testing.T) {
	c := New(false)
	c.Horizontal(0, 3, 0, Heavy, Edge)
	c.Horizontal(0, 3, 0, Light, Edge)
	c.Vertical(1, 0, 1, Light, Edge)
	if lines, _, err := c.Lines(); err != nil || lines[0].String() != "╺┯━╸" {
		t.Errorf("%v, %v", lines, err)
	}
}

// A title in a border hides neither text nor a line that crosses the border.
func TestFreeCells(t *testing.T) {
	c := New(false)
	c.Horizontal(0, 20, 1, Light, Border)
	c.Vertical(3, 0, 1, Light, Edge)
	c.Vertical(8, 1, 2, Light, Edge)
	c.Text(12, 1, "日", GroupTitle)
	var free []int
	for x := range 20 {
		if c.Free(x, 1, 2) {
			free = append(free, x)
		}
	}
	if want := []int{0, 1, 4, 5, 6, 9, 10, 14, 15, 16, 17, 18, 19}; !slices.Equal(free, want) {
		t.Errorf("free cells begin at %v, want %v", free, want)
	}
}
