package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/themes"
	"planb/tui/cells"
	"planb/tui/marks"
)

// SurfaceCells is how many cells OnSurface takes from the width: one at each side of a line.
const SurfaceCells = 2

// cardCells is how many cells Card takes from the width: the bar, and one at each side of a line.
const cardCells = 3

// Ground returns the ground of a background of the palette. Text on it that sets no colour
// gets the palette's.
func Ground(p themes.Palette, background themes.Color) cells.Ground {
	return cells.NewGround(ansi.Style{}.ForegroundColor(Color(p.Text)).BackgroundColor(Color(background)))
}

// plane is a ground that lines lie on. A palette may have no colour for it.
type plane struct {
	ground  cells.Ground
	painted bool
}

func newPlane(p themes.Palette, background themes.Color) plane {
	style := ansi.Style{}.BackgroundColor(Color(background))
	if p.Text != "" {
		style = style.ForegroundColor(Color(p.Text))
	}
	return plane{cells.NewGround(style), background != ""}
}

// covering returns the plane for lines in which these backgrounds give way to it.
func (l plane) covering(backgrounds ...themes.Color) plane {
	for _, c := range backgrounds {
		if c != "" {
			l.ground = l.ground.Covering(Color(c))
		}
	}
	return l
}

// paint returns the line at the full width, on the ground if there is one.
func (l plane) paint(line string, width int) string {
	if !l.painted {
		return cells.Fill(cells.Cut(line, width), width)
	}
	return l.ground.Paint(line, width)
}

// Focused draws a row that has the focus: on the focus ground over the whole width, with
// marks.Focus in its first cell. The caller draws the row as it draws all others, with a blank
// in the first cell, and its title in ItemTitle. The row keeps its colours, except where the
// palette has no colour for the ground, or wants a stronger focus: there it is drawn in reverse
// video, and keeps only what is bold, struck or underlined.
func (st *Styles) Focused(line string, width int) string {
	switch {
	case width <= 0:
		return ""
	case st.unfocused:
		return cells.Fill(cells.Cut(line, width), width)
	}
	rest := ansi.TruncateLeft(line, 1, "")
	if st.FocusReversed() {
		return st.reversedEdge.Render(marks.Focus) + st.reversed.Over(cells.Fill(cells.Cut(rest, width-1), width-1))
	}
	return st.focus.paint(st.Accent.Render(marks.Focus)+rest, width)
}

// Selected draws a row that is selected together with the row that has the focus: on the same
// ground, but without the mark.
func (st *Styles) Selected(line string, width int) string {
	switch {
	case width <= 0, st.unfocused:
		return st.Focused(line, width)
	case st.FocusReversed():
		return st.reversed.Over(cells.Fill(cells.Cut(line, width), width))
	}
	return st.focus.paint(line, width)
}

// FocusedEdge draws a row that has the focus as Focused does, but never in reverse video: there
// only its first cell says so. It is for rows that say something in their colours.
func (st *Styles) FocusedEdge(line string, width int) string {
	if width <= 0 || st.unfocused || !st.FocusReversed() {
		return st.Focused(line, width)
	}
	rest := ansi.TruncateLeft(line, 1, "")
	return st.Cursor.Render(marks.Focus) + cells.Fill(cells.Cut(rest, width-1), width-1)
}

// FocusReversed reports whether Focused draws a row in reverse video.
func (st *Styles) FocusReversed() bool { return st.focusReversed || !st.focus.painted }

// FocusedItem draws all rows of an item that has the focus as Focused does: an item of which only
// some rows are in reverse video looks torn. An item with rows that say something in their colours
// has FocusedEdge for those.
func (st *Styles) FocusedItem(lines []string, width int) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = st.Focused(line, width)
	}
	return out
}

// ItemTitle returns the style of an item's title: bold in the item that has the focus.
func (st *Styles) ItemTitle(focused bool) cells.Style {
	if focused {
		return st.Strong
	}
	return st.Text
}

// FocusedInput draws a row with a field that the person writes in: as Focused does, but never
// in reverse video, because the field has its own look there.
func (st *Styles) FocusedInput(line string, width int) string {
	switch {
	case width <= 0:
		return ""
	case st.unfocused:
		return cells.Fill(cells.Cut(line, width), width)
	}
	return st.focus.paint(st.Accent.Render(marks.Focus)+ansi.TruncateLeft(line, 1, ""), width)
}

// OnSurface puts lines on the surface, with one empty cell at each side of them. The lines
// have up to width-SurfaceCells cells.
func (st *Styles) OnSurface(lines []string, width int) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = st.surface.paint(" "+cells.Cut(line, width-SurfaceCells), width)
	}
	return out
}

// OnAdded draws a line that was put in over the whole width, on its ground. Text on it that
// sets no colour gets the palette's.
func (st *Styles) OnAdded(line string, width int) string { return st.added.paint(line, width) }

// OnRemoved draws a line that was taken out, as OnAdded does.
func (st *Styles) OnRemoved(line string, width int) string { return st.removed.paint(line, width) }

// Card draws lines as a card: a bar in the given style at the left, and the surface from it
// over the width. The lines have up to width-3 cells.
func (st *Styles) Card(bar cells.Style, lines []string, width int) []string {
	out := make([]string, len(lines))
	edge := bar.Render(marks.Bar) + " "
	for i, line := range lines {
		out[i] = st.surface.paint(edge+cells.Cut(line, width-cardCells), width)
	}
	return out
}

// Button draws a button, two cells wider than its label. main is true for the button that the
// person will probably press next. If the palette has no grounds, brackets tell a button from
// a word.
func (st *Styles) Button(label string, main, focused bool) string {
	switch {
	case focused:
		return st.Pressed.Render(" " + label + " ")
	case main:
		return st.buttonMain.Render(st.capped(label))
	}
	return st.button.Render(st.capped(label))
}

// DangerButton is Button for an action that the person may regret.
func (st *Styles) DangerButton(label string, focused bool) string {
	if focused {
		return st.pressedDanger.Render(" " + label + " ")
	}
	return st.buttonDanger.Render(st.capped(label))
}

func (st *Styles) capped(label string) string {
	if st.focus.painted {
		return " " + label + " "
	}
	return "[" + label + "]"
}

// Chip draws a state in a word: its mark, the word, and a ground around them. The ground adds
// one cell on either side.
func (st *Styles) Chip(style cells.Style, mark, word string) string {
	text := style.Render(strings.TrimLeft(mark+" "+word, " "))
	if !st.focus.painted {
		return "[" + text + "]"
	}
	return st.chip.Paint(" "+text, ansi.StringWidth(text)+2)
}

// Band draws a quiet band over the width, with a text that says what is folded there.
func (st *Styles) Band(text string, width int) string {
	if !st.surface.painted {
		text = cells.Cut("── "+text+" ", width)
		return st.Faint.Render(text) + st.Rule.Render(strings.Repeat("─", max(width-ansi.StringWidth(text), 0)))
	}
	return st.surface.paint(" "+st.Faint.Render(cells.Cut(text, width-SurfaceCells)), width)
}

// Dim draws lines as what lies behind a dialog: their text alone, all of it faint.
func (st *Styles) Dim(lines []string) []string { return textIn(lines, st.Dimmed) }

// Mute draws lines as what is read, and takes no keys yet: their text alone, all of it muted.
func (st *Styles) Mute(lines []string) []string { return textIn(lines, st.Muted) }

func textIn(lines []string, style cells.Style) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		if text := strings.TrimRight(ansi.Strip(line), " "); text != "" {
			out[i] = style.Render(text)
		}
	}
	return out
}
