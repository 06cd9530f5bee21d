package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"planb/drafts"
	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// maxTight is how many of the days that must be kept the report lists, beside all late ones.
const maxTight = 12

func scheduleText(d drafts.Draft) string {
	o := d.Output("schedule")
	ends := o.Record("ends")
	var out strings.Builder
	fmt.Fprintf(&out, "The work has %d tasks. The last ends on **%s** if all take their likely days, on %s with the least and on %s with the most.%s\n\n",
		len(o.Records("leaves")), ends.Text("likely"), ends.Text("min"), ends.Text("max"), hoursText(d))
	if deadlines := o.Records("deadlines"); len(deadlines) > 0 {
		t := shape.Table{Head: []string{"What", "Due", "Done at the likely days", "Days to spare", "Late at the most"}, Numbers: []int{3, 4}}
		spare := slices.IndexFunc(deadlines, func(l shape.Object) bool { return l.Number("slack") >= 0 }) // the tightest come first
		if spare < 0 {
			spare = len(deadlines)
		}
		tightest := deadlines[:min(len(deadlines), max(maxTight, spare))]
		for _, l := range tightest {
			late := ""
			if days := l.Int("late_at_max"); days > 0 {
				late = shape.Counted(days, "day")
			}
			t.Rows = append(t.Rows, []string{shape.EscapeMarkdown(l.Text("name")), l.Text("due"), l.Text("last"), shape.FormatNumber(l.Number("slack")), late})
		}
		out.WriteString(t.String() + "\n\n")
		if rest := len(deadlines) - len(tightest); rest > 0 {
			fmt.Fprintf(&out, "Other days, with %s to spare or more: %d.\n\n", shape.Counted(deadlines[len(tightest)].Int("slack"), "day"), rest)
		}
	}
	out.WriteString(pathText(d))
	for _, notice := range o.Texts("notices") {
		out.WriteString("\n- " + shape.EscapeMarkdown(notice) + "\n")
	}
	return out.String()
}

// pathText tells what the end and the tightest day wait for.
func pathText(d drafts.Draft) string {
	o := d.Output("schedule")
	leaves := map[string]shape.Object{}
	var last string
	for _, l := range o.Records("leaves") {
		leaves[l.Text("id")] = l
		if last == "" || l.Text("end") > leaves[last].Text("end") {
			last = l.Text("id")
		}
	}
	name := func(id string) string {
		return shape.EscapeMarkdown(strings.TrimSpace(id + " " + leaves[id].Text("name")))
	}
	if d.Flags.PhaseOrder { // leaves wait for whole phases then, and do not name them
		var path []string
		for _, id := range o.Texts("critical") {
			path = append(path, name(id))
		}
		return "**Critical path:** " + strings.Join(path, " → ") + "\n"
	}
	chain := func(id string) string {
		path := name(id)
		for range leaves {
			before, spare := drivenBy(leaves[id], leaves)
			switch {
			case before == "":
				return path
			case spare > 0:
				path = fmt.Sprintf("%s → (%s to spare) → %s", name(before), shape.Counted(spare, "day"), path)
			default:
				path = name(before) + " → " + path
			}
			id = before
		}
		return path
	}
	text := "**What the end waits for:** " + chain(last) + "\n"
	var tightest shape.Object
	var maker string
	var least float64
	for _, l := range o.Records("deadlines") {
		makers := makersOf(d, l.Text("id"), leaves)
		spare, waits := spareBefore(d, l, leaves[makers], leaves)
		if makers != "" && waits && (maker == "" || spare < least) {
			tightest, maker, least = l, makers, spare
		}
	}
	if maker != "" {
		text += fmt.Sprintf("\n**What the tightest day, “%s”, waits for:** %s\n", shape.EscapeMarkdown(tightest.Text("name")), chain(maker))
	}
	return text
}

