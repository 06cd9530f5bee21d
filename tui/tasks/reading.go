package tasks

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
	"planb/tui/wording"
)

// Reading is a plan of tasks for a person who has nothing drawn: what the board, the graph
// and the page of a task show, as lines to be read out. All its texts are cleaned.
type Reading struct{ plan *plan }

// Read reads a plan.
func (d Deps) Read(ctx context.Context, id string) (Reading, error) {
	p, err := d.readPlan(ctx, id, nil)
	return Reading{p}, err
}

// Title is the title of the plan.
func (r Reading) Title() string { return r.plan.Title.Line() }

// ID is the id of the plan.
func (r Reading) ID() string { return r.plan.ID }

// Standing says how far the plan is.
func (r Reading) Standing() string {
	done, of := r.plan.done()
	words := r.plan.Status.Standing().Word
	if r.plan.Paused && !r.plan.Status.Final() {
		words = "paused"
	}
	if minutes := r.plan.criticalMinutes(); minutes > 0 {
		return fmt.Sprintf("%s, %d of %d done, %s to go at least", words, done, of, wording.Minutes(minutes))
	}
	return fmt.Sprintf("%s, %d of %d done", words, done, of)
}

// Column is a column of the board.
type Column struct {
	Name  string
	Count int // of its tasks, and of changes to approve
	Tasks []int
}

// Columns are the columns of the board, first the one that needs the person.
func (r Reading) Columns() []Column {
	var list []Column
	for _, c := range previewed() {
		count := len(r.plan.columns[c])
		if c == needsYou {
			count = r.plan.needing()
		}
		list = append(list, Column{c.name(), count, r.plan.columns[c]})
	}
	return list
}

// Changes says which changes of the plan wait for an approval; empty for none.
func (r Reading) Changes() string {
	if len(r.plan.changes) == 0 {
		return ""
	}
	return r.plan.changesToApprove() + ": " + r.plan.changesNamed() + "."
}

// Line is a task in one line, with its number.
func (r Reading) Line(n int) string {
	line := fmt.Sprintf("%d. %s", n, r.plan.title(n))
	if hint := r.plan.hint(n, math.MaxInt); hint != "" {
		line += ", " + strings.ReplaceAll(hint, " · ", ", ")
	}
	return line
}

// Find returns the number of the task that a person names by its number or its nodeKey.
func (r Reading) Find(name string) (n int, ok bool) {
	if n, err := strconv.Atoi(name); err == nil {
		return n, n > 0 && n <= r.plan.Graph.Len() && !r.plan.Graph.Dropped(n)
	}
	n, ok = r.plan.Graph.Find(name)
	return n, ok && !r.plan.Graph.Dropped(n)
}

// Name is the title of a task.
func (r Reading) Name(n int) string { return wording.Quote(r.plan.title(n)) }

// TaskID is the id of a task.
func (r Reading) TaskID(n int) string { return r.plan.TaskID(n) }

// Proposed reports whether the whole plan waits for an approval.
func (r Reading) Proposed() bool { return r.plan.Status == rules.PlanProposed }

// Reported reports whether a task has a report that waits for the person.
func (r Reading) Reported(n int) bool {
	return r.plan.view.State(n) == rules.NeedsReview && !r.plan.unanswered(n)
}

// Asks says why the agent of a task cannot go on, if it has reported nothing and the task waits
// for the person's answer; empty for any other task.
func (r Reading) Asks(n int) string {
	if !r.plan.unanswered(n) {
		return ""
	}
	return r.plan.said(n) + ". " + notReported
}

// Why says why agents cannot have a task.
func (r Reading) Why(n int) string { return r.plan.why(n) + "." }

// IfDone says what becomes ready once a task is done.
func (r Reading) IfDone(n int) string { return r.plan.makesReady([]int{n}) }

// IfCancelled says what follows if a task is cancelled.
func (r Reading) IfCancelled(n int) string { return r.plan.ifCancelled([]int{n}) }

// CriticalPath is the longest chain of open tasks; empty if no task is open.
func (r Reading) CriticalPath() []int { return r.plan.critical }

// About tells of a task what its page shows.
func (r Reading) About(n int, past kept.Past) []string {
	p, task := r.plan, r.plan.texts[n-1]
	lines := []string{
		fmt.Sprintf("Task %d, %s: %s.", n, p.key(n), p.title(n)),
		fmt.Sprintf("%s P%d, estimated at %s.", r.Why(n), p.Marks.Priority(n), wording.Minutes(p.Graph.Minutes(n))),
	}
	if !task.Description.Blank() {
		lines = append(lines, task.Description.Block())
	}
	list := func(name string, numbers []int) {
		if len(numbers) > 0 {
			lines = append(lines, name+": "+p.listed(numbers)+".")
		}
	}
	list("It waits for", p.before(n))
	list("Waiting for it", p.after(n))
	texts := func(name string, texts []safe.Text) {
		for _, text := range texts {
			lines = append(lines, name+": "+text.Line())
		}
	}
	texts("File", task.Execution.Files)
	texts("To read", task.Execution.Inputs)
	texts("It must hold", task.Execution.Constraints)
	texts("It is done when this command ends with 0", task.Verification.Commands)
	texts("It is done when", task.Verification.Criteria)
	for i, a := range past.Attempts {
		lines = append(lines, fmt.Sprintf("Attempt %d by %s: %s.", past.Count-len(past.Attempts)+i+1, safe.New(a.Worker).Line(), ended(a)))
		for _, note := range a.Notes {
			lines = append(lines, "It said: "+note.Text.Block())
		}
		if a.Report != nil {
			lines = append(lines, reportLines(*a.Report, task.Verification.Criteria)...)
		}
		if !a.Comment.Blank() {
			lines = append(lines, "You said: "+a.Comment.Block())
		}
	}
	return lines
}

// reportLines tell a report, as the agent's words.
func reportLines(report rules.Report, criteria []safe.Text) []string {
	lines := []string{"It reported, and planb verified none of it: " + report.Summary.Block()}
	for _, proof := range report.Evidence {
		switch {
		case !proof.Command.Blank() && proof.ExitCode != nil:
			lines = append(lines, fmt.Sprintf("Command %s, exit %d.", proof.Command.Line(), *proof.ExitCode))
		case !proof.Command.Blank():
			lines = append(lines, "Command "+proof.Command.Line()+", no exit code.")
		case proof.Criterion != "":
			lines = append(lines, "For "+criterionOf(proof.Criterion, criteria).Line()+": "+proof.Text.Line())
		}
	}
	return lines
}

// Listed is a plan of the list of all plans.
type Listed struct{ ID, Line string }

// Plans lists all plans, those that wait for the person first.
func (d Deps) Plans(ctx context.Context) ([]Listed, error) {
	plans, err := d.readPlans(ctx)
	list := make([]Listed, 0, len(plans))
	for _, p := range plans {
		line := fmt.Sprintf("%s, %s, %d of %d done", p.Title.Line(), p.Status.Standing().Word, p.done, p.of)
		if p.err != nil {
			line = "A plan that cannot be read: " + wording.Sentence(p.err)
		}
		list = append(list, Listed{p.ID, line})
	}
	return list, err
}
