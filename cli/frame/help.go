package frame

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// AddGroup adds commands that the help lists under the group's title.
func AddGroup(to *cobra.Command, title string, commands ...*cobra.Command) {
	to.AddGroup(&cobra.Group{ID: title, Title: title})
	for _, command := range commands {
		command.GroupID = title
	}
	to.AddCommand(commands...)
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
