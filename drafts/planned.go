package drafts

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"planb/drafts/shape"
)

// The sections that say what is done, for how much, and what may go wrong.

func (p page) goal() string {
	t := shape.Table{Head: []string{"Success", "Counted so", "By"}}
	for _, s := range p.out.Records("success") {
		t.Rows = append(t.Rows, []string{p.cell(s.Text("text")), p.cell(s.Text("measure")), p.cell(s.Text("by"))})
	}
	text := p.cell(p.out.Text("goal")) + "\n\n" + t.String() + "\n"
	if list := p.out.Texts("deliverables"); len(list) > 0 {
		text += "\n**What is handed over:** " + p.cell(strings.Join(list, "; ")) + "\n"
	}
	return text
}

// gates are the milestones in their order, with what the schedule says of each.
func (p page) gates() string {
	return p.milestones([]string{"By", "Milestone", "Ready by the schedule", "Passes if", "Otherwise", "Calculated"}, p.follows)
}

// plainGates are the gates as the plan shows them: how a threshold is calculated, and when
// the schedule has them ready, stands in the appendix.
func (p page) plainGates() string {
	return p.milestones([]string{"By", "Milestone", "Passes if", "Otherwise"}, nil)
}

func (p page) milestones(head []string, follows func(shape.Object) string) string {
	t := shape.Table{Head: head}
	for _, m := range p.out.Records("milestones") {
		ready := ""
		if l, ok := byID(p.draft.Output("schedule").Records("deadlines"), m.Text("id")); ok {
			ready = l.Text("last")
		}
		name := p.cell(m.Text("name"))
		if m.Flag("gate") {
			name = "**" + name + "** (gate)"
		}
		row := []string{p.cell(m.Text("by")), name, p.cell(m.Text("pass")), p.cell(m.Text("otherwise"))}
		if follows != nil {
			row = append(slices.Insert(row, 2, ready), follows(m))
		}
		t.Rows = append(t.Rows, row)
	}
	return t.String()
}

// follows says how the threshold of a gate or a rule follows from the numbers; empty if it
// has no formula.
func (p page) follows(r shape.Object) string {
	formula := r.Text("formula")
	numbers, _ := formulasOf(p.draft.Output("facts"))
	n, err := evaluate(formula, numbers)
	if err != nil {
		return ""
	}
	return spaced(formula) + " = " + shape.Grouped(round(n))
}

// money writes lines with amounts and their sum.
func (p page) money(lines []shape.Object, name, what string) string {
	t := shape.Table{Head: []string{what, "Amount", "Rests on", "Mark", "By"}, Numbers: []int{1}}
	sum := 0.0
	for _, line := range lines {
		sum += line.Number("amount")
		mark := line.Text("mark")
		if line.Flag("reserve") {
			mark = "reserve"
		}
		by := p.cell(line.Text("by"))
		if first := line.Text("first"); first != "" {
			by = "monthly from " + p.cell(first) + " to " + by
		}
		if back := line.Text("back"); back != "" {
			by += ", paid back by " + p.cell(back)
			sum -= line.Number("amount")
		}
		t.Rows = append(t.Rows, []string{p.cell(line.Text(name)), shape.Grouped(line.Number("amount")), p.cell(line.Text("rests_on")), mark, by})
	}
	if len(t.Rows) == 0 {
		return ""
	}
	name = "**Sum**"
	if slices.ContainsFunc(lines, func(line shape.Object) bool { return line.Text("back") != "" }) {
		name = "**Sum, without what is paid back**"
	}
	t.Rows = append(t.Rows, []string{name, "**" + shape.Grouped(sum) + "**", "", "", ""})
	return t.String() + "\n"
}

func (p page) currency() string {
	return shape.EscapeMarkdown(p.draft.Output("brief").Text("currency"))
}

func (p page) budget() string { return p.money(p.out.Records("budget"), "line", "Item, "+p.currency()) }

