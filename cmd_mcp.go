package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/mcp"
	"planb/mcp/pane"
	"planb/setup"
	"planb/store/bolt"
)

// serveFlags are what `planb mcp` can be told; the zero value is its defaults.
type serveFlags struct {
	toolsets []string
	wait     *time.Duration // nil: what the environment or the settings say
	opener   string
	// plansDir, promptFile and submit are as mcp.Config has them.
	plansDir, promptFile string
	submit               []string
}

func (p program) mcpCommand() *cobra.Command {
	var flags serveFlags
	var wait time.Duration
	command := &cobra.Command{
		Use:   "mcp [flags] [submit command …]",
		Short: "Serve an MCP client over stdin and stdout",
		Long: "Serve an MCP client over stdin and stdout. An agent's client starts this; see the README for how to register it.\n\n" +
			"A command behind the flags reviews plans instead of planb: submit_plan runs it with the plan's path added, and what it prints is the feedback.",
		RunE: func(cmd *cobra.Command, submit []string) error {
			flags.submit = submit
			if cmd.Flags().Changed("wait") {
				flags.wait = &wait
			}
			return p.serve(cmd.Context(), flags)
		},
	}
	command.Flags().StringSliceVar(&flags.toolsets, "toolsets", mcp.DefaultToolsets(), "the toolsets to offer, by their names, or all")
	command.Flags().DurationVar(&wait, "wait", 0, "how long a call may wait for a person, such as 4m30s; 0s: as long as its client is known to allow (default: PLANB_WAIT, else the settings)")
	command.Flags().Lookup("wait").DefValue = "" // the help would tell it beside what the default is
	command.Flags().StringVar(&flags.opener, "opener", "", fmt.Sprintf("what opens panes: %s (default: PLANB_OPENER, else the settings, else auto)", strings.Join(pane.Names(), ", ")))
	command.Flags().StringVar(&flags.plansDir, "plans-dir", "", "where plan files are, relative to the project (default: docs/planb/plans)")
	command.Flags().StringVar(&flags.promptFile, "prompt-file", "", "a file with the text of the prompt plan, relative to the project; $ARGUMENTS stands for the task")
	command.Flags().SetInterspersed(false) // the submit command has flags of its own
	return command
}

func (p program) serve(ctx context.Context, flags serveFlags) error {
	if err := mcp.CheckToolsets(flags.toolsets); err != nil {
		return usageError(err)
	}
	settings, problems := p.settings()
	wait, err := p.wait(flags.wait, settings)
	if err != nil {
		return usageError(err)
	}
	opener, err := p.opener(flags.opener, settings)
	if err != nil {
		return usageError(err)
	}
	timeout, err := p.env.answerTimeout()
	if err != nil {
		return err
	}
	config, err := p.serverConfig()
	if err != nil {
		return err
	}
	config.Opener, config.AnswerTimeout = opener, timeout
	config.Wait, config.Toolsets = wait, flags.toolsets
	config.PlansDir, config.PromptFile, config.SubmitCommand = flags.plansDir, flags.promptFile, flags.submit

	state, err := p.env.stateDir()
	if err != nil {
		return err
	}
	logger, closeLog := newLogger(p.stderr, state)
	config.Log = logger
	for _, problem := range problems {
		logger.Warn("a setting is not used", "problem", problem)
	}
	st, err := p.lazyStore(logger)
	if err != nil {
		return err
	}
	config.Store, config.Elsewhere = st.Store, st.stillAway

	ctx, stop := untilSignal(ctx)
	defer stop()
	if err := mcp.New(config).Serve(ctx, p.stdin, p.stdout); err != nil {
		return err
	}
	if err := st.close(); err != nil {
		return err
	}
	return closeLog()
}

func (p program) serverConfig() (mcp.Config, error) {
	executable, err := os.Executable()
	if err != nil {
		return mcp.Config{}, fmt.Errorf("planb can't find its own program file: %w", err)
	}
	dir, err := p.env.dataDir()
	if err != nil {
		return mcp.Config{}, err
	}
	workingDir, err := os.Getwd()
	if err != nil {
		return mcp.Config{}, fmt.Errorf("the working directory is not there: %w", err)
	}
	owed, err := p.awayPath(filepath.Join(dir, "planb.db"), ".copies")
	if err != nil {
		return mcp.Config{}, err
	}
	return mcp.Config{
		DataDir: dir, OwedDir: owed, OwnDir: bolt.OwnDir, Executable: executable, WorkingDir: workingDir, Env: p.env.get,
		NoOpen: p.env["ASK_NO_OPEN"] == "1", Version: version, Skill: skill,
	}, nil
}

// wait is how long a call may wait for a person: what the flag says, else
// PLANB_WAIT, else the settings.
func (p program) wait(flag *time.Duration, settings setup.Settings) (time.Duration, error) {
	if flag != nil {
		if *flag < 0 {
			return 0, fmt.Errorf("--wait is %s; it must not be negative", *flag)
		}
		return *flag, nil
	}
	if text := p.env["PLANB_WAIT"]; strings.TrimSpace(text) != "" {
		wait, err := setup.ParseWait(text)
		if err != nil {
			return 0, fmt.Errorf("PLANB_WAIT: %w", err)
		}
		return wait, nil
	}
	return settings.Wait, nil
}

// opener is what the flag names, else PLANB_OPENER, else the settings, else
// what the surroundings show.
func (p program) opener(flag string, settings setup.Settings) (pane.Opener, error) {
	here := pane.Here(p.env.lookup)
	for _, name := range []string{flag, p.env["PLANB_OPENER"], settings.Opener} {
		if strings.TrimSpace(name) != "" {
			return here.Detect(name)
		}
	}
	return here.Detect("")
}

// canOpenPanes reports whether a form can open beside this terminal. The error
// is for a PLANB_OPENER that names nothing.
func (p program) canOpenPanes(ctx context.Context) (bool, error) {
	settings, _ := p.settings() // the server tells what is wrong with them
	opener, err := p.opener("", settings)
	if err != nil {
		return false, usageError(err)
	}
	_, nothing := pane.Settle(ctx, opener).(pane.None)
	return !nothing, nil
}
