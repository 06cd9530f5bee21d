package frame

import (
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"planb/setup"
)

// NoArguments refuses arguments. In a command that has others below it, an argument
// is an unknown command.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return unknownCommand(cmd, args[0])
	}
	return UsageError(fmt.Errorf("%s takes no argument, but got %q", cmd.CommandPath(), args[0]))
}

// AtMostOne allows one argument, which what names in the refusal.
func AtMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return UsageError(fmt.Errorf("%s takes at most one %s, but got %d; see `%s --help`", cmd.CommandPath(), what, len(args), cmd.CommandPath()))
		}
		return nil
	}
}

// ExactlyOne requires one argument, which what names in the refusal.
func ExactlyOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return UsageError(fmt.Errorf("%s takes one %s, but got %d; see `%s --help`", cmd.CommandPath(), what, len(args), cmd.CommandPath()))
		}
		return nil
	}
}

// UnknownCommand is the error about a command that does not exist below cmd. nearest is the
// path of the command that was probably meant; empty if none is near.
func UnknownCommand(cmd *cobra.Command, name, nearest string) error {
	help := fmt.Sprintf("`%s --help` lists the commands", cmd.CommandPath())
	if nearest != "" {
		help = fmt.Sprintf("did you mean `%s`?", nearest)
	}
	return UsageError(fmt.Errorf("unknown command %q; %s", name, help))
}

// unknownCommand suggests the command with the nearest name anywhere below cmd.
func unknownCommand(cmd *cobra.Command, name string) error {
	return UnknownCommand(cmd, name, nearestCommand(cmd, name))
}

// nearestCommand returns the path of the command whose name is nearest to name,
// or "". Direct subcommands of cmd come first.
func nearestCommand(cmd *cobra.Command, name string) string {
	paths := map[string]string{}
	var names []string
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
			paths[sub.Name()] = sub.CommandPath()
		}
	}
	if nearest, ok := setup.Nearest(name, names); ok {
		return paths[nearest]
	}
	for _, sub := range cmd.Commands() {
		if path := nearestCommand(sub, name); path != "" {
			return path
		}
	}
	return ""
}

// FlagError rewrites the parse error of a flag for the person.
func FlagError(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var bare *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown):
		err = unknownFlag(cmd, unknown)
	case errors.As(err, &bare):
		_, usage := pflag.UnquoteUsage(bare.GetFlag())
		err = fmt.Errorf("--%s needs a value: %s", bare.GetFlag().Name, usage)
	case errors.As(err, &invalid):
		err = fmt.Errorf("--%s is %q, but it must be %s", invalid.GetFlag().Name, invalid.GetValue(), allowedBy(invalid.GetFlag()))
	}
	return UsageError(err)
}

func unknownFlag(cmd *cobra.Command, unknown *pflag.NotExistError) error {
	flag := "--" + unknown.GetSpecifiedName()
	if unknown.GetSpecifiedShortnames() != "" {
		flag = flag[1:]
	}
	var known []string
	cmd.Flags().VisitAll(func(flag *pflag.Flag) {
		if !flag.Hidden {
			known = append(known, "--"+flag.Name)
		}
	})
	otherwise := fmt.Sprintf("; `%s --help` lists its flags", cmd.CommandPath())
	return fmt.Errorf("%s has no flag %s%s", cmd.CommandPath(), flag, setup.DidYouMean(flag, known, otherwise))
}

func allowedBy(flag *pflag.Flag) string {
	switch flag.Value.Type() {
	case "int":
		return "a whole number"
	case "bool":
		return "true or false"
	}
	return flag.Value.Type()
}

// IsTerminal reports whether the file is a terminal.
func IsTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }

// CompleteFlag offers values for a flag that the command defines.
func CompleteFlag(command *cobra.Command, flag string, values ...string) {
	offer := cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)
	if err := command.RegisterFlagCompletionFunc(flag, offer); err != nil {
		panic(err) // the caller has defined the flag
	}
}
