package markdown

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
	east "github.com/yuin/goldmark/extension/ast"

	"planb/plans/diff"
)

// column is a column of two tables shown as one: where it stands in either, -1
// where it is not.
type column struct{ old, new int }

// diffRow is a row of two tables shown as one.
type diffRow struct {
	cells  []string
	change Change
}

// table compares two tables, by their columns, rows and cells, and shows them as
// one.
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
		same:    func(i, j int) { rows = append(rows, d.mixedRow(columns, olds[i+1], news[j+1])) }, // but for other columns
		changed: func(i, j int) { rows = append(rows, d.mixedRow(columns, olds[i+1], news[j+1])) },
		removed: func(i int) { rows = append(rows, d.goneRow(columns, olds[i+1])) },
		added:   func(j int) { rows = append(rows, newRow(columns, news[j+1])) },
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

// whole shows a block and the one it became below each other.
func (d *differ) whole(old, new *east.Table, width int) []DiffLine {
	return append(d.removed(textsOf(d.old.block(old, width))), with(textsOf(d.new.block(new, width)), Added)...)
}

// sameColumns finds the columns of two tables by their heads, and among them
// those that have kept theirs; if none has, all. Where as many went as came at
// one place they were renamed.
func sameColumns(old, new []string) (columns, same []column) {
	var gone, come []int
	flush := func() {
		if len(gone) == len(come) {
			for i := range gone {
				columns = append(columns, column{gone[i], come[i]})
			}
		} else {
			for _, i := range gone {
				columns = append(columns, column{i, -1})
			}
			for _, j := range come {
				columns = append(columns, column{-1, j})
			}
		}
		gone, come = nil, nil
	}
	for _, step := range diff.Sequence(old, new) {
		switch step.Op {
		case diff.Removed:
			gone = append(gone, step.Old)
		case diff.Added:
			come = append(come, step.New)
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

// rowKeys are what rows are compared by: the cells of some columns, without those
// that are in one table alone.
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

// mixedRow is a row that became another, cell by cell.
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

// goneRow is a row that was taken out.
func (d *differ) goneRow(columns []column, old []string) diffRow {
	row := diffRow{make([]string, len(columns)), Removed}
	for i, c := range columns {
		if c.old >= 0 {
			row.cells[i] = d.marks.style.removed.draw(strings.ReplaceAll(ansi.Strip(old[c.old]), "\n", " "))
		}
	}
	return row
}

// newRow is a row that was put in.
func newRow(columns []column, new []string) diffRow {
	row := diffRow{make([]string, len(columns)), Added}
	for i, c := range columns {
		if c.new >= 0 {
			row.cells[i] = new[c.new]
		}
	}
	return row
}

// grid draws the rows as a table, or as records where there is no room for one.
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
		lines = append(lines, with(gridRow(row.cells, widths, align, bar), row.change)...)
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
		return with(textsOf(d.new.records([][]string{head.cells}, width, nil)), head.change)
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
		lines = append(lines, with(textsOf(d.new.records([][]string{head.cells, row.cells}, width, nil)), change)...)
	}
	return lines
}
