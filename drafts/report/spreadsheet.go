package report

import (
	"bytes"
	"encoding/csv"
	"strings"

	"planb/drafts"
	"planb/drafts/shape"
)

// WBS returns the work breakdown for a spreadsheet, separated by semicolons: a row
// for each phase, each task and each of its parts.
func WBS(d drafts.Draft) ([]byte, error) {
	rows := [][]string{{"Level 1", "Level 2", "Level 3", "ID", "Days", "Role"}}
	parts, roles := map[string][]shape.Object{}, map[string]string{}
	for _, task := range d.Output("tasks").Records("tasks") {
		parts[task.Text("id")] = task.Records("subtasks")
	}
	for _, role := range d.Output("team").Records("roles") {
		roles[role.Text("id")] = role.Text("role")
	}
	for _, phase := range d.Output("wbs").Records("phases") {
		rows = append(rows, []string{phase.Text("name"), "", "", phase.Text("id"), "", ""})
		for _, task := range phase.Records("tasks") {
			rows = append(rows, []string{
				phase.Text("name"), task.Text("name"), "", task.Text("id"), shape.FormatNumber(task.Number("likely")), task.Text("owner"),
			})
			for _, part := range parts[task.Text("id")] {
				rows = append(rows, []string{
					phase.Text("name"), task.Text("name"), part.Text("name"), part.Text("id"), shape.FormatNumber(part.Number("likely")), roles[part.Text("role")],
				})
			}
		}
	}
	return table(';', rows)
}

// Schedule returns the placed leaves for a spreadsheet, separated by commas.
func Schedule(d drafts.Draft) ([]byte, error) {
	rows := [][]string{{"id", "name", "start", "end", "days", "float", "critical", "after"}}
	for _, l := range d.Output("schedule").Records("leaves") {
		critical := "no"
		if l.Flag("critical") {
			critical = "yes"
		}
		rows = append(rows, []string{
			l.Text("id"), l.Text("name"), l.Text("start"), l.Text("end"), shape.FormatNumber(l.Number("days")), shape.FormatNumber(l.Number("float")),
			critical, strings.Join(l.Texts("after"), " "),
		})
	}
	return table(',', rows)
}

// table writes rows. A cell that a spreadsheet would run as a formula gets an
// apostrophe, unless it is a number.
func table(comma rune, rows [][]string) ([]byte, error) {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = comma
	for _, row := range rows {
		for i, cell := range row {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) && !isNumber(cell) {
				row[i] = "'" + cell
			}
		}
		if err := w.Write(row); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), w.Error()
}

// isNumber reports whether a cell is a negative whole number, such as the float of a leaf.
func isNumber(cell string) bool {
	return len(cell) > 1 && strings.Trim(cell[1:], "0123456789") == "" && cell[0] == '-'
}
