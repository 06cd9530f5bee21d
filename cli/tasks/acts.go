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
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	kept "planb/store/tasks"
	"planb/tui/cells"
	"planb/tui/wording"
)

func (c Commands) pauseCommand() *cobra.Command {
	var in scope
	var off bool
	command := &cobra.Command{
		Use:               "pause PLAN",
		Short:             "Stop giving out a plan's tasks; --off goes on",
		Long:              "planb gives out no more tasks of the plan. An agent that has a task may finish it. With --off the plan goes on.\n\n" + namedHelp,
		Example:           "  planb tasks pause 3f9a1c\n  planb tasks pause 3f9a1c --off",
		Args:              exactly("one plan", 1),
		ValidArgsFunction: c.OfferPlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.act(cmd.Context(), desk.find, args[0], in.json, func(ctx context.Context, d desk, t target) (string, error) {
				words := "is paused: planb gives out no more of its tasks. An agent that has one may finish it"
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
		Short:             "Take a task from its agent, so that others can have it",
		Long:              "Take a task from the agent that has it, so that others can have it. The agent is told with its next planb result.\n\n" + namedHelp,
		Example:           "  planb tasks release 3f9a1c.2",
		Args:              exactly("one task", 1),
		ValidArgsFunction: c.offerTasks(rules.State.Held),
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.act(cmd.Context(), desk.findTask, args[0], in.json, func(ctx context.Context, d desk, t target) (string, error) {
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
		Long:              "Change how urgent a task is: 0 (most urgent) to 4. The tasks that it waits for become as urgent.\n\n" + namedHelp,
		Example:           "  planb tasks priority api 0",
		Args:              exactly("one task and its priority, 0 to 4", 2),
		ValidArgsFunction: c.offerTasks(unended),
		RunE: func(cmd *cobra.Command, args []string) error {
			priority, err := strconv.Atoi(args[1])
			if err != nil || priority < 0 || priority > rules.MaxPriority {
				return frame.UsageError(fmt.Errorf("the priority is %q, but it must be 0 (most urgent) to %d", args[1], rules.MaxPriority))
			}
			return c.act(cmd.Context(), desk.findTask, args[0], in.json, func(ctx context.Context, d desk, t target) (string, error) {
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
	return c.decideCommand("accept [TASK]", "Accept what an agent reported, or send it back with an answer",
		"Open the task's page on this terminal. There you read the agent's report; space accepts it or sends it back. If the agent is stuck and reported nothing, space answers it."+
			" If you name none, planb opens the task that waits for you, if only one of this project does.",
		"does not wait to be accepted", desk.findTask, func(v view, n int) bool { return v.State(n) == rules.NeedsReview })
}

func (c Commands) finishCommand() *cobra.Command {
	return c.decideCommand("finish [TASK]", "Say that you have done a task that is for you",
		"Open the task's page on this terminal. Space says that you have done the task; no agent can do it."+
			" If you name none, planb opens the task that you can finish, if this project has only one.",
		"is not for you to finish now", desk.findTask, func(v view, n int) bool { return v.State(n) == rules.Ready && v.Graph.Human(n) })
}

func (c Commands) cancelCommand() *cobra.Command {
	command := c.decideCommand("cancel PLAN|TASK", "Cancel a task or a plan",
		"Open the task's page on this terminal. There x cancels the task; you see first what becomes ready by it.\n"+
			"If you cancel a plan, all its open tasks are cancelled, too.",
		"has ended", desk.find, func(v view, n int) bool { return n == 0 && !v.Whole.Status.Final() || n > 0 && !v.State(n).Final() })
	command.Args = exactly("one plan or task", 1)
	return command
}

func (c Commands) decideCommand(use, short, long, not string, find finder, fits func(v view, n int) bool) *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long + " Without a terminal it is refused, and no flag replaces your answer.\n\n" + namedHelp,
		Args:  frame.AtMostOne("task"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.decide(cmd.Context(), "", in.json, not, onlyTask(cmd.CommandPath(), fits), fits)
			}
			return c.decide(cmd.Context(), args[0], in.json, not, find, fits)
		},
		ValidArgsFunction: c.offerTasks(unended),
	}
	return in.jsonFlag(command)
}

// decide opens the page on which a person decides, and tells what they have changed.
func (c Commands) decide(ctx context.Context, name string, asJSON bool, not string, find finder, fits func(v view, n int) bool) error {
	return named(c.withDesk(ctx, false, func(d desk) error {
		before, err := find(d, ctx, name)
		if err != nil {
			return err
		}
		if v := d.look(before.Whole); !fits(v, before.number) {
			return fmt.Errorf("%s %s: it is %s. Nothing was changed", d.quoted(ctx, before), not, d.standing(before))
		}
		if err := c.Drawable(); err != nil {
			return err
		}
		show := c.Board
		if before.number == 0 {
			show = c.askToCancel(d, before)
		}
		if err := show(ctx, d.Store, before.id()); err != nil {
			return err
		}
		after, err := d.target(ctx, before.ID, before.number, name)
		if err != nil {
			return err
		}
		if d.standing(after) == d.standing(before) {
			return frame.Declined(errors.New("nothing was decided; it stands as it was"))
		}
		return c.acted(ctx, d, after, asJSON, fmt.Sprintf("%s is %s.", d.quoted(ctx, after), d.standing(after)))
	}), name)
}

// askToCancel returns a function that asks the person in a form whether to cancel a
// plan. Their answer cancels it, also when they give it later in the inbox.
func (c Commands) askToCancel(d desk, t target) func(context.Context, *store.Store, string) error {
	return func(ctx context.Context, st *store.Store, id string) error {
		session, err := d.sessionOf(ctx, t)
		if err != nil {
			return err
		}
		form := store.Ask{Session: session, Subject: store.Subject{Kind: kept.CancelKind, ID: id}, Spec: cancelForm(d.look(t.Whole)), Own: true, Client: ownClient()}
		ask, _, err := st.OpenAsk(ctx, form)
		if err == nil && !ask.Open() { // answered after an earlier command had left it: ask anew
			if err = st.Deliver(ctx, ask.ID); err == nil {
				ask, _, err = st.OpenAsk(ctx, form)
			}
		}
		if err != nil {
			return err
		}
		if ask, err = c.Review(ctx, st, ask.ID); err != nil {
			return err
		}
		if ask.Open() {
			return frame.Declined(nil) // the screen has said how to return to it
		}
		return st.Deliver(ctx, ask.ID)
	}
}

func cancelForm(v view) questions.Spec {
	p := listedPlan{v.plan(), &v}
	return questions.Spec{
		Title: safe.New("Cancel a plan"),
		Questions: []questions.Question{{
			ID: kept.CancelQuestion, Kind: questions.Single, Label: safe.New("Cancel " + wording.Quote(v.Title.Line()) + " with all its open tasks?"),
			Description: safe.New(wording.Capital(p.progress()) + ". Agents that have a task of it are told with their next planb result."),
			Required:    true, Tab: safe.New("Cancel"),
			Options: []questions.Option{{Value: safe.New("keep"), Label: safe.New("Keep it")}, {Value: safe.New(kept.CancelAnswer), Label: safe.New("Cancel it")}},
		}},
	}
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

// act does something to what a name stands for, and tells that it was done.
func (c Commands) act(ctx context.Context, find finder, name string, asJSON bool, do func(context.Context, desk, target) (string, error)) error {
	return named(c.withDesk(ctx, false, func(d desk) error {
		t, err := find(d, ctx, name)
		if err != nil {
			return err
		}
		said, err := do(ctx, d, t)
		if err != nil {
			return err
		}
		after, err := d.target(ctx, t.ID, t.number, t.ID)
		if err != nil {
			return err
		}
		return c.acted(ctx, d, after, asJSON, said)
	}), name)
}

// acted prints how a plan or a task stands after something was done to it.
func (c Commands) acted(ctx context.Context, d desk, t target, asJSON bool, said string) error {
	v := d.look(t.Whole)
	switch {
	case asJSON && t.number == 0:
		return frame.PrintJSON(c.Stdout, v.plan())
	case asJSON:
		_ = d.readTexts(ctx, v) // else nodeKeys name the tasks: it was done nevertheless
		return frame.PrintJSON(c.Stdout, v.task(t.number))
	}
	return c.Print(layout.Message("", said, c.Width()) + "\n")
}
