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
	"planb/setup"

	"github.com/spf13/cobra"
)

// Content is what the program embeds from files outside this directory. Only
// main, which lies above them, can embed those.
type Content struct {
	Skill    string // Markdown that teaches an agent to plan with planb
	DemoForm string // the JSON of the form that `planb demo` asks with
}

// program has every command as a method.
type program struct {
	base
	content      Content
	settingsFile func() setup.File
}

// Main runs the command that the arguments name, with the environment and the
// standard streams of this process. It returns the exit code.
func Main(ctx context.Context, content Content, args []string) int {
	p := program{base: newBase(), content: content}
	p.settingsFile = p.readSettingsOnce()
	return p.run(ctx, p.command, args)
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
