package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/logfile"
	"planb/mcp"
	"planb/mcp/pane"
	"planb/setup"
	"planb/store/bolt"
)

// serveFlags are the flags of `planb mcp`; the zero value has the defaults.
type serveFlags struct {
	settings map[string]string // those that were given, by flag
	submit   []string          // for mcp.Config
	scopes   []string          // what the tools of tasks may do; nil: everything
	all      bool              // show the sessions of all projects
}

func (p program) mcpCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "mcp [flags] [COMMAND…]",
		Short: "Serve an agent over MCP; your agent starts this",
		Long: "Serve an MCP client over stdin and stdout. An agent's client starts this; `planb setup` registers it with one.\n\n" +
			"A COMMAND after the flags reviews plans in place of planb: submit_plan runs it with the plan's path added, and takes what it prints as the feedback.",
	}
	given := settingFlags(command)
	var all bool
	var scopes []string
	command.Flags().StringSliceVar(&scopes, "scopes", nil, "what agents may do with tasks, a `LIST` of "+strings.Join(mcp.Scopes(), ", ")+"; everything by default")
	command.Flags().BoolVar(&all, "all-projects", false, "let agents see the sessions of all projects, not only of the one they work in")
	command.RunE = func(cmd *cobra.Command, submit []string) error {
		return p.serve(cmd.Context(), serveFlags{given(), submit, scopes, all})
	}
	command.Flags().SetInterspersed(false) // the submit command has flags of its own
	return command
}

func (p program) serve(ctx context.Context, flags serveFlags) error {
	settings := p.settings(flags.settings)
	if err := settings.Check("wait", "toolsets", "plans-dir", "prompt-file", "draft.dedup_seconds"); err != nil {
		return frame.UsageError(err)
	}
	if err := mcp.CheckScopes(flags.scopes); err != nil {
		return frame.UsageError(err)
	}
	opener, err := p.opener(settings)
	if err != nil {
		return frame.UsageError(err)
	}
	if err := settings.Check("answer-timeout"); err != nil {
		return err
	}
	config, err := p.serverConfig()
	if err != nil {
		return err
	}
	config.Opener, config.AnswerTimeout = opener, settings.AnswerTimeout
	config.AllProjects, config.Scopes = flags.all, flags.scopes
	config.Wait, config.DraftDedup = settings.Wait, settings.DraftDedup
	if config.Toolsets, err = p.toolsets(settings); err != nil {
		return err
	}
	config.Retooled = p.retooled(flags.settings)
	config.PlansDir, config.PromptFile, config.SubmitCommand = settings.PlansDir, settings.PromptFile, flags.submit

	state, err := p.Env.StateDir()
	if err != nil {
		return err
	}
	logger, closeLog := logfile.New(p.Stderr, state)
	config.Log = logger
	for _, problem := range p.settingsFile().Problems {
		logger.Warn("a setting is not used", "problem", problem)
	}
	st, err := p.LazyStore(logger)
	if err != nil {
		return err
	}
	config.Store = st.Store
	config.DraftModels = p.draftModels(settings, config.Executable, st.Store, logger)

	ctx, stop := frame.UntilSignal(ctx)
	defer stop()
	if err := mcp.New(config).Serve(ctx, p.Stdin, p.Stdout); err != nil {
		return err
	}
	if err := st.Close(); err != nil {
		return err
	}
	return closeLog()
}

func (p program) serverConfig() (mcp.Config, error) {
	executable, err := p.OwnProgram()
	if err != nil {
		return mcp.Config{}, err
	}
	dir, err := p.Env.DataDir()
	if err != nil {
		return mcp.Config{}, err
	}
	settings, err := p.Env.ConfigDir()
	if err != nil {
		return mcp.Config{}, err
	}
	working, err := frame.WorkingDir()
	if err != nil {
		return mcp.Config{}, err
	}
	return mcp.Config{
		DataDir: dir, SettingsDir: settings, OwnDir: bolt.OwnDir, Executable: executable, WorkingDir: working, Env: p.Env.Get,
		NoOpen: p.Env["ASK_NO_OPEN"] == "1", Version: frame.Version, Skill: p.content.Skill,
	}, nil
}

// opener returns the opener that the settings name, else the one that fits the
// surroundings.
func (p program) opener(settings setup.Resolved) (pane.Opener, error) {
	if err := settings.Check("opener"); err != nil {
		return nil, err
	}
	return pane.Here(p.Env.Lookup).Detect(settings.Opener)
}

// canOpenPanes reports whether a form can open beside this terminal. The error
// is about an unknown opener in the settings.
func (p program) canOpenPanes(ctx context.Context) (bool, error) {
	opener, err := p.opener(p.settings(nil)) // the server reports mistakes in the file
	if err != nil {
		return false, frame.UsageError(err)
	}
	_, nothing := pane.Resolve(ctx, opener).(pane.None)
	return !nothing, nil
}
