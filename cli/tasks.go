package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/tasks"
	"planb/files"
	"planb/setup"
	"planb/store"
	"planb/store/project"
	"planb/tui"
	"planb/tui/screen"
)

// tasksCommand returns planb tasks, whose commands are in a room of their own.
func (p program) tasksCommand() *cobra.Command {
	return p.tasks().Command()
}

func (p program) tasks() tasks.Commands {
	return tasks.Commands{
		Program: p.Program, Version: planVersion, Drawable: p.drawable, Review: p.reviewAsk, Board: p.showTasks, Editor: p.editFile,
		ChangeProjects: func(change func([]string) []string) error {
			path, err := p.writableSettings()
			if err != nil {
				return err
			}
			return setup.ChangeList(path, taskProjects, change, p.themes().Collection)
		},
		HaveTools: func() (bool, error) {
			list, err := p.toolsets(p.settings(nil))
			return slices.Contains(list, tasksToolset) || slices.Contains(list, "all"), err
		},
	}
}

// taskProjects is the setting with the projects whose agents have the tools of tasks.
const taskProjects = "tasks.projects"

// tasksToolset is the toolset with the tools of tasks.
const tasksToolset = "tasks"

// toolsets returns the toolsets of the settings. In a project for which tasks are
// turned on it adds the toolset of tasks.
func (p program) toolsets(settings setup.Resolved) ([]string, error) {
	dir, err := p.ProjectDir()
	if err != nil {
		return nil, err
	}
	root := project.Root(dir)
	for _, on := range settings.TaskProjects {
		if project.Root(on) == root {
			return withToolset(settings.Toolsets, tasksToolset), nil
		}
	}
	return settings.Toolsets, nil
}

// retooled returns a function that tells a running server the toolsets of the settings
// whenever the file may have changed. Settings with mistakes change nothing.
func (p program) retooled(given map[string]string) func(context.Context) <-chan []string {
	return func(ctx context.Context) <-chan []string {
		told := make(chan []string)
		go func() {
			defer close(told)
			path, err := p.settingsPath()
			if err != nil {
				return // without a home directory there is no file
			}
			changed, err := files.Watch(ctx, path)
			if err != nil {
				return // who turns tools on is told that clients that run may need a restart
			}
			for {
				select {
				case <-ctx.Done():
					return
				case <-changed:
				}
				settings := setup.ReadFile(path, p.themes().Collection).Resolve(p.Env.Get, given)
				toolsets, err := p.toolsets(settings)
				if err != nil || settings.Check("toolsets") != nil {
					continue
				}
				select {
				case told <- toolsets:
				case <-ctx.Done():
				}
			}
		}()
		return told
	}
}

func withToolset(list []string, name string) []string {
	for _, there := range list {
		if there == name || there == "all" {
			return list
		}
	}
	return append(append([]string(nil), list...), name)
}

// drawable says why no screen can be drawn on this terminal.
func (p program) drawable() error {
	if err := inForeground(); err != nil {
		return err
	}
	return p.checkTheme()
}

// reviewAsk shows one ask on this terminal, without its outcome: the caller prints that.
func (p program) reviewAsk(ctx context.Context, st *store.Store, id string) (store.Ask, error) {
	return p.awaited(ctx, st, id, func() (store.Ask, error) { return p.showAsk(ctx, st, id, true) })
}

// showTasks shows a plan or a task on this terminal; the list of all plans without an id.
func (p program) showTasks(ctx context.Context, st *store.Store, id string) error {
	terminal, closeTTY, err := p.terminal()
	if err != nil {
		return err
	}
	defer closeTTY()
	return tui.Tasks(ctx, p.tasksOptions(st, terminal, id))
}

func (p program) tasksOptions(st *store.Store, terminal screen.Terminal, id string) tui.TasksOptions {
	return tui.TasksOptions{Store: st, Plan: id, Terminal: terminal, By: p.Env.Author(), Command: frame.CommandName(), Visit: p.visit()}
}

// editFile opens a file in the person's editor.
func (p program) editFile(ctx context.Context, path string) error {
	command := p.editor()
	if command == "" {
		return errors.New("no editor is named; set VISUAL or EDITOR, or give a file")
	}
	if !frame.IsTerminal(p.Stdin) {
		return errors.New("there is no terminal for the editor; give a file, or - for stdin")
	}
	if err := p.runEditor(ctx, command, path); err != nil {
		return fmt.Errorf("the editor %q failed: %w", command, err)
	}
	return nil
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
