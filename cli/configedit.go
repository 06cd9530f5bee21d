package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/setup"
	"planb/setup/configfile"
)

func (p configured) configPathCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print where the settings file is, or would be",
		Args:  frame.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			path, err := p.settingsPath()
			if err != nil {
				return err
			}
			return p.Print(path + "\n")
		},
	}
}

func (p configured) configExampleCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "example",
		Short: "Print a file to start from, with every setting as a comment",
		Args:  frame.NoArguments,
		RunE:  func(*cobra.Command, []string) error { return p.Print(setup.Example()) },
	}
}

func (p configured) configCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check",
		Short: "Look for mistakes in the settings; exit 1 if there are any",
		Args:  frame.NoArguments,
		RunE:  func(*cobra.Command, []string) error { return p.checkConfig(p) },
	}
}

// checkConfig lists every mistake in the settings. now is p with the settings file read
// again.
func (p configured) checkConfig(now configured) error {
	var list []error
	for _, problem := range now.settingsProblems() {
		list = append(list, problem)
	}
	if err := now.settings(nil).Check(); err != nil {
		list = append(list, err)
	}
	if err := p.tellLowContrast(now.themes().Collection); err != nil {
		return err
	}
	if len(list) > 0 {
		return errors.Join(list...)
	}
	file := now.settingsFile()
	if !file.Exists {
		return p.Tell(fmt.Sprintf("%s does not exist; it is not needed.\n", file.Path))
	}
	return p.Tell(fmt.Sprintf("%s has no mistakes.\n", file.Path))
}

func (p configured) configEditCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "edit",
		Short: "Open the file in your editor, then check it",
		Long:  "Open the file in your editor, then check it. A missing file is first made from the example.",
		Args:  frame.NoArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return p.editConfig(cmd.Context()) },
	}
}

func (p configured) editConfig(ctx context.Context) error {
	path, err := p.writableSettings()
	if err != nil {
		return err
	}
	command := p.editor()
	if command == "" {
		return fmt.Errorf("no editor is named; set VISUAL or EDITOR, or open %s yourself", path)
	}
	rewrite, err := configfile.Plan(path, func(text []byte) ([]byte, error) { return text, nil })
	if err != nil {
		return err
	}
	if !rewrite.Exists {
		rewrite.After = []byte(setup.Example())
		if err := rewrite.Overwrite(); err != nil {
			return err
		}
	}
	if err := p.runEditor(ctx, command, path); err != nil {
		return fmt.Errorf("the editor %q failed: %w", command, err)
	}
	now := p
	now.settingsFile = p.readSettingsOnce()
	return p.checkConfig(now)
}

// editor returns the person's editor as a command line, or "" if there is none.
func (p configured) editor() string {
	for _, command := range []string{p.settings(nil).Editor, p.Env["VISUAL"], p.Env["EDITOR"]} {
		if strings.TrimSpace(command) != "" {
			return command
		}
	}
	return ""
}

// runEditor runs a command line, which may have arguments. As git does, it lets
// the shell split it.
func (p configured) runEditor(ctx context.Context, command, path string) error {
	words := []string{"sh", "-c", command + ` "$@"`, "planb", path}
	if runtime.GOOS == "windows" {
		words = append(strings.Fields(command), path)
	}
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	cmd.Env = p.Env.Pairs()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = p.Stdin, p.Stdout, p.Stderr
	return cmd.Run()
}
