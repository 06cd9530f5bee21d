package review

import (
	"slices"
	"strings"

	"planb/plans"
	"planb/questions/safe"
	"planb/tui/cells"
)

// detail is a fact of a task, a field of its contract, or an item of such a field. The text
// has `after: schema` or `- api/migrate/`. The screen shows the names in one column, and
// beside it the values.
type detail struct {
	from, to int // its lines; a name and the first item of its list stand on one row
	name     string
	value    string
	item     bool
}

// contractInfo stands behind the fence of a task's contract.
const contractInfo = "contract"

// detailsOf returns the details of the task that has its heading on a line: those of the
// lines right below the heading, and those of the contract at the end.
func detailsOf(lines []string, heading, to int) (facts, contract []detail) {
	facts = factsBelow(lines, heading+1, to)
	blocks := plans.Blocks(strings.Join(lines[heading:to], "\n"))
	if len(blocks) == 0 {
		return facts, nil
	}
	block := blocks[len(blocks)-1]
	if block.Info != contractInfo || block.To == 0 {
		return facts, nil
	}
	for number := heading + block.From + 1; number < heading+block.To; number++ {
		contract = append(contract, fieldOn(lines[number-1], number))
		if last := len(contract) - 1; last > 0 && contract[last].item && contract[last-1].isName() {
			contract[last].from, contract[last].name = contract[last-1].from, contract[last-1].name
			contract = slices.Delete(contract, last-1, last)
		}
	}
	return facts, contract
}

// isName says that a detail is the name of a list, whose items follow.
func (d detail) isName() bool { return d.name != "" && d.value == "" && !d.item }

// factsBelow returns the lines `name: value` with which a task begins.
func factsBelow(lines []string, from, to int) (facts []detail) {
	for number := from; number <= to; number++ {
		line := lines[number-1]
		fact := fieldOn(line, number)
		switch {
		case line == "" && len(facts) == 0:
		case fact.name == "" || fact.item:
			return facts
		default:
			facts = append(facts, fact)
		}
	}
	return facts
}

// fieldOn reads a line of facts or of a contract. A line that is neither a field nor an item
// is a value without a name.
func fieldOn(line string, number int) detail {
	d := detail{from: number, to: number}
	if item, found := strings.CutPrefix(line, "- "); found {
		d.value, d.item = safe.New(item).Line(), true
		return d
	}
	name, value, found := strings.Cut(line, ":")
	if found && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz ") == "" {
		d.name, line = name, strings.TrimPrefix(value, " ")
	}
	d.value = safe.New(line).Line()
	return d
}

// text is a detail as one text.
func (d detail) text() string { return cells.JoinBy(": ", d.name, d.value) }

// brief is a detail as it stands beside the heading of a folded task: a list of tasks shows the
// time that each takes and its priority without their names, and here there is less room.
func (d detail) brief() string {
	switch d.name {
	case "estimate":
		return d.value
	case "priority":
		return "P" + d.value
	}
	return d.text()
}

// forYou reports whether a detail of a contract says that only the person can do the task.
func (d detail) forYou() bool { return d.name == "execution" && d.value == "human" }

// Layout of details.
const (
	besideName = 2  // cells between the names and the values
	leastValue = 12 // with less room for values, details are shown as other text
)

// nameColumn returns the cells of the names of details, with what is beside them.
func nameColumn(details []detail) int {
	widest := 0
	for _, d := range details {
		widest = max(widest, len(d.name))
	}
	return widest + besideName
}

// withDetails puts the details of tasks in place of the rows that show their lines.
func (b *Body) withDetails(rows []reviewRow, p *planPiece) []reviewRow {
	if b.folds == nil || b.textWidth-b.folds.column < leastValue {
		return rows
	}
	var list []reviewRow
	last := 0
	for _, row := range rows {
		d := b.folds.detail(row.from)
		switch {
		case d == nil || row.to > d.to || d.from < p.from || d.to > p.to:
			list = append(list, row)
		case d.from != last:
			list, last = append(list, b.detailRows(*d)...), d.from
		}
	}
	return list
}

// detail returns the detail on a line; nil for none.
func (f *folds) detail(line int) *detail {
	i, found := slices.BinarySearchFunc(f.details, line, func(d detail, line int) int { return d.from - line })
	if !found {
		i--
	}
	if i < 0 || line > f.details[i].to {
		return nil
	}
	return &f.details[i]
}

// detailRows draws a detail: its name, and its value wrapped beside it.
func (b *Body) detailRows(d detail) (rows []reviewRow) {
	st := b.host.Styles()
	column, bullet := b.folds.column, ""
	if d.item {
		bullet = "• "
	}
	for i, line := range cells.Lines(d.value, b.textWidth-column-cells.Width(bullet)) {
		lead := st.Muted.Render(cells.Pad(d.name, column) + bullet)
		if i > 0 {
			lead = strings.Repeat(" ", column+cells.Width(bullet))
		}
		rows = append(rows, reviewRow{text: lead + st.Text.Render(line), from: d.from, to: d.to, first: i == 0})
	}
	return rows
}
