package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"planb/cli/tasks"
	"planb/store"
)

// tasksCommand returns planb tasks, whose commands are in a room of their own.
func (p program) tasksCommand() *cobra.Command {
	return p.tasks().Command()
}

func (p program) tasks() tasks.Commands {
	return tasks.Commands{Program: p.Program, Version: planVersion}
}

// planVersion reads the version of a plan that a name stands for.
func planVersion(ctx context.Context, st *store.Store, name string) (tasks.Version, error) {
	found, err := findNamed(ctx, st, name)
	if err != nil {
		return tasks.Version{}, err
	}
	if found.plan == 0 {
		return tasks.Version{}, fmt.Errorf("%q is no version of a plan; name one as SESSION@v3", name)
	}
	text, err := st.PlanText(ctx, found.session.ID, found.plan)
	return tasks.Version{Session: found.session.ID, Title: found.session.Title, Text: text}, err
}
