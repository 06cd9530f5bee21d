package markdown

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	east "github.com/yuin/goldmark/extension/ast"

	"planb/plans/diff"
)

// column is a column of two tables shown as one: its index in each table; -1 if it
// is not there.
type column struct{ old, new int }

// diffRow is a row of two tables shown as one.
type diffRow struct {
	cells  []string
	change Change
}

// table compares two tables by columns, rows and cells, and shows them as one. It
// shows tables that are too large for that one below the other.
func (d *differ) table(old, new *east.Table, width int) []DiffLine {
	if len(old.Alignments)*old.ChildCount() > maxTableCells || len(new.Alignments)*new.ChildCount() > maxTableCells {
		return d.whole(old, new, width)
	}
	olds, news := d.old.cells(old, len(old.Alignments)), d.new.cells(new, len(new.Alignments))
	columns, same := sameColumns(olds[0], news[0])
	if len(columns)*(len(olds)+len(news)) > maxTableCells {
		return d.whole(old, new, width)
	}
	rows := []diffRow{d.mixedRow(columns, olds[0], news[0])}
	oldKeys, newKeys := rowKeys(same, olds[1:], true), rowKeys(same, news[1:], false)
	compare(oldKeys, newKeys, comparison{
		oldText: func(i int) string { return oldKeys[i] + "\n" + strings.Join(olds[i+1], "\n") },
		newText: func(j int) string { return newKeys[j] + "\n" + strings.Join(news[j+1], "\n") },
		same:    func(i, j int) { rows = append(rows, d.mixedRow(columns, olds[i+1], news[j+1])) }, // a column may be new
		changed: func(i, j int) { rows = append(rows, d.mixedRow(columns, olds[i+1], news[j+1])) },
		removed: func(i int) { rows = append(rows, d.removedRow(columns, olds[i+1])) },
		added:   func(j int) { rows = append(rows, addedRow(columns, news[j+1])) },
	})
	align := make([]east.Alignment, len(columns))
	for c, column := range columns {
		if align[c] = east.AlignNone; column.new >= 0 {
			align[c] = new.Alignments[column.new]
		} else {
			align[c] = old.Alignments[column.old]
		}
	}
	return d.grid(rows, align, width)
}

// whole shows the old table, all removed, above the new one, all added.
func (d *differ) whole(old, new *east.Table, width int) []DiffLine {
	return append(d.removed(textsOf(d.old.block(old, width))), withChange(textsOf(d.new.block(new, width)), Added)...)
}

// sameColumns matches the columns of two tables by their headers. If as many
// columns were removed as added at one place, it takes them as renamed. same holds
// the columns with unchanged headers; if there are none, all columns.
func sameColumns(old, new []string) (columns, same []column) {
	var removed, added []int
	flush := func() {
		if len(removed) == len(added) {
			for i := range removed {
				columns = append(columns, column{removed[i], added[i]})
			}
		} else {
			for _, i := range removed {
				columns = append(columns, column{i, -1})
			}
			for _, j := range added {
				columns = append(columns, column{-1, j})
			}
		}
		removed, added = nil, nil
	}
	for _, step := range diff.Sequence(old, new) {
		switch step.Op {
		case diff.Removed:
			removed = append(removed, step.Old)
		case diff.Added:
			added = append(added, step.New)
		case diff.Same:
			flush()
			columns = append(columns, column{step.Old, step.New})
			same = append(same, column{step.Old, step.New})
		}
	}
	flush()
	if len(same) == 0 {
		same = columns
	}
	return columns, same
}

// rowKeys returns the keys for comparing rows: their cells in the given columns,
// without columns that only one table has. old says which of the two tables the
// rows are from.
func rowKeys(columns []column, rows [][]string, old bool) []string {
	keys := make([]string, len(rows))
	for i, row := range rows {
		var cells []string
		for _, c := range columns {
			switch {
			case c.old < 0 || c.new < 0:
			case old:
				cells = append(cells, row[c.old])
			default:
				cells = append(cells, row[c.new])
			}
		}
		keys[i] = strings.Join(cells, "\n")
	}
	return keys
}

// mixedRow shows an old row and the new row that it became as one, cell by cell.
func (d *differ) mixedRow(columns []column, old, new []string) diffRow {
	row := diffRow{cells: make([]string, len(columns))}
	for i, c := range columns {
		var before, after string
		if c.old >= 0 {
			before = old[c.old]
		}
		if c.new >= 0 {
			after = new[c.new]
		}
		cell := d.marks.mixed(before, after)
		if row.cells[i] = cell.drawn.String(); cell.changed() {
			row.change = Mixed
		}
	}
	return row
}

// removedRow shows a removed row.
func (d *differ) removedRow(columns []column, old []string) diffRow {
	row := diffRow{make([]string, len(columns)), Removed}
	for i, c := range columns {
		if c.old >= 0 {
			row.cells[i] = d.marks.style.removed.draw(strings.ReplaceAll(ansi.Strip(old[c.old]), "\n", " "))
		}
	}
	return row
}

// addedRow shows an added row.
func addedRow(columns []column, new []string) diffRow {
	row := diffRow{make([]string, len(columns)), Added}
	for i, c := range columns {
		if c.new >= 0 {
			row.cells[i] = new[c.new]
		}
	}
	return row
}

// grid draws the rows as a table, or as records if there is no room for a table.
func (d *differ) grid(rows []diffRow, align []east.Alignment, width int) []DiffLine {
	cells := make([][]string, len(rows))
	for i, row := range rows {
		cells[i] = row.cells
	}
	widths, fit := columnWidths(cells, width)
	if !fit {
		return d.records(rows, width)
	}
	bar := d.marks.style.rule.draw(between)
	var lines []DiffLine
	for i, row := range rows {
		lines = append(lines, withChange(gridRow(row.cells, widths, align, bar), row.change)...)
		if i == 0 {
			lines = append(lines, DiffLine{Text: d.new.tableRule(widths)})
		}
	}
	return lines
}

// records shows each row as lines of "column: value".
func (d *differ) records(rows []diffRow, width int) []DiffLine {
	head, rows := rows[0], rows[1:]
	if len(rows) == 0 {
		return withChange(textsOf(d.new.records([][]string{head.cells}, width, nil)), head.change)
	}
	var lines []DiffLine
	for i, row := range rows {
		change := row.change
		if change == Same {
			change = head.change
		}
		if i > 0 {
			lines = append(lines, DiffLine{})
		}
		lines = append(lines, withChange(textsOf(d.new.records([][]string{head.cells, row.cells}, width, nil)), change)...)
	}
	return lines
}
