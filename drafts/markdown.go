package drafts

import (
	"fmt"
	"strings"

	"planb/drafts/shape"
)

// WriteOut adds to a text the days that its relative times and ids mean: "Month 3
// (2027-04-30)", "Y3 (2028-03-31, the funding ends)", "C2 (no loan)".
func (d Draft) WriteOut(text string) string { return d.Writer()(text) }

// Writer returns WriteOut for the texts of one section, which says only once what
// an id means.
func (d Draft) Writer() func(text string) string {
	w := &writer{draft: d, said: map[string]bool{}}
	relative := relativeTime()
	return func(text string) string {
		return relative.ReplaceAllStringFunc(text, func(found string) string { return w.writtenOut(found, text) })
	}
}

type writer struct {
	draft Draft
	said  map[string]bool
}

// writtenOut returns a time or an id that was found in a text, with its meaning.
func (w *writer) writtenOut(found, text string) string {
	d := w.draft
	again := w.said[found]
	w.said[found] = true
	if constraint, ok := byID(d.Output("brief").Records("constraints"), found); ok {
		if again {
			return found
		}
		return fmt.Sprintf("%s (%s)", found, d.withDays(constraint.Text("text")))
	}
	if role, ok := byID(d.Output("team").Records("roles"), found); ok && text == found {
		return found + " " + role.Text("role")
	}
	named, isDay := byID(d.Output("brief").Records("days"), found)
	milestone, isMilestone := byID(d.Output("project").Records("milestones"), found)
	date, ok := d.date(found)
	switch {
	case !ok:
		return found
	case isMilestone && text != found: // within a text M8 may be a screw
		return found
	case isDay && !again:
		return fmt.Sprintf("%s (%s, %s)", found, date, named.Text("text"))
	case isMilestone && !again:
		return fmt.Sprintf("%s (%s, %s)", found, date, milestone.Text("name"))
	}
	return fmt.Sprintf("%s (%s)", found, date)
}

// withDays replaces the ids of days in a text by the days.
func (d Draft) withDays(text string) string {
	return relativeTime().ReplaceAllStringFunc(text, func(found string) string {
		if _, ok := byID(d.Output("brief").Records("days"), found); ok {
			if date, ok := d.date(found); ok {
				return date.String()
			}
		}
		return found
	})
}

// Markdown returns the section of a step as a person reads it; empty if the step
// has no output.
func (d Draft) Markdown(step string) string {
	s, ok := d.Step(step)
	o := d.Output(step)
	if !ok || o == nil {
		return ""
	}
	p := page{draft: d, out: o, write: d.Writer()}
	return p.section(s) + d.repairs(step)
}

// section returns a section without its repairs.
func (p page) section(s Step) string {
	switch s.ID {
	case "brief":
		return p.brief(s)
	case "scenarios":
		return p.scenarios()
	case "choose":
		return p.choose()
	case "confirm":
		return p.confirm()
	case "facts":
		return p.facts()
	case "project":
		return s.Shape.Markdown(p.out, p.write) + p.balance()
	case "wbs":
		return p.wbs()
	case "tasks":
		return p.tasks()
	}
	return s.Shape.Markdown(p.out, p.write)
}

// repairs tells which words the consistency check replaces in a section.
func (d Draft) repairs(step string) string {
	var out strings.Builder
	for i, r := range d.Repairs(step) {
		if i == 0 {
			out.WriteString("\n**Repaired by the consistency check:**\n\n")
		}
		fmt.Fprintf(&out, "- instead of “%s” read “%s”: %s\n", shape.EscapeMarkdown(r.Old), shape.EscapeMarkdown(r.New), shape.EscapeMarkdown(r.Why))
	}
	return out.String()
}

// page writes sections of which the declaration alone makes tables that nobody
// likes to read.
type page struct {
	draft Draft
	out   shape.Object
	write func(string) string
}

// cell returns a text of the output as Markdown in one line.
func (p page) cell(text string) string { return shape.EscapeMarkdown(p.write(text)) }

func (p page) brief(s Step) string {
	rest := shape.Object{}
	for name, value := range p.out {
		rest[name] = value
	}
	delete(rest, "constraints")
	t := shape.Table{Head: []string{"Id", "What binds the plan", "In the plan", "In the prompt"}}
	for _, c := range p.out.Records("constraints") {
		t.Rows = append(t.Rows, []string{c.Text("id"), p.cell(c.Text("text")), p.cell(p.draft.kept(c.Text("id"))), shape.EscapeMarkdown(c.Text("quote"))})
	}
	text := s.Shape.Markdown(rest, p.write)
	if len(t.Rows) > 0 {
		text = t.String() + "\n\n" + text
	}
	return text
}

