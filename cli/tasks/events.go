package tasks

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/plainjson"
	"planb/store/kv"
	kept "planb/store/tasks"
)

func (c Commands) eventsCommand() *cobra.Command {
	var in scope
	var follow bool
	since := ""
	command := &cobra.Command{
		Use:   "events [PLAN]",
		Short: "Print what was done to plans and tasks as JSON lines, and what is done from now on",
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
	Plan       string    `json:"planId"`
	TaskIDs    []string  `json:"taskIds,omitempty"`
	At         time.Time `json:"at"`
	Op         string    `json:"id"`
	Unreadable string    `json:"unreadable,omitempty"`
}

// follower prints events, each once.
type follower struct {
	Commands
	desk
	plan    string // empty: all that the command looks at
	since   time.Time
	printed map[string]bool
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
	err := c.read(ctx, in.all, func(d desk) error {
		f := &follower{Commands: c, desk: d, since: from, printed: map[string]bool{}}
		if len(args) == 1 {
			t, err := d.find(ctx, args[0])
			if err != nil {
				return err
			}
			f.plan = t.ID
		}
		if !follow {
			return f.print(ctx)
		}
		return f.follow(ctx)
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

// follow prints events until ctx ends.
func (f *follower) follow(ctx context.Context) error {
	changes, err := f.Watch(ctx)
	if err != nil {
		return err
	}
	for range changes {
		if err := f.print(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// print prints the events that were not printed yet.
func (f *follower) print(ctx context.Context) error {
	plans := []kept.Plan{{ID: f.plan}}
	if f.plan == "" {
		var err error
		if plans, err = f.Tasks().Plans(ctx, f.by); err != nil {
			return err
		}
	}
	var fresh []shownEvent
	for _, plan := range plans {
		err := f.eachEvent(ctx, plan.ID, f.since, func(e shownEvent) error {
			if !f.printed[e.Op] {
				fresh = append(fresh, e)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	slices.SortStableFunc(fresh, func(a, b shownEvent) int { return cmp.Or(a.At.Compare(b.At), strings.Compare(a.Op, b.Op)) })
	for _, e := range fresh {
		line, err := plainjson.Marshal(e)
		if err != nil {
			return err
		}
		if _, err := f.Stdout.Write(append(line, '\n')); err != nil {
			return err
		}
		f.printed[e.Op] = true
	}
	return nil
}

// mostEvents is how many events of a plan are read, the newest.
const mostEvents = kv.MaxPageRecords

// eachEvent calls do with what was done to a plan since a time, the newest first.
func (d desk) eachEvent(ctx context.Context, plan string, since time.Time, do func(shownEvent) error) error {
	list, err := d.Tasks().History(ctx, plan, mostEvents)
	if err != nil {
		return err
	}
	for _, event := range list {
		if event.At.Before(since) {
			break
		}
		e := shownEvent{Event: event, Plan: plan, At: event.At, Op: event.Op}
		if event.Err != nil {
			e.Unreadable = event.Err.Error()
		}
		for _, n := range event.Tasks {
			e.TaskIDs = append(e.TaskIDs, taskID(plan, n))
		}
		if err := do(e); err != nil {
			return err
		}
	}
	return nil
}
