package tasks

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/plainjson"
	rules "planb/plans/tasks"
	kept "planb/store/tasks"
)

func (c Commands) eventsCommand() *cobra.Command {
	var in scope
	var follow bool
	since := ""
	command := &cobra.Command{
		Use:   "events [PLAN]",
		Short: "Print what happens to plans and tasks as JSON lines",
		Long: "Print what was done to plans and tasks, the oldest first, as JSON lines: action, plan, tasks, who, when, from which\n" +
			"state to which. With --follow it goes on with what happens, until you interrupt it.\n\n" + namedHelp,
		Example:           "  planb tasks events --since today\n  planb tasks events --follow | jq -r 'select(.action == \"task.done\").by'",
		Args:              frame.AtMostOne("plan"),
		ValidArgsFunction: c.OfferPlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			return c.events(cmd.Context(), in, args, since, follow)
		},
	}
	command.Flags().BoolVar(&follow, "follow", false, "go on with what happens")
	command.Flags().StringVar(&since, "since", "", "only what was done since `WHEN`, as planb tasks done takes it; with --follow and without this, only what is new")
	return in.flags(command)
}

// shownEvent is an event as a line of JSON.
type shownEvent struct {
	kept.Event
	Plan       string    `json:"planId,omitempty"`
	Project    string    `json:"projectId,omitempty"` // if it is about a project
	TaskIDs    []string  `json:"taskIds,omitempty"`
	At         time.Time `json:"at"`
	Op         string    `json:"id"`
	Unreadable string    `json:"unreadable,omitempty"`
}

func (c Commands) events(ctx context.Context, in scope, args []string, since string, follow bool) error {
	from := time.Time{}
	if since != "" {
		var err error
		if from, err = sinceWhen(since, time.Now()); err != nil {
			return err
		}
	} else if follow {
		from = time.Now()
	}
	ctx, stop := frame.UntilSignal(ctx)
	defer stop()
	err := c.withDesk(ctx, in.all, func(d desk) error {
		about := ""
		if len(args) == 1 {
			t, err := d.find(ctx, args[0])
			if err != nil {
				return err
			}
			d.by, about = d.everywhere(), t.ID
		}
		return d.Tasks().Events(ctx, d.by, from, follow, func(e kept.Event) error {
			if about != "" && e.About != about {
				return nil
			}
			return c.printEvent(e)
		})
	})
	switch {
	case ctx.Err() != nil:
		return nil // the person has seen enough
	case len(args) == 1:
		return named(err, args[0])
	case frame.Missing(err) && !follow:
		return nil
	}
	return err
}

func (c Commands) printEvent(e kept.Event) error {
	shown := shownEvent{Event: e, At: e.At, Op: e.Op}
	if _, n, ok := rules.SplitID(e.About); ok && n == 0 {
		shown.Plan = e.About
	} else {
		shown.Project = e.About
	}
	if e.Err != nil {
		shown.Unreadable = e.Err.Error()
	}
	for _, n := range e.Tasks {
		shown.TaskIDs = append(shown.TaskIDs, taskID(e.About, n))
	}
	line, err := plainjson.Marshal(shown)
	if err == nil {
		_, err = c.Stdout.Write(append(line, '\n'))
	}
	return err
}
