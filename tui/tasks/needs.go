package tasks

import (
	"context"
	"fmt"
	"slices"
	"strings"

	rules "planb/plans/tasks"
	kept "planb/store/tasks"
	"planb/tui/cells"
	"planb/tui/wording"
)

// Need is what a plan of tasks needs of the person.
type Need struct {
	Plan    kept.Plan
	Project string // its name
	Approve int    // tasks and changes that wait for an approval; of a proposed plan all tasks
	Accept  int    // tasks whose report waits
	Answer  int    // tasks whose agent cannot go on, and has reported nothing
	Do      int    // tasks that only the person can do
	Tasks   []Needed
}

// Needed is one task of a Need, or a change of one.
type Needed struct {
	ID, Title, Wants string // cleaned
}

// mostNeeded is how many tasks of a plan are named.
const mostNeeded = 20

// Needs returns the plans that need the person, the oldest first. A plan that cannot be
// read is left out; the list of plans shows it.
func (d Deps) Needs(ctx context.Context) ([]Need, error) {
	plans, err := d.Store.Plans(ctx, d.caller())
	if err != nil {
		return nil, err
	}
	var needs []Need
	for _, record := range plans {
		if record.Err != nil || record.Status.Final() {
			continue
		}
		p, err := d.readPlan(ctx, record.ID, nil)
		if err != nil {
			continue
		}
		if need := p.need(); need.Any() {
			needs = append(needs, need)
		}
	}
	return needs, nil
}

// need is what the plan needs of the person.
func (p *plan) need() Need {
	need := Need{Plan: p.Whole.Plan, Project: p.project}
	if p.Status == rules.PlanProposed {
		need.Approve = len(p.tasks())
		return need
	}
	for _, n := range p.columns[needsYou] {
		switch p.view.Wants(n) {
		case rules.WantsAcceptance:
			if p.unanswered(n) {
				need.Answer++
			} else {
				need.Accept++
			}
		case rules.WantsApproval:
			need.Approve++
		default:
			need.Do++
		}
		if len(need.Tasks) < mostNeeded {
			need.Tasks = append(need.Tasks, Needed{p.TaskID(n), p.title(n), p.wants(n)})
		}
	}
	need.Approve += len(p.changes)
	for _, c := range p.changes[:min(len(p.changes), mostNeeded-len(need.Tasks))] {
		need.Tasks = append(need.Tasks, Needed{p.ID + "/" + c.Key, titleOf(c), string(c.Kind) + ", " + wantsApproval})
	}
	return need
}

// Any reports whether the plan needs anything.
func (n Need) Any() bool { return n.Approve+n.Accept+n.Answer+n.Do > 0 }

// Words say what the plan needs: "2 to accept · 1 for you to do".
func (n Need) Words() string {
	if n.Plan.Status == rules.PlanProposed {
		return wording.Count(n.Approve, "task") + " to approve"
	}
	count := func(n int, what string) string {
		if n == 0 {
			return ""
		}
		return fmt.Sprintf("%d %s", n, what)
	}
	return cells.Join(count(n.Answer, "to answer"), count(n.Accept, "to accept"), count(n.Approve, "to approve"), count(n.Do, "for you to do"))
}

// WithoutApproval is the need without what waits for an approval.
func (n Need) WithoutApproval() Need {
	n.Approve = 0
	n.Tasks = slices.DeleteFunc(slices.Clone(n.Tasks), func(t Needed) bool { return strings.HasSuffix(t.Wants, wantsApproval) })
	return n
}