func (p page) sources() string {
	text := p.money(p.out.Records("sources"), "from", "From, "+p.currency())
	missing := 0.0
	for _, source := range p.out.Records("sources") {
		if source.Text("mark") == "missing" {
			missing += source.Number("amount")
		}
	}
	if missing > 0 {
		text += fmt.Sprintf("\n**%s %s have no payer yet.**\n", shape.Grouped(missing), p.currency())
	}
	return text
}

// year is one year afterwards, as code adds it up.
func (p page) year() string {
	income, cost, ok := p.draft.balance()
	if !ok {
		return ""
	}
	t := shape.Table{Head: []string{"A year, " + p.currency(), "Income", "Cost", "Rests on"}, Numbers: []int{1, 2}}
	for _, line := range p.out.Records("running") {
		row := []string{p.cell(line.Text("line")), "", shape.Grouped(line.Number("amount")), p.cell(line.Text("rests_on"))}
		if line.Text("kind") == "income" {
			row[1], row[2] = row[2], ""
		}
		t.Rows = append(t.Rows, row)
	}
	t.Rows = append(t.Rows, []string{"**Sum**", "**" + shape.Grouped(income) + "**", "**" + shape.Grouped(cost) + "**", "**" + shape.Grouped(income-cost) + " a year**"})
	return t.String()
}

func (p page) answers() string {
	var out strings.Builder
	questions := p.draft.Output("brief").Records("questions")
	for i, a := range p.out.Records("answers") {
		if i > 0 {
			out.WriteByte('\n')
		}
		question, _ := byID(questions, a.Text("id"))
		t := shape.Table{Head: []string{"Option", "For it", "Against it"}}
		for _, o := range a.Records("options") {
			t.Rows = append(t.Rows, []string{p.cell(o.Text("option")), p.cell(o.Text("speaks_for")), p.cell(o.Text("speaks_against"))})
		}
		fmt.Fprintf(&out, "#### %s\n\n%s\n\n**Recommended:** %s\n\n**Switch rule:** %s. Who decides: %s, by %s.\n", cmp.Or(p.cell(question.Text("text")), a.Text("id")), t,
			p.cell(a.Text("recommendation")), strings.TrimSuffix(p.cell(a.Text("switch_rule")), "."), p.cell(a.Text("who")), p.cell(a.Text("by")))
	}
	return out.String()
}

func (p page) parties() string {
	t := shape.Table{Head: []string{"Who", "Role"}}
	for _, party := range p.out.Records("parties") {
		t.Rows = append(t.Rows, []string{p.cell(party.Text("who")), p.cell(party.Text("role"))})
	}
	text := t.String() + "\n"
	if permits := p.out.Texts("permits"); len(permits) > 0 {
		text += "\n**Permits:** " + p.cell(strings.Join(permits, "; ")) + "\n"
	}
	return text
}

func (p page) risks() string {
	weight := func(word string) int { return 1 + slices.Index([]string{"low", "medium", "high"}, word) }
	score := func(r shape.Object) int { return weight(r.Text("likelihood")) * weight(r.Text("severity")) }
	sorted := slices.SortedStableFunc(slices.Values(p.out.Records("risks")), func(a, b shape.Object) int { return score(b) - score(a) })
	t := shape.Table{Head: []string{"Id", "Risk", "Chance", "Damage", "What it costs", "Early sign", "What is done", "Who, by"}}
	for _, r := range sorted {
		t.Rows = append(t.Rows, []string{
			r.Text("id"), p.cell(r.Text("risk")), r.Text("likelihood"), r.Text("severity"), p.cell(r.Text("impact")), p.cell(r.Text("sign")), p.cell(r.Text("action")),
			p.cell(r.Text("who")) + ", " + p.cell(r.Text("by")),
		})
	}
	return t.String()
}

func (p page) rules() string {
	var out strings.Builder
	for _, r := range p.out.Records("rules") {
		declared := "declared by " + p.cell(r.Text("who"))
		if follows := p.follows(r); follows != "" {
			declared += "; " + follows
		}
		fmt.Fprintf(&out, "- **%s:** %s (%s)\n", strings.TrimRight(p.cell(r.Text("trigger")), ".:"), p.cell(r.Text("then")), declared)
	}
	return out.String()
}

