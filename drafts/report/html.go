package report

import (
	"bytes"
	_ "embed"
	"html/template"
	"regexp"
	"strings"
	"time"

	"planb/drafts"
	"planb/plans/page"
	"planb/questions/safe"
)

//go:embed report.html
var reportHTML string

//go:embed report.css
var reportCSS string

// view is what the template shows.
type view struct {
	Title    string
	Policy   string
	Style    template.CSS
	Banner   []string
	Facts    []fact
	Sections []shown
}

type fact struct{ Name, Value string }

// shown is a section laid out.
type shown struct {
	section
	Text  page.Prose
	Chart template.HTML
}

// Name is the title of a section of the appendix without that word.
func (s shown) Name() string {
	name := strings.TrimPrefix(s.Title, appendix)
	return strings.ToUpper(name[:1]) + name[1:]
}

// HTML returns the report as one page.
func HTML(d drafts.Draft) ([]byte, error) {
	layout, err := page.Layout(reportHTML)
	if err != nil {
		return nil, err
	}
	found := d.Lint()
	style := page.Style() + reportCSS
	v := view{Title: title(d), Policy: page.Policy(style), Style: template.CSS(style), Banner: append(banner(d, found), doubtful(d)...), Facts: head(d)}
	drawer := page.NewDrawer(nil)
	for _, s := range sections(d, found) {
		one := shown{section: s, Text: page.Markdown(safe.New(s.Markdown), "", nil, drawer)}
		one.Text.HTML = wholeDays(one.Text.HTML)
		if chart := newChart(d); s.Anchor == "schedule" && len(chart.rows) > 0 {
			one.Chart = chart.svg()
		}
		v.Sections = append(v.Sections, one)
	}
	var out bytes.Buffer
	if err := layout.Execute(&out, v); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// wholeDays keeps the lines of a page from breaking within a day ("18 June" of "18 June 2027")
// or within a range of numbers ("(7–14)"). Tags stay as they are.
func wholeDays(text template.HTML) template.HTML {
	var months []string
	for m := time.January; m <= time.December; m++ {
		months = append(months, m.String())
	}
	piece := regexp.MustCompile(`<[^>]*>|\b\d{1,2} (?:` + strings.Join(months, "|") + `)\b|\(\d+–\d+\)`)
	return template.HTML(piece.ReplaceAllStringFunc(string(text), func(found string) string {
		if found[0] == '<' {
			return found
		}
		return `<span class="day">` + found + `</span>`
	}))
}

// head are the facts under the title.
func head(d drafts.Draft) (facts []fact) {
	add := func(name, value string) {
		if value != "" {
			facts = append(facts, fact{name, safe.New(drafts.Days(value)).Line()})
		}
	}
	add("Goal", d.Output("brief").Text("goal"))
	add("Way", d.Output("choose").Record("scenario").Text("name"))
	add("Start", d.Start.String())
	add("End", d.Output("schedule").Record("ends").Text("likely"))
	for _, f := range d.Output("facts").Records("facts") {
		if f.Text("key") == "total_budget" {
			add("Budget", f.Text("value"))
		}
	}
	add("Plan", d.ID)
	return facts
}
