package frame

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

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
