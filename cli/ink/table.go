package ink

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/cli/layout"
	"planb/tui/cells"
)

// Column says how a column of a table gives way on a narrow terminal.
type Column struct {
	Right bool // aligned to the right
	// Least is the width down to which the column shrinks. 0: it does not.
	Least int
	// Wants is a width that the column keeps for longer: it shrinks below Wants only after the
	// columns of the first two turns were left out.
	Wants int
	// Fill says that the column takes the room that no other needs, up to widestTable.
	Fill bool
	// Leave is the column's turn to be left out: 1 goes first. 0: it stays.
	Leave int
}

// Cell is one cell of a table, cleaned, in one line.
type Cell struct {
	Text  string
	Style cells.Style
}

// widestTable is the width up to which a table grows: a row that is still read with ease.
const widestTable = 100

// gap is the number of cells between two columns.
const gap = 2

// Table lays rows out in columns, two cells apart. If they do not fit even after columns have
// shrunk, those with a Leave are left out, one turn after the other. In the first two turns a
// column shrinks only down to its Wants. A line that still does not fit is cut.
func (k Ink) Table(columns []Column, rows [][]Cell) string {
	widths := k.widths(columns, rows)
	var out strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			if widths[i] == 0 {
				continue
			}
			text := cells.Cut(cell.Text, widths[i])
			blank := strings.Repeat(" ", widths[i]-ansi.StringWidth(text))
			if line.Len() > 0 {
				line.WriteString(strings.Repeat(" ", gap))
			}
			if columns[i].Right {
				line.WriteString(blank + cell.Style.Render(text))
			} else {
				line.WriteString(cell.Style.Render(text) + blank)
			}
		}
		out.WriteString(ansi.Truncate(strings.TrimRight(line.String(), " "), k.Width, "…") + "\n")
	}
	return out.String()
}

// widths returns the width of each column; 0 means that the column is left out.
func (k Ink) widths(columns []Column, rows [][]Cell) []int {
	widths := make([]int, len(columns))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], ansi.StringWidth(cell.Text))
		}
	}
	for turn := 1; turn <= len(columns) && total(widths)-k.Width > spare(columns, widths, turn); turn++ {
		for i, column := range columns {
			if column.Leave == turn {
				widths[i] = 0
			}
		}
	}
	for i, column := range columns {
		if missing := total(widths) - k.Width; missing > 0 && column.Least > 0 {
			widths[i] -= min(missing, max(widths[i]-column.Least, 0))
		}
	}
	for i, column := range columns {
		if room := min(k.Width, widestTable) - total(widths); column.Fill && k.Width != layout.Endless && room > 0 {
			widths[i] += room
		}
	}
	return widths
}

// total is the width of a line with columns of these widths.
func total(widths []int) int {
	sum := -gap
	for _, width := range widths {
		if width > 0 {
			sum += width + gap
		}
	}
	return sum
}

// extras are the turns of columns that are less worth than a title in full.
const extras = 2

// spare is by how many cells the columns can shrink before those of a turn are left out.
func spare(columns []Column, widths []int, turn int) (sum int) {
	for i, column := range columns {
		least := column.Least
		if turn <= extras {
			least = max(least, column.Wants)
		}
		if column.Least > 0 {
			sum += max(widths[i]-least, 0)
		}
	}
	return sum
}
