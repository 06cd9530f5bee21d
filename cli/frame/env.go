package frame

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// Environment holds the variables planb was started with.
type Environment map[string]string

func newEnvironment(pairs []string) Environment {
	e := make(Environment, len(pairs))
	for _, pair := range pairs {
		if name, value, ok := strings.Cut(pair, "="); ok {
			e[name] = value
		}
	}
	return e
}

// Get returns a variable, "" if it is unset.
func (e Environment) Get(name string) string { return e[name] }

// Lookup distinguishes an empty variable from an unset one.
func (e Environment) Lookup(name string) (string, bool) {
	value, set := e[name]
	return value, set
}

// Pairs returns the variables as NAME=value, as os/exec takes them.
func (e Environment) Pairs() []string {
	list := make([]string, 0, len(e))
	for name, value := range e {
		list = append(list, name+"="+value)
	}
	return list
}

// DataDir is the directory of all data. A blank variable counts as unset.
func (e Environment) DataDir() (string, error) {
	for _, name := range []string{"PLANB_DATA_DIR", "PLANB_MCP_DATA_DIR"} {
		if dir := strings.TrimSpace(e[name]); dir != "" {
			return filepath.Abs(dir)
		}
	}
	return e.xdgDir("XDG_DATA_HOME", ".local/share")
}

// StateDir is the directory of the log.
func (e Environment) StateDir() (string, error) { return e.xdgDir("XDG_STATE_HOME", ".local/state") }

// ConfigDir is the directory of the settings file.
func (e Environment) ConfigDir() (string, error) { return e.xdgDir("XDG_CONFIG_HOME", ".config") }

// xdgDir returns planb's directory below the one that an XDG variable names, else
// below fallback in the home directory. By the XDG specification a relative
// value is ignored.
func (e Environment) xdgDir(variable, fallback string) (string, error) {
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

// NoColor follows no-color.org: any value but the empty one counts.
func (e Environment) NoColor() bool { return e["NO_COLOR"] != "" }

// Author names the person at this terminal, user@host, for the record of who
// answered.
func (e Environment) Author() string {
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
