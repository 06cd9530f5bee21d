package cli

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// environment is the variables planb was started with.
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

// lookup tells a variable that is empty from one that is not set.
func (e environment) lookup(name string) (string, bool) {
	value, set := e[name]
	return value, set
}

// pairs gives the variables back in the form processes are started with.
func (e environment) pairs() []string {
	list := make([]string, 0, len(e))
	for name, value := range e {
		list = append(list, name+"="+value)
	}
	return list
}

// dataDir is where everything is kept; a blank variable counts as unset.
func (e environment) dataDir() (string, error) {
	for _, name := range []string{"PLANB_DATA_DIR", "PLANB_MCP_DATA_DIR"} {
		if dir := strings.TrimSpace(e[name]); dir != "" {
			return filepath.Abs(dir)
		}
	}
	return e.home("XDG_DATA_HOME", ".local/share")
}

// stateDir is where the log lies.
func (e environment) stateDir() (string, error) { return e.home("XDG_STATE_HOME", ".local/state") }

// home is planb's directory below the one an XDG variable names. The XDG
// specification has relative values ignored.
func (e environment) home(variable, fallback string) (string, error) {
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

// noColor follows no-color.org: any value but the empty one.
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
