package cli

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/setup"
	"planb/setup/configfile"
	"planb/tui/keymap"
)

func (p configured) configCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "config",
		Short: "Show and change the settings",
		Long: "Show every setting: what it does, its value, and where that comes from. A flag overrides an environment\n" +
			"variable, a variable overrides the file, and the file overrides the default.",
		Example: "  planb config\n  planb config set theme light\n  planb config set keys.form.submit ctrl+x\n  planb config edit",
		Args:    frame.NoArguments,
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return p.printConfigJSON()
			}
			return p.printConfig()
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	command.AddCommand(p.configKeysCommand(), p.configSetCommand(), p.configUnsetCommand(), p.configEditCommand(),
		p.configCheckCommand(), p.configExampleCommand(), p.configPathCommand())
	return command
}

func (p configured) configPathCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "path",
		Short: "Print the path of the settings file, whether or not it exists",
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

// checkConfig lists every mistake in the settings of now, which is p with the
// file read again.
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

func (p configured) configSetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "set SETTING VALUE",
		Short: "Change one setting in the file, and nothing else in it",
		Long: "Change one setting in the file, and nothing else in it: comments and order stay. The values of a\n" +
			"list are separated by commas, the keys of keys.SCREEN.ACTION by spaces.",
		Example: "  planb config set theme light\n  planb config set toolsets session,review\n  planb config set keys.form.help \"f2 ?\"",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return frame.UsageError(fmt.Errorf("%s takes a setting and its value; `planb config` lists the settings", cmd.CommandPath()))
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return p.setConfig(args[0], strings.Join(args[1:], " ")) },
	}
}

func (p configured) setConfig(name, value string) error {
	path, err := p.writableSettings()
	if err != nil {
		return err
	}
	if err := p.checkKey(name, value); err != nil {
		return frame.UsageError(err)
	}
	if err := setup.SetSetting(path, name, value, p.themes().Collection); err != nil {
		return asUsageError(err)
	}
	return p.tellSet(name, "%s is %s now, in %s.\n")
}

// asUsageError turns an unknown name or a wrong value into a usage error.
func asUsageError(err error) error {
	if input := (setup.InputError{}); errors.As(err, &input) {
		return frame.UsageError(err)
	}
	return err
}

// tellSet prints the value that now applies. A variable may override the file.
func (p configured) tellSet(name, words string) error {
	path, err := p.settingsPath()
	if err != nil {
		return err
	}
	p.settingsFile = p.readSettingsOnce() // read again, after the change
	for _, e := range p.settings(nil).List {
		switch {
		case e.Name != name:
		case e.Source > setup.FromFile:
			return p.Tell(fmt.Sprintf("%s is set in %s, but %s overrides it: it is %s.\n", name, path, e.Env, e.Value))
		default:
			return p.Tell(fmt.Sprintf(words, name, e.Value, path))
		}
	}
	keys, _ := p.mappedKeys()
	for _, a := range keys.Actions() {
		if name == "keys."+a.Screen+"."+a.Action {
			return p.Tell(fmt.Sprintf(words, name, shownKeys(a.Keys), path))
		}
	}
	return p.Tell(fmt.Sprintf("%s was changed in %s.\n", name, path))
}

// checkKey refuses keys that the screens would refuse beside the keys already
// set.
func (p configured) checkKey(name, value string) error {
	path := strings.Split(name, ".")
	if path[0] != "keys" {
		return nil
	}
	wanted := setup.KeySetting{Action: path[len(path)-1], Keys: strings.Fields(value)}
	switch len(path) {
	case 2:
	case 3:
		wanted.Screen = path[1]
	default:
		return fmt.Errorf("%q is not a setting; write keys.SCREEN.ACTION, or keys.ACTION", name)
	}
	var settings []keymap.Setting
	for _, key := range p.settingsFile().Keys {
		if key.Name() != name {
			settings = append(settings, keymap.Setting{Screen: key.Screen, Action: key.Action, Keys: key.Keys})
		}
	}
	settings = append(settings, keymap.Setting{Screen: wanted.Screen, Action: wanted.Action, Keys: wanted.Keys})
	_, problems := keymap.New(settings, setup.Suggest)
	var list []error
	for _, problem := range problems {
		if problem.Setting == len(settings)-1 {
			list = append(list, fmt.Errorf("%s: %s", name, problem.Reason))
		}
	}
	return errors.Join(list...)
}

func (p configured) configUnsetCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "unset SETTING",
		Short: "Remove one setting from the file, so that its default applies",
		Args:  frame.ExactlyOne("setting"),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := p.writableSettings()
			if err != nil {
				return err
			}
			had, err := setup.UnsetSetting(path, args[0])
			if err != nil {
				return asUsageError(err)
			}
			if !had {
				return p.Tell(fmt.Sprintf("%s is not set in %s.\n", args[0], path))
			}
			return p.tellSet(args[0], "%s is %s again; it is no longer in %s.\n")
		},
	}
}

// writableSettings returns the settings file's path if this user may write
// there.
func (p configured) writableSettings() (string, error) {
	path, err := p.settingsPath()
	if err != nil {
		return "", err
	}
	return path, p.checkHomeOwner(false)
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

func (p configured) configKeysCommand() *cobra.Command {
	var asJSON bool
	command := &cobra.Command{
		Use:   "keys [SCREEN]",
		Short: "List the keys of each screen, with the names that the settings use",
		Long: "List the keys of each screen, with the names that the settings use. In the file:\n\n" +
			"    [keys]            # on every screen that has it\n    help = [\"f2\", \"?\"]\n    [keys.form]       # on one screen\n    submit = \"ctrl+x\"",
		Args: frame.AtMostOne("screen"),
		RunE: func(_ *cobra.Command, args []string) error {
			actions, err := p.keyActions(args)
			switch {
			case err != nil:
				return err
			case asJSON:
				return frame.PrintJSON(p.Stdout, actions)
			}
			return p.printKeys(actions)
		},
	}
	command.Flags().BoolVar(&asJSON, "json", false, "print them as JSON")
	return command
}

// keyActions returns all actions, or those of one screen.
func (p configured) keyActions(screen []string) ([]shownAction, error) {
	keys, _ := p.mappedKeys()
	var list []shownAction
	var screens []string
	for _, a := range keys.Actions() {
		if !slices.Contains(screens, a.Screen) {
			screens = append(screens, a.Screen)
		}
		if len(screen) == 0 || screen[0] == a.Screen {
			list = append(list, shownAction{a.Screen, a.Action, a.Does, a.Keys, a.Default, a.About})
		}
	}
	if len(list) == 0 {
		return nil, frame.UsageError(fmt.Errorf("there is no screen %q%s", screen[0], setup.DidYouMean(screen[0], screens, "; the screens are "+strings.Join(screens, ", "))))
	}
	return list, nil
}
