package shape

import (
	"slices"
	"strings"

	"planb/questions/safe"
)

// Grouped returns a number as people read it: 12,000.
func Grouped(n float64) string {
	whole, rest, _ := strings.Cut(FormatNumber(max(n, -n)), ".")
	const least = 4 // digits that are grouped
	for at := len(whole) - 3; at > 0 && len(whole) >= least; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if rest != "" {
		whole += "." + rest
	}
	if n < 0 {
		return "-" + whole
	}
	return whole
}

// Markdown returns an output as a person reads it: short fields as paragraphs,
// lists of records as tables, and as sections where a table would be too wide.
// write gives each text its final form before it is escaped; nil leaves all as
// they are. Nothing in a text becomes Markdown.
func (s Shape) Markdown(o Object, write func(string) string) string {
	if write == nil {
		write = func(text string) string { return text }
	}
	var blocks []string
	for _, f := range s {
		if value, found := o[f.Name]; found {
			blocks = append(blocks, f.markdown(value, write)...)
		}
	}
	if len(s) == 1 && len(blocks) > 1 { // the title of the section names the list already
		blocks = blocks[1:]
	}
	return strings.Join(blocks, "\n\n") + "\n"
}

// Title returns the name of a field for people: "Kill question".
func (f Field) Title() string {
	words := strings.ReplaceAll(f.Name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

func (f Field) markdown(value any, write func(string) string) []string {
	items, isList := value.([]any)
	switch {
	case !isList:
		if record, ok := value.(Object); ok && f.Kind == Record {
			return []string{"**" + f.Title() + "**", strings.TrimSpace(f.Fields.Markdown(record, write))}
		}
		return []string{"**" + f.Title() + ":** " + f.cell(value, write)}
	case len(items) == 0:
		return nil
	case f.Kind != Record:
		return []string{"**" + f.Title() + "**", f.bullets(items, write)}
	case f.Fields.wide():
		return append([]string{"**" + f.Title() + "**"}, f.sections(items, write)...)
	}
	return []string{"**" + f.Title() + "**", f.table(items, write)}
}

// wide reports whether a table of records would be too wide to be read.
func (s Shape) wide() bool {
	const mostColumns, mostWords = 7, 100
	words := 0
	for _, f := range s {
		if f.List && (f.Kind == Record || f.Max*f.Words > Plain) {
			return true
		}
		if f.Kind == Text {
			words += f.Words
		}
	}
	return len(s) > mostColumns || words > mostWords
}

func (f Field) bullets(items []any, write func(string) string) string {
	lines := make([]string, 0, len(items))
	for _, item := range items {
		lines = append(lines, "- "+f.item().cell(item, write))
	}
	return strings.Join(lines, "\n")
}

func (f Field) table(items []any, write func(string) string) string {
	t := Table{}
	for i, column := range f.Fields {
		t.Head = append(t.Head, column.Title())
		if column.Kind == Number || column.Kind == Decimal {
			t.Numbers = append(t.Numbers, i)
		}
	}
	for _, item := range items {
		record, ok := item.(Object)
		if !ok {
			continue
		}
		var row []string
		for _, column := range f.Fields {
			row = append(row, column.cell(record[column.Name], write))
		}
		t.Rows = append(t.Rows, row)
	}
	return t.String()
}

// Table is a table of Markdown. Its cells are Markdown in one line. It leaves out empty
// columns. If its first column is Id, each id becomes the first word of the cell behind it.
type Table struct {
	Head    []string
	Numbers []int // the columns that are aligned at the right
	Rows    [][]string
}

// String returns the lines of the table without a last line break.
func (t Table) String() string {
	if len(t.Head) > 1 && t.Head[0] == idColumn && !slices.Contains(t.Numbers, 1) {
		t = t.withoutIDs()
	}
	lines := make([]string, len(t.Rows)+2)
	for i, head := range t.Head {
		if !slices.ContainsFunc(t.Rows, func(row []string) bool { return row[i] != "" }) {
			continue
		}
		rule := "|---"
		if slices.Contains(t.Numbers, i) {
			rule = "|---:"
		}
		lines[0] += "| " + head + " "
		lines[1] += rule
		for k, row := range t.Rows {
			lines[k+2] += "| " + row[i] + " "
		}
	}
	for i := range lines {
		lines[i] += "|"
	}
	return strings.Join(lines, "\n")
}

const idColumn = "Id"

// withoutIDs puts each id in front of the cell behind it. A narrow screen shows a table row by
// row, and there an id alone in a line would tell the reader nothing.
func (t Table) withoutIDs() Table {
	short := Table{Head: t.Head[1:]}
	for _, column := range t.Numbers {
		short.Numbers = append(short.Numbers, column-1)
	}
	for _, row := range t.Rows {
		rest := slices.Clone(row[1:])
		if row[0] != "" {
			rest[0] = strings.TrimSpace("**" + row[0] + "** " + rest[0])
		}
		short.Rows = append(short.Rows, rest)
	}
	return short
}

func (f Field) sections(items []any, write func(string) string) (blocks []string) {
	for _, item := range items {
		record, ok := item.(Object)
		if !ok {
			continue
		}
		rest := f.Fields
		title := ""
		for len(rest) > 0 && (title == "" || rest[0].Kind == Text && !rest[0].List && rest[0].Words <= Plain && !strings.Contains(title, " ")) {
			title = strings.TrimSpace(title + " " + rest[0].cell(record[rest[0].Name], write))
			rest = rest[1:]
		}
		blocks = append(blocks, "#### "+title)
		var lines []string
		for _, column := range rest {
			value, found := record[column.Name]
			if !found {
				continue
			}
			inner, isList := value.([]any)
			switch {
			case isList && column.Kind == Record:
				blocks = flush(blocks, &lines)
				blocks = append(blocks, column.markdown(value, write)...)
			case isList && len(inner) > 0:
				lines = append(lines, "- **"+column.Title()+":**")
				for _, one := range inner {
					lines = append(lines, "  - "+column.item().cell(one, write))
				}
			case !isList:
				lines = append(lines, "- **"+column.Title()+":** "+column.cell(value, write))
			}
		}
		blocks = flush(blocks, &lines)
	}
	return blocks
}

func flush(blocks []string, lines *[]string) []string {
	if len(*lines) > 0 {
		blocks = append(blocks, strings.Join(*lines, "\n"))
		*lines = nil
	}
	return blocks
}

// cell returns a value in one line of Markdown.
func (f Field) cell(value any, write func(string) string) string {
	items, ok := value.([]any)
	switch number, isNumber := value.(float64); {
	case f.Kind == ID: // a milestone's own id needs no day behind it
		return EscapeMarkdown(f.line(value))
	case isNumber:
		return Grouped(number)
	case !ok:
		return EscapeMarkdown(write(f.line(value)))
	}
	cells := make([]string, 0, len(items))
	for _, item := range items {
		cells = append(cells, EscapeMarkdown(write(f.item().line(item))))
	}
	return strings.Join(cells, "; ")
}

// EscapeMarkdown returns a text in one line that Markdown shows as it is.
func EscapeMarkdown(text string) string {
	var out strings.Builder
	for i, r := range safe.New(text).Line() {
		if strings.ContainsRune("\\`*_[]<>|~&#", r) || i == 0 && strings.ContainsRune("+-=", r) {
			out.WriteByte('\\')
		}
		out.WriteRune(r)
	}
	escaped := out.String()
	number := len(escaped) - len(strings.TrimLeft(escaped, digits))
	if rest := escaped[number:]; number > 0 && rest != "" && (rest[0] == '.' || rest[0] == ')') && (len(rest) == 1 || rest[1] == ' ') {
		escaped = escaped[:number] + "\\" + rest
	}
	return escaped
}