// spareBefore returns how many days longer the work before a deadline may take; maker is the
// leaf that ends it. A meeting has a fixed day, so its own slack says nothing: what counts is
// the slack of the work that it waits for. waits is false if it waits for none.
func spareBefore(d drafts.Draft, deadline, maker shape.Object, leaves map[string]shape.Object) (days float64, waits bool) {
	slack := deadline.Number("slack")
	if meeting := slack == 0 && maker.Int("days") == 1 && hasItsDay(d, maker.Text("id")); !meeting {
		return slack, true
	}
	before, spare := drivenBy(maker, leaves)
	return float64(max(0, spare)), before != ""
}

// hasItsDay reports whether the task that a leaf belongs to cannot begin before a given day.
func hasItsDay(d drafts.Draft, leaf string) bool {
	for _, phase := range d.Output("wbs").Records("phases") {
		for _, task := range phase.Records("tasks") {
			if id := task.Text("id"); leaf == id || strings.HasPrefix(leaf, id+".") {
				return task.Text("not_before") != ""
			}
		}
	}
	return false
}

// drivenBy returns the last to end of the leaves that a leaf waits for, and how many days
// lie between the two.
func drivenBy(leaf shape.Object, leaves map[string]shape.Object) (id string, spare int) {
	latest := ""
	for _, text := range leaf.Texts("after") {
		link, _ := schedule.ParseLink(text)
		for other, l := range leaves {
			end, err := schedule.ParseDate(l.Text("end"))
			if err != nil || other != link.ID && !strings.HasPrefix(other, link.ID+".") {
				continue
			}
			if day := end.AddDays(link.Lag).String(); day > latest || day == latest && other < id {
				latest, id = day, other
			}
		}
	}
	start, err1 := schedule.ParseDate(leaf.Text("start"))
	end, err2 := schedule.ParseDate(latest)
	if err1 != nil || err2 != nil {
		return id, 0
	}
	return id, end.DaysUntil(start) - 1
}

// makersOf returns the last leaf of a task, or of the tasks that make a milestone.
func makersOf(d drafts.Draft, id string, leaves map[string]shape.Object) (last string) {
	for _, phase := range d.Output("wbs").Records("phases") {
		for _, task := range phase.Records("tasks") {
			if task.Text("makes") != id && task.Text("id") != id {
				continue
			}
			for other, l := range leaves {
				if other != task.Text("id") && !strings.HasPrefix(other, task.Text("id")+".") {
					continue
				}
				if last == "" || l.Text("end") > leaves[last].Text("end") || l.Text("end") == leaves[last].Text("end") && other < last {
					last = other
				}
			}
		}
	}
	return last
}

// hoursText says what the work takes of the people whose hours are limited.
func hoursText(d drafts.Draft) string {
	loads := d.Workloads()
	if len(loads) == 0 {
		return ""
	}
	all := loads[0]
	text := fmt.Sprintf(" The work takes %s hours of the people whose hours are limited; the fullest month begins %s with %.0f of %.0f hours, most of them for %s.",
		shape.Grouped(math.Round(all.Hours)), all.Fullest.From, all.Fullest.Hours, all.Fullest.Limit, shape.EscapeMarkdown(all.Fullest.Mostly))
	if all.Over > 0 {
		text += fmt.Sprintf(" **Months in which it takes more hours than there are: %d.**", all.Over)
	}
	t := shape.Table{Head: []string{"Who", "Hours", "Fullest month begins", "Hours in it", "Hours that there are", "Months with too many"}, Numbers: []int{1, 3, 4, 5}}
	for _, one := range loads[1:] {
		over := ""
		if one.Over > 0 {
			over = fmt.Sprint(one.Over)
		}
		t.Rows = append(t.Rows, []string{shape.EscapeMarkdown(one.Who), shape.Grouped(math.Round(one.Hours)), one.Fullest.From.String(),
			fmt.Sprintf("%.0f", one.Fullest.Hours), fmt.Sprintf("%.0f", one.Fullest.Limit), over})
	}
	if len(t.Rows) > 0 {
		text += "\n\n" + strings.TrimSpace(t.String())
	}
	return text
}