func (p page) failures() string {
	var out strings.Builder
	for i, f := range p.out.Records("failures") {
		fmt.Fprintf(&out, "%d. **“%s”** %s *Early sign:* %s. *In this plan:* %s. *Stop:* %s.\n", i+1, strings.Trim(p.cell(f.Text("title")), `"“”.`), p.cell(f.Text("story")),
			p.clause(f.Text("sign")), p.clause(f.Text("now")), p.clause(f.Text("stop_rule")))
	}
	return out.String()
}

// clause is a text without its last full stop.
func (p page) clause(text string) string { return strings.TrimSuffix(p.cell(text), ".") }

func (p page) bets() string {
	t := shape.Table{Head: []string{"The plan bets that", "Test of this or next week", "Lost if"}}
	for _, b := range p.out.Records("bets") {
		t.Rows = append(t.Rows, []string{p.cell(b.Text("text")), p.cell(b.Text("test_now")), p.cell(b.Text("falsifier"))})
	}
	return t.String()
}

func (p page) focus() string { return p.cell(p.out.Text("focus")) + "\n" }

func (p page) decisions() string {
	var out strings.Builder
	t := shape.Table{Head: []string{"Decision", "Who", "By", "Recommended", "If not"}}
	for _, d := range p.out.Records("decisions") {
		t.Rows = append(t.Rows, []string{p.cell(d.Text("question")), p.cell(d.Text("who")), p.cell(d.Text("by")), p.cell(d.Text("recommendation")), p.cell(d.Text("if_no"))})
	}
	fmt.Fprintf(&out, "**Decisions asked for**\n\n%s\n\n**The first ten days**\n\n", t)
	for _, next := range p.byDay(p.out.Records("next")) {
		fmt.Fprintf(&out, "- %s, %s: %s\n", p.cell(next.Text("by")), p.cell(next.Text("who")), p.cell(next.Text("do")))
	}
	return out.String()
}

// plan is the plan as its readers get it: chapters, with the tables that belong to them.
func (p page) plan() string {
	var out strings.Builder
	for i := range p.out.Records("chapters") {
		title, text := p.chapter(i)
		fmt.Fprintf(&out, "## %s\n\n%s\n\n", shape.EscapeMarkdown(title), text)
	}
	return out.String()
}

// chapter returns the title of a chapter of the plan, and its text as Markdown.
func (p page) chapter(i int) (title, text string) {
	chapter := p.out.Records("chapters")[i]
	var parts []string
	texts := chapter.Texts("text")
	for len(texts) > 0 {
		if rows := tableRows(texts); rows > 0 {
			parts = append(parts, p.ownTable(texts[:rows]))
			texts = texts[rows:]
			continue
		}
		item, isItem := strings.CutPrefix(texts[0], "- ")
		switch paragraph := p.cell(item); {
		case isItem && len(parts) > 0 && strings.HasPrefix(parts[len(parts)-1], "- "):
			parts[len(parts)-1] += "\n- " + paragraph
		case isItem:
			parts = append(parts, "- "+paragraph)
		default:
			parts = append(parts, paragraph)
		}
		texts = texts[1:]
	}
	for _, name := range chapter.Texts("tables") {
		if table := strings.TrimSpace(p.draft.table(name)); table != "" {
			parts = append(parts, table)
		}
	}
	return p.write(chapter.Text("title")), strings.Join(parts, "\n\n")
}

// tableRows returns how many of the first texts are rows of a table that the writer made.
func tableRows(texts []string) int {
	n := slices.IndexFunc(texts, func(text string) bool { return !strings.HasPrefix(text, "|") })
	if n < 0 {
		return len(texts)
	}
	return n
}

