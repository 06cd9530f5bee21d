package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"planb/drafts"
	"planb/drafts/shape"
	"planb/questions/safe"
)

// section is one section of the report: a title, and the Markdown of its steps.
type section struct {
	Anchor   string
	Title    string
	Markdown string
	Open     bool // unfolded at first
}

// group is a section before it is filled: the steps that it shows.
type group struct {
	anchor, title string
	open          bool
	steps         []string
}

// answersID is the part of the step pitch that is a section of its own.
const answersID = "pitch answers"

// groups are the sections in the order of the report. The schedule stands between
// the summary and the project.
func groups() []group {
	return []group{
		{"summary", "Executive summary", true, []string{"summary"}},
		{"schedule", "Schedule", true, []string{"schedule"}},
		{"pitch", "Pitch", true, []string{"pitch"}},
		{"project", "Project plan", true, []string{"project"}},
		{"scenarios", "Scenarios and the choice", false, []string{"choose", "scenarios"}},
		{"assumptions", "Assumptions as confirmed", false, []string{"confirm", "assumptions"}},
		{"risks", "Risks", false, []string{"risks"}},
		{"facts", "Facts", false, []string{"facts"}},
		{"governance", "Governance", false, []string{"governance"}},
		{"resources", "Related resources and data", false, []string{"resources"}},
		{"documents", "Documents", false, []string{"documents"}},
		{"swot", "SWOT analysis", false, []string{"swot"}},
		{"team", "Team", false, []string{"team"}},
		{"experts", "Expert criticism", false, []string{"experts"}},
		{"wbs", "Work breakdown", false, []string{"wbs", "tasks"}},
		{"review", "Review", false, []string{"review"}},
		{"answers", "Questions and answers", false, []string{answersID}},
		{"premortem", "Premortem", false, []string{"premortem"}},
		{"audit", "Audit", false, []string{"audit"}},
		{"brief", "Brief and premise", false, []string{"brief", "premise"}},
	}
}

// title is the draft's name for people.
func title(d drafts.Draft) string {
	return cmp.Or(safe.New(d.Output("brief").Text("title")).Line(), "Untitled plan")
}

// sections returns the sections that have an output, and last the consistency and
// the provenance.
func sections(d drafts.Draft, found []drafts.Finding) (list []section) {
	for _, g := range groups() {
		var parts []string
		ids := slices.DeleteFunc(slices.Clone(g.steps), func(id string) bool { return stepText(d, id) == "" })
		for _, id := range ids {
			text := stepText(d, id)
			if step, ok := d.Step(id); ok && len(ids) > 1 {
				text = "### " + step.Title + "\n\n" + text
			}
			parts = append(parts, strings.TrimSpace(text))
		}
		if len(parts) > 0 {
			list = append(list, section{g.anchor, g.title, strings.Join(parts, "\n\n") + "\n", g.open})
		}
	}
	return append(list, section{"consistency", "Consistency", consistency(d, found), false}, section{"provenance", "Provenance", provenance(d), false})
}

// stepText returns the Markdown of a step. Risks are sorted; of the schedule the
// chart tells the leaves better than a list.
func stepText(d drafts.Draft, id string) string {
	switch pitch := d.Output("pitch"); {
	case id == answersID && pitch != nil:
		return d.With("pitch", shape.Object{"qa": pitch["qa"]}).Markdown("pitch")
	case id == "pitch" && pitch != nil:
		pitch = maps.Clone(pitch)
		delete(pitch, "qa")
		return d.With("pitch", pitch).Markdown("pitch")
	case d.Output(id) == nil, id == "assumptions" && d.Output("confirm") != nil: // which has them as they are now
		return ""
	case id == "schedule":
		return scheduleText(d)
	case id == "risks":
		return d.With(id, sortedRisks(d.Output(id))).Markdown(id)
	}
	return d.Markdown(id)
}

// sortedRisks puts the most serious risks first.
func sortedRisks(o shape.Object) shape.Object {
	weight := func(word string) int { return 1 + slices.Index([]string{"low", "medium", "high"}, word) }
	score := func(r shape.Object) int { return weight(r.Text("likelihood")) * weight(r.Text("severity")) }
	sorted := slices.SortedStableFunc(slices.Values(o.Records("risks")), func(a, b shape.Object) int { return score(b) - score(a) })
	list := make([]any, 0, len(sorted))
	for _, r := range sorted {
		list = append(list, r)
	}
	return shape.Object{"risks": list}
}

func scheduleText(d drafts.Draft) string {
	o := d.Output("schedule")
	ends := o.Record("ends")
	var out strings.Builder
	fmt.Fprintf(&out, "Ends on **%s** at the likely days, between %s and %s at the least and the most.\n\n", ends.Text("likely"), ends.Text("min"), ends.Text("max"))
	if deadlines := o.Records("deadlines"); len(deadlines) > 0 {
		t := shape.Table{Head: []string{"Id", "What", "Due", "Done at the likely days", "Days to spare", "Days late at the most"}, Numbers: []int{4, 5}}
		for _, l := range deadlines {
			t.Rows = append(t.Rows, []string{
				shape.EscapeMarkdown(l.Text("id")), shape.EscapeMarkdown(l.Text("name")), l.Text("due"), l.Text("last"),
				shape.FormatNumber(l.Number("slack")), shape.FormatNumber(l.Number("late_at_max")),
			})
		}
		out.WriteString(t.String() + "\n\n")
	}
	fmt.Fprintf(&out, "**Critical path:** %s\n", shape.EscapeMarkdown(strings.Join(o.Texts("critical"), " → ")))
	for _, notice := range o.Texts("notices") {
		out.WriteString("\n- " + shape.EscapeMarkdown(notice) + "\n")
	}
	return out.String()
}

