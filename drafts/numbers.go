package drafts

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// This file calculates with the numbers of a plan: how the results change when one
// number does, and how many hours each month takes.

// effect is what becomes of a result if one number differs.
type effect struct {
	Driver, Watch string // keys of facts
	From, To      float64
	Before, After float64
	Unit          string // of the driver
	Result        string // the unit of the result
}

// sensitivity calculates the effects that the numbers ask for, through their formulas.
func (d Draft) sensitivity() (list []effect) {
	o := d.Output("facts")
	numbers, formulas := formulasOf(o)
	units := map[string]string{}
	for _, f := range o.Records("facts") {
		units[f.Text("key")] = f.Text("unit")
	}
	for _, vary := range o.Records("sensitivity") {
		e := effect{Driver: vary.Text("driver"), Watch: vary.Text("watch"), To: vary.Number("to")}
		e.From, e.Before, e.Unit, e.Result = numbers[e.Driver], numbers[e.Watch], units[e.Driver], units[e.Watch]
		e.After = varied(numbers, formulas, e.Driver, e.To)[e.Watch]
		list = append(list, e)
	}
	return list
}

// formulasOf returns the numbers and the formulas of the facts by their keys.
func formulasOf(o shape.Object) (numbers map[string]float64, formulas map[string]string) {
	numbers, formulas = map[string]float64{}, map[string]string{}
	for _, f := range o.Records("facts") {
		n, ok := f["number"].(float64)
		if !ok {
			continue
		}
		numbers[f.Text("key")] = n
		if formula := f.Text("formula"); formula != "" {
			formulas[f.Text("key")] = formula
		}
	}
	return numbers, formulas
}

// varied gives one number another value, and returns all numbers. Numbers that do not
// depend on it keep their given values, because those are rounded.
func varied(numbers map[string]float64, formulas map[string]string, driver string, to float64) map[string]float64 {
	before, after := maps.Clone(numbers), maps.Clone(numbers)
	after[driver] = to
	keys := slices.Sorted(maps.Keys(formulas))
	for range keys { // a formula depends at most on all the others
		again := false
		for _, key := range keys {
			if n, err := evaluate(formulas[key], before); err == nil && n != before[key] {
				before[key], again = n, true
			}
			if n, err := evaluate(formulas[key], after); err == nil && key != driver && n != after[key] {
				after[key], again = n, true
			}
		}
		if !again {
			break
		}
	}
	for _, key := range keys {
		if key != driver && near(before[key], after[key]) {
			after[key] = numbers[key]
		}
	}
	return after
}

// Load is how many hours of work one month has for the people whose hours are limited.
type Load struct {
	Who    string // the person whose hours they are; empty: all together
	Month  int    // N: from Month N to Month N + 1
	From   schedule.Date
	Hours  float64
	Limit  float64 // how many hours they have
	Mostly string  // the task that takes the most of Hours
}

// over reports whether a month takes more hours than there are. A tenth more is not told
// apart: the days of tasks are estimates, and people move an evening into the next month.
func (l Load) over() bool { return l.Hours > l.Limit*1.1 }

// loads adds up the hours of the work breakdown month by month, at the days of the
// schedule: of all together, then of each person for whom the facts name hours. It is empty
// if the facts name no hours_week, or no task takes any.
func (d Draft) loads() []Load {
	when := spans{}
	for _, l := range d.Output("schedule").Records("leaves") {
		first, err1 := schedule.ParseDate(l.Text("start"))
		last, err2 := schedule.ParseDate(l.Text("end"))
		if err1 == nil && err2 == nil {
			when.add(taskID(l.Text("id")), first, last)
		}
	}
	return d.load(d.Output("wbs"), when)
}

// span is the time of a task, from the first day of its leaves to the last.
type span struct{ first, last schedule.Date }

// spans are the times of tasks by their ids.
type spans map[string]span

func (s spans) add(task string, first, last schedule.Date) {
	known, found := s[task]
	if !found || known.first.DaysUntil(first) < 0 {
		known.first = first
	}
	if !found || known.last.DaysUntil(last) > 0 {
		known.last = last
	}
	s[task] = known
}

// taskID is the id of the task that a leaf is a part of: 2.3 of 2.3.1.
func taskID(leaf string) string {
	parts := strings.SplitN(leaf, ".", 3)
	return strings.Join(parts[:min(len(parts), 2)], ".")
}

// hoursWeek is the key of a fact: how many hours a week all people have together. With
// a name behind it, the fact says how many that person has.
const hoursWeek = "hours_week"

// weekly returns the available hours a week by person; under the empty name those of all
// people together.
func (d Draft) weekly() map[string]float64 {
	hours := map[string]float64{}
	for _, f := range d.Output("facts").Records("facts") {
		who, found := strings.CutPrefix(f.Text("key"), hoursWeek)
		if limit := f.Number("number"); found && limit > 0 && (who == "" || who[0] == '_') {
			hours[strings.ReplaceAll(strings.TrimPrefix(who, "_"), "_", " ")] = limit
		}
	}
	return hours
}

