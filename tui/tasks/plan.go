package tasks

import (
	"context"
	"math"
	"slices"

	"github.com/charmbracelet/x/ansi"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
)

// plan is a plan of tasks as it was read, with all that is derived from it. It never
// changes; a read makes another one.
type plan struct {
	kept.Whole
	view     *rules.View
	texts    []rules.Task // task n at n-1
	project  string       // its name
	critical []int        // the longest chain of open tasks
	onPath   []bool       // task n at n-1: it is on that chain
	widths   []int        // cells of the title of task n, at n-1
	hints    []int        // cells of what the card of task n says below the title, if it waits for others; 0 else
	columns  [columns][]int
	// changes wait for the person's approval, beside the tasks that do themselves.
	changes []kept.WaitingChange
	// unreported are the tasks that wait for the person without a report, each with the attempt
	// that led to that.
	unreported map[int]kept.Attempt
}

// readPlan reads a plan. It takes the texts from the plan as it was read before if those
// are the same, because they are most of the bytes.
func (d Deps) readPlan(ctx context.Context, id string, before *plan) (*plan, error) {
	whole, err := d.Store.Plan(ctx, d.caller(), id)
	if err != nil {
		return nil, err
	}
	p, err := d.judged(ctx, whole)
	if err != nil {
		return nil, err
	}
	if before != nil && before.Graph.Hash() == whole.Graph.Hash() && len(before.texts) == whole.Graph.Len() {
		p.texts, p.project, p.widths = before.texts, before.project, before.widths
	} else if err := p.readTexts(ctx, d); err != nil {
		return nil, err
	}
	p.derive()
	p.measureHints()
	return p, nil
}

// judged is a plan with what is ready in it and what waits for an approval, without its texts.
func (d Deps) judged(ctx context.Context, whole kept.Whole) (p *plan, err error) {
	p = &plan{Whole: whole, view: rules.Look(whole.Situation(d.Now()))}
	if p.unreported, err = d.Store.Unreported(ctx, whole); err != nil {
		return nil, err
	}
	p.changes, err = d.Store.Waiting(ctx, whole, p.view)
	return p, err
}

// needing is how many things need the person: tasks, and changes to approve.
func (p *plan) needing() int { return len(p.columns[needsYou]) + len(p.changes) }

// changed returns the change of a task that waits for the person's approval; nil for none.
func (p *plan) changed(n int) *kept.WaitingChange {
	for i := range p.changes {
		if p.changes[i].Number == n {
			return &p.changes[i]
		}
	}
	return nil
}

// derive finds the critical path, and sorts the tasks into columns.
func (p *plan) derive() {
	p.critical = p.view.CriticalPath()
	p.onPath = make([]bool, p.Graph.Len())
	for _, n := range p.critical {
		p.onPath[n-1] = true
	}
	p.columns = p.sorted()
}

// measureHints measures once what cards say of tasks that wait for others: a large plan has
// thousands of them, and the board asks for their heights at every key.
func (p *plan) measureHints() {
	p.hints = make([]int, p.Graph.Len())
	for _, c := range []column{blocked, toApprove} {
		for _, n := range p.columns[c] {
			p.hints[n-1] = ansi.StringWidth(p.signs(n) + p.hint(n, math.MaxInt))
		}
	}
}

func (p *plan) readTexts(ctx context.Context, d Deps) error {
	list, err := d.Store.Tasks(ctx, p.Whole)
	if err != nil {
		return err
	}
	p.texts = make([]rules.Task, p.Graph.Len())
	for _, t := range list {
		p.texts[t.Number-1] = t
	}
	p.widths = make([]int, len(p.texts))
	for i := range p.texts {
		p.widths[i] = ansi.StringWidth(p.title(i + 1))
	}
	projects, err := d.Store.Projects(ctx, d.caller())
	if err != nil {
		return err
	}
	for _, project := range projects {
		if project.ID == p.Project {
			p.project = project.Name.Line()
		}
	}
	return nil
}

// name is the title of a task. It is a rules.Names.
func (p *plan) name(n int) safe.Text { return p.texts[n-1].Title }

// title is the title of a task in one line; its key if it has none.
func (p *plan) title(n int) string {
	if title := p.texts[n-1].Title; !title.Blank() {
		return title.Line()
	}
	return p.key(n)
}

// key is the nodeKey of a task, as it can be drawn.
func (p *plan) key(n int) string { return safe.New(p.Graph.Key(n)).Line() }

// tasks returns the numbers of the kept tasks.
func (p *plan) tasks() []int {
	numbers := make([]int, 0, p.Graph.Len())
	for n := 1; n <= p.Graph.Len(); n++ {
		if !p.Graph.Dropped(n) {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// done returns how many tasks are done, and of how many.
func (p *plan) done() (done, of int) {
	all := p.tasks()
	for _, n := range all {
		if p.Marks.State(n) == rules.Done {
			done++
		}
	}
	of, _ = p.counted(all)
	return done, of
}

// counted returns how many of some tasks count. Wherever tasks are counted, cancelled ones are
// told apart.
func (p *plan) counted(tasks []int) (count, cancelled int) {
	for _, n := range tasks {
		if p.Marks.State(n) == rules.Cancelled {
			cancelled++
		}
	}
	return len(tasks) - cancelled, cancelled
}

// heldBack reports whether the person approved the plan without this task.
func (p *plan) heldBack(n int) bool { return slices.Contains(p.HeldBack(), n) }

// waits reports whether a task of an active plan waits for the person's approval: an agent
// added or reworded it, and the person has not held it back.
func (p *plan) waits(n int) bool {
	return p.Status == rules.PlanActive && p.view.Wants(n) == rules.WantsApproval
}

// criticalMinutes is the length of the critical path.
func (p *plan) criticalMinutes() int {
	if len(p.critical) == 0 {
		return 0
	}
	return p.view.PathMinutes(p.critical[0])
}
