package drafts

import (
	"fmt"
	"strings"

	"planb/drafts/shape"
)

// The sections that say what is wanted, chosen and assumed.

func (p page) wanted() string {
	text := p.cell(p.out.Text("goal")) + "\n"
	if places := p.out.Texts("locations"); len(places) > 0 {
		text += "\nPlace: " + p.cell(strings.Join(places, "; ")) + "\n"
	}
	if p.out.Text("verdict") != "usable" || p.out.Text("redline") != "allow" {
		text += fmt.Sprintf("\nThe prompt was judged: %s (%s), %s. %s\n", p.out.Text("verdict"), strings.ReplaceAll(p.out.Text("reason"), "_", " "),
			strings.ReplaceAll(p.out.Text("redline"), "_", " "), p.cell(p.out.Text("why")))
	}
	return text
}

// constraints tells what binds the plan, and how the project stands to it.
func (p page) constraints() string {
	t := shape.Table{Head: []string{"Id", "Constraint", "In this plan"}}
	for _, c := range p.out.Records("constraints") {
		t.Rows = append(t.Rows, []string{c.Text("id"), shape.EscapeMarkdown(p.draft.withDays(c.Text("text"))), p.kept(c.Text("id"))})
	}
	if len(t.Rows) == 0 {
		return ""
	}
	return t.String()
}

// kept says how the project stands to a constraint; empty while there is none.
// A doubt is bold: it stands among many that are kept.
func (p page) kept(id string) string {
	project := p.draft.Repaired("project")
	if project == nil {
		return ""
	}
	if doubt, ok := byID(project.Records("doubts"), id); ok {
		return "**" + doubt.Text("state") + ":** " + p.cell(doubt.Text("why"))
	}
	return "kept"
}

func (p page) givens() string {
	var out strings.Builder
	for _, given := range p.out.Texts("givens") {
		out.WriteString("- " + p.cell(given) + "\n")
	}
	for _, day := range p.out.Records("days") {
		fmt.Fprintf(&out, "- %s %s: %s\n", day.Text("is"), day.Text("day"), p.cell(day.Text("text")))
	}
	for _, question := range p.out.Records("questions") {
		out.WriteString("- Asked: " + p.cell(question.Text("text")) + "\n")
	}
	return out.String()
}

// name is the id and the name of a scenario.
func (p page) name(scenario shape.Object) string {
	return strings.TrimSpace(scenario.Text("id") + " " + p.cell(scenario.Text("name")))
}

// ways compares the scenarios; what the chosen one means is told where it is chosen.
func (p page) ways() string {
	chosen := p.draft.Output("choose").Record("scenario").Text("id")
	t := shape.Table{Head: []string{"Way", "What it means", "It holds if", "First guess of the cost", "In doubt"}}
	for _, s := range p.out.Records("scenarios") {
		var doubts []string
		for _, doubt := range s.Records("doubts") {
			doubts = append(doubts, p.cell(doubt.Text("why")))
		}
		logic := p.cell(s.Text("logic"))
		if s.Text("id") == chosen {
			logic = "the chosen way"
		}
		t.Rows = append(t.Rows, []string{"**" + p.name(s) + "**", logic, p.cell(s.Text("holds_if")), p.cell(s.Text("cost")), strings.Join(doubts, "; ")})
	}
	return fmt.Sprintf("%s\n\n**Recommended was %s.** %s\n", t, p.out.Text("recommended"), p.cell(p.out.Text("why")))
}

// levers are the decisions that differ from scenario to scenario.
func (p page) levers() string {
	list := p.out.Records("scenarios")
	t := shape.Table{Head: []string{"Decision"}}
	for _, s := range list {
		t.Head = append(t.Head, s.Text("id")+" "+s.Text("stance"))
	}
	for _, l := range p.out.Records("levers") {
		row := []string{"**" + p.cell(l.Text("name")) + "**: " + p.cell(l.Text("tension"))}
		for _, s := range list {
			row = append(row, p.cell(option(l, s)))
		}
		t.Rows = append(t.Rows, row)
	}
	return t.String()
}