func (d Draft) load(wbs shape.Object, when spans) (list []Load) {
	hours := d.weekly()
	if hours[""] <= 0 {
		return nil
	}
	people := slices.Sorted(maps.Keys(hours))[1:] // the empty name is the first
	share := func(who string) func(shape.Object) float64 {
		return func(task shape.Object) float64 {
			return task.Number("hours") * shareOf(task.Text("owner"), who, people)
		}
	}
	list = d.loadOf("", hours[""], func(task shape.Object) float64 { return task.Number("hours") }, wbs, when)
	for _, who := range people {
		list = append(list, d.loadOf(who, hours[who], share(who), wbs, when)...)
	}
	return list
}

// shareOf is the part of a task's hours that a person works: those whom its owner names
// divide them equally.
func shareOf(owner, who string, people []string) float64 {
	owners := 0
	for _, one := range people {
		if containsWord(owner, one) {
			owners++
		}
	}
	if owners == 0 || !containsWord(owner, who) {
		return 0
	}
	return 1 / float64(owners)
}

// loadOf adds up the hours that a person, or all, work in each month.
func (d Draft) loadOf(who string, limit float64, hoursOf func(task shape.Object) float64, wbs shape.Object, when spans) (list []Load) {
	const week = 7
	offset := func(day schedule.Date) int { return d.Start.DaysUntil(day) }
	most := map[int]float64{}
	for _, phase := range wbs.Records("phases") {
		for _, task := range phase.Records("tasks") {
			at, placed := when[task.Text("id")]
			hours := hoursOf(task)
			if !placed || hours <= 0 {
				continue
			}
			perDay := hours / float64(at.first.DaysUntil(at.last)+1)
			for n := max(0, d.month(at.first.AddDays(1))-1); d.Start.AddMonths(n).DaysUntil(at.last) >= 0; n++ {
				for len(list) <= n {
					from := d.Start.AddMonths(len(list))
					days := from.DaysUntil(d.Start.AddMonths(len(list) + 1))
					list = append(list, Load{Who: who, Month: len(list), From: from, Limit: limit * float64(days) / week})
				}
				from, until := max(offset(at.first), offset(d.Start.AddMonths(n))), min(offset(at.last)+1, offset(d.Start.AddMonths(n+1)))
				hours := perDay * float64(until-from)
				list[n].Hours += hours
				if hours > most[n] {
					most[n], list[n].Mostly = hours, task.Text("id")+" "+task.Text("name")
				}
			}
		}
	}
	return list
}

// Workload is how many hours of work the plan has for somebody whose hours are limited.
type Workload struct {
	Who     string  // empty: all together
	Hours   float64 // in all months
	Months  int     // how many months have work
	Over    int     // how many of Months have more work than hours
	Fullest Load
}

// Workloads returns the workload of all people together, and then that of each person.
func (d Draft) Workloads() (list []Workload) {
	for _, l := range d.loads() {
		if len(list) == 0 || list[len(list)-1].Who != l.Who {
			list = append(list, Workload{Who: l.Who, Fullest: l})
		}
		w := &list[len(list)-1]
		w.Hours += l.Hours
		w.Months++
		if l.over() {
			w.Over++
		}
		if l.Hours*w.Fullest.Limit > w.Fullest.Hours*l.Limit {
			w.Fullest = l
		}
	}
	return list
}

// loadLines are what a model reads of the hours.
func (d Draft) loadLines() (lines []string) {
	for _, w := range d.Workloads() {
		who := "hours, added up"
		if w.Who != "" {
			who = "hours of " + w.Who
		}
		lines = append(lines, fmt.Sprintf("%s: %.0f in all; the busiest month begins %s with %.0f of %.0f hours, mostly %s",
			who, w.Hours, w.Fullest.From, w.Fullest.Hours, w.Fullest.Limit, w.Fullest.Mostly))
	}
	return lines
}

// overworked reports the months that take more hours than there are.
func (c *checker) overworked(s schedule.Schedule, wbs shape.Object) {
	when := spans{}
	for _, l := range s.Leaves {
		first, last := s.Days(l)
		when.add(taskID(l.ID), first, last)
	}
	for _, l := range c.draft.load(wbs, when) {
		if l.over() {
			whose := ""
			if l.Who != "" {
				whose = " of " + l.Who
			}
			c.add(c.step.Shape[0].Name, fmt.Sprintf("%.0f hours%s in the month from %s, most of them for %s", l.Hours, whose, l.From, l.Mostly),
				fmt.Sprintf("at most %.0f; fewer hours, paid help, or another month", l.Limit), "")
		}
	}
}
