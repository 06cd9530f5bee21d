package tasks

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/tui/cells"
	"planb/tui/wording"
)

func (c Commands) pauseCommand() *cobra.Command {
	var in scope
	var off bool
	command := &cobra.Command{
		Use:               "pause PLAN",
		Short:             "Stop giving out the tasks of a plan, or go on with --off",
		Long:              "Stop giving out the tasks of a plan. Who has a task keeps it. With --off the plan goes on.\n\n" + namedHelp,
		Example:           "  planb tasks pause 3f9a1c\n  planb tasks pause 3f9a1c --off",
		Args:              exactly("one plan", 1),
		ValidArgsFunction: c.OfferPlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.act(cmd.Context(), args[0], in.json, func(ctx context.Context, d desk, t target) (string, error) {
				words := "is paused: its tasks are not given out, and who has one keeps it"
				if off {
					words = "goes on"
				}
				return wording.Quote(t.Title.Line()) + " " + words + ".", d.Tasks().Pause(ctx, d.everywhere(), t.ID, !off)
			})
		},
	}
	command.Flags().BoolVar(&off, "off", false, "let the plan go on")
	return in.jsonFlag(command)
}

func (c Commands) releaseCommand() *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:               "release TASK",
		Short:             "Take a task from the agent that has it, so that others can have it",
		Long:              "Take a task from the agent that has it, so that others can have it. The agent is told with its next planb result.\n\n" + namedHelp,
		Example:           "  planb tasks release 3f9a1c.2",
		Args:              exactly("one task", 1),
		ValidArgsFunction: c.offerTasks(rules.State.Held),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.actOnTask(cmd.Context(), args[0], in.json, func(ctx context.Context, d desk, t target) (string, error) {
				had := safe.New(t.Claims[t.number].Worker).Line()
				done, err := d.Tasks().Release(ctx, d.everywhere(), t.TaskID(t.number))
				if err != nil {
					return "", err
				}
				return fmt.Sprintf("%s is %s again. %s had it.", d.quoted(ctx, t), done.State.Standing().Word, cells.JoinBy("", had, map[bool]string{true: "Nobody"}[had == ""])), nil
			})
		},
	}
	return in.jsonFlag(command)
}

func (c Commands) priorityCommand() *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:               "priority TASK N",
		Short:             "Change how urgent a task is: 0 (most urgent) to 4",
		Long:              "Change how urgent a task is: 0 (most urgent) to 4. What it waits for becomes as urgent.\n\n" + namedHelp,
		Example:           "  planb tasks priority api 0",
		Args:              exactly("one task and its priority, 0 to 4", 2),
		ValidArgsFunction: c.offerTasks(func(s rules.State) bool { return !s.Final() }),
		RunE: func(cmd *cobra.Command, args []string) error {
			priority, err := strconv.Atoi(args[1])
			if err != nil || priority < 0 || priority > rules.MaxPriority {
				return frame.UsageError(fmt.Errorf("the priority is %q, but it must be 0 (most urgent) to %d", args[1], rules.MaxPriority))
			}
			return c.actOnTask(cmd.Context(), args[0], in.json, func(ctx context.Context, d desk, t target) (string, error) {
				before, err := d.Tasks().SetPriority(ctx, d.everywhere(), t.TaskID(t.number), priority)
				return fmt.Sprintf("%s has the priority %d now; it had %d.", d.quoted(ctx, t), priority, before), err
			})
		},
	}
	return in.jsonFlag(command)
}

// The commands that a person decides with on the task's page: each says which states it
// is for.
func (c Commands) acceptCommand() *cobra.Command {
	return c.decideCommand("accept TASK", "Accept what an agent reported, or send it back, on this terminal",
		"Look at what an agent reported on this terminal, and accept it with space, or send it back.",
		"waits for no acceptance", func(v view, n int) bool { return v.State(n) == rules.NeedsReview })
}

func (c Commands) finishCommand() *cobra.Command {
	return c.decideCommand("finish TASK", "Say on this terminal that you have done a task that only a person can do",
		"Look at a task that only a person can do on this terminal, and say with space that you have done it.",
		"is not for you to finish now", func(v view, n int) bool { return v.State(n) == rules.Ready && v.Graph.Human(n) })
}