// option returns the option of a lever that a scenario sets.
func option(lever, scenario shape.Object) string {
	options := lever.Texts("options")
	if n := scenario.Record("settings").Int(lever.Text("id")); n >= 1 && n <= len(options) {
		return options[n-1]
	}
	return ""
}

func (p page) choose() string {
	var out strings.Builder
	scenario := p.out.Record("scenario")
	who := "was chosen by " + shape.EscapeMarkdown(p.out.Text("by"))
	if p.out.Text("by") == Nobody {
		who = "was " + asProposed
	}
	fmt.Fprintf(&out, "**%s** %s. %s\n", p.name(scenario), who, p.cell(scenario.Text("logic")))
	answers := p.out.Record("answers")
	for i, topic := range answers.Keys() {
		if i == 0 {
			out.WriteString("\nThe user added:\n\n")
		}
		fmt.Fprintf(&out, "- **%s:** %s\n", shape.EscapeMarkdown(topic), p.cell(answers.Text(topic)))
	}
	return out.String()
}

func (p page) confirm() string {
	made := page{p.draft, p.draft.Repaired("assumptions"), p.write}
	text := made.assumptions(p.out) + "\n"
	if wrong := p.out.Text("wrong"); wrong != "" {
		text += "\n**What was wrong or missing:** " + p.cell(wrong) + "\n"
	}
	if p.out.Text("by") == Nobody {
		return text + "\nAll of them were " + asProposed + ".\n"
	}
	return text + "\nConfirmed by " + shape.EscapeMarkdown(p.out.Text("by")) + "; what they were not asked about stands as the model assumed it.\n"
}

// picked says in a line which way was chosen, and what the person added. It does not name the
// person: the plan is passed on.
func (p page) picked() string {
	how := "chosen by the user"
	if p.out.Text("by") == Nobody {
		how = asProposed
	}
	text := fmt.Sprintf("The way “%s” was %s.", p.cell(p.out.Record("scenario").Text("name")), how)
	answers := p.out.Record("answers")
	for i, topic := range answers.Keys() {
		if i == 0 {
			text += "\n"
		}
		text += fmt.Sprintf("\n- %s: %s", shape.EscapeMarkdown(topic), p.cell(answers.Text(topic)))
	}
	return text
}

// said are the assumptions that the person was asked about, with what they said; empty if
// nobody was asked.
func (p page) said() string {
	if p.out.Text("by") == Nobody {
		return ""
	}
	t := shape.Table{Head: []string{"Assumption", "Answer"}}
	for _, a := range p.draft.Repaired("assumptions").Records("assumptions") {
		if a.Flag("ask") {
			text, state := p.assumption(a, p.out)
			t.Rows = append(t.Rows, []string{text, state})
		}
	}
	text := ""
	if len(t.Rows) > 0 {
		text = t.String() + "\n"
	}
	if wrong := p.out.Text("wrong"); wrong != "" {
		text += "\n**What was wrong or missing:** " + p.cell(wrong) + "\n"
	}
	return text
}

// assumed are the assumptions in a line each.
func (p page) assumed() string {
	t := shape.Table{Head: []string{"Id", "Assumption", "Basis", "Known by", "Said by the user"}}
	for _, a := range p.draft.Repaired("assumptions").Records("assumptions") {
		text, state := p.assumption(a, p.out)
		t.Rows = append(t.Rows, []string{a.Text("id"), text, a.Text("basis"), p.cell(a.Text("who")) + ", " + p.cell(a.Text("by")), state})
	}
	return t.String()
}

// assumptions writes the register. Where the person has confirmed it, it says what they
// changed and dropped, and what they were not asked about.
func (p page) assumptions(confirmed shape.Object) string {
	t := shape.Table{Head: []string{"Id", "Assumption", "Range", "Basis", "If it is wrong", "How it becomes a number", "Said by the user"}}
	for _, a := range p.out.Records("assumptions") {
		text, state := p.assumption(a, confirmed)
		if state == "changed" {
			state += "; it was: " + p.cell(a.Text("text"))
		}
		test := fmt.Sprintf("%s (%s, %s)", p.cell(a.Text("test")), p.cell(a.Text("who")), p.cell(a.Text("by")))
		t.Rows = append(t.Rows, []string{a.Text("id"), text, p.cell(a.Text("range")), a.Text("basis"), p.cell(a.Text("if_wrong")), test, state})
	}
	return t.String()
}

