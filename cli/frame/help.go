package frame

import (
	"context"
	"slices"
	"strings"

	"charm.land/fang/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"planb/cli/layout"
)

// help has fang draw the help. No command runs through fang: before it prints
// an error, it asks the terminal for its background, which takes seconds on a
// terminal that does not answer.
func (p Program) help(ctx context.Context, root *cobra.Command, args []string) error {
	root.SetArgs(args)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	command, err := helpTarget(root, args)
	if err != nil {
		return err
	}
	if width := p.Width(); width != layout.Endless {
		fitHelp(command, min(width, 120)) // fang's own limit
	}
	return fang.Execute(ctx, root, fang.WithVersion(VersionText()), fang.WithoutManpage())
}

// helpTarget finds the command in `planb help x` or `planb x --help`.
func helpTarget(root *cobra.Command, args []string) (*cobra.Command, error) {
	if len(args) > 0 && args[0] == "help" {
		args = args[1:]
	}
	command, rest, err := root.Find(args)
	if err != nil {
		return nil, UsageError(err)
	}
	rest = slices.DeleteFunc(slices.Clone(rest), func(arg string) bool { return strings.HasPrefix(arg, "-") })
	if command.HasSubCommands() && len(rest) > 0 && command.ValidateArgs(rest) != nil {
		return nil, unknownCommand(command, rest[0])
	}
	return command, nil
}

// fitHelp breaks the descriptions of flags and commands between words, to fit
// the width. fang prints each of them in one line.
func fitHelp(command *cobra.Command, width int) {
	const textMargin, margin, between, least = 2, 4, 2, 24
	command.Long = layout.Text(joinLines(command.Long), max(width-textMargin-1, least))
	room := max(width-margin-between-keyColumn(command), least)
	for _, sub := range command.Commands() {
		sub.Short = broken(sub.Short, room)
	}
	command.Flags().VisitAll(func(flag *pflag.Flag) { flag.Usage = broken(flag.Usage, room) })
}

// keyColumn is the width of the column of flags and commands in fang's help.
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

// joinLines makes one line of each paragraph. Indented lines stay as they are.
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
