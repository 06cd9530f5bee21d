package tasks

import (
	"context"
	"errors"
	"time"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	kept "planb/store/tasks"
)

// Commands are planb tasks and the commands below it.
type Commands struct {
	frame.Program
	// Drawable says why no screen can be drawn on this terminal; nil if one can.
	Drawable func() error
	// Review shows an ask on this terminal, and returns it as it is then.
	Review func(ctx context.Context, st *store.Store, ask string) (store.Ask, error)
	// Board shows the page of a plan or a task on this terminal until the person leaves it.
	Board func(ctx context.Context, st *store.Store, id string) error
	// Editor opens a file in the person's editor until they leave it.
	Editor func(ctx context.Context, path string) error
	// ChangeProjects changes the list of the directories whose agents have the tools of
	// tasks, in the person's settings.
	ChangeProjects func(change func(list []string) []string) error
	// HaveTools reports whether the agents of this project have the tools of tasks.
	HaveTools func() (bool, error)
	// Version reads a version of a plan that a person names as SESSION@v3.
	Version func(ctx context.Context, st *store.Store, name string) (Version, error)
}

// Version is a version of a session's plan.
type Version struct {
	Session string
	Title   safe.Text
	Text    safe.Text
}

// scope are the flags of a command that reads plans.
type scope struct {
	all  bool // the plans of all projects
	json bool
}

// flags defines the flags on a command.
func (s *scope) flags(command *cobra.Command) *cobra.Command {
	command.Flags().BoolVar(&s.all, "all-projects", false, "the plans of all projects, not only of the one in this directory")
	return s.jsonFlag(command)
}

func (s *scope) jsonFlag(command *cobra.Command) *cobra.Command {
	command.Flags().BoolVar(&s.json, "json", false, "print it as JSON")
	return command
}

// Command returns planb tasks with the commands below it.
func (c Commands) Command() *cobra.Command {
	command := c.listCommand()
	frame.AddGroup(command, "Look", c.showCommand(), c.readyCommand(), c.pathCommand(), c.doneCommand(), c.eventsCommand(), c.primeCommand())
	frame.AddGroup(command, "Decide", c.approveCommand(), c.acceptCommand(), c.finishCommand(), c.cancelCommand())
	frame.AddGroup(command, "Change", c.addCommand(), c.editCommand(), c.priorityCommand(), c.pauseCommand(), c.releaseCommand())
	frame.AddGroup(command, "In and out", c.importCommand(), c.exportCommand(), c.templateCommand())
	frame.AddGroup(command, "Set up", c.onCommand(), c.offCommand())
	return command
}

// ink returns how the commands print to stdout.
func (c Commands) ink() ink.Ink { return ink.On(c.Stdout, c.Env.Pairs(), c.Theme) }

// desk is the store as one command uses it.
type desk struct {
	*store.Store
	by  kept.Caller // finds the plans of this project only, unless all were asked for
	now time.Time
}

// everywhere is the same person, who finds the plans of all projects.
func (d desk) everywhere() kept.Caller { return kept.Caller{Actor: d.by.Actor, Name: d.by.Name} }

func (c Commands) desk(st *store.Store, all bool) (desk, error) {
	d := desk{st, kept.Caller{Actor: rules.User, Name: c.Env.Author()}, time.Now()}
	if all {
		return d, nil
	}
	dir, err := c.ProjectDir()
	d.by.Dir = dir
	return d, err
}

// withDesk opens the store for one command. It creates none: without a store there is no plan
// that the command could show or change.
func (c Commands) withDesk(ctx context.Context, all bool, do func(desk) error) error {
	return c.ReadStore(ctx, func(st *store.Store) error {
		d, err := c.desk(st, all)
		if err != nil {
			return err
		}
		return do(d)
	})
}

// makingStore opens the store for one command, and creates it where there is none.
func (c Commands) makingStore(ctx context.Context, do func(desk) error) error {
	return c.WithStore(ctx, func(_ context.Context, st *store.Store) error {
		d, err := c.desk(st, false)
		if err != nil {
			return err
		}
		return do(d)
	})
}

// named words an error for the person who typed a name. There may be no store yet, and then
// no plan has that name. A conflict loses the code that programs read.
func named(err error, name string) error {
	if frame.Missing(err) {
		return nothingNamed(name)
	}
	return rules.Plainly(err)
}

// exactly requires a number of arguments, which names names in the refusal.
func exactly(names string, count int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != count {
			return frame.UsageError(errors.New(cmd.CommandPath() + " takes " + names + "; see `" + cmd.CommandPath() + " --help`"))
		}
		return nil
	}
}
