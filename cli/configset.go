package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/setup"
	"planb/tui/keymap"
)

func (p configured) configSetCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "set SETTING VALUE",
		Short: "Change one setting in the file, and nothing else in it",
		Long: "Change one setting in the file, and nothing else in it: comments and order stay. The values of a\n" +
			"list are separated by commas or spaces, or written as in the file; the keys of\n" +
			"keys.SCREEN.ACTION are separated by spaces.",
		Example: "  planb config set theme light\n  planb config set toolsets session,review\n  planb config set draft.command claude -p\n  planb config set keys.form.help \"f2 ?\"",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) < 2 {
				return frame.UsageError(fmt.Errorf("%s takes a setting and its value; `planb config` lists the settings", cmd.CommandPath()))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			name, values := args[0], args[1:]
			switch {
			case len(values) == 1 && (values[0] == "--help" || values[0] == "-h"):
				return cmd.Help()
			case len(values) > 1 && values[0] == "--":
				values = values[1:]
			}
			return p.setConfig(name, p.joined(name, values))
		},
	}
	command.Flags().SetInterspersed(false) // a value may begin with a hyphen
	return command
}

// joined is the value that several arguments stand for: the entries of a list, or the words of
// a text. An entry that is free text, such as an argument of a program, may have a comma in it.
func (p configured) joined(name string, values []string) string {
	for _, key := range setup.Keys(p.themes().Collection) {
		switch {
		case key.Name != name || !key.IsList() || len(values) == 1:
		case len(key.Choices()) > 0:
			return strings.Join(values, ",")
		case !endInCommas(values[:len(values)-1]):
			return setup.List(values)
		}
	}
	return strings.Join(values, " ")
}

// endInCommas reports whether each of the values does, as in  a, b, c.
func endInCommas(values []string) bool {
	return !slices.ContainsFunc(values, func(value string) bool { return !strings.HasSuffix(value, ",") })
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
		if name == "theme" { // it may be of a file that was left out
			for _, problem := range p.themes().problems {
				p.Warn(problem.Error())
			}
		}
		return asUsageError(err)
	}
	if err := p.tellSet(name, "%s is %s now, in %s.\n", "%s is set in %s, but %s overrides it: it is %s.\n"); err != nil || name != "theme" {
		return err
	}
	chosen, err := p.themes().Find(value)
	if err != nil {
		return err
	}
	return p.tellHardToRead(chosen.Name, chosen.LowContrast())
}

// asUsageError turns an unknown name or a wrong value into a usage error.
func asUsageError(err error) error {
	if input := (setup.InputError{}); errors.As(err, &input) {
		return frame.UsageError(err)
	}
	return err
}

// tellSet prints the value that now applies: in words, or in those of overridden where a variable
// overrides the file.
func (p configured) tellSet(name, words, overridden string) error {
	path, err := p.settingsPath()
	if err != nil {
		return err
	}
	p.settingsFile = p.readSettingsOnce() // read again, after the change
	for _, e := range p.settings(nil).List {
		switch {
		case e.Name != name:
		case e.Source > setup.FromFile:
			return p.Tell(fmt.Sprintf(overridden, name, path, e.Env, e.Value))
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
	_, problems := keymap.New(settings, setup.SuggestKey)
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
		Short: "Remove one setting from the file; its default applies",
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
			return p.tellSet(args[0], "%s is %s again; it is no longer in %s.\n", "%s is no longer in %s, but %s sets it: it is %s.\n")
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
