package report

import (
	"fmt"
	"html/template"
	"strings"
	"unicode/utf8"

	"planb/drafts"
	"planb/drafts/schedule"
	"planb/drafts/shape"
	"planb/questions/safe"
)

// chart is the Gantt chart: rows of leaves on a line of days.
type chart struct {
	start  schedule.Date
	days   int // from the start to the end of the last row
	months []mark
	rows   []row
}

// mark is the beginning of a month of the plan.
type mark struct{ month, day int }

type row struct {
	id, name       string
	first, last    schedule.Date
	from, days     int
	critical, wait bool
}

// newChart reads the schedule of a draft. Without one it has no rows.
func newChart(d drafts.Draft) chart {
	c := chart{start: d.Start}
	for _, l := range d.Output("schedule").Records("leaves") {
		first, err1 := schedule.ParseDate(l.Text("start"))
		last, err2 := schedule.ParseDate(l.Text("end"))
		if err1 != nil || err2 != nil {
			continue // a schedule beyond the calendar has no chart
		}
		r := row{id: safe.New(l.Text("id")).Line(), name: safe.New(l.Text("name")).Line(), first: first, last: last, critical: l.Flag("critical"), wait: l.Flag("wait")}
		r.from, r.days = d.Start.DaysUntil(first), l.Int("days")
		c.days = max(c.days, r.from+r.days)
		c.rows = append(c.rows, r)
	}
	const mostMarks = 13
	step := 1
	for c.days/30/step > mostMarks {
		step++
	}
	for n := 0; ; n += step {
		day := d.Start.DaysUntil(d.Start.AddMonths(n))
		if day > c.days || len(c.rows) == 0 {
			return c
		}
		c.months = append(c.months, mark{n, day})
	}
}

// The measures of the SVG in its own units.
const (
	chartWidth = 1000
	labelWidth = 300
	rowHeight  = 24
	headHeight = 28
)

// x returns where a day lies.
func (c chart) x(day int) float64 {
	return labelWidth + float64(day)*(chartWidth-labelWidth-8)/float64(max(1, c.days))
}

// svg returns the chart as an SVG element. Meaning does not rest on colour: critical
// leaves are hatched, waiting ones have a dashed outline, and each bar says what it
// is.
func (c chart) svg() template.HTML {
	var out strings.Builder
	height := headHeight + len(c.rows)*rowHeight + 4
	fmt.Fprintf(&out, `<svg class="gantt" viewBox="0 0 %d %d" role="img" aria-labelledby="gantt-title gantt-desc">`+"\n", chartWidth, height)
	fmt.Fprintf(&out, `<title id="gantt-title">Gantt chart of %d tasks</title>`+"\n", len(c.rows))
	fmt.Fprintf(&out, `<desc id="gantt-desc">From %s to %s. Critical tasks are hatched, tasks that only wait for others have a dashed outline.</desc>`+"\n",
		c.start.Words(), c.start.AddDays(c.days-1).Words())
	out.WriteString(`<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">` +
		`<rect class="hatch-ground" width="6" height="6"/><line class="hatch-line" x1="0" y1="0" x2="0" y2="6"/></pattern></defs>` + "\n")
	for _, m := range c.months {
		fmt.Fprintf(&out, `<line class="month" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/><text class="month-name" x="%.1f" y="16">%s</text>`+"\n",
			c.x(m.day), headHeight-6, c.x(m.day), height, c.x(m.day)+3, shortMonth(c.start.AddMonths(m.month)))
	}
	for i, r := range c.rows {
		c.bar(&out, r, headHeight+i*rowHeight)
	}
	out.WriteString("</svg>")
	return template.HTML(out.String())
}

func (c chart) bar(out *strings.Builder, r row, y int) {
	class, kind := "bar", ""
	if r.critical {
		class, kind = class+" critical", ", critical"
	}
	if r.wait {
		class, kind = class+" wait", kind+", waits for others"
	}
	label := template.HTMLEscapeString(r.id + " " + shorten(r.name, 38))
	whole := template.HTMLEscapeString(fmt.Sprintf("%s %s: %s to %s, %s%s", r.id, r.name, r.first.Words(), r.last.Words(), shape.Counted(r.days, "day"), kind))
	fmt.Fprintf(out, `<g><title>%s</title><text class="label" x="0" y="%d">%s</text><rect class="%s" x="%.1f" y="%d" width="%.1f" height="%d" rx="2"/></g>`+"\n",
		whole, y+16, label, class, c.x(r.from), y+4, max(2, c.x(r.from+r.days)-c.x(r.from)), rowHeight-8)
}

// shortMonth is the month of a day in the room that a mark has: Sep 2027.
func shortMonth(day schedule.Date) string {
	words := strings.Fields(day.Words())
	return words[1][:3] + " " + words[2]
}

// shorten cuts a name to a number of characters.
func shorten(name string, most int) string {
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return strings.TrimSpace(string([]rune(name)[:most-1])) + "…"
}
