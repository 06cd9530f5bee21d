package cells

import (
	"image/color"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"
)

var (
	white = color.RGBA{255, 255, 255, 255}
	navy  = color.RGBA{0, 0, 80, 255}
	olive = color.RGBA{80, 80, 0, 255}
	red   = color.RGBA{255, 0, 0, 255}
)

// drawn returns the cells of a line on a terminal, without the right halves of wide ones.
func drawn(line string, width int) []uv.Cell {
	screen := uv.NewScreenBuffer(width, 1)
	uv.NewStyledString(line).Draw(screen, screen.Bounds())
	var all []uv.Cell
	for x := range width {
		if cell := screen.CellAt(x, 0); cell.Width > 0 {
			all = append(all, *cell)
		}
	}
	return all
}

// A ground covers the backgrounds that give way to it, and no other.
func TestGroundCovers(t *testing.T) {
	g := NewGround(ansi.NewStyle().BackgroundColor(navy)).Covering(olive)
	code := ansi.NewStyle().ForegroundColor(red).BackgroundColor(olive)
	for name, line := range map[string]string{
		"ink and background": code.Styled("code") + " text",
		"background alone":   ansi.NewStyle().BackgroundColor(olive).Styled("code") + " text",
		"blanks":             "a" + ansi.NewStyle().BackgroundColor(olive).Styled("    ") + "b",
	} {
		for i, cell := range drawn(g.Paint(line, 20), 20) {
			if cell.Style.Bg != color.Color(navy) {
				t.Errorf("%s: cell %d, %q, is drawn on %v", name, i, cell.Content, cell.Style.Bg)
			}
		}
	}
	if cells := drawn(g.Paint(code.Styled("c"), 2), 2); cells[0].Style.Fg != color.Color(red) {
		t.Errorf("the ink went with the background: %v", cells[0].Style.Fg)
	}
	if cells := drawn(g.Paint(ansi.NewStyle().BackgroundColor(white).Styled("w"), 2), 2); cells[0].Style.Bg != color.Color(white) {
		t.Errorf("another background is covered: %v", cells[0].Style.Bg)
	}
}

func TestGroundLiesUnderEveryCell(t *testing.T) {
	g := NewGround(ansi.NewStyle(ansi.AttrBold).ForegroundColor(white).BackgroundColor(navy))
	inRed := ansi.NewStyle().ForegroundColor(red).Styled("red")
	for name, line := range map[string]string{
		"nothing":         "",
		"plain text":      "one two",
		"a styled word":   "one " + inRed + " two",
		"styled words":    inRed + "  " + inRed + inRed,
		"styled blanks":   inRed + "    ",
		"wide characters": "世界 " + inRed + " 世界",
		"a family":        "👨‍👩‍👧 " + inRed,
		"combining marks": "e\u0301e\u0301 " + inRed + "e\u0301",
		"a syllable":      "नमस्ते " + inRed,
		"too much":        inRed + "世界世界世界世界世界世界世界世界世界世界世界世界",
		"foreground only": "\x1b[31mred\x1b[39m plain",
	} {
		t.Run(name, func(t *testing.T) {
			const width = 30
			painted := g.Paint(line, width)
			if got := ansi.StringWidth(painted); got != width {
				t.Errorf("it has %d cells, want %d", got, width)
			}
			for i, cell := range drawn(painted, width) {
				if cell.Style.Bg != color.Color(navy) || cell.Style.Fg == nil {
					t.Errorf("cell %d, %q, is drawn in %v on %v", i, cell.Content, cell.Style.Fg, cell.Style.Bg)
				}
				if cell.Style.Attrs&uv.AttrBold == 0 {
					t.Errorf("cell %d, %q, is not bold", i, cell.Content)
				}
			}
		})
	}
}

// A row of a list may have the focus on a card that lies on a painted window.
func TestGroundsLieOnGrounds(t *testing.T) {
	under := NewGround(ansi.NewStyle().ForegroundColor(white).BackgroundColor(navy))
	over := NewGround(ansi.NewStyle().ForegroundColor(white).BackgroundColor(olive))
	line := "a" + over.Paint("b "+ansi.NewStyle().ForegroundColor(red).Styled("c")+" d", 6) + " e"
	cells := drawn(under.Paint(line, 10), 10)
	for i, cell := range cells {
		want := color.Color(navy)
		if i >= 1 && i < 7 {
			want = olive
		}
		if cell.Style.Bg != want {
			t.Errorf("cell %d, %q, is drawn on %v, want %v", i, cell.Content, cell.Style.Bg, want)
		}
	}
	if cells[3].Content != "c" || cells[3].Style.Fg != color.Color(red) {
		t.Errorf("the word in the middle is %q in %v", cells[3].Content, cells[3].Style.Fg)
	}
}

// A blank whose style depends on what stands behind it would be sent again each time
// that a ground comes or goes beside it.
func TestBlanksBesideAGroundKeepTheirStyle(t *testing.T) {
	under := NewGround(ansi.NewStyle().ForegroundColor(white).BackgroundColor(navy))
	over := NewGround(ansi.NewStyle().ForegroundColor(white).BackgroundColor(olive))
	rule := ansi.NewStyle().ForegroundColor(red).Styled("│")
	with := drawn(under.Paint(over.Paint("row", 10)+"  "+rule, 20), 20)
	without := drawn(under.Paint(Fill("row", 10)+"  "+rule, 20), 20)
	for _, at := range []int{10, 11} {
		if !with[at].Style.Equal(&without[at].Style) {
			t.Errorf("cell %d is %v beside the ground and %v without it", at, with[at].Style, without[at].Style)
		}
	}
}

func TestOnlyInkLooksTheSameOnABlank(t *testing.T) {
	for params, want := range map[string]bool{
		"1": true, "2;3": true, "38;5;9": true, "38;2;1;2;3": true, "38;2;1;2;3;1": true,
		"4": false, "7": false, "48;5;9": false, "38;5;9;4": false, "38;2;1;2;3;7": false, "1;48;2;1;2;3": false,
	} {
		if got := onlyInk(params); got != want {
			t.Errorf("onlyInk(%q) is %v, want %v", params, got, want)
		}
	}
}
