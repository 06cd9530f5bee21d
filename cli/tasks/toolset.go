package tasks

import (
	"slices"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	"planb/store/project"
)

func (c Commands) onCommand() *cobra.Command {
	return c.switchCommand("on", "Give this project's agents the tools for tasks",
		"Give the agents of this project the tools of tasks: with them they propose plans and work on those that you approve. Your\n"+
			"settings keep it (tasks.projects), for all worktrees of the repository.", true)
}

func (c Commands) offCommand() *cobra.Command {
	return c.switchCommand("off", "Take the tools for tasks away again",
		"Take the tools of tasks from the agents of this project. The plans stay, and planb tasks shows them.", false)
}

func (c Commands) switchCommand(use, short, long string, on bool) *cobra.Command {
	var in scope
	command := &cobra.Command{
		Use: use, Short: short, Long: long,
		Args: frame.NoArguments,
		RunE: func(*cobra.Command, []string) error { return c.turn(on, in.json) },
	}
	return in.jsonFlag(command)
}

// turned is what planb tasks on and off --json print.
type turned struct {
	Project string `json:"project"`
	On      bool   `json:"on"`
	Changed bool   `json:"changed"`
}

func (c Commands) turn(on, asJSON bool) error {
	dir, err := c.ProjectDir()
	if err != nil {
		return err
	}
	root := project.Root(dir)
	done := turned{Project: root, On: on}
	err = c.ChangeProjects(func(list []string) []string {
		if done.Changed = slices.Contains(list, root) != on; !done.Changed {
			return list
		}
		if list = slices.DeleteFunc(list, func(other string) bool { return other == root }); on {
			list = append(list, root)
		}
		return list
	})
	if err != nil {
		return err
	}
	if asJSON {
		return frame.PrintJSON(c.Stdout, done)
	}
	words := map[bool]string{true: "The agents of " + root + " have the tools of tasks", false: "The agents of " + root + " have no tools of tasks"}[on]
	switch {
	case !done.Changed:
		words += " already."
	default:
		words += " from now on. A client that does not notice needs a restart."
	}
	if on && done.Changed {
		words += "\nThen tell one: plan this as planb tasks. You approve what it proposes with  planb tui tasks"
	}
	return c.Print(layout.Message("", words, c.Width()) + "\n")
}
