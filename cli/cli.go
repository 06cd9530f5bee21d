// Package cli is the command tree of planb, one file a command. A command reads
// flags, settings and the environment, calls the other rooms, and prints what
// they return.
//
// What a command does is written in other rooms: tui answers a form, mcp serves
// an agent, store keeps the records, store/home knows where. What all commands
// share is in cli/frame. Begin to read at Main; program.command builds the tree.
package cli

import (
	"context"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/cli/ink"
	"planb/setup"
)

// Content is what the program embeds from files outside this directory. Only
// main, which lies above them, can embed those.
type Content struct {
	Skill    string // Markdown that teaches an agent to plan with planb
	DemoForm string // the JSON of the form that `planb demo` asks with
}

// program has the commands that ask a person, serve an agent, or set planb up.
type program struct {
	configured
	content Content
}

// configured is the program with the person's settings. Its methods are the commands
// that show and change these.
type configured struct {
	frame.Program
	settingsFile func() setup.File
	themes       func() themeFiles
}

// lookups has the commands that read what is kept.
type lookups struct{ frame.Program }

// upkeep has the commands that copy, move or remove what is kept.
type upkeep struct{ frame.Program }

// ink returns how this command prints to stdout.
func (p lookups) ink() ink.Ink { return ink.On(p.Stdout, p.Env.Pairs(), p.Theme) }

// Main runs the command that the arguments name, with the environment and the
// standard streams of this process. It returns the exit code.
func Main(ctx context.Context, content Content, args []string) int {
	return Run(ctx, frame.New(), content, args)
}

// Run is Main with the environment and the streams of around.
func Run(ctx context.Context, around frame.Program, content Content, args []string) int {
	p := program{configured{Program: around}, content}
	p.themes = p.readThemesOnce()
	p.settingsFile = p.readSettingsOnce()
	p.TaskLimits, p.Theme = p.taskLimits, p.namedTheme
	cobra.EnableCommandSorting = false // the help has them in the order of the README
	ended := func(err error) string { return trouble(ink.On(p.Stderr, p.Env.Pairs(), p.Theme), err) }
	help := func(command *cobra.Command) string { return lookups{p.Program}.ink().Help(command) }
	return p.Run(ctx, p.command(), help, ended, args)
}

func (p program) command() *cobra.Command {
	root := &cobra.Command{
		Use:           "planb",
		Version:       frame.VersionText(),
		SilenceErrors: true, // Run prints them, on one line
		SilenceUsage:  true,
		Short:         "Lets a coding agent ask its human, in the terminal",
		Long: "Your agent asks; you answer in a pane beside it. Connect your agent with `planb setup`; when it asks, a form opens.\n\n" +
			"Without a command, planb opens your inbox, or serves the agent that started it.",
		Example: "  planb demo\n  planb setup claude\n  planb tui",
		Args:    frame.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if frame.IsTerminal(p.Stdin) {
				return p.inbox(cmd.Context())
			}
			return p.serve(cmd.Context(), serveFlags{})
		},
	}
	root.SetFlagErrorFunc(frame.FlagError)
	root.SetVersionTemplate("planb {{.Version}}\n") // the default template says "planb version"
	root.SetOut(p.Stdout)
	root.SetErr(p.Stderr)
	looks, keeps := lookups{p.Program}, upkeep{p.Program}
	frame.AddGroup(root, "Ask", p.tuiCommand(), p.askCommand(), p.reviewCommand(), p.demoCommand(), p.mcpCommand())
	frame.AddGroup(root, "Look", looks.statusCommand(), looks.sessionsCommand(), looks.showCommand(), looks.diffCommand(), looks.findCommand())
	frame.AddGroup(root, "Tasks", p.tasksCommand())
	frame.AddGroup(root, "Drafts", p.draftCommand())
	frame.AddGroup(root, "Set up", p.setupCommand(), p.doctorCommand(), p.configCommand(), p.skillCommand(), p.completionCommand(), p.versionCommand())
	frame.AddGroup(root, "Store", keeps.backupCommand(), keeps.restoreCommand(), keeps.exportCommand(), keeps.importCommand(), keeps.pruneCommand(), keeps.checkStoreCommand())
	p.addCompletions(root)
	return root
}

func (p program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version",
		Args:  frame.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			return p.Print("planb " + frame.VersionText() + "\n")
		},
	}
}

func (p program) skillCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "skill",
		Short: "Print the skill that teaches an agent to plan with planb",
		Long:  "Print the skill that teaches an agent to plan with planb, for example into\n.claude/skills/planb/SKILL.md.",
		Args:  frame.NoArguments,
		RunE:  func(*cobra.Command, []string) error { return p.Print(p.content.Skill) },
	}
}