// consistency tells what code found, and the model that compared all sections.
func consistency(d drafts.Draft, found []drafts.Finding) string {
	var out strings.Builder
	if lint := d.Output("lint"); lint != nil {
		t := shape.Table{Head: []string{"Severity", "Section", "Words", "Instead", "Why", "Repaired"}}
		for _, c := range lint.Records("conflicts") {
			repaired := "no"
			if slices.ContainsFunc(d.Repairs(c.Text("step")), func(r drafts.Repair) bool { return r.Old == c.Text("excerpt") }) {
				repaired = "yes"
			}
			row := []string{c.Text("severity"), c.Text("step"), c.Text("excerpt"), c.Text("replacement"), c.Text("why"), repaired}
			for i, cell := range row {
				row[i] = shape.EscapeMarkdown(cell)
			}
			t.Rows = append(t.Rows, row)
		}
		if len(t.Rows) == 0 {
			out.WriteString("A model compared all sections, and found no contradiction.\n\n")
		} else {
			out.WriteString("A model compared all sections:\n\n" + t.String() + "\n\n")
		}
	}
	if len(found) == 0 {
		return out.String() + "Code read all sections together: quotes, ids, sums, formulas, dates, words and numbers of facts. It found no contradiction.\n"
	}
	out.WriteString("Code read all sections together, and found:\n\n")
	for _, f := range found {
		fmt.Fprintf(&out, "- **%s** %s\n", f.Step, shape.EscapeMarkdown(f.String()))
	}
	return out.String()
}

// provenance tells of each step who wrote it, when and from what.
func provenance(d drafts.Draft) string {
	var out strings.Builder
	out.WriteString("| Step | Written by | Model | Accepted | Edited | Output | Inputs |\n|---|---|---|---|---|---|---|\n")
	standings := d.Standings()
	for _, s := range d.Steps() {
		r := d.Records[s.ID]
		if r.Output == nil {
			fmt.Fprintf(&out, "| %d %s | – | – | – | – | %s | – |\n", s.Number, s.ID, standings[s.ID])
			continue
		}
		edited := "no"
		if r.Edited {
			edited = "yes"
		}
		if standing := standings[s.ID]; standing != drafts.Clean {
			edited += ", " + string(standing)
		}
		fmt.Fprintf(&out, "| %d %s | %s | %s | %s | %s | %s | %s |\n", s.Number, s.ID, shape.EscapeMarkdown(cmp.Or(r.By, s.Author.String())),
			shape.EscapeMarkdown(cmp.Or(r.Model, "–")), cmp.Or(r.At, "–"), edited, short(r.SHA256), short(r.Inputs))
	}
	return out.String()
}

// short is the beginning of a hash.
func short(hash string) string { return hash[:min(len(hash), 12)] }

// banner returns what a reader must know before anything else, a line each.
func banner(d drafts.Draft, found []drafts.Finding) (lines []string) {
	if done, of := d.Progress(); done < of {
		lines = append(lines, fmt.Sprintf("Unfinished: %d of %d steps are written.", done, of))
	}
	if why := d.Unusable(); why != "" {
		lines = append(lines, "The prompt was found unusable: "+safe.New(why).Line())
	}
	for _, line := range d.Late() {
		lines = append(lines, "Late: "+safe.New(line).Line())
	}
	if n := d.Unrepaired(); n > 0 {
		lines = append(lines, fmt.Sprintf("CONSISTENCY FAILED: serious contradictions between sections that nothing repaired: %d; see Consistency.", n))
	}
	write := d.Writer()
	for _, doubt := range d.Output("project").Records("doubts") {
		lines = append(lines, safe.New(fmt.Sprintf("In doubt: %s, %s: %s", write(doubt.Text("id")), doubt.Text("state"), doubt.Text("why"))).Line())
	}
	switch n := len(found); {
	case n == 1:
		lines = append(lines, "Code found 1 contradiction; see Consistency.")
	case n > 1:
		lines = append(lines, fmt.Sprintf("Code found %d contradictions; see Consistency.", n))
	}
	return append(lines, doubtful(d)...)
}

// doubtful counts what stands on estimates, and what nobody confirmed.
func doubtful(d drafts.Draft) (lines []string) {
	estimates, numbers := 0, 0
	for _, f := range d.Output("facts").Records("facts") {
		if _, ok := f["number"]; !ok {
			continue
		}
		if numbers++; f.Text("kind") == "estimate" {
			estimates++
		}
	}
	if numbers > 0 {
		lines = append(lines, fmt.Sprintf("%d of %d numbers are estimates.", estimates, numbers))
	}
	confirmed := d.Output("confirm")
	if confirmed == nil {
		return lines
	}
	unseen := 0
	for _, a := range d.Output("assumptions").Records("assumptions") {
		if confirmed.Text("by") == drafts.Nobody || !a.Flag("ask") {
			unseen++
		}
	}
	if unseen > 0 {
		lines = append(lines, fmt.Sprintf("%d assumptions were confirmed by nobody.", unseen))
	}
	return lines
}

// Markdown returns the report as Markdown.
func Markdown(d drafts.Draft) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n\n", shape.EscapeMarkdown(title(d)))
	found := d.Lint()
	for _, line := range banner(d, found) {
		out.WriteString("> " + shape.EscapeMarkdown(line) + "\n")
	}
	for _, s := range sections(d, found) {
		fmt.Fprintf(&out, "\n## %s\n\n%s", s.Title, s.Markdown)
		if chart := newChart(d); s.Anchor == "schedule" && len(chart.rows) > 0 {
			out.WriteString("\n```\n" + chart.text() + "```\n")
		}
	}
	return []byte(out.String())
}