// kept says how the project stands to a constraint; empty while there is none.
func (d Draft) kept(id string) string {
	project := d.Output("project")
	if project == nil {
		return ""
	}
	if doubt, ok := byID(project.Records("doubts"), id); ok {
		return doubt.Text("state") + ": " + doubt.Text("why")
	}
	return "kept"
}

func (p page) scenarios() string {
	var out strings.Builder
	list := p.out.Records("scenarios")
	t := shape.Table{Head: []string{"Decision"}}
	for _, s := range list {
		t.Head = append(t.Head, fmt.Sprintf("%s %s", s.Text("id"), s.Text("stance")))
	}
	for _, l := range p.out.Records("levers") {
		row := []string{"**" + p.cell(l.Text("name")) + "** " + p.cell(l.Text("tension"))}
		for _, s := range list {
			row = append(row, p.cell(option(l, s)))
		}
		t.Rows = append(t.Rows, row)
	}
	out.WriteString(t.String() + "\n")
	for _, s := range list {
		fmt.Fprintf(&out, "\n#### %s %s\n\n%s\n\nFirst guess of the cost: %s. Fits %d of 10.\n", s.Text("id"), shape.EscapeMarkdown(s.Text("name")),
			p.cell(s.Text("logic")), strings.TrimSuffix(p.cell(s.Text("cost")), "."), s.Int("fit"))
		out.WriteString(p.doubts(s.Records("doubts")))
	}
	fmt.Fprintf(&out, "\n**Recommended was %s.** %s\n", p.out.Text("recommended"), p.cell(p.out.Text("why")))
	return out.String()
}

// option returns the option of a lever that a scenario sets.
func option(lever, scenario shape.Object) string {
	options := lever.Texts("options")
	if n := scenario.Record("settings").Int(lever.Text("id")); n >= 1 && n <= len(options) {
		return options[n-1]
	}
	return ""
}

func (p page) doubts(doubts []shape.Object) string {
	var out strings.Builder
	for i, doubt := range doubts {
		if i == 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "- %s, %s: %s\n", p.cell(doubt.Text("id")), doubt.Text("state"), p.cell(doubt.Text("why")))
	}
	return out.String()
}

func (p page) choose() string {
	var out strings.Builder
	scenario := p.out.Record("scenario")
	fmt.Fprintf(&out, "**%s**, chosen by %s. %s\n", strings.TrimSpace(scenario.Text("id")+" "+p.cell(scenario.Text("name"))),
		shape.EscapeMarkdown(p.out.Text("by")), p.cell(scenario.Text("logic")))
	out.WriteString(p.doubts(scenario.Records("doubts")))
	answers := p.out.Record("answers")
	for i, topic := range answers.Keys() {
		if i == 0 {
			out.WriteString("\nWhat the prompt had left open:\n\n")
		}
		fmt.Fprintf(&out, "- **%s:** %s\n", shape.EscapeMarkdown(topic), p.cell(answers.Text(topic)))
	}
	return out.String()
}

func (p page) confirm() string {
	t := shape.Table{Head: []string{"Id", "Question", "Assumption", "State", "Basis", "If it is wrong"}}
	made := p.draft.Output("assumptions").Records("assumptions")
	for _, a := range p.out.Records("assumptions") {
		before, _ := byID(made, a.Text("id"))
		text, state := p.cell(a.Text("text")), a.Text("state")
		switch {
		case state == "changed":
			text += " (it was: " + p.cell(before.Text("text")) + ")"
		case state == "kept" && (p.out.Text("by") == Nobody || !before.Flag("ask")):
			state = "not asked"
		}
		t.Rows = append(t.Rows, []string{a.Text("id"), p.cell(before.Text("question")), text, state, before.Text("basis"), p.cell(before.Text("if_wrong"))})
	}
	text := t.String() + "\n"
	if wrong := p.out.Text("wrong"); wrong != "" {
		text += "\n**What was wrong or missing:** " + p.cell(wrong) + "\n"
	}
	return text + "\nConfirmed by " + shape.EscapeMarkdown(p.out.Text("by")) + ".\n"
}

