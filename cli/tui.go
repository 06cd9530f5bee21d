package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	tea "charm.land/bubbletea/v2"
	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/layout"
	"planb/cli/logfile"
	"planb/mcp/pane"
	"planb/questions/safe"
	"planb/setup"
	"planb/store"
	"planb/tui"
	"planb/tui/ask"
	"planb/tui/inbox"
	"planb/tui/screen"
)

func (p program) tuiCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "tui",
		Short: "Open your inbox: what waits, and all past sessions",
		Args:  frame.NoArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.inbox(cmd.Context()) },
	}
	command.AddCommand(p.tuiAskCommand(), p.tuiRetroCommand(), p.tuiTasksCommand(), p.tuiDraftsCommand(), p.tuiThemesCommand())
	return command
}

func (p program) tuiAskCommand() *cobra.Command {
	var place string
	command := &cobra.Command{
		Use:   "ask [ID]",
		Short: "Answer one form by its id, or the one that waits longest",
		Args:  frame.AtMostOne("id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("place") {
				return p.servePlace(cmd.Context(), place, args)
			}
			return p.answer(cmd.Context(), args)
		},
	}
	// Only the code that opens panes passes this flag.
	command.Flags().StringVar(&place, "place", "", "show the forms of `PLACE`, as the pane that planb mcp opened for it")
	if err := command.Flags().MarkHidden("place"); err != nil {
		panic(err) // the flag is defined one line above
	}
	return command
}

func (p program) tuiRetroCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "retro [SESSION|FORM|SESSION@vN]",
		Short: "Look at past sessions: questions, answers, plan versions",
		Long: "Look at past sessions: what was asked and answered, and every version of the plan. What you name opens at once. " +
			"With ACCESSIBLE=1, and on a dumb terminal, use planb sessions, planb show, planb diff and planb find instead.\n\n" + namedHelp,
		Example: "  planb tui retro\n  planb tui retro 4f5e6a7b\n  planb tui retro 4f5e6a7b@v3",
		Args:    frame.AtMostOne("session, form or version"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.WithStore(cmd.Context(), func(ctx context.Context, st *store.Store) error {
				var found named
				if len(args) == 1 {
					var err error
					if found, err = findNamed(ctx, st, args[0]); err != nil {
						return err
					}
				}
				terminal, closeTTY, err := p.terminal()
				if err != nil {
					return err
				}
				defer closeTTY()
				options := tui.Options{Store: st, Terminal: terminal, By: p.Env.Author(), Command: frame.CommandName()}
				options.Session, options.Plan = found.session.ID, found.plan
				if found.ask != nil {
					options.Ask = found.ask.ID
				}
				return p.browse(ctx, options, tui.Retro)
			})
		},
	}
}

func (p program) tuiTasksCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "tasks [PLAN]",
		Short: "See plans of tasks: what is ready, in work, or needs you",
		Long: "Plans of tasks as a board, as a graph with its critical path, and task by task. Without PLAN it lists all plans. " +
			"PLAN is the id of a plan or of a task, as  planb tasks  prints them.",
		Example:           "  planb tui tasks\n  planb tui tasks 3f9a1c\n  planb tui tasks 3f9a1c.12",
		Args:              frame.AtMostOne("plan"),
		ValidArgsFunction: p.tasks().OfferPlans,
		RunE: func(cmd *cobra.Command, args []string) error {
			return p.WithStore(cmd.Context(), func(ctx context.Context, st *store.Store) error {
				if len(args) == 0 {
					return p.showTasks(ctx, st, "")
				}
				id, err := p.tasks().Find(ctx, st, args[0])
				if err != nil {
					return err
				}
				return p.showTasks(ctx, st, id)
			})
		},
	}
}

func (p program) inbox(ctx context.Context) error {
	return p.WithStore(ctx, func(ctx context.Context, st *store.Store) error {
		terminal, closeTTY, err := p.terminal()
		if err != nil {
			return err
		}
		defer closeTTY()
		ring := p.ring()
		return p.browse(ctx, tui.Options{
			Store: st, Terminal: terminal, By: p.Env.Author(), Command: frame.CommandName(),
			Rings: inbox.Rings(ring), Announce: p.announce(), Tasks: p.tasksOptions(st, terminal, ""),
			Drafts: p.draftsOptions(st, terminal, ""),
		}, tui.Inbox)
	})
}

// browse shows past sessions, and at the end lists the files that a deletion
// left beside copies of plans.
func (p program) browse(ctx context.Context, options tui.Options, show func(context.Context, tui.Options) error) error {
	dir, err := p.Env.DataDir()
	if err != nil {
		return err
	}
	copies := &planCopies{dir: filepath.Join(dir, "plans")}
	options.Copies = copies
	err = show(ctx, options)
	for _, file := range copies.stayed {
		err = errors.Join(err, p.Print(layout.Item("Left as it is: ", safe.New(file).Line(), p.Width())))
	}
	return err
}

// ring returns how the inbox rings.
func (p program) ring() setup.Ring { return p.settings(nil).Ring }

// announce returns a function that shows a line in the multiplexer around this
// process; nil if there is none.
func (p program) announce() func(context.Context, string) error {
	// The line belongs where the person is, whatever opener they prefer for
	// panes.
	opener, err := pane.Detect(p.Env.Get, "auto")
	if err != nil {
		return nil
	}
	if announcer, ok := opener.(pane.Announcer); ok {
		return announcer.Announce
	}
	return nil
}

// visit returns a function that brings the person to a place of the multiplexer around this
// process; nil if there is none.
func (p program) visit() func(context.Context, string) error {
	if visitor, ok := p.openerHere().(pane.Visitor); ok {
		return visitor.Visit
	}
	return nil
}

