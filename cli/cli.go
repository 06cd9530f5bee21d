// Package cli is the command tree of planb, one file a command. A command reads
// flags, settings and the environment, calls the other rooms, and prints what
// they return. Only this package picks the store's engine.
//
// What a command does is written in other rooms: tui answers a form, mcp serves
// an agent, store keeps the records. Begin to read at Main; program.command
// builds the tree.
package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"planb/setup"
)

const version = "0.1.0"

// Exit codes; 130 is what a shell gives a command that was interrupted.
const (
	exitFailed   = 1
	exitUsage    = 2
	exitDeclined = 130
)

// exitError ends the program with an exit code. Without err nothing is printed.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e exitError) Unwrap() error { return e.err }

func usageError(err error) error { return exitError{exitUsage, err} }

// Content is what the program embeds from files outside this directory. Only
// main, which lies above them, can embed those.
type Content struct {
	Skill    string // Markdown that teaches an agent to plan with planb
	DemoForm string // the JSON of the form that `planb demo` asks with
}

// program is what every command needs: the environment, the standard streams,
// the settings.
type program struct {
	content        Content
	env            environment
	stdin          *os.File
	stdout, stderr *os.File
	settingsFile   func() setup.File
}

// Main runs the command that the arguments name, with the environment and the
// standard streams of this process. It returns the exit code.
func Main(ctx context.Context, content Content, args []string) int {
	env := newEnvironment(os.Environ())
	p := program{content, env, os.Stdin, os.Stdout, os.Stderr, env.settingsFile()}
	return p.run(ctx, args)
}

// run executes one command and returns the exit code.
func (p program) run(ctx context.Context, args []string) int {
	root := p.command()
	root.SetArgs(args)
	wantsHelp := false
	root.SetHelpFunc(func(*cobra.Command, []string) { wantsHelp = true })
	err := root.ExecuteContext(ctx)
	if wantsHelp {
		err = p.help(ctx, args)
	}
	var exit exitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		exit = exitError{exitFailed, err}
	}
	// Print err, not exit: err may join further errors.
	if text := strings.TrimSpace(err.Error()); text != "" {
		p.warn(text)
	}
	return exit.code
}

func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return version + " (" + setting.Value[:12] + ")"
		}
	}
	return version
}

func (p program) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "planb",
		Version:       versionText(),
		SilenceErrors: true, // run prints them, on one line
		SilenceUsage:  true,
		Short:         "Lets a coding agent ask its human, in the terminal",
		Long: "planb lets a coding agent ask its human. Register `planb mcp` with your agent; when it asks, a form opens beside it.\n\n" +
			"Without a command: in a terminal what `planb tui` shows, otherwise (started by an MCP client) the server.",
		Example: "  planb demo\n  planb setup claude\n  planb tui",
		Args:    noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if isTerminal(p.stdin) {
				return p.companion(cmd.Context())
			}
			return p.serve(cmd.Context(), serveFlags{})
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.SetVersionTemplate("planb {{.Version}}\n") // the default template says "planb version"
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.AddCommand(
		p.mcpCommand(), p.tuiCommand(), p.askCommand(), p.reviewCommand(), p.demoCommand(),
		p.sessionsCommand(), p.findCommand(), p.showCommand(), p.diffCommand(), p.statusCommand(),
		p.setupCommand(), p.doctorCommand(), p.configCommand(),
		p.backupCommand(), p.restoreCommand(), p.exportCommand(), p.importCommand(), p.pruneCommand(), p.checkStoreCommand(),
		p.skillCommand(), p.versionCommand(),
	)
	p.addCompletions(root)
	return root
}

func (p program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			return p.print("planb " + versionText() + "\n")
		},
	}
}

func (p program) skillCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "skill",
		Short: "Print the skill that teaches an agent to plan with planb",
		Long:  "Print the skill that teaches an agent to plan with planb, for example into\n.claude/skills/planb/SKILL.md.",
		Args:  noArguments,
		RunE:  func(*cobra.Command, []string) error { return p.print(p.content.Skill) },
	}
}

// untilSignal returns a context that SIGINT, SIGTERM or SIGHUP cancels.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}
