package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"planb/cli/frame"
	"planb/setup"
	"planb/store/home"
	"planb/themes"
	"planb/tui/keymap"
)

// settingsPath returns the path of the settings file.
func (p configured) settingsPath() (string, error) {
	dir, err := p.Env.ConfigDir()
	return filepath.Join(dir, "config.toml"), err
}

// readSettingsOnce returns a function that reads the settings file once, at its
// first call.
func (p configured) readSettingsOnce() func() setup.File {
	return sync.OnceValue(func() setup.File {
		path, err := p.settingsPath()
		if err != nil {
			return setup.File{} // without a home directory there is no file
		}
		return setup.ReadFile(path, p.themes().Collection)
	})
}

// settings returns the settings that apply, with flags by name. Mistakes in the
// file do not make it fail: none may keep a form from opening.
func (p configured) settings(flags map[string]string) setup.Resolved {
	return p.settingsFile().Resolve(p.Env.Get, flags)
}

// taskLimits returns the limits of tasks that the settings give.
func (p configured) taskLimits() home.TaskLimits {
	limits := p.settings(nil).Tasks
	return home.TaskLimits{Projects: limits.Projects, Monthly: limits.Monthly, Grace: limits.Grace}
}

// checkTheme reports an unknown theme. Without colours no theme is used.
func (p configured) checkTheme() error {
	if p.Env.NoColor() {
		return nil
	}
	return p.settings(nil).Check("theme")
}

// namedTheme returns the theme that PLANB_THEME or the settings name, if they name one that
// there is.
func (p configured) namedTheme() (themes.Choice, bool) {
	name := p.settings(nil).Theme
	if name == "" {
		return themes.Choice{}, false
	}
	choice, err := p.themes().Find(name)
	return choice, err == nil
}

// settingFlags defines the flags of settings on the command; given returns
// those that were set.
func settingFlags(command *cobra.Command) (given func() map[string]string) {
	values := map[string]*flagValue{}
	for _, key := range setup.Keys(themes.Collection{}) {
		if key.Flag == "" {
			continue
		}
		otherwise := "the settings"
		if key.Env != "" {
			otherwise = key.Env + ", else the settings"
		}
		usage := fmt.Sprintf("%s (default: %s)", key.About, otherwise)
		values[key.Flag] = &flagValue{key: key}
		command.Flags().Var(values[key.Flag], key.Flag, usage)
		if choices := key.Choices(); len(choices) > 0 {
			frame.CompleteFlag(command, key.Flag, choices...)
		}
	}
	return func() map[string]string {
		texts := map[string]string{}
		for name, value := range values {
			if command.Flags().Lookup(name).Changed {
				texts[name] = value.text
			}
		}
		return texts
	}
}

// flagValue is the value of a setting's flag, as it was given. A list may be given in
// parts.
type flagValue struct {
	key  setup.Key
	text string
}

// Set stores what was given. The settings check it.
func (v *flagValue) Set(text string) error {
	if v.key.IsList() && v.text != "" {
		text = v.text + "," + text
	}
	v.text = text
	return nil
}

func (v *flagValue) String() string { return v.text }

// Type is what the help calls the value.
func (v *flagValue) Type() string { return v.key.Value }

// mappedKeys returns the key bindings with the changes from the settings, and
// the mistakes in those.
func (p configured) mappedKeys() (keymap.Keys, []setup.Problem) {
	file := p.settingsFile()
	wanted := make([]keymap.Setting, len(file.Keys))
	for i, key := range file.Keys {
		wanted[i] = keymap.Setting{Screen: key.Screen, Action: key.Action, Keys: key.Keys}
	}
	keys, wrong := keymap.New(wanted, setup.SuggestKey)
	var problems []setup.Problem
	for _, w := range wrong {
		key := file.Keys[w.Setting]
		problems = append(problems, setup.Problem{File: file.Path, Line: key.Line, Reason: key.Name() + ": " + w.Reason})
	}
	return keys, problems
}

// settingsProblems returns all mistakes in the file, and in the person's own themes.
func (p configured) settingsProblems() []setup.Problem {
	_, keys := p.mappedKeys()
	return slices.Concat(p.settingsFile().Problems, keys, p.themes().problems)
}

// warnOfProblems prints all mistakes in the file to stderr, and returns them with
// the file's base name, for a place with less room.
func (p configured) warnOfProblems() (lines []string) {
	for _, problem := range p.settingsProblems() {
		p.Warn(problem.Error())
		problem.File = filepath.Base(problem.File)
		lines = append(lines, problem.Error())
	}
	return lines
}
