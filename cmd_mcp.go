package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"planb/mcp"
	"planb/mcp/pane"
)

// serveFlags are what `planb mcp` can be told; the zero value is its defaults.
type serveFlags struct {
	toolsets []string
	wait     time.Duration
	opener   string
}

func (p program) mcpCommand() *cobra.Command {
	var flags serveFlags
	command := &cobra.Command{
		Use:   "mcp",
		Short: "Serve an MCP client over stdin and stdout",
		Long:  "Serve an MCP client over stdin and stdout. An agent's client starts this; see the README for how to register it.",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.serve(cmd.Context(), flags) },
	}
	command.Flags().StringSliceVar(&flags.toolsets, "toolsets", mcp.DefaultToolsets(), "the toolsets to offer, by their names, or all")
	command.Flags().DurationVar(&flags.wait, "wait", 0, "how long a call may wait for a person, such as 4m30s; 0s: as long as its client is known to allow")
	command.Flags().StringVar(&flags.opener, "opener", "", fmt.Sprintf("what opens panes: %s (default: PLANB_OPENER, else auto)", strings.Join(pane.Names(), ", ")))
	return command
}

func (p program) serve(ctx context.Context, flags serveFlags) error {
	if err := mcp.CheckToolsets(flags.toolsets); err != nil {
		return usageError(err)
	}
	if flags.wait < 0 {
		return usageError(fmt.Errorf("--wait is %s; it must not be negative", flags.wait))
	}
	opener, err := p.opener(flags.opener)
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
	config.Wait, config.Toolsets = flags.wait, flags.toolsets

	state, err := p.env.stateDir()
	if err != nil {
		return err
	}
	logger, closeLog := newLogger(p.stderr, state)
	config.Log = logger
	st, err := p.lazyStore(logger)
	if err != nil {
		return err
	}
	config.Store = st.Store

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
	return mcp.Config{
		DataDir: dir, Executable: executable, WorkingDir: workingDir, Env: p.env.get,
		NoOpen: p.env["ASK_NO_OPEN"] == "1", Version: version,
	}, nil
}

// opener is what the flag names, else PLANB_OPENER, else what the environment shows.
func (p program) opener(flag string) (pane.Opener, error) {
	if flag == "" {
		flag = p.env["PLANB_OPENER"]
	}
	return pane.Detect(p.env.get, flag)
}

// canOpenPanes reports whether a form can open beside this terminal. The error
// is for a PLANB_OPENER that names nothing.
func (p program) canOpenPanes() (bool, error) {
	opener, err := p.opener("")
	if err != nil {
		return false, usageError(err)
	}
	_, nothing := opener.(pane.None)
	return !nothing, nil
}
