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

// cash adds up a project's money. It leaves out months without payments, the reserve, and
// sources that are missing. It is empty if a line has no day.
func (d Draft) cash(project shape.Object) (list []cash) {
	months := map[string]cash{}
	read := func(lines, name string, add func(*cash, payment)) bool {
		for _, line := range project.Records(lines) {
			if line.Flag("reserve") || line.Text("mark") == "missing" {
				continue
			}
			day, ok := d.date(line.Text("by"))
			if !ok {
				return false
			}
			key := day.String()[:len("2027-05")]
			c := months[key]
			c.month, _ = schedule.ParseDate(key + "-01")
			add(&c, payment{line.Text(name), line.Number("amount"), day})
			months[key] = c
		}
		return true
	}
	if !read("budget", "line", func(c *cash, p payment) { c.out = append(c.out, p) }) || !read("sources", "from", func(c *cash, p payment) { c.in = append(c.in, p) }) {
		return nil
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
		due.line, due.day, month, shape.Grouped(-worst.left), d.Output("brief").Text("currency"))), " "), -worst.left
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
		return shape.Grouped(sum(payments)), strings.Join(names, "; ")
	}
	for _, c := range list {
		_, month, _ := strings.Cut(c.month.Words(), " ")
		out, lines := moved(c.out)
		in, from := moved(c.in)
		left := shape.Grouped(c.left)
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
