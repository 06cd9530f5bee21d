package drafts

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"planb/drafts/schedule"
	"planb/drafts/shape"
)

// date returns the day that a When means: a day, "Month 3", a day of the brief, or
// the day of a milestone.
func (d Draft) date(when string) (schedule.Date, bool) {
	const most = 12 // milestones that name a milestone
	for range most {
		if date, err := schedule.ParseDate(when); err == nil {
			return date, true
		}
		if month, ok := strings.CutPrefix(when, "Month "); ok {
			n, err := strconv.Atoi(month)
			return d.Start.AddMonths(n), err == nil
		}
		if named, ok := byID(d.Output("brief").Records("days"), when); ok {
			date, err := schedule.ParseDate(named.Text("day"))
			return date, err == nil
		}
		milestone, ok := byID(d.Output("project").Records("milestones"), when)
		if !ok {
			return schedule.Date{}, false
		}
		when = milestone.Text("by")
	}
	return schedule.Date{}, false
}

// plan turns the work breakdown into what the schedule places. paths leads from
// the ids of phases and tasks to their places in the output.
func (d Draft) plan(wbs shape.Object) (p schedule.Plan, paths map[string]string) {
	p = schedule.Plan{Start: d.Start, Flags: d.Flags}
	paths = map[string]string{}
	for _, m := range d.Output("project").Records("milestones") {
		due, _ := d.date(m.Text("by")) // without a day it has no deadline
		p.Milestones = append(p.Milestones, schedule.Milestone{ID: m.Text("id"), Name: m.Text("name"), Due: due})
	}
	divided := d.Output("tasks").Records("tasks")
	for i, phase := range wbs.Records("phases") {
		out := schedule.Phase{ID: phase.Text("id"), Name: phase.Text("name")}
		paths[out.ID] = fmt.Sprintf("phases[%d]", i)
		for k, task := range phase.Records("tasks") {
			t := schedule.Task{
				ID: task.Text("id"), Name: task.Text("name"), After: task.Texts("after"), Makes: task.Text("makes"), Wait: task.Flag("wait"),
				Days: schedule.Days{Min: task.Int("min"), Likely: task.Int("likely"), Max: task.Int("max")},
			}
			t.NotBefore, _ = d.date(task.Text("not_before"))
			t.Due, _ = d.date(task.Text("due"))
			paths[t.ID] = fmt.Sprintf("phases[%d].tasks[%d]", i, k)
			if parts, ok := byID(divided, t.ID); ok {
				t.Subtasks = subtasks(parts)
			}
			out.Tasks = append(out.Tasks, t)
		}
		p.Phases = append(p.Phases, out)
	}
	return p, paths
}

func subtasks(task shape.Object) (list []schedule.Subtask) {
	for _, s := range task.Records("subtasks") {
		list = append(list, schedule.Subtask{
			ID: s.Text("id"), Name: s.Text("name"), After: s.Texts("after"), Wait: s.Flag("wait"),
			Days: schedule.Days{Min: s.Int("min"), Likely: s.Int("likely"), Max: s.Int("max")},
		})
	}
	return list
}

