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
	// seen are the variables by any of which its multiplexer shows; by NAME=value
	// it shows only where the variable is that.
	seen []string
	open func(Env) (Opener, string)
	// tried says that the tests open panes with the program itself; else it was
	// made after the program's documentation.
	tried bool
	// display says that its forms come up on a display, where over SSH nobody may
	// sit; see afar.
	display bool
	// anywhere says that it opens something on a display whatever this process
	// runs in, or that its variables are handed down to everything a terminal's
	// window has started; so it is taken only where a process runs in no multiplexer.
	anywhere bool
}

// look is open, but for what is not to be taken unless the user has named it.
func (r row) look(env Env, named bool) (Opener, string) {
	opener, reason := r.open(env)
	if opener == nil || !r.display || named {
		return opener, reason
	}
	if reason := afar(env, r.name); reason != "" {
		return nil, reason
	}
	return opener, ""
}

// shows is the first of the row's variables that is set; empty if none is.
func (r row) shows(env Env) string {
	for _, variable := range r.seen {
		name, only, one := strings.Cut(variable, "=")
		if value := env(name); value != "" && (!one || value == only) {
			return variable
		}
	}
	return ""
}

// openers lists the known openers, the preferred one first. What usually runs
// inside another comes before it, and what is anywhere last, a window of the
// person's own terminal before one of the system's.
func openers() []row {
	return []row{
		{name: tmuxName, seen: []string{"TMUX"}, open: opening(FromEnv), tried: true},
		{name: "zellij", seen: []string{"ZELLIJ"}, open: opening(ZellijFromEnv)},
		{name: "wezterm", seen: []string{"WEZTERM_PANE"}, open: opening(WezTermFromEnv)},
		{name: "kitty", seen: []string{"KITTY_WINDOW_ID"}, open: opening(KittyFromEnv), tried: true},
		{name: "screen", seen: []string{"STY"}, open: opening(ScreenFromEnv), tried: true},
		{name: iterm2Name, seen: []string{"ITERM_SESSION_ID"}, open: opening(ITerm2FromEnv), display: true, anywhere: true},
		{name: terminalAppName, seen: []string{"TERM_PROGRAM=Apple_Terminal"}, open: opening(TerminalAppFromEnv), display: true, anywhere: true},
		{name: ghosttyName, seen: []string{"TERM_PROGRAM=ghostty", "GHOSTTY_RESOURCES_DIR"}, open: opening(GhosttyFromEnv), display: true, anywhere: true},
		{name: windowsTerminalName, seen: []string{"WT_SESSION"}, open: opening(WindowsTerminalFromEnv), display: true, anywhere: true},
		{name: windowName, seen: []string{"WAYLAND_DISPLAY", "DISPLAY"}, open: opening(WindowFromEnv), tried: true, display: true, anywhere: true},
	}
}

// opening makes of an opener's constructor one that gives a nil interface
// where there is no opener.
func opening[T interface {
	comparable
	Opener
}](fromEnv func(Env) (T, string)) func(Env) (Opener, string) {
	return func(env Env) (Opener, string) {
		var none T
		opener, reason := fromEnv(env)
		if opener == none {
			return nil, reason
		}
		return opener, ""
	}
}

// otherTerminal is why a variable does not show the terminal that sets it: the
// terminal's name is not program. What a terminal has started keeps its
// variables, also an editor with terminals of its own. Empty where none is named.
func otherTerminal(env Env, variable, program string) string {
	name := env("TERM_PROGRAM")
	if name == "" || name == program {
		return ""
	}
	return fmt.Sprintf("%s is set, but TERM_PROGRAM=%q says that the terminal is another", variable, name)
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
	return Surroundings{Env: env}.Detect(wanted)
}

// choose returns the openers that may be taken, and whether any may.
func choose(wanted string) (rows []row, any bool, err error) {
	if wanted == "" || wanted == "auto" {
		return openers(), true, nil
	}
	for _, known := range openers() {
		if known.name == wanted {
			return []row{known}, false, nil
		}
	}
	return nil, false, fmt.Errorf("there is no opener %q; known are: %s", wanted, strings.Join(Names(), ", "))
}

// detect takes the first opener that works here. Where none does, the reasons
// are those of the multiplexers that show at all, or of the only one wanted.
func detect(env Env, rows []row, any bool) Opener {
	var names, variables, reasons []string
	remote := false
	for _, known := range rows {
		opener, reason := known.look(env, !any)
		if opener != nil {
			return opener
		}
		if !known.anywhere {
			names, variables = append(names, known.name), append(variables, known.seen...)
		}
		if any && known.shows(env) == "" {
			continue
		}
		if any && known.display && afar(env, known.name) != "" {
			if remote {
				continue // once is enough
			}
			remote = true
		}
		reasons = append(reasons, reason)
	}
	if len(reasons) > 0 {
		return None{Reason: strings.Join(reasons, "; ")}
	}
	return None{Reason: fmt.Sprintf("this server's environment has none of %s, nor a display, so it does not run inside %s, or its client does not pass them on",
		strings.Join(variables, ", "), strings.Join(names, ", "))}
}

// passed are the variables a pane gets from this process's environment: those
// that change how a form looks, which editor it opens and where its files are.
// A multiplexer starts panes with its own environment, which may be days old.
// PLANB_DATA_DIR is not among them: whoever opens the pane knows the directory
// it works with, wherever that was named, and says so itself.
func passed() []string {
	return []string{
		"PLANB_THEME", "NO_COLOR", "ACCESSIBLE", "COLORTERM",
		"LANG", "LC_ALL", "LC_CTYPE", "TZ", "VISUAL", "EDITOR", "PLANB_EDITOR",
		"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "PLANB_MACHINE",
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