// answer shows the ask that args name, or the oldest that waits.
func (p program) answer(ctx context.Context, args []string) error {
	return p.WithStore(ctx, func(ctx context.Context, st *store.Store) error {
		ask, err := chooseAsk(ctx, st, args)
		if err != nil {
			return err
		}
		_, err = p.showAsk(ctx, st, ask.ID, false)
		return err
	})
}

func chooseAsk(ctx context.Context, st *store.Store, args []string) (store.Ask, error) {
	if len(args) == 1 {
		return st.FindAsk(ctx, args[0])
	}
	waiting, err := st.Waiting(ctx)
	if err != nil {
		return store.Ask{}, err
	}
	if len(waiting) == 0 {
		return store.Ask{}, errors.New("nothing waits for an answer; look at what was asked before with  planb tui retro")
	}
	return waiting[0], nil
}

// showAsk shows one ask on this terminal and returns it as it is afterwards.
// With quiet it does not print the outcome, because the caller does.
func (p program) showAsk(ctx context.Context, st *store.Store, id string, quiet bool) (store.Ask, error) {
	terminal, closeTTY, err := p.terminal()
	if err != nil {
		return store.Ask{}, err
	}
	defer closeTTY()
	result, err := tui.Ask(ctx, tui.AskOptions{
		Store: st, Terminal: terminal, ID: id, By: p.Env.Author(), Command: frame.CommandName(), Quiet: quiet,
	})
	return result.Ask, err
}

// servePlace runs in the pane that opened beside an agent. The pane closes when
// it returns, so an error is held on the screen until the person has read it.
func (p program) servePlace(ctx context.Context, place string, args []string) error {
	terminal, closeTTY, err := p.terminal()
	if err != nil {
		return err
	}
	defer closeTTY()
	err = p.WithStore(ctx, func(ctx context.Context, st *store.Store) error {
		options := tui.AskOptions{
			Store: st, Terminal: terminal, Place: place, ByItself: true, Bell: p.ring().Bell,
			By: p.Env.Author(), Command: frame.CommandName(), Leave: p.leavePane(),
			TerminalDied: func() bool { return pane.TmuxDied(p.Env.Get) },
		}
		if len(args) == 1 {
			options.ID = args[0]
		}
		_, err := tui.Ask(ctx, options)
		var elsewhere *ask.ShownElsewhereError
		if errors.As(err, &elsewhere) {
			return nil // the pane that is there already shows it
		}
		return err
	})
	tui.HoldPane(terminal, err)
	if err != nil || ctx.Err() != nil {
		return err
	}
	return p.closePane(ctx)
}

// closePane closes this pane, if planb opened it.
func (p program) closePane(ctx context.Context) error {
	if closer, ok := p.openerHere().(pane.Closer); ok {
		return closer.Close(ctx)
	}
	return nil
}

// leavePane returns a function that gives the focus back and shows the receipt
// where the person is. What was asked is settled by then, so the log tells that the
// multiplexer failed: an error would hold the pane before a person who is done.
func (p program) leavePane() func(context.Context, string) error {
	leaver, ok := p.openerHere().(pane.Leaver)
	if !ok {
		return nil
	}
	return func(ctx context.Context, receipt string) error {
		failure := leaver.Leave(ctx, receipt)
		if failure == nil {
			return nil
		}
		state, err := p.Env.StateDir()
		if err != nil {
			return err
		}
		logger, closeLog := logfile.New(io.Discard, state)
		logger.Warn("the focus was not given back, or the receipt not shown", "reason", failure)
		return closeLog()
	}
}

// openerHere returns the opener of the multiplexer in which this pane lies, whatever opener
// the settings prefer. It is nil if there is none; then the server has reported that.
func (p program) openerHere() pane.Opener {
	opener, err := pane.Here(p.Env.Lookup).Detect(p.Env["PLANB_OPENER"])
	if err != nil {
		return nil
	}
	return opener
}

// terminal opens this process's terminal, even if stdin or stdout is a pipe.
func (p program) terminal() (screen.Terminal, func(), error) {
	in, out, err := tea.OpenTTY()
	if err != nil {
		return screen.Terminal{}, nil, noTerminal(err)
	}
	closeTTY := func() {
		_ = in.Close() // nothing is buffered that a failure could lose
		_ = out.Close()
	}
	settings := p.settings(nil)
	problems := p.warnOfProblems()
	theme := settings.Theme
	if settings.Check("theme") != nil {
		theme = p.Env["PLANB_THEME"] // the screen reports what is wrong with it
	}
	keys, _ := p.mappedKeys()
	where, err := p.settingsPath()
	if err != nil {
		where = "" // saving reports the error
	}
	return screen.Terminal{
		Input: in, Output: out, Environ: p.personsEnviron(settings), Keys: keys,
		Theme: theme, NoColor: p.Env.NoColor(), NoMouse: !settings.Mouse, Panel: settings.Panel,
		Mistakes: problems, Themes: p.themes().Collection,
		Keeper: screen.ThemeKeeper{Save: p.saveTheme, Where: where, Stronger: p.themeOverride()},
	}, closeTTY, nil
}

// noTerminal words why no terminal can be opened, without the words of the library that
// tried.
func noTerminal(err error) error {
	if path, ok := errors.AsType[*fs.PathError](err); ok {
		err = path
	}
	return fmt.Errorf("there is no terminal to draw on: %w; run planb in a terminal", err)
}

// personsEnviron returns the environment with the settings that have a variable
// of their own there.
func (p program) personsEnviron(settings setup.Resolved) []string {
	environ := p.Env.Pairs()
	if settings.Editor != "" {
		environ = append(environ, "VISUAL="+settings.Editor)
	}
	if settings.Accessible {
		environ = append(environ, "ACCESSIBLE=1")
	}
	return environ
}
