package screen

import (
	"fmt"
	"image/color"
	"strings"
	"testing"

	uv "github.com/charmbracelet/ultraviolet"
	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/cells"
	"planb/tui/marks"
)

// drawn returns the cells of a line on a terminal, without the right halves of wide ones.
func drawn(line string, width int) []uv.Cell {
	buffer := uv.NewScreenBuffer(width, 1)
	uv.NewStyledString(line).Draw(buffer, buffer.Bounds())
	var all []uv.Cell
	for x := range width {
		if cell := buffer.CellAt(x, 0); cell.Width > 0 {
			all = append(all, *cell)
		}
	}
	return all
}

// backgrounds returns the backgrounds of a line's cells.
func backgrounds(line string, width int) map[string]int {
	found := map[string]int{}
	for _, cell := range drawn(line, width) {
		found[hex(cell.Style.Bg)]++
	}
	return found
}

func hex(c color.Color) string {
	if c == nil {
		return ""
	}
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("#%02x%02x%02x", r>>8, g>>8, b>>8)
}

func stylesOf(t *testing.T, name string) (*Styles, themes.Palette) {
	t.Helper()
	choice, err := (themes.Collection{}).Find(name)
	if err != nil {
		t.Fatal(err)
	}
	st := NewStyles(choice.Theme.Palette)
	return &st, choice.Theme.Palette
}

func TestFocusedRowHasItsGroundOverTheWholeWidth(t *testing.T) {
	for _, name := range []string{"dark", "light", "gruvbox-dark"} {
		st, p := stylesOf(t, name)
		code := cells.Style{}.Background(Color(p.CodeBg)).Render("code") + cells.Style{}.Background(Color(p.Surface)).Render(" block ")
		for _, text := range []string{code, "a row", "世界 and e\u0301", "👨‍👩‍👧 family", strings.Repeat("long ", 20)} {
			row := st.Focused("  "+st.Faint.Render("1 ")+st.Text.Render(text)+" "+st.Proposed.Render("default"), 40)
			if got := ansi.StringWidth(row); got != 40 {
				t.Errorf("%s: %q has %d cells, want 40", name, text, got)
			}
			cells := drawn(row, 40)
			for i, cell := range cells {
				if hex(cell.Style.Bg) != string(p.FocusBg) || cell.Style.Attrs&uv.AttrBold != 0 {
					t.Errorf("%s: cell %d, %q, is not on the focus ground, or bold: %v", name, i, cell.Content, cell.Style)
				}
			}
			if cells[0].Content != marks.Focus || hex(cells[0].Style.Fg) != string(p.Accent) {
				t.Errorf("%s: the row begins with %q", name, cells[0].Content)
			}
			if cells[2].Content != "1" || hex(cells[2].Style.Fg) != string(p.Faint) {
				t.Errorf("%s: the row lost its colours: %q is %v", name, cells[2].Content, cells[2].Style.Fg)
			}
		}
	}
}

// All rows of an item have the mark and the ground. Its title alone is bold.
func TestFocusedItem(t *testing.T) {
	for _, name := range []string{"dark", "gruvbox-dark", "none", "high-contrast-dark"} {
		st, _ := stylesOf(t, name)
		lines := []string{"  " + st.ItemTitle(true).Render("its title"), "  " + st.Muted.Render("and more")}
		for i, row := range st.FocusedItem(lines, 20) {
			all := drawn(row, 20)
			if all[0].Content != marks.Focus || row != st.Focused(lines[i], 20) {
				t.Errorf("%s: row %d is %q", name, i, ansi.Strip(row))
			}
		}
	}
	st, _ := stylesOf(t, "dark")
	for focused, bold := range map[bool]bool{true: true, false: false} {
		if cell := drawn(st.ItemTitle(focused).Render("a title"), 20)[0]; (cell.Style.Attrs&uv.AttrBold != 0) != bold {
			t.Errorf("focused %v: the title is drawn in %v", focused, cell.Style)
		}
	}
}

// A selected row differs from the one with the focus only in its first cell.
func TestSelectedRow(t *testing.T) {
	for _, name := range []string{"dark", "gruvbox-dark", "none", "high-contrast-dark"} {
		st, _ := stylesOf(t, name)
		line := "  " + st.Muted.Render("a line")
		selected, focused := drawn(st.Selected(line, 20), 20), drawn(st.Focused(line, 20), 20)
		if selected[0].Content != " " {
			t.Errorf("%s: the row begins with %q", name, selected[0].Content)
		}
		for i := 1; i < 20; i++ {
			is, want := selected[i], focused[i]
			if is.Content != want.Content || hex(is.Style.Bg) != hex(want.Style.Bg) || is.Style.Attrs != want.Style.Attrs {
				t.Errorf("%s: cell %d is drawn as %v, not as %v", name, i, is, want)
			}
		}
	}
}

