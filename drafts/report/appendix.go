package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"planb/drafts"
	"planb/drafts/shape"
)

// followText is the calendar of what is decided, measured and reached, which code compiles
// from all sections.
func followText(d drafts.Draft) string {
	type entry struct{ day, what, who string }
	var list []entry
	add := func(day, what, who string) {
		if what != "" {
			list = append(list, entry{d.WriteOut(day), what, who})
		}
	}
	confirmed := d.Output("confirm").Records("assumptions")
	for _, a := range d.Repaired("assumptions").Records("assumptions") {
		dropped := slices.ContainsFunc(confirmed, func(now shape.Object) bool { return now.Text("id") == a.Text("id") && now.Text("state") == "dropped" })
		if !dropped && a.Text("basis") != "prompt" {
			add(a.Text("by"), "Known: "+a.Text("question"), a.Text("who"))
		}
	}
	for _, decision := range d.Repaired("summary").Records("decisions") {
		add(decision.Text("by"), "Decided: "+decision.Text("question"), decision.Text("who"))
	}
	for _, m := range d.Repaired("project").Records("milestones") {
		what := "Reached: " + m.Text("name")
		if m.Flag("gate") {
			what = "Gate: " + m.Text("name")
		}
		add(m.Text("by"), what, "")
	}
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b entry) int { return cmp.Compare(a.day, b.day) })
	t := shape.Table{Head: []string{"Day", "What", "Who"}}
	for _, e := range list {
		t.Rows = append(t.Rows, []string{shape.EscapeMarkdown(e.day), shape.EscapeMarkdown(d.WriteOut(e.what)), shape.EscapeMarkdown(e.who)})
	}
	return t.String()
}

// consistency tells what code checked and found, and which words were put right by the
// model that read all sections last.
func consistency(d drafts.Draft, found []drafts.Finding) string {
	var out strings.Builder
	out.WriteString(checked(d))
	if tested := d.Part("summary.2", "tested"); tested != "" {
		out.WriteString("\nA model read the plan again, and calculated these sentences anew:\n\n" + tested)
	}
	t := shape.Table{Head: []string{"Section", "Words", "Instead", "Why"}}
	for _, s := range d.Steps() {
		if s.ID == "summary" { // the words of the plan are its writer's own, who put them right
			continue
		}
		for _, r := range d.Repairs(s.ID) {
			t.Rows = append(t.Rows, []string{s.Title, shape.EscapeMarkdown(r.Old), shape.EscapeMarkdown(r.New), shape.EscapeMarkdown(r.Why)})
		}
	}
	if len(t.Rows) > 0 {
		out.WriteString("\nA model compared all sections. These words are put right above:\n\n" + t.String() + "\n")
	}
	t.Rows = nil
	for _, c := range d.Conflicts() {
		if !slices.ContainsFunc(d.Repairs(c.Text("step")), func(r drafts.Repair) bool { return r.Old == c.Text("excerpt") }) {
			t.Rows = append(t.Rows, []string{shape.EscapeMarkdown(c.Text("step")), shape.EscapeMarkdown(c.Text("excerpt")), shape.EscapeMarkdown(c.Text("replacement")), shape.EscapeMarkdown(c.Text("why"))})
		}
	}
	if len(t.Rows) > 0 {
		out.WriteString("\nThese contradictions are left as they are:\n\n" + t.String() + "\n")
	}
	if len(found) == 0 {
		out.WriteString("\nIn these sums, dates, ids and limits code found no contradiction.\n")
		return out.String()
	}
	out.WriteString("\nCode found these contradictions, and they are not put right:\n\n")
	for _, f := range found {
		fmt.Fprintf(&out, "- **%s** %s\n", f.Step, shape.EscapeMarkdown(f.String()))
	}
	return out.String()
}

// checked counts what code compared.
func checked(d drafts.Draft) string {
	quotes, formulas, thresholds, budget, sources := 0, 0, 0, 0.0, 0.0
	for _, name := range []string{"constraints", "days", "questions"} {
		quotes += len(d.Output("brief").Records(name))
	}
	for _, f := range d.Output("facts").Records("facts") {
		if f.Text("formula") != "" {
			formulas++
		}
	}
	for _, r := range slices.Concat(d.Output("project").Records("milestones"), d.Output("risks").Records("rules")) {
		if r.Text("formula") != "" {
			thresholds++
		}
	}
	for _, line := range d.Output("project").Records("budget") {
		budget += line.Number("amount")
	}
	for _, line := range d.Output("project").Records("sources") {
		if line.Text("back") == "" {
			sources += line.Number("amount")
		}
	}
	var out strings.Builder
	say := func(n int, format string, args ...any) {
		if n > 0 {
			fmt.Fprintf(&out, "- "+format+"\n", args...)
		}
	}
	say(quotes, "Constraints, days and questions that stand in the prompt, letter by letter: %d.", quotes)
	say(formulas, "Numbers calculated again from their formulas: %d.", formulas)
	say(thresholds, "Thresholds of gates and rules calculated again from their formulas: %d; the others are decisions or guesses.", thresholds)
	if budget > 0 {
		say(1, "The budget adds up to %s, and what pays it to %s.", shape.Grouped(budget), shape.Grouped(sources))
	}
	leaves, deadlines := len(d.Output("schedule").Records("leaves")), len(d.Output("schedule").Records("deadlines"))
	say(leaves, "Tasks placed by what they wait for: %d; due days that they were compared with: %d.", leaves, deadlines)
	if loads := d.Workloads(); len(loads) > 0 {
		say(loads[0].Months, "Months whose hours were compared with the hours that there are: %d.", loads[0].Months)
	}
	say(1, "Dates, forbidden words, ids, and numbers beside the words of another section were compared in all texts.")
	return out.String()
}

// provenance tells who wrote which sections. The hashes are in the zip.
func provenance(d drafts.Draft) string {
	t := shape.Table{Head: []string{"Written by", "Model", "Sections", "Last accepted"}}
	standings := d.Standings()
	row := map[string]int{}
	for _, s := range d.Steps() {
		r := d.Records[s.ID]
		name, by := s.Title, shape.EscapeMarkdown(cmp.Or(r.By, s.Author.String()))
		switch {
		case r.Output == nil:
			by = "not written yet"
		case s.Author == drafts.Person && r.By == drafts.Nobody:
			by = "no person; taken as proposed"
		}
		switch standing := standings[s.ID]; {
		case r.Edited && standing != drafts.Clean:
			name += " (edited, " + string(standing) + ")"
		case r.Edited:
			name += " (edited)"
		case standing != drafts.Clean:
			name += " (" + string(standing) + ")"
		}
		at := strings.Replace(r.At[:min(len(r.At), len("2026-11-20T09:00"))], "T", ", ", 1)
		i, known := row[by+"\x00"+r.Model]
		if !known {
			i = len(t.Rows)
			row[by+"\x00"+r.Model] = i
			t.Rows = append(t.Rows, []string{by, shape.EscapeMarkdown(r.Model), shape.EscapeMarkdown(name), at})
			continue
		}
		t.Rows[i][2] += "; " + shape.EscapeMarkdown(name)
		t.Rows[i][3] = max(t.Rows[i][3], at)
	}
	return t.String() + "\n"
}
