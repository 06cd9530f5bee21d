package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"planb/setup"
	"planb/tui/keymap"
)

// settingsPath is the file of the person's settings.
func (e environment) settingsPath() (string, error) {
	dir, err := e.home("XDG_CONFIG_HOME", ".config")
	return filepath.Join(dir, "config.toml"), err
}

// settingsFile reads the file of settings, once, when it is first wanted.
func (e environment) settingsFile() func() setup.File {
	return sync.OnceValue(func() setup.File {
		path, err := e.settingsPath()
		if err != nil {
			return setup.File{} // with no home there is no file
		}
		return setup.ReadFile(path)
	})
}

// settings are those that count, whatever is wrong with the file: no mistake in it
// may keep a form from opening. Flags are by their names.
func (p program) settings(flags map[string]string) setup.Resolved {
	return p.settingsFile().Resolve(p.env.get, flags)
}

// checkTheme reports a theme that is none. Without colours none is used.
func (p program) checkTheme() error {
	if p.env.noColor() {
		return nil
	}
	return p.settings(nil).Check("theme")
}

// settingFlags are the flags of settings; what was given is read by given.
func settingFlags(command *cobra.Command) (given func() map[string]string) {
	for _, key := range setup.Keys() {
		if key.Flag == "" {
			continue
		}
		otherwise := "the settings"
		if key.Env != "" {
			otherwise = key.Env + ", else the settings"
		}
		usage := fmt.Sprintf("%s (default: %s)", key.About, otherwise)
		if key.IsList() {
			command.Flags().StringSlice(key.Flag, nil, usage)
		} else {
			command.Flags().String(key.Flag, "", usage)
		}
		if choices := key.Choices(); len(choices) > 0 {
			completeFlag(command, key.Flag, choices...)
		}
	}
	return func() map[string]string {
		texts := map[string]string{}
		for _, key := range setup.Keys() {
			flag := command.Flags().Lookup(key.Flag)
			if key.Flag == "" || !flag.Changed {
				continue
			}
			texts[key.Flag] = flag.Value.String()
			if list, err := command.Flags().GetStringSlice(key.Flag); err == nil {
				texts[key.Flag] = strings.Join(list, ",")
			}
		}
		return texts
	}
}

// mappedKeys are the keys that the settings give to actions, and what is wrong with
// them.
func (p program) mappedKeys() (keymap.Keys, []setup.Problem) {
	file := p.settingsFile()
	wanted := make([]keymap.Setting, len(file.Keys))
	for i, key := range file.Keys {
		wanted[i] = keymap.Setting{Screen: key.Screen, Action: key.Action, Keys: key.Keys}
	}
	keys, wrong := keymap.New(wanted, setup.Suggest)
	var problems []setup.Problem
	for _, w := range wrong {
		key := file.Keys[w.Setting]
		problems = append(problems, setup.Problem{File: file.Path, Line: key.Line, Reason: key.Name() + ": " + w.Reason})
	}
	return keys, problems
}

// settingsProblems is all that is wrong with the file.
func (p program) settingsProblems() []setup.Problem {
	_, problems := p.mappedKeys()
	return append(append([]setup.Problem(nil), p.settingsFile().Problems...), problems...)
}

// tellProblems tells a person what is wrong with the file, and returns that with
// the file's name alone, for where there is less room.
func (p program) tellProblems() (lines []string) {
	for _, problem := range p.settingsProblems() {
		p.warn(problem.Error())
		problem.File = filepath.Base(problem.File)
		lines = append(lines, problem.Error())
	}
	return lines
}
