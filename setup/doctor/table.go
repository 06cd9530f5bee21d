package doctor

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
	"planb/setup/layout"
)

// mark returns a state's sign, which says the same as its colour.
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

// WriteTable writes the report for a person, in lines of at most width cells
// where words allow it, and on request with colours. It cleans text from
// outside.
func (r Report) WriteTable(w io.Writer, width int, colour bool) error {
	t := table{width: width, colour: colour}
	for _, f := range r.Findings {
		t.names = max(t.names, ansi.StringWidth(safe.New(f.Name).Line()))
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
	t.text.WriteString(layout.Row("", r.summary(), width))
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

// table builds the text of a report.
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

// finding writes what was found beside its name, and the remedy below.
func (t *table) finding(f Finding) {
	const margin = "  "
	name := safe.New(f.Name).Line()
	head := margin + mark(f.State, t.colour) + " " + name + strings.Repeat(" ", t.names-ansi.StringWidth(name)) + margin
	t.line(layout.Message(head, safe.New(f.Detail).Line(), t.width))
	if f.Remedy != "" {
		t.line(layout.Message(strings.Repeat(" ", ansi.StringWidth(head))+"→ ", safe.New(f.Remedy).Line(), t.width))
	}
}