// checkTasks checks step 17: it divides every task, and keeps the deadlines.
func checkTasks(c *checker) {
	known := map[string]bool{}
	phases := c.draft.Output("wbs").Records("phases")
	if c.step.Part > 0 && c.step.Part <= len(phases) {
		phases = phases[c.step.Part-1 : c.step.Part]
	}
	for _, phase := range phases {
		for _, task := range phase.Records("tasks") {
			known[task.Text("id")] = true
		}
	}
	paths := map[string]string{}
	for i, task := range c.out.Records("tasks") {
		id, at := task.Text("id"), fmt.Sprintf("tasks[%d]", i)
		switch {
		case paths[id] != "":
			c.add(at+".id", id+" twice", "each task once", "")
		case !known[id]:
			c.add(at+".id", id, "the id of a task of the phase", "")
		}
		paths[id] = at
		for k, s := range task.Records("subtasks") {
			paths[s.Text("id")] = fmt.Sprintf("%s.subtasks[%d]", at, k)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(known)) {
		if paths[id] == "" {
			c.add("tasks", "nothing for the task "+id, "each task of the phase once", "")
		}
	}
	d := c.draft.With(c.step.ID, c.out)
	for _, part := range c.draft.taskParts() {
		r := c.draft.Records[part.ID]
		if part.ID != c.step.ID && r.Inputs != c.draft.Inputs(part) {
			d = d.With(part.ID, nil) // it was written for other tasks
		}
	}
	p, _ := d.plan(d.Output("wbs"))
	c.schedule(p, paths)
}

// Beside checks an output that Read accepted once more, against the outputs that are there
// when it is stored. It checks only parts of the tasks. Several agents write them at the same
// time, and two of them may close a cycle. The error is shape.Problems.
func (d Draft) Beside(step Step, o shape.Object) error {
	if step.Part == 0 || step.Number != tasksStep().Number {
		return nil
	}
	c := &checker{draft: d, step: step, out: o, reading: reading{tries: MaxLateTries}}
	if checkTasks(c); len(c.found) > 0 {
		return c.found
	}
	return nil
}

// checkWBS checks step 16. It ignores an earlier division of the tasks, because step 17
// divides them again.
func checkWBS(c *checker) {
	cost := 0.0
	for _, phase := range c.out.Records("phases") {
		for _, task := range phase.Records("tasks") {
			cost += task.Number("cost")
		}
	}
	if total, ok := c.draft.fact("total_budget"); ok && cost > total+0.5 {
		c.add("phases", "tasks that cost "+shape.FormatNumber(cost), "at most "+shape.FormatNumber(total)+", the total_budget", "")
	}
	p, paths := c.draft.undivided().plan(c.out)
	if c.schedule(p, paths) && c.reading.strict() {
		c.unplanned()
	}
}

// schedule checks a plan by making the schedule of it. It reports false if there were
// problems before, or if no schedule can be made.
func (c *checker) schedule(p schedule.Plan, paths map[string]string) bool {
	if len(c.found) > 0 { // unknown ids have no days
		return false
	}
	s, err := schedule.Make(p)
	if problems, ok := errors.AsType[schedule.Problems](err); ok {
		for _, problem := range problems {
			c.add(cmp.Or(paths[problem.ID], problem.ID)+"."+problem.Field, problem.Got, problem.Allowed, "")
		}
		return false
	}
	if c.reading.strict() {
		c.late(s, paths)
		wbs := c.draft.Output("wbs")
		if c.step.ID == "wbs" {
			wbs = c.out
		}
		c.overworked(s, wbs)
	}
	return true
}

// unplanned reports milestones that no task or several tasks make, so that the
// calendar cannot check them. It reports them only while the step is written.
func (c *checker) unplanned() {
	if c.reading.again {
		return
	}
	makers := map[string][]string{}
	for _, phase := range c.out.Records("phases") {
		for _, task := range phase.Records("tasks") {
			makers[task.Text("makes")] = append(makers[task.Text("makes")], task.Text("id"))
		}
	}
	for _, m := range c.draft.Output("project").Records("milestones") {
		id := m.Text("id")
		if len(makers[id]) != 1 {
			got := "no task with makes " + id
			if len(makers[id]) > 1 {
				got = id + " made by " + strings.Join(makers[id], " and ")
			}
			c.add("phases", got, fmt.Sprintf("one task that makes %s (%s)", id, m.Text("name")), "")
		}
	}
}

// late reports the deadlines that are missed at the likely days, and an end after
// max_days.
func (c *checker) late(s schedule.Schedule, paths map[string]string) {
	for _, deadline := range s.Deadlines {
		if deadline.Late() {
			c.add(cmp.Or(paths[deadline.ID], c.step.Shape[0].Name), fmt.Sprintf("%s ends %s, due %s%s", deadline.ID, deadline.Last, c.dayID(deadline.ID), deadline.Due),
				shape.Counted(-deadline.Slack, "day")+" earlier: less before it, or beside it", "")
		}
	}
	if most, id, ok := c.draft.maximum("max_days"); ok && float64(s.End.Likely) > most {
		c.add(c.step.Shape[0].Name, fmt.Sprintf("an end after %d days", s.End.Likely), fmt.Sprintf("at most %s (%s)", shape.FormatNumber(most), id), "")
	}
}

// dayID returns the id of the day by which a task is due, with a space.
func (c *checker) dayID(task string) string {
	wbs := c.draft.Output("wbs")
	if c.step.ID == "wbs" {
		wbs = c.out
	}
	for _, phase := range wbs.Records("phases") {
		if t, ok := byID(phase.Records("tasks"), task); ok && t.Text("due") != "" {
			return t.Text("due") + " "
		}
	}
	return ""
}

// Schedule places the tasks of the work breakdown. The error is schedule.Problems.
func (d Draft) Schedule() (schedule.Schedule, error) {
	p, _ := d.plan(d.Output("wbs"))
	return schedule.Make(p)
}

// Write returns the output of a step that the code writes.
func (d Draft) Write(step Step) (shape.Object, error) {
	if step.Author != Code {
		return nil, fmt.Errorf("%s is not written by code", step.ID)
	}
	s, err := d.Schedule()
	if err != nil {
		return nil, err
	}
	day := func(n int) string { return d.Start.AddDays(n - 1).String() }
	month := func(n int) float64 { return float64(d.month(d.Start.AddDays(n - 1))) }
	deadlines, leaves, critical, notices := []any{}, []any{}, []any{}, []any{}
	// The deadlines with the least slack come first, because a digest may end before the
	// others.
	bySlack := func(a, b schedule.Deadline) int { return cmp.Compare(a.Slack, b.Slack) }
	for _, l := range slices.SortedStableFunc(slices.Values(d.once(s.Deadlines)), bySlack) {
		deadlines = append(deadlines, shape.Object{
			"id": l.ID, "name": l.Name, "due": l.Due.String(), "last": l.Last.String(), "slack": float64(l.Slack), "late_at_max": float64(l.LateMax),
		})
	}
	for _, id := range s.Critical() {
		critical = append(critical, id)
	}
	for _, notice := range s.Notices {
		notices = append(notices, notice)
	}
	for _, l := range s.Leaves {
		first, last := s.Days(l)
		after := []any{}
		for _, link := range l.After {
			after = append(after, link)
		}
		leaves = append(leaves, shape.Object{
			"id": l.ID, "name": l.Name, "start": first.String(), "end": last.String(), "days": float64(l.Days), "float": float64(l.Float()),
			"critical": l.Critical(), "wait": l.Wait, "after": after,
		})
	}
	return shape.Object{
		"ends": shape.Object{
			"min": day(s.End.Min), "likely": day(s.End.Likely), "max": day(s.End.Max),
			"min_month": month(s.End.Min), "likely_month": month(s.End.Likely), "max_month": month(s.End.Max),
		},
		"deadlines": deadlines, "critical": critical, "notices": notices, "leaves": leaves,
	}, nil
}

// once leaves out the deadline of a task if the task's milestone has the same one.
func (d Draft) once(deadlines []schedule.Deadline) []schedule.Deadline {
	makes := map[string]string{}
	for _, phase := range d.Output("wbs").Records("phases") {
		for _, task := range phase.Records("tasks") {
			makes[task.Text("id")] = task.Text("makes")
		}
	}
	return slices.DeleteFunc(slices.Clone(deadlines), func(l schedule.Deadline) bool {
		return slices.ContainsFunc(deadlines, func(m schedule.Deadline) bool {
			return m.ID == makes[l.ID] && m.Due == l.Due && m.Last == l.Last
		})
	})
}

// month returns the first month N whose day is not before the date.
func (d Draft) month(date schedule.Date) int {
	n := 0
	for d.Start.AddMonths(n).DaysUntil(date) > 0 {
		n++
	}
	return n
}

// Late returns the deadlines that the accepted schedule misses, a line each.
func (d Draft) Late() (lines []string) {
	for _, l := range d.Output("schedule").Records("deadlines") {
		if l.Number("slack") < 0 {
			lines = append(lines, fmt.Sprintf("%s %s ends %s, %s days after its due date %s.",
				l.Text("id"), l.Text("name"), l.Text("last"), shape.FormatNumber(-l.Number("slack")), l.Text("due")))
		}
	}
	return lines
}
