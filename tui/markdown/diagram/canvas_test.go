package diagram

import (
	"errors"
	"image"
	"strings"
	"testing"
)

// shown returns the text of a canvas without the last line break.
func shown(t *testing.T, c *canvas) string {
	t.Helper()
	lines, _, err := c.finish()
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
		paint       func(c *canvas)
		rich, plain string
	}{
		{
			"a cross",
			func(c *canvas) { c.horizontal(0, 4, 1, light, Edge); c.vertical(2, 0, 2, light, Edge) },
			"  ╷\n╶─┼─╴\n  ╵", "  |\n--+--\n  |",
		},
		{
			"a line out of a box",
			func(c *canvas) { c.box(0, 0, 5, 3, false, light, Border); c.vertical(2, 2, 3, light, Edge) },
			"┌───┐\n│   │\n└─┬─┘\n  ╵", "+---+\n|   |\n+-+-+\n  |",
		},
		{
			"a heavy line out of a round box",
			func(c *canvas) { c.box(0, 0, 5, 3, true, light, Border); c.vertical(2, 2, 4, heavy, Edge) },
			"╭───╮\n│   │\n╰─┰─╯\n  ┃\n  ╹", ".---.\n|   |\n'-+-'\n  #\n  #",
		},
		{
			"a dotted line with bends",
			func(c *canvas) { c.path([]image.Point{{0, 0}, {3, 0}, {3, 2}, {6, 2}}, dotted, Edge) },
			"╶┄┄╮\n   ┆\n   ╰┄┄╴", "....\n   :\n   '...",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			for ascii, want := range map[bool]string{false: test.rich, true: test.plain} {
				c := newCanvas(ascii)
				test.paint(c)
				if got := shown(t, c); got != want {
					t.Errorf("got\n%s\nwant\n%s", got, want)
				}
			}
		})
	}
}

func TestWideCharactersCoverTheirCells(t *testing.T) {
	c := newCanvas(false)
	c.text(0, 0, "日本語", Text)
	c.text(3, 0, "x", Edge) // the second half of 本
	if got := shown(t, c); got != "日 x語" {
		t.Errorf("got %q", got)
	}
	lines, width, err := c.finish()
	if err != nil || width != 6 || len(lines[0]) != 4 {
		t.Errorf("got %+v, %d cells, %v", lines, width, err)
	}
}

func TestACanvasHasALimit(t *testing.T) {
	t.Parallel()
	c := newCanvas(false)
	c.horizontal(0, 2*maxCells, 0, light, Edge)
	if _, _, err := c.finish(); !errors.Is(err, errTooLarge) {
		t.Errorf("got %v", err)
	}
}

// Of two lines on one path the heavier one is visible, in either order of drawing.
func TestAHeavierLineStays(t *testing.T) {
	c := newCanvas(false)
	c.horizontal(0, 3, 0, heavy, Edge)
	c.horizontal(0, 3, 0, light, Edge)
	c.vertical(1, 0, 1, light, Edge)
	if lines, _, err := c.finish(); err != nil || lines[0].String() != "╺┯━╸" {
		t.Errorf("%v, %v", lines, err)
	}
}
