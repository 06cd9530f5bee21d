package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/cli/layout"
	"planb/questions/safe"
	"planb/setup/doctor"
	"planb/tui/wording"
)

// doctorMark returns a state's sign, which says the same as its colour.
func doctorMark(s doctor.State, colour bool) string {
	sign, style := "·", ansi.Style{}
	switch s {
	case doctor.OK:
		sign, style = "✓", style.ForegroundColor(ansi.Green)
	case doctor.Warning:
		sign, style = "▲", style.ForegroundColor(ansi.Yellow)
	case doctor.Problem:
		sign, style = "✗", style.ForegroundColor(ansi.Red)
	}
	if !colour || s == doctor.Note {
		return sign
	}
	return style.Styled(sign)
}

// writeReport writes a doctor's report for a person, in lines of at most width cells
// where words allow it, and on request with colours. It cleans text from outside.
func writeReport(w io.Writer, r doctor.Report, width int, colour bool) error {
	t := reportTable{width: width, colour: colour}
	for _, f := range r.Findings {
		t.names = max(t.names, ansi.StringWidth(safe.New(f.Name).Line()))
	}
	t.line(fmt.Sprintf("planb %s on %s", r.Version, r.System))
	area := doctor.Area("")
	for _, f := range r.Findings {
		if f.Area != area {
			area = f.Area
			t.heading(string(area))
		}
		t.finding(f)
	}
	t.line("")
	t.text.WriteString(layout.Row("", reportSummary(r), width))
	_, err := io.WriteString(w, t.text.String())
	return err
}

// reportSummary says in a sentence how good or bad all findings are.
func reportSummary(r doctor.Report) string {
	problems, warnings := r.Count(doctor.Problem), r.Count(doctor.Warning)
	switch {
	case problems == 0 && warnings == 0:
		return "All is well."
	case problems == 0:
		return fmt.Sprintf("planb works; %s.", betterThings(warnings))
	case warnings == 0:
		return wording.Count(problems, "problem") + "."
	}
	return fmt.Sprintf("%s, and %s.", wording.Count(problems, "problem"), betterThings(warnings))
}

func betterThings(n int) string { return wording.Count(n, "thing") + " could be better" }

// reportTable builds the text of a report.
type reportTable struct {
	text   strings.Builder
	width  int
	names  int // width of the widest name
	colour bool
}

func (t *reportTable) line(s string) {
	t.text.WriteString(s)
	t.text.WriteByte('\n')
}

func (t *reportTable) heading(area string) {
	title := strings.ToUpper(area[:1]) + area[1:]
	if t.colour {
		title = ansi.Style{}.Bold().Styled(title)
	}
	t.line("")
	t.line(title)
}

// finding writes what was found beside its name, and the remedy below.
func (t *reportTable) finding(f doctor.Finding) {
	const margin = "  "
	name := safe.New(f.Name).Line()
	head := margin + doctorMark(f.State, t.colour) + " " + name + strings.Repeat(" ", t.names-ansi.StringWidth(name)) + margin
	t.line(layout.Message(head, safe.New(f.Detail).Line(), t.width))
	if f.Remedy != "" {
		t.line(layout.Message(strings.Repeat(" ", ansi.StringWidth(head))+"→ ", safe.New(f.Remedy).Line(), t.width))
	}
}
