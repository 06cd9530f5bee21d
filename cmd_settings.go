package main

import (
	"fmt"
	"path/filepath"

	"planb/setup"
)

// settingsPath is the file of the person's settings.
func (e environment) settingsPath() (string, error) {
	dir, err := e.home("XDG_CONFIG_HOME", ".config")
	return filepath.Join(dir, "config.toml"), err
}

// settings are what the file says. They can be used whatever is wrong with it,
// since no mistake in it may keep a form from opening.
func (p program) settings() (setup.Settings, []setup.Problem) {
	path, err := p.env.settingsPath()
	if err != nil {
		return setup.Defaults(), nil // with no home there is no file
	}
	return setup.ReadSettings(path)
}

// toldSettings are the settings, after a person was told what is wrong with them.
func (p program) toldSettings() setup.Settings {
	settings, problems := p.settings()
	for _, problem := range problems {
		fmt.Fprintf(p.stderr, "planb: %v\n", problem)
	}
	return settings
}
