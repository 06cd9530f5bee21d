package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/charmbracelet/x/term"
	"github.com/spf13/cobra"
)

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		names := []string{}
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				names = append(names, sub.Name())
			}
		}
		return usageError(fmt.Errorf("unknown command %q; the commands are %s", args[0], strings.Join(names, ", ")))
	}
	return usageError(fmt.Errorf("%s takes no argument, but got %q", cmd.CommandPath(), args[0]))
}

func atMostOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usageError(fmt.Errorf("%s takes at most one %s, but got %d arguments; see `%s --help`", cmd.CommandPath(), what, len(args), cmd.CommandPath()))
		}
		return nil
	}
}

func exactlyOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return usageError(fmt.Errorf("%s takes one %s, but got %d arguments; see `%s --help`", cmd.CommandPath(), what, len(args), cmd.CommandPath()))
		}
		return nil
	}
}

func isTerminal(f *os.File) bool { return term.IsTerminal(f.Fd()) }
