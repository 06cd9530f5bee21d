package pane

import (
	"fmt"
	"strings"
)

// Env looks an environment variable up; an unset one is "".
type Env func(name string) string

// row is one known opener. It returns nil with a reason where the environment
// does not show its multiplexer.
type row struct {
	name string
	open func(Env) (Opener, string)
}

// openers lists the known openers, the preferred one first.
func openers() []row {
	return []row{
		{"tmux", func(env Env) (Opener, string) {
			t, reason := FromEnv(env)
			if t == nil {
				return nil, reason
			}
			return t, ""
		}},
	}
}

// Names lists what --opener and PLANB_OPENER understand.
func Names() []string {
	names := []string{"auto", "none"}
	for _, known := range openers() {
		names = append(names, known.name)
	}
	return names
}

// Detect picks the opener for this environment. wanted is the user's choice:
// empty or "auto" tries all known ones, "none" opens nothing, and a name takes
// that one. Where nothing can be opened the result is a None that says why.
// The error is for a name that is not known.
func Detect(env Env, wanted string) (Opener, error) {
	wanted = strings.ToLower(strings.TrimSpace(wanted))
	if wanted == "none" {
		return None{Reason: "opening panes is switched off by the setting \"none\""}, nil
	}
	auto := wanted == "" || wanted == "auto"
	var reasons []string
	for _, known := range openers() {
		if !auto && known.name != wanted {
			continue
		}
		opener, reason := known.open(env)
		if opener != nil {
			return opener, nil
		}
		reasons = append(reasons, reason)
	}
	if len(reasons) == 0 {
		return nil, fmt.Errorf("there is no opener %q; known are: %s", wanted, strings.Join(Names(), ", "))
	}
	return None{Reason: strings.Join(reasons, "; ")}, nil
}

// passed are the variables a pane gets from this process's environment: those
// that change how a form looks, which editor it opens and where its files are.
// A multiplexer starts panes with its own environment, which may be days old.
// PLANB_DATA_DIR is not among them: whoever opens the pane knows the directory
// it works with, wherever that was named, and says so itself.
func passed() []string {
	return []string{
		"PLANB_THEME", "NO_COLOR", "COLORTERM",
		"LANG", "LC_ALL", "LC_CTYPE", "TZ", "VISUAL", "EDITOR",
		"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
	}
}

// Environment returns the variables to hand on to a pane, as NAME=value; only
// those that are set, and never another one.
func Environment(env Env) []string {
	var set []string
	for _, name := range passed() {
		if value := env(name); value != "" {
			set = append(set, name+"="+value)
		}
	}
	return set
}
