package screen

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/keymap"
	"planb/tui/markdown"
)

// Sizes of a page of keys in cells.
const (
	twoColumns   = 72 // least width for two columns
	columnGap    = 3
	mostKeyCells = 16
	keyTextGap   = 2

	// KeyPageCells is the most cells of a page of keys: in wider columns the words are far
	// from one another.
	KeyPageCells = 92
)

// air is how many empty rows a page of keys has.
type air uint8

const (
	noAir   air = iota
	between     // an empty row between two groups
	ample       // and one below each name, and above the page
)

// KeyPage draws the keys of a screen in groups, in two columns where there is room. Empty
// rows between the groups give way where the page would be higher than height.
func (st *Styles) KeyPage(groups []keymap.HelpGroup, width, height int) []string {
	if width < twoColumns || len(groups) < 2 {
		lines := st.keyColumn(groups, width, between)
		if len(lines) > height {
			lines = st.keyColumn(groups, width, noAir)
		}
		return lines
	}
	// Columns of different widths leave room for the longer words of one of them.
	var best []string
	for _, share := range []int{50, 45, 55, 40, 60} {
		leftWidth := (width - columnGap) * share / 100
		left, right := st.balanced(groups, leftWidth, width-columnGap-leftWidth, height)
		if lines := beside(left, right, leftWidth); best == nil || len(lines) < len(best) {
			best = lines
		}
	}
	return best
}

// balanced puts the groups into two columns of heights as equal as can be. The first group
// stays at the left, and each column keeps the order. Rows count once, however they wrap: so the
// groups keep their columns in a window of another width.
func (st *Styles) balanced(groups []keymap.HelpGroup, leftWidth, rightWidth, height int) (left, right []string) {
	atRight, least := uint(0), -1
	for choice := uint(2); choice < 1<<len(groups); choice += 2 {
		var sums [2]int
		for i := range groups {
			column := choice >> i & 1
			sums[column] += len(groups[i].Rows) + 2 // its name, and an empty row
		}
		if higher := max(sums[0], sums[1]); least < 0 || higher < least {
			atRight, least = choice, higher
		}
	}
	columns := [2][]keymap.HelpGroup{}
	for i, g := range groups {
		columns[atRight>>i&1] = append(columns[atRight>>i&1], g)
	}
	for _, rows := range []air{ample, between, noAir} {
		left, right = st.keyColumn(columns[0], leftWidth, rows), st.keyColumn(columns[1], rightWidth, rows)
		if max(len(left), len(right)) <= height {
			break
		}
	}
	return left, right
}

func beside(left, right []string, leftWidth int) []string {
	lines := make([]string, max(len(left), len(right)))
	for i := range lines {
		if i < len(left) {
			lines[i] = left[i]
		}
		if i < len(right) && right[i] != "" {
			lines[i] = cells.Fill(lines[i], leftWidth+columnGap) + right[i]
		}
	}
	return lines
}

// keyColumn draws groups below one another.
func (st *Styles) keyColumn(groups []keymap.HelpGroup, width int, rows air) []string {
	keyCells := 0
	for _, g := range groups {
		for _, row := range g.Rows {
			keyCells = max(keyCells, min(ansi.StringWidth(row.Key), mostKeyCells))
		}
	}
	var lines []string
	for i, g := range groups {
		if rows == ample || rows == between && i > 0 {
			lines = append(lines, "")
		}
		lines = append(lines, st.Title.Render(cells.Cut(g.Name, width)))
		if rows == ample {
			lines = append(lines, "")
		}
		for _, row := range g.Rows {
			lines = append(lines, st.keyRow(row, keyCells, width)...)
		}
	}
	return lines
}

func (st *Styles) keyRow(row keymap.Row, keyCells, width int) []string {
	lead := st.Keycap.Render(cells.Pad(row.Key, keyCells))
	var lines []string
	for _, text := range markdown.Plain(safe.New(row.Does), max(width-keyCells-keyTextGap, 1)).Lines {
		lines = append(lines, lead+strings.Repeat(" ", keyTextGap)+st.Muted.Render(text))
		lead = strings.Repeat(" ", keyCells)
	}
	return lines
}
