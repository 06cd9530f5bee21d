package cli

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// environment holds the variables planb was started with.
type environment map[string]string

func newEnvironment(pairs []string) environment {
	e := make(environment, len(pairs))
	for _, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			e[name] = value
		}
	}
	return e
}

func (e environment) get(name string) string { return e[name] }

// lookup distinguishes an empty variable from an unset one.
func (e environment) lookup(name string) (string, bool) {
	value, set := e[name]
	return value, set
}

// pairs returns the variables as NAME=value, as os/exec takes them.
func (e environment) pairs() []string {
	list := make([]string, 0, len(e))
	for name, value := range e {
		list = append(list, name+"="+value)
	}
	return list
}

// dataDir is the directory of all data. A blank variable counts as unset.
func (e environment) dataDir() (string, error) {
	for _, name := range []string{"PLANB_DATA_DIR", "PLANB_MCP_DATA_DIR"} {
		if dir := strings.TrimSpace(e[name]); dir != "" {
			return filepath.Abs(dir)
		}
	}
	return e.xdgDir("XDG_DATA_HOME", ".local/share")
}

// stateDir is the directory of the log.
func (e environment) stateDir() (string, error) { return e.xdgDir("XDG_STATE_HOME", ".local/state") }

// configDir is the directory of the settings file.
func (e environment) configDir() (string, error) { return e.xdgDir("XDG_CONFIG_HOME", ".config") }

// xdgDir returns planb's directory below the one that an XDG variable names, else
// below fallback in the home directory. By the XDG specification a relative
// value is ignored.
func (e environment) xdgDir(variable, fallback string) (string, error) {
	if base := e[variable]; filepath.IsAbs(base) {
		return filepath.Join(base, "planb"), nil
	}
	home := e["HOME"]
	if home == "" {
		var err error
		if home, err = os.UserHomeDir(); err != nil {
			return "", fmt.Errorf("there is no home directory to keep planb's data in (%w); set PLANB_DATA_DIR to a directory", err)
		}
	}
	return filepath.Join(home, fallback, "planb"), nil
}

// noColor follows no-color.org: any value but the empty one counts.
func (e environment) noColor() bool { return e["NO_COLOR"] != "" }

// author names the person at this terminal, user@host, for the record of who answered.
func (e environment) author() string {
	name := e["USER"]
	if current, err := user.Current(); err == nil {
		name = current.Username
	}
	host, err := os.Hostname()
	if err != nil {
		host = "localhost"
	}
	return name + "@" + host
}