// What is written in a focused row is never in reverse video.
func TestFocusedInput(t *testing.T) {
	for _, name := range []string{"dark", "none", "terminal-light", "high-contrast-dark"} {
		st, p := stylesOf(t, name)
		row := drawn(st.FocusedInput("  "+st.InputHere.Render("my words"), 20), 20)
		if row[0].Content != marks.Focus {
			t.Errorf("%s: the row begins with %q", name, row[0].Content)
		}
		for i, cell := range row[1:] {
			if cell.Style.Attrs&uv.AttrReverse != 0 || hex(cell.Style.Bg) != string(p.FocusBg) {
				t.Errorf("%s: cell %d is drawn in %v", name, i+1, cell.Style)
			}
		}
	}
}

// In high contrast the whole row has the accent, with text that is read on it.
func TestFocusedRowInHighContrast(t *testing.T) {
	for _, name := range []string{"high-contrast-dark", "high-contrast-light"} {
		st, p := stylesOf(t, name)
		row := st.Focused("  "+st.Faint.Render("1 ")+st.Warning.Render("late"), 20)
		for _, cell := range drawn(row, 20)[1:] {
			if hex(cell.Style.Bg) != string(p.Accent) || hex(cell.Style.Fg) != string(p.AccentText) {
				t.Errorf("%s: %q is drawn in %v on %v", name, cell.Content, cell.Style.Fg, cell.Style.Bg)
			}
		}
	}
}

// In reverse video a title is on the ground of the focus, and keeps what is struck. A row that says
// something in its colours keeps them, and has the mark at its edge.
func TestFocusedEdgeInReverseVideoKeepsItsColours(t *testing.T) {
	for _, name := range []string{"high-contrast-dark", "high-contrast-light", "none", "terminal-dark"} {
		st, p := stylesOf(t, name)
		row := st.FocusedEdge("  "+st.RemovedWord.Render("gone")+st.Match.Render("found"), 20)
		want := drawn(" "+st.RemovedWord.Render("gone")+st.Match.Render("found"), 20)
		for i, cell := range drawn(row, 20)[1:] {
			if i < 10 && cell.Style != want[i].Style {
				t.Errorf("%s: %q is drawn in %v, want %v", name, cell.Content, cell.Style, want[i].Style)
			}
		}
		if first := drawn(st.Focused("  a title", 20), 20)[0].Style; p.FocusReversed && hex(first.Bg) != string(p.Accent) {
			t.Errorf("%s: the ground begins behind the mark: %v", name, first)
		}
		if row := drawn(st.Focused("  "+st.Removed.Struck(true).Render("gone"), 20), 20); row[3].Style.Attrs&uv.AttrStrikethrough == 0 {
			t.Errorf("%s: a struck text is drawn in %v", name, row[3].Style)
		}
	}
}

// Without a ground the focus is a mark and reverse video.
func TestFocusedRowWithoutAGround(t *testing.T) {
	for _, name := range []string{"none", "terminal-dark", "terminal-light"} {
		st, _ := stylesOf(t, name)
		row := st.Focused("  "+st.Success.Render("done")+" and 世界", 20)
		if text := ansi.Strip(row); !strings.HasPrefix(text, marks.Focus+" done and 世界") || ansi.StringWidth(row) != 20 {
			t.Errorf("%s: the row is %q", name, text)
		}
		for _, cell := range drawn(row, 20)[1:] {
			if cell.Style.Attrs&uv.AttrReverse == 0 {
				t.Errorf("%s: %q is not reversed", name, cell.Content)
			}
		}
	}
}

func TestCardsAndSurfacesFillTheirWidth(t *testing.T) {
	for _, name := range []string{"dark", "light", "gruvbox-dark", "terminal-dark", "none"} {
		st, p := stylesOf(t, name)
		lines := []string{"", st.Strong.Render("one") + " two", "世界世界世界世界世界世界世界世界世界世界"}
		for kind, drawing := range map[string][]string{"surface": st.OnSurface(lines, 30), "card": st.Card(st.Note, lines, 30)} {
			if len(drawing) != len(lines) {
				t.Fatalf("%s, %s: %d lines", name, kind, len(drawing))
			}
			for _, line := range drawing {
				if ansi.StringWidth(line) != 30 {
					t.Errorf("%s, %s: %q has %d cells", name, kind, ansi.Strip(line), ansi.StringWidth(line))
				}
				if got := backgrounds(line, 30); len(got) != 1 || got[string(p.Surface)] == 0 {
					t.Errorf("%s, %s: the backgrounds are %v", name, kind, got)
				}
				if kind == "card" && !strings.HasPrefix(ansi.Strip(line), marks.Bar+" ") {
					t.Errorf("%s: the card begins with %q", name, ansi.Strip(line))
				}
			}
		}
	}
}

