package cli

import (
	"context"
	"slices"
	"strings"

	"charm.land/fang/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"planb/setup/layout"
)

// help has fang draw the help. Nothing else is run through it: it asks the
// terminal for its background before it prints an error, which takes seconds on
// a terminal that does not answer.
func (p program) help(ctx context.Context, args []string) error {
	root := p.command()
	root.SetArgs(args)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	command, err := helpedWith(root, args)
	if err != nil {
		return err
	}
	if width := p.width(); width != layout.Endless {
		fitHelp(command, min(width, 120)) // fang's own limit
	}
	return fang.Execute(ctx, root, fang.WithVersion(versionText()), fang.WithoutManpage())
}

// helpedWith is the command that help is wanted for: `planb help x`, or
// `planb x --help`.
func helpedWith(root *cobra.Command, args []string) (*cobra.Command, error) {
	if len(args) > 0 && args[0] == "help" {
		args = args[1:]
	}
	command, rest, err := root.Find(args)
	if err != nil {
		return nil, usageError(err)
	}
	rest = slices.DeleteFunc(slices.Clone(rest), func(arg string) bool { return strings.HasPrefix(arg, "-") })
	if command.HasSubCommands() && len(rest) > 0 && command.ValidateArgs(rest) != nil {
		return nil, unknownCommand(command, rest[0])
	}
	return command, nil
}

// fitHelp breaks what the help of a command says of flags and commands, which
// fang prints in one line each: between words, for a terminal of that width.
func fitHelp(command *cobra.Command, width int) {
	const textMargin, margin, between, least = 2, 4, 2, 24
	command.Long = layout.Text(joinLines(command.Long), max(width-textMargin-1, least))
	room := max(width-margin-between-keyColumn(command), least)
	for _, sub := range command.Commands() {
		sub.Short = broken(sub.Short, room)
	}
	command.Flags().VisitAll(func(flag *pflag.Flag) { flag.Usage = broken(flag.Usage, room) })
}

// keyColumn is how wide the flags and commands are in a command's help.
func keyColumn(command *cobra.Command) int {
	cells := len("-v --version")
	for _, sub := range command.Commands() {
		use := strings.ReplaceAll(sub.Use, " [flags]", "")
		if sub.HasAvailableSubCommands() {
			use += " [command]"
		}
		if sub.HasAvailableFlags() {
			use += " [--flags]"
		}
		if sub.IsAvailableCommand() {
			cells = max(cells, ansi.StringWidth(use))
		}
	}
	command.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			cells = max(cells, len("--")+len(flag.Name))
		}
	})
	return cells
}

func broken(text string, width int) string {
	return strings.TrimSuffix(layout.Row("", text, width), "\n")
}

// joinLines makes one line of each paragraph; what is indented keeps its lines.
func joinLines(text string) string {
	var out strings.Builder
	before := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case before == "" && out.Len() == 0:
		case line != "" && before != "" && !strings.HasPrefix(line, " ") && !strings.HasPrefix(before, " "):
			out.WriteByte(' ')
		default:
			out.WriteByte('\n')
		}
		out.WriteString(line)
		before = line
	}
	return out.String()
}