func (p page) facts() string {
	t := shape.Table{Head: []string{"Fact", "Value", "Kind", "Follows from", "Basis"}}
	spaced := func(text string) string { return p.cell(strings.ReplaceAll(text, "_", " ")) }
	for _, f := range p.out.Records("facts") {
		t.Rows = append(t.Rows, []string{spaced(f.Text("key")), p.cell(f.Text("value")), spaced(f.Text("kind")), spaced(f.Text("formula")), p.cell(f.Text("basis"))})
	}
	text := t.String() + "\n"
	if notes := p.out.Text("notes"); notes != "" {
		text += "\n" + p.cell(notes) + "\n"
	}
	return text
}

// balance tells what code adds up.
func (p page) balance() string {
	sum := 0.0
	for _, line := range p.out.Records("budget") {
		sum += line.Number("amount")
	}
	text := fmt.Sprintf("\n**Budget, added up:** %s\n", shape.Grouped(sum))
	if income, cost, ok := p.draft.Balance(); ok {
		text += fmt.Sprintf("\n**One year, added up:** income %s − costs %s = %s\n", shape.Grouped(income), shape.Grouped(cost), shape.Grouped(income-cost))
	}
	return text
}

func (p page) wbs() string {
	var out strings.Builder
	placed := p.draft.Output("schedule").Records("leaves")
	for i, phase := range p.out.Records("phases") {
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "#### %s %s\n\n", phase.Text("id"), p.cell(phase.Text("name")))
		t := shape.Table{Head: []string{"Id", "Task", "Deliverable", "Owner", "Days", "Runs", "After", "Bound"}}
		for _, task := range phase.Records("tasks") {
			t.Rows = append(t.Rows, []string{
				task.Text("id"), p.cell(task.Text("name")), p.cell(task.Text("deliverable")), p.cell(task.Text("owner")), days(task),
				runs(placed, task.Text("id")), strings.Join(task.Texts("after"), ", "), p.bounds(task),
			})
		}
		out.WriteString(t.String() + "\n")
	}
	return out.String()
}

func (p page) tasks() string {
	var out strings.Builder
	d := p.draft
	placed := d.Output("schedule").Records("leaves")
	for _, phase := range d.Output("wbs").Records("phases") {
		t := shape.Table{Head: []string{"Id", "Piece", "Role", "Days", "Runs", "After"}}
		for _, task := range phase.Records("tasks") {
			divided, _ := byID(p.out.Records("tasks"), task.Text("id"))
			for _, s := range divided.Records("subtasks") {
				role, _ := byID(d.Output("team").Records("roles"), s.Text("role"))
				t.Rows = append(t.Rows, []string{
					s.Text("id"), p.cell(s.Text("name")), p.cell(role.Text("role")), days(s), runs(placed, s.Text("id")), strings.Join(s.Texts("after"), ", "),
				})
			}
		}
		if len(t.Rows) > 0 {
			fmt.Fprintf(&out, "#### %s %s\n\n%s\n\n", phase.Text("id"), p.cell(phase.Text("name")), t)
		}
	}
	return strings.TrimSpace(out.String()) + "\n"
}

// days words how long a task takes.
func days(task shape.Object) string {
	text := fmt.Sprintf("%d (%d–%d)", task.Int("likely"), task.Int("min"), task.Int("max"))
	if task.Flag("wait") {
		text += ", waiting"
	}
	return text
}

// runs returns the first and the last day of a task; empty while it has none.
func runs(leaves []shape.Object, task string) string {
	first, last := "", ""
	for _, l := range leaves {
		if l.Text("id") != task && !strings.HasPrefix(l.Text("id"), task+".") {
			continue
		}
		if first == "" || l.Text("start") < first {
			first = l.Text("start")
		}
		last = max(last, l.Text("end"))
	}
	if first == "" {
		return ""
	}
	return first + " – " + last
}

// bounds returns what a task is bound to in the calendar.
func (p page) bounds(task shape.Object) string {
	var parts []string
	for _, bound := range []struct{ field, word string }{{"not_before", "not before"}, {"due", "due"}, {"makes", "makes"}} {
		if id := task.Text(bound.field); id != "" {
			parts = append(parts, bound.word+" "+p.cell(id))
		}
	}
	return strings.Join(parts, "; ")
}
