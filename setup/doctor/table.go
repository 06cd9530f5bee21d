package doctor

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
)

// mark is how a state looks. Its sign says what its colour says.
func mark(s State, colour bool) string {
	sign, style := "·", ansi.Style{}
	switch s {
	case OK:
		sign, style = "✓", style.ForegroundColor(ansi.Green)
	case Warning:
		sign, style = "▲", style.ForegroundColor(ansi.Yellow)
	case Problem:
		sign, style = "✗", style.ForegroundColor(ansi.Red)
	}
	if !colour || s == Note {
		return sign
	}
	return style.Styled(sign)
}

// narrowest is the width of a table on a terminal that tells none, or less.
const narrowest = 40

// WriteTable writes the report for a person, in lines of at most that width
// where words allow it, and with colours if they are wanted. Foreign text in
// it is made harmless.
func (r Report) WriteTable(w io.Writer, width int, colour bool) error {
	t := table{width: max(width, narrowest), colour: colour}
	for _, f := range r.Findings {
		t.names = max(t.names, ansi.StringWidth(f.Name))
	}
	t.line(fmt.Sprintf("planb %s on %s", r.Version, r.System))
	area := Area("")
	for _, f := range r.Findings {
		if f.Area != area {
			area = f.Area
			t.heading(string(area))
		}
		t.finding(f)
	}
	t.line("")
	t.line(r.summary())
	_, err := io.WriteString(w, t.text.String())
	return err
}

func (r Report) summary() string {
	problems, warnings := r.Count(Problem), r.Count(Warning)
	switch {
	case problems == 0 && warnings == 0:
		return "All is well."
	case problems == 0:
		return fmt.Sprintf("planb works; %s.", counted(warnings, "thing could be better", "things could be better"))
	case warnings == 0:
		return counted(problems, "problem", "problems") + "."
	}
	return fmt.Sprintf("%s, and %s.", counted(problems, "problem", "problems"), counted(warnings, "thing could be better", "things could be better"))
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// table is a report on its way to text.
type table struct {
	text   strings.Builder
	width  int
	names  int // width of the widest name
	colour bool
}

func (t *table) line(s string) {
	t.text.WriteString(s)
	t.text.WriteByte('\n')
}

func (t *table) heading(area string) {
	title := strings.ToUpper(area[:1]) + area[1:]
	if t.colour {
		title = ansi.Style{}.Bold().Styled(title)
	}
	t.line("")
	t.line(title)
}

// finding writes what was found beside its name, or below it where the line is
// too short for both.
func (t *table) finding(f Finding) {
	const margin = "  "
	name := safe.New(f.Name).Line()
	head := margin + mark(f.State, t.colour) + " " + name
	indent := len(margin) + 2 + t.names + 2
	if t.width-indent < narrowest/2 {
		t.line(head)
		indent = len(margin) + 2
		head = strings.Repeat(" ", indent)
	}
	t.wrapped(head, indent, safe.New(f.Detail).Line())
	if f.Remedy != "" {
		t.wrapped(strings.Repeat(" ", indent)+"→ ", indent+2, safe.New(f.Remedy).Line())
	}
}

// wrapped writes the text from the column indent on, the first line behind head.
func (t *table) wrapped(head string, indent int, text string) {
	head += strings.Repeat(" ", max(0, indent-ansi.StringWidth(head)))
	for _, line := range wrap(text, t.width-indent) {
		t.line(strings.TrimRight(head+line, " "))
		head = strings.Repeat(" ", indent)
	}
}

// wrap breaks the text at blanks only: what is to be copied from it, a path or
// an option, stays whole.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for i, word := range strings.Split(text, " ") {
		if i > 0 && ansi.StringWidth(line)+1+ansi.StringWidth(word) > width {
			lines = append(lines, line)
			line = strings.TrimLeft(word, " ")
			continue
		}
		if i > 0 {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