// ownTable returns a table that the writer of a chapter made. Its first row is the head.
// Columns of numbers are aligned at the right.
func (p page) ownTable(rows []string) string {
	t := shape.Table{}
	for i, row := range rows {
		var line []string
		for _, cell := range cells(row) {
			line = append(line, p.cell(cell))
		}
		if i == 0 {
			t.Head = line
			continue
		}
		whole := make([]string, len(t.Head)) // an older planb, or a repair, may have left a row of another length
		copy(whole, line)
		t.Rows = append(t.Rows, whole)
	}
	t.Numbers = p.numberColumns(rows[1:], len(t.Head))
	return strings.TrimSpace(t.String())
}

// numberColumns returns the columns of a table that have only numbers, each with a unit or
// without, but for the first column.
func (p page) numberColumns(rows []string, columns int) (list []int) {
	patterns := p.draft.patterns()
	for k := 1; k < columns; k++ {
		if !slices.ContainsFunc(rows, func(row string) bool { return !patterns.isAmount(row, k) }) {
			list = append(list, k)
		}
	}
	return list
}

// tested tells which sentences of the plan were calculated again.
func (p page) tested() string {
	t := shape.Table{Head: []string{"The plan says", "Calculated again", "Holds"}}
	for _, tested := range p.out.Records("tested") {
		holds := "yes"
		if !tested.Flag("holds") {
			holds = "no, put right"
		}
		t.Rows = append(t.Rows, []string{p.cell(tested.Text("claim")), p.cell(tested.Text("by")), holds})
	}
	return t.String()
}

// changes are the words that the second answer puts right.
func (p page) changes() string {
	t := shape.Table{Head: []string{"Section", "Words", "Instead", "Why"}}
	for _, c := range p.out.Records("changes") {
		s, _ := p.draft.Step(c.Text("step"))
		t.Rows = append(t.Rows, []string{s.Name, shape.EscapeMarkdown(c.Text("excerpt")), shape.EscapeMarkdown(c.Text("replacement")), shape.EscapeMarkdown(c.Text("why"))})
	}
	if len(t.Rows) == 0 {
		return ""
	}
	return t.String()
}

// added are numbers of the trade that the writer of the plan brought.
func (p page) added() string {
	t := shape.Table{Head: []string{"What", "Number", "Rests on"}}
	for _, n := range p.out.Records("new") {
		t.Rows = append(t.Rows, []string{p.cell(n.Text("what")), p.cell(n.Text("value")), p.cell(n.Text("rests_on"))})
	}
	if len(t.Rows) == 0 {
		return ""
	}
	return t.String()
}

// Chapter is a chapter of the plan as its readers get it.
type Chapter struct{ Title, Markdown string }

// Chapters returns the chapters of the plan; none before the plan is written.
func (d Draft) Chapters() (list []Chapter) {
	p := page{draft: d, out: d.Repaired("summary"), write: d.Writer()}
	for i := range p.out.Records("chapters") {
		title, text := p.chapter(i)
		list = append(list, Chapter{title, Days(text)})
	}
	return list
}

// table returns a table that a chapter of the plan shows.
func (d Draft) table(name string) string {
	if number, ok := strings.CutPrefix(name, "calculation_"); ok {
		n, _ := strconv.Atoi(number) // the shape knows no other
		p := page{draft: d, out: d.Repaired("facts"), write: d.Writer()}
		if tables := p.out.Records("calculations"); 0 < n && n <= len(tables) {
			return Days(p.calculation(tables[n-1]))
		}
		return ""
	}
	switch name {
	case "effects":
		return d.Part("facts", "sensitivity")
	case "gates":
		return d.Part("project", "plain gates")
	}
	return d.Part("project", name)
}

// byDay returns records in the order of the days by which they are due. Records without a
// day come last.
func (p page) byDay(records []shape.Object) []shape.Object {
	day := func(r shape.Object) string {
		if date, ok := p.draft.date(r.Text("by")); ok {
			return date.String()
		}
		return "9999"
	}
	return slices.SortedStableFunc(slices.Values(records), func(a, b shape.Object) int { return strings.Compare(day(a), day(b)) })
}