func (c Commands) cancelCommand() *cobra.Command {
	return c.decideCommand("cancel PLAN|TASK", "Cancel a task or a plan on this terminal",
		"Look at a task or a plan on this terminal, and cancel it with x. You see first what becomes ready by it.",
		"has ended", func(v view, n int) bool { return n == 0 && !v.Whole.Status.Final() || n > 0 && !v.State(n).Final() })
}

func (c Commands) decideCommand(use, short, long, not string, fits func(v view, n int) bool) *cobra.Command {
	var in scope
	wholePlan := use == "cancel PLAN|TASK"
	what := "one task"
	if wholePlan {
		what = "one plan or task"
	}
	command := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long + " Without a terminal it is refused, and no flag replaces your answer.\n\n" + namedHelp,
		Args:  exactly(what, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.decide(cmd.Context(), args[0], in.json, wholePlan, not, fits)
		},
	}
	command.ValidArgsFunction = c.offerTasks(func(s rules.State) bool { return !s.Final() })
	return in.jsonFlag(command)
}

// decide opens the page on which a person decides, and tells what they have changed.
func (c Commands) decide(ctx context.Context, name string, asJSON, wholePlan bool, not string, fits func(v view, n int) bool) error {
	if err := c.Drawable(); err != nil {
		return err
	}
	return named(c.write(ctx, func(ctx context.Context, d desk) error {
		find := d.findTask
		if wholePlan {
			find = d.find
		}
		before, err := find(ctx, name)
		if err != nil {
			return err
		}
		if v := d.look(before.Whole); !fits(v, before.number) {
			return fmt.Errorf("%s %s: it is %s. Nothing was changed", d.quoted(ctx, before), not, d.standing(before))
		}
		if err := c.Board(ctx, d.Store, before.id()); err != nil {
			return err
		}
		after, err := d.target(ctx, before.ID, before.number, name)
		if err != nil {
			return err
		}
		if d.standing(after) == d.standing(before) {
			return frame.Declined(errors.New("nothing was decided; it stands as it was"))
		}
		return c.acted(d, after, asJSON, fmt.Sprintf("%s is %s.", d.quoted(ctx, after), d.standing(after)))
	}), name)
}

// id is the long id of the task or, for a whole plan, of the plan.
func (t target) id() string {
	if t.number == 0 {
		return t.ID
	}
	return t.TaskID(t.number)
}

// standing is where a task or a plan stands, in a word.
func (d desk) standing(t target) string {
	if t.number == 0 {
		return t.Status.Standing().Word
	}
	return d.look(t.Whole).State(t.number).Standing().Word
}

// quoted is the title of a task or a plan in a sentence.
func (d desk) quoted(ctx context.Context, t target) string {
	if t.number == 0 {
		return wording.Quote(t.Title.Line())
	}
	v := d.look(t.Whole)
	_ = d.readTexts(ctx, v, t.number) // else the nodeKey names it
	return wording.Quote(v.names(t.number).Line())
}

// act does something to a plan, and tells that it was done.
func (c Commands) act(ctx context.Context, name string, asJSON bool, do func(context.Context, desk, target) (string, error)) error {
	return named(c.write(ctx, func(ctx context.Context, d desk) error {
		t, err := d.find(ctx, name)
		if err != nil {
			return err
		}
		return c.do(ctx, d, t, asJSON, do)
	}), name)
}

// actOnTask does something to a task, and tells that it was done.
func (c Commands) actOnTask(ctx context.Context, name string, asJSON bool, do func(context.Context, desk, target) (string, error)) error {
	return named(c.write(ctx, func(ctx context.Context, d desk) error {
		t, err := d.findTask(ctx, name)
		if err != nil {
			return err
		}
		return c.do(ctx, d, t, asJSON, do)
	}), name)
}

func (c Commands) do(ctx context.Context, d desk, t target, asJSON bool, do func(context.Context, desk, target) (string, error)) error {
	said, err := do(ctx, d, t)
	if err != nil {
		return err
	}
	after, err := d.target(ctx, t.ID, t.number, t.ID)
	if err != nil {
		return err
	}
	return c.acted(d, after, asJSON, said)
}

// acted prints how a plan or a task stands after something was done to it.
func (c Commands) acted(d desk, t target, asJSON bool, said string) error {
	v := d.look(t.Whole)
	switch {
	case asJSON && t.number == 0:
		return frame.PrintJSON(c.Stdout, v.plan())
	case asJSON:
		return frame.PrintJSON(c.Stdout, v.task(t.number))
	}
	return c.Print(layout.Message("", said, c.Width()) + "\n")
}