// Whatever a button is, it looks different from the other two and from a word, and its
// width stays the same.
func TestButtonsDiffer(t *testing.T) {
	for _, name := range []string{"dark", "light", "gruvbox-dark", "terminal-dark", "none"} {
		st, _ := stylesOf(t, name)
		plain, main, focused := st.Button("Next ›", false, false), st.Button("Next ›", true, false), st.Button("Next ›", true, true)
		if plain == main || main == focused || plain == focused || strings.Contains(plain, st.Text.Render(" Next › ")) {
			t.Errorf("%s: buttons look alike: %q, %q, %q", name, plain, main, focused)
		}
		for _, button := range []string{plain, main, focused} {
			if ansi.StringWidth(button) != 8 || !strings.Contains(ansi.Strip(button), "Next ›") {
				t.Errorf("%s: the button is %q", name, ansi.Strip(button))
			}
		}
	}
}

func TestChipsAndBands(t *testing.T) {
	for _, name := range []string{"dark", "light", "gruvbox-dark", "terminal-dark", "none"} {
		st, p := stylesOf(t, name)
		chip := st.Chip(st.Success, marks.Answered, "addressed")
		if !strings.Contains(ansi.Strip(chip), "✓ addressed") || ansi.StringWidth(chip) != 13 {
			t.Errorf("%s: the chip is %q", name, ansi.Strip(chip))
		}
		if got := backgrounds(chip, 13); len(got) != 1 || got[string(p.FocusBg)] == 0 {
			t.Errorf("%s: the chip's backgrounds are %v", name, got)
		}
		for _, width := range []int{3, 20, 80} {
			if band := st.Band("⋯ 73 unchanged · Step 1", width); ansi.StringWidth(band) != width {
				t.Errorf("%s: a band of %d cells has %d", name, width, ansi.StringWidth(band))
			}
		}
	}
}

func TestDimmedLinesKeepTheirTextAlone(t *testing.T) {
	for _, name := range []string{"dark", "gruvbox-dark", "none"} {
		st, _ := stylesOf(t, name)
		lines := st.Dim([]string{st.Focused("  row", 20), "", cells.Style{}.Bold(true).Render("世界")})
		for i, want := range []string{marks.Focus + " row", "", "世界"} {
			if got := ansi.Strip(lines[i]); got != want {
				t.Errorf("%s: line %d is %q, want %q", name, i, got, want)
			}
			for _, cell := range drawn(lines[i], max(ansi.StringWidth(want), 1)) {
				if cell.Style.Bg != nil || cell.Style.Attrs&(uv.AttrBold|uv.AttrReverse) != 0 {
					t.Errorf("%s: %q stands out: %v", name, cell.Content, cell.Style)
				}
			}
		}
	}
}

// A changed line lies on its ground over the whole width, its text in the palette's colour.
// Where the palette has no ground for it, only its sign tells.
func TestAChangedLineFillsItsWidth(t *testing.T) {
	for _, name := range []string{"dark", "light", "gruvbox-dark", "high-contrast-dark", "terminal-dark", "none"} {
		st, p := stylesOf(t, name)
		for ground, line := range map[themes.Color]string{
			p.AddedBg: st.OnAdded("+ a "+st.AddedWord.Render("word"), 30), p.RemovedBg: st.OnRemoved("− 世界", 30),
		} {
			if ansi.StringWidth(line) != 30 {
				t.Errorf("%s: %q has %d cells, want 30", name, ansi.Strip(line), ansi.StringWidth(line))
			}
			if got := backgrounds(line, 30); ground != "" && (len(got) != 1 || got[string(ground)] == 0) {
				t.Errorf("%s: the backgrounds of %q are %v, want %s", name, ansi.Strip(line), got, ground)
			}
			if cell := drawn(line, 30)[2]; ground != "" && hex(cell.Style.Fg) != string(p.Text) {
				t.Errorf("%s: %q is drawn in %s, want %s", name, cell.Content, hex(cell.Style.Fg), p.Text)
			}
		}
	}
}