// wbs is the work by phase, with the days that the schedule gave it.
func (p page) wbs() string {
	return p.byPhase([]string{"Id", "Work", "Who", "When", "Days (least–most)", "After", "Hours", "Cost", "Done when"}, []int{6, 7}, func(task shape.Object, columns []string) []string {
		return append(slices.Insert(columns, 4, days(task)), amountOf(task, "hours"), amountOf(task, "cost"), p.cell(task.Text("deliverable")))
	})
}

// work is the work by phase, in a line each: who does what, when, and after what.
func (p page) work() string {
	return p.byPhase([]string{"Id", "Work", "Who", "When", "After"}, nil, func(_ shape.Object, columns []string) []string { return columns })
}

// byPhase returns a table of tasks for each phase. Each table has the id of a task, its name,
// who does it, when, and after what. row adds the other columns.
func (p page) byPhase(head []string, numbers []int, row func(task shape.Object, columns []string) []string) string {
	var out strings.Builder
	placed := p.draft.Output("schedule").Records("leaves")
	for i, phase := range p.out.Records("phases") {
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "#### %s %s\n\n", phase.Text("id"), p.cell(phase.Text("name")))
		t := shape.Table{Head: head, Numbers: numbers}
		for _, task := range phase.Records("tasks") {
			name := p.cell(task.Text("name"))
			if task.Text("makes") != "" {
				name = "**" + name + "**"
			}
			t.Rows = append(t.Rows, row(task, []string{task.Text("id"), name, p.cell(task.Text("owner")), period(runs(placed, task.Text("id"))), p.after(task)}))
		}
		out.WriteString(t.String() + "\n")
	}
	return out.String()
}

// amountOf is a number of a task; empty if it has none.
func amountOf(task shape.Object, field string) string {
	if n := task.Number(field); n > 0 {
		return shape.Grouped(n)
	}
	return ""
}

// after is what a task waits for.
func (p page) after(task shape.Object) string {
	parts := slices.Clone(task.Texts("after"))
	if bound := task.Text("not_before"); bound != "" {
		parts = append(parts, "not before "+p.cell(bound))
	}
	return strings.Join(parts, ", ")
}

func (p page) tasks() string {
	var out strings.Builder
	d := p.draft
	placed := d.Output("schedule").Records("leaves")
	for _, phase := range d.Output("wbs").Records("phases") {
		t := shape.Table{Head: []string{"Id", "Piece", "Role", "When", "Days (least–most)", "After"}}
		for _, task := range phase.Records("tasks") {
			divided, _ := byID(p.out.Records("tasks"), task.Text("id"))
			for _, s := range divided.Records("subtasks") {
				role, _ := byID(d.Output("team").Records("roles"), s.Text("role"))
				first, last := runs(placed, s.Text("id"))
				t.Rows = append(t.Rows, []string{s.Text("id"), p.cell(s.Text("name")), p.cell(role.Text("role")), period(first, last), days(s), strings.Join(s.Texts("after"), ", ")})
			}
		}
		if len(t.Rows) > 0 {
			fmt.Fprintf(&out, "#### %s %s\n\n%s\n\n", phase.Text("id"), p.cell(phase.Text("name")), t)
		}
	}
	return out.String()
}

// days words how long a task takes.
func days(task shape.Object) string {
	text := fmt.Sprintf("%d (%d–%d)", task.Int("likely"), task.Int("min"), task.Int("max"))
	if task.Flag("wait") {
		text += ", waiting"
	}
	return text
}

// period words the days from the first to the last; empty if there is none.
func period(first, last string) string {
	if first == last {
		return first
	}
	if year := first[:min(len(first), len("2027"))]; strings.HasPrefix(last, year+"-") {
		first = strings.TrimSuffix(Days(first), " "+year)
	}
	return first + " to " + last
}

// runs returns the first and the last day of a task; empty while it has none.
func runs(leaves []shape.Object, task string) (first, last string) {
	for _, l := range leaves {
		if l.Text("id") != task && !strings.HasPrefix(l.Text("id"), task+".") {
			continue
		}
		if first == "" || l.Text("start") < first {
			first = l.Text("start")
		}
		last = max(last, l.Text("end"))
	}
	return first, last
}
