package tasks

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"planb/cli/frame"
	rules "planb/plans/tasks"
	"planb/store"
	"planb/store/ledger"
	kept "planb/store/tasks"
	"planb/tui/wording"
)

// namedHelp says in a command's help how plans and tasks are named.
const namedHelp = "A plan is named by its short id, such as 3f9a1c, or its long one; a task as 3f9a1c.12, by its long id, or by its key, such as api,\n" +
	"if only one plan of this project has a task with it."

// target is what an argument names: a plan or, if number is not 0, a task of it.
type target struct {
	kept.Whole
	number int
}

// Find returns the id of the plan or task that a name stands for.
func (c Commands) Find(ctx context.Context, st *store.Store, name string) (string, error) {
	d, err := c.desk(st, false)
	if err != nil {
		return "", err
	}
	found, err := d.find(ctx, name)
	if err != nil || found.number == 0 {
		return found.ID, err
	}
	return found.TaskID(found.number), nil
}

// find finds what a name stands for. An id finds plans of all projects, a nodeKey only
// those that the command looks at.
func (d desk) find(ctx context.Context, name string) (target, error) {
	if plan, n, ok := rules.SplitID(name); ok {
		return d.target(ctx, plan, n, name)
	}
	if digits, n, ok := rules.ParseShort(name); ok {
		list, err := d.Tasks().Plans(ctx, d.everywhere())
		if err != nil {
			return target{}, err
		}
		var fits []string
		for _, plan := range list {
			if rules.Short(plan.ID) == digits {
				fits = append(fits, plan.ID)
			}
		}
		switch {
		case len(fits) > 1:
			return target{}, ambiguous(name, "plans", fits)
		case len(fits) == 1:
			return d.target(ctx, fits[0], n, name)
		}
	}
	return d.findKey(ctx, name)
}

// target reads a plan, and checks that it has the task.
func (d desk) target(ctx context.Context, plan string, n int, name string) (target, error) {
	w, err := d.Tasks().Plan(ctx, d.everywhere(), plan)
	if rules.CodeOf(err) == rules.CodePlanNotFound {
		return target{}, nothingNamed(name)
	}
	if err != nil {
		return target{}, err
	}
	if n > w.Graph.Len() || n > 0 && w.Graph.Dropped(n) {
		return target{}, fmt.Errorf("the plan %s (%s) has no task %d; it has %s, see `planb tasks %[1]s`",
			rules.Short(w.ID), w.Title.Line(), n, wording.Count(w.Plan.Tasks, "task"))
	}
	return target{w, n}, nil
}

// findKey finds the task with a nodeKey. Plans that go on come first: only where none of
// them has the task, the others are looked at.
func (d desk) findKey(ctx context.Context, key string) (target, error) {
	list, err := d.Tasks().Plans(ctx, d.by)
	if err != nil {
		return target{}, err
	}
	for _, ended := range []bool{false, true} {
		var fits []target
		var ids []string
		for _, plan := range list {
			if plan.Err != nil || plan.Status.Final() != ended {
				continue
			}
			w, err := d.Tasks().Plan(ctx, d.by, plan.ID)
			if ledger.AboutOne(err) {
				continue // it hides no task of another plan
			}
			if err != nil {
				return target{}, err
			}
			if n, ok := w.Graph.Find(key); ok {
				fits, ids = append(fits, target{w, n}), append(ids, shortTask(w.ID, n))
			}
		}
		switch {
		case len(fits) > 1:
			return target{}, ambiguous(key, "tasks", ids)
		case len(fits) == 1:
			return fits[0], nil
		}
	}
	return target{}, nothingNamed(key)
}

// finder finds the plan or task that a command is about.
type finder func(d desk, ctx context.Context, name string) (target, error)

// onlyPlan finds, for a command that was given no name, the plan of this project that waits for
// an approval. It finds none where several do.
func onlyPlan(command string) finder {
	return onlyOf("plan", command, func(d desk, ctx context.Context, v view) ([]target, error) {
		t := target{v.Whole, 0}
		waits, err := d.waits(ctx, t)
		if !waits {
			return nil, err
		}
		return []target{t}, err
	})
}

// onlyTask finds likewise the task that fits.
func onlyTask(command string, fits func(v view, n int) bool) finder {
	return onlyOf("task", command, func(_ desk, _ context.Context, v view) (found []target, _ error) {
		for _, n := range v.all() {
			if fits(v, n) {
				found = append(found, target{v.Whole, n})
			}
		}
		return found, nil
	})
}

// onlyOf finds the one plan or task among those that each plan of this project offers.
func onlyOf(what, command string, offered func(desk, context.Context, view) ([]target, error)) finder {
	return func(d desk, ctx context.Context, _ string) (target, error) {
		views, err := d.open(ctx, nil)
		if err != nil && !frame.Missing(err) {
			return target{}, err
		}
		var found []target
		for _, v := range views {
			some, err := offered(d, ctx, v)
			if err != nil {
				return target{}, err
			}
			found = append(found, some...)
		}
		return d.only(ctx, found, what, command)
	}
}

// only returns the one plan or task that a command can be about. Otherwise the error names all
// of them.
func (d desk) only(ctx context.Context, found []target, what, command string) (target, error) {
	switch len(found) {
	case 0:
		return target{}, fmt.Errorf("no %s of this project waits for `%s`", what, command)
	case 1:
		return found[0], nil
	}
	names := make([]string, len(found))
	for i, t := range found {
		names[i] = t.short() + " " + d.quoted(ctx, t)
	}
	return target{}, fmt.Errorf("%s wait for `%s`; name the one you mean: %s", wording.Count(len(found), what), command, strings.Join(names, ", "))
}

func ambiguous(name, what string, ids []string) error {
	return fmt.Errorf("%s fits %d %s; give the id of the one you mean: %s", strconv.QuoteToASCII(name), len(ids), what, strings.Join(ids, ", "))
}

// unknownName says that no plan and no task has a name.
type unknownName struct{ name string }

func (u unknownName) Error() string {
	return fmt.Sprintf("there is no plan of tasks and no task %s here; `planb tasks` lists the plans", strconv.QuoteToASCII(u.name))
}

func nothingNamed(name string) error { return unknownName{name} }

// findTask finds a task, and refuses a name that stands for a whole plan.
func (d desk) findTask(ctx context.Context, name string) (target, error) {
	t, err := d.find(ctx, name)
	if err == nil && t.number == 0 {
		err = errors.New(name + " is a whole plan; name a task of it, as " + name + ".1")
	}
	return t, err
}

// short is the short id of the plan or task.
func (t target) short() string {
	if t.number == 0 {
		return rules.Short(t.ID)
	}
	return shortTask(t.ID, t.number)
}

// shortTask is the short id of task n.
func shortTask(plan string, n int) string { return rules.Short(plan) + "." + strconv.Itoa(n) }

// taskID is the long id of task n; the plan's id comes from its record.
func taskID(plan string, n int) string {
	id, err := rules.TaskID(plan, n)
	if err != nil {
		return shortTask(plan, n) // a damaged record; the short id still names it
	}
	return id
}