// assumption is an assumption as the person left it, and what they said of it.
func (p page) assumption(a, confirmed shape.Object) (text, state string) {
	text = p.cell(a.Text("text"))
	now, ok := byID(confirmed.Records("assumptions"), a.Text("id"))
	was := "" // a repair may have put other words in place of those that the person decided about
	if seen := now.Text("text"); seen != a.Text("text") {
		was = "; it was: " + p.cell(seen)
	}
	switch {
	case !ok:
		return text, ""
	case now.Text("state") == "changed":
		return p.cell(now.Text("text")), "changed"
	case now.Text("state") == "dropped":
		return "~~" + text + "~~", "dropped" + was
	case now.Text("state") == "unknown":
		return text, "not known" + was
	case a.Flag("ask") && confirmed.Text("by") != Nobody:
		return text, "kept" + was
	}
	return text, "not asked"
}

// calculations are the tables that show what the numbers come to.
func (p page) calculations() string {
	var out strings.Builder
	for i, table := range p.out.Records("calculations") {
		if i > 0 {
			out.WriteByte('\n')
		}
		out.WriteString(p.calculation(table) + "\n\n" + p.cell(table.Text("result")) + "\n")
	}
	if notes := p.out.Text("notes"); notes != "" {
		out.WriteString("\n" + p.cell(notes) + "\n")
	}
	return out.String()
}

// calculation is one of these tables, without what it says.
func (p page) calculation(table shape.Object) string {
	t := shape.Table{}
	for _, head := range cells(table.Text("head")) {
		t.Head = append(t.Head, p.cell(head))
	}
	for _, line := range table.Texts("rows") {
		row := make([]string, len(t.Head))
		for k, cell := range cells(line) {
			if k < len(row) {
				row[k] = p.cell(cell)
			}
		}
		t.Rows = append(t.Rows, row)
	}
	t.Numbers = p.numberColumns(table.Texts("rows"), len(t.Head))
	return fmt.Sprintf("#### %s\n\n%s", p.cell(table.Text("title")), t)
}

// spaced is the key of a fact as words.
func spaced(key string) string { return shape.EscapeMarkdown(strings.ReplaceAll(key, "_", " ")) }

// sensitivity tells how the results change, as code calculated it.
func (p page) sensitivity() string {
	t := shape.Table{Head: []string{"If this differs", "Instead of", "Becomes", "Then this", "Instead of", "Becomes"}, Numbers: []int{1, 2, 4, 5}}
	amount := func(n float64, unit string) string {
		return strings.TrimSpace(shape.Grouped(round(n)) + " " + shape.EscapeMarkdown(unit))
	}
	for _, e := range p.draft.sensitivity() {
		t.Rows = append(t.Rows, []string{
			spaced(e.Driver), amount(e.From, e.Unit), amount(e.To, e.Unit), spaced(e.Watch), amount(e.Before, e.Result), amount(e.After, e.Result),
		})
	}
	if len(t.Rows) == 0 {
		return ""
	}
	return "Each row changes one number and follows it through the formulas; everything else stays as it is.\n\n" + t.String()
}

func (p page) facts() string {
	t := shape.Table{Head: []string{"Number", "Value", "Kind", "Follows from", "Basis"}}
	for _, f := range p.out.Records("facts") {
		t.Rows = append(t.Rows, []string{spaced(f.Text("key")), p.cell(f.Text("value")), spaced(f.Text("kind")), spaced(f.Text("formula")), p.cell(f.Text("basis"))})
	}
	return t.String()
}

// weak tells which statements of the sketch carry most and are least certain.
func (p page) weak() string {
	t := shape.Table{Head: []string{"Statement", "What would show that it is wrong"}}
	for _, weak := range p.out.Records("weak") {
		t.Rows = append(t.Rows, []string{p.cell(weak.Text("text")), p.cell(weak.Text("shown_by"))})
	}
	return t.String()
}
