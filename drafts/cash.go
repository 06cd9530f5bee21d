package drafts

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// Does a project's money come in before it has to be paid? Code adds up, month by month, the
// lines of the budget and the sources that pay them.

// payment is a line with its day.
type payment struct {
	line   string
	amount float64
	day    schedule.Date
}

// cash is what a month of the calendar moves.
type cash struct {
	month   schedule.Date // its first day
	out, in []payment
	left    float64 // at its end
}

// cash adds up a project's money. A line with a first day is paid in equal parts, one a
// month; a source that is paid back goes out again on that day. Months without payments are
// left out, and so are the reserve and sources that are missing. It is empty if a line has
// no day.
func (d Draft) cash(project shape.Object) (list []cash) {
	months := map[string]cash{}
	change := func(day schedule.Date, add func(*cash)) {
		key := day.String()[:len("2027-05")]
		c := months[key]
		c.month, _ = schedule.ParseDate(key + "-01")
		add(&c)
		months[key] = c
	}
	for _, line := range project.Records("budget") {
		if line.Flag("reserve") {
			continue
		}
		parts, ok := d.parts(line, "line")
		if !ok {
			return nil
		}
		for _, part := range parts {
			change(part.day, func(c *cash) { c.out = append(c.out, part) })
		}
	}
	for _, source := range project.Records("sources") {
		if source.Text("mark") == "missing" {
			continue
		}
		parts, ok := d.parts(source, "from")
		if !ok {
			return nil
		}
		for _, part := range parts {
			change(part.day, func(c *cash) { c.in = append(c.in, part) })
		}
		if back, lent := d.date(source.Text("back")); lent {
			change(back, func(c *cash) {
				c.out = append(c.out, payment{source.Text("from") + ", paid back", source.Number("amount"), back})
			})
		}
	}
	left := 0.0
	for _, key := range slices.Sorted(maps.Keys(months)) {
		c := months[key]
		left += sum(c.in) - sum(c.out)
		c.left = left
		list = append(list, c)
	}
	return list
}

// parts are the payments of a line of the budget or of a source, which the field name names:
// one by its day, or one a month from its first day on.
func (d Draft) parts(line shape.Object, name string) (list []payment, ok bool) {
	by, ok := d.date(line.Text("by"))
	if !ok {
		return nil, false
	}
	days := []schedule.Date{by}
	if first, monthly := d.date(line.Text("first")); monthly && first.DaysUntil(by) > 0 {
		days = nil
		for n := 0; first.AddMonths(n).DaysUntil(by) >= 0; n++ {
			days = append(days, first.AddMonths(n))
		}
	}
	for _, day := range days {
		list = append(list, payment{line.Text(name), line.Number("amount") / float64(len(days)), day})
	}
	return list, true
}

func sum(payments []payment) (all float64) {
	for _, p := range payments {
		all += p.amount
	}
	return all
}

// short reports whether more has gone out than has come in.
func (c cash) short() bool { return c.left <= -1 }

// shortage says in the words of the plan's own lines when its money does not suffice, and by
// how much at most; empty if it always does.
func (d Draft) shortage(project shape.Object) (text string, most float64) {
	list := d.cash(project)
	first := slices.IndexFunc(list, func(c cash) bool { return c.short() && len(c.out) > 0 })
	if first < 0 {
		return "", 0
	}
	worst := slices.MinFunc(list, func(a, b cash) int { return cmp.Compare(a.left, b.left) })
	due := slices.MaxFunc(list[first].out, func(a, b payment) int { return cmp.Compare(a.amount, b.amount) })
	_, month, _ := strings.Cut(worst.month.Words(), " ")
	return strings.Join(strings.Fields(fmt.Sprintf("When “%s” is due by %s, more is due than has come in; the most is missing in %s: %s %s.",
		due.line, due.day, month, shape.Grouped(round(-worst.left)), d.Output("brief").Text("currency"))), " "), -worst.left
}

// Shortage says when the money of the project does not suffice; empty if it always does.
// planb tells it and refuses no plan for it, because a plan may say how it bridges that time.
func (d Draft) Shortage() string {
	text, _ := d.shortage(d.Repaired("project"))
	return text
}

// cash writes the money of the project month by month.
func (p page) cash() string {
	list := p.draft.cash(p.out)
	short, _ := p.draft.shortage(p.out)
	if len(list) < 2 && short == "" {
		return ""
	}
	t := shape.Table{Head: []string{"Month", "Goes out, " + p.currency(), "For", "Comes in", "From", "Left at its end"}, Numbers: []int{1, 3, 5}}
	moved := func(payments []payment) (amount, lines string) {
		if len(payments) == 0 {
			return "", ""
		}
		var names []string
		for _, one := range payments {
			names = append(names, p.cell(one.line))
		}
		return shape.Grouped(round(sum(payments))), strings.Join(names, "; ")
	}
	for _, c := range list {
		_, month, _ := strings.Cut(c.month.Words(), " ")
		out, lines := moved(c.out)
		in, from := moved(c.in)
		left := shape.Grouped(round(c.left))
		if c.short() {
			left = "**" + left + "**"
		}
		t.Rows = append(t.Rows, []string{month, out, lines, in, from, left})
	}
	text := "Each line counts in the month by which it is due. The reserve is not spent here, and what nobody pays does not come in.\n\n" + t.String() + "\n"
	if short != "" {
		text += "\n**" + p.cell(short) + "**\n"
	}
	return text
}
