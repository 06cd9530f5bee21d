package pane

import (
	"fmt"
	"strings"
)

// Env returns the value of an environment variable, "" if unset.
type Env func(name string) string

// row is one known opener.
type row struct {
	name string
	// seen are the variables that show its multiplexer; any one suffices. A
	// variable written NAME=value counts only with that value.
	seen []string
	open func(Env) (Opener, string)
	// tested says that the tests open panes with the real program. Otherwise the
	// opener follows the program's documentation.
	tested bool
	// display says that its forms appear on a display. Over SSH the person may
	// not see that display; see remoteReason.
	display bool
	// anywhere says that the variables prove little: it opens something on a
	// display wherever this process runs, or every process under a terminal's
	// window inherits its variables. So it is used only outside multiplexers.
	anywhere bool
}

// look calls open, and refuses a display over SSH unless the user named the
// opener.
func (r row) look(env Env, named bool) (Opener, string) {
	opener, reason := r.open(env)
	if opener == nil || !r.display || named {
		return opener, reason
	}
	if reason := remoteReason(env, r.name); reason != "" {
		return nil, reason
	}
	return opener, ""
}

// shows returns the first of the row's variables that is set, or "".
func (r row) shows(env Env) string {
	for _, variable := range r.seen {
		name, only, one := strings.Cut(variable, "=")
		if value := env(name); value != "" && (!one || value == only) {
			return variable
		}
	}
	return ""
}

// openers lists the known openers in the order of preference. A multiplexer
// that usually runs inside another comes before it. Those with anywhere come
// last, a window of the person's own terminal before one of the system's.
func openers() []row {
	return []row{
		{name: tmuxName, seen: []string{"TMUX"}, open: asOpener(FromEnv), tested: true},
		{name: "zellij", seen: []string{"ZELLIJ"}, open: asOpener(zellijFromEnv)},
		{name: "wezterm", seen: []string{"WEZTERM_PANE"}, open: asOpener(wezTermFromEnv)},
		{name: "kitty", seen: []string{"KITTY_WINDOW_ID"}, open: asOpener(kittyFromEnv), tested: true},
		{name: "screen", seen: []string{"STY"}, open: asOpener(screenFromEnv), tested: true},
		{name: iterm2Name, seen: []string{"ITERM_SESSION_ID"}, open: asOpener(iterm2FromEnv), display: true, anywhere: true},
		{name: terminalAppName, seen: []string{"TERM_PROGRAM=Apple_Terminal"}, open: asOpener(terminalAppFromEnv), display: true, anywhere: true},
		{name: ghosttyName, seen: []string{"TERM_PROGRAM=ghostty", "GHOSTTY_RESOURCES_DIR"}, open: asOpener(ghosttyFromEnv), display: true, anywhere: true},
		{name: windowsTerminalName, seen: []string{"WT_SESSION"}, open: asOpener(windowsTerminalFromEnv), display: true, anywhere: true},
		{name: windowName, seen: []string{"WAYLAND_DISPLAY", "DISPLAY"}, open: asOpener(windowFromEnv), tested: true, display: true, anywhere: true},
	}
}

// asOpener wraps an opener's constructor so that it returns a nil interface if
// there is no opener.
func asOpener[T interface {
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

// otherTerminal returns why a variable does not prove the terminal that sets
// it: TERM_PROGRAM names another one. Every process under a terminal inherits
// its variables, also an editor with terminals of its own. It returns ""
// without a contradiction.
func otherTerminal(env Env, variable, program string) string {
	name := env("TERM_PROGRAM")
	if name == "" || name == program {
		return ""
	}
	return fmt.Sprintf("%s is set, but TERM_PROGRAM=%q says that the terminal is another", variable, name)
}

// Names lists the values of --opener and PLANB_OPENER.
func Names() []string {
	names := []string{"auto", "none"}
	for _, known := range openers() {
		names = append(names, known.name)
	}
	return names
}

// Detect picks the opener for this environment. wanted is the user's choice: ""
// or "auto" tries all known openers, "none" opens nothing, and a name picks
// that opener. If nothing can be opened, the result is a None with the reason.
// The error is about an unknown name.
func Detect(env Env, wanted string) (Opener, error) {
	return Surroundings{Env: env}.Detect(wanted)
}

// choose returns the openers to try. auto says that the user left the choice to
// planb.
func choose(wanted string) (rows []row, auto bool, err error) {
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

// detect returns the first opener that works here. If none works, it returns a
// None with the reasons of the multiplexers whose variables are set, or of the
// wanted one.
func detect(env Env, rows []row, auto bool) Opener {
	var names, variables, reasons []string
	remote := false
	for _, known := range rows {
		opener, reason := known.look(env, !auto)
		if opener != nil {
			return opener
		}
		if !known.anywhere {
			names, variables = append(names, known.name), append(variables, known.seen...)
		}
		if auto && known.shows(env) == "" {
			continue
		}
		if auto && known.display && remoteReason(env, known.name) != "" {
			if remote {
				continue // one reason for a remote display is enough
			}
			remote = true
		}
		reasons = append(reasons, reason)
	}
	if len(reasons) > 0 {
		return None{Reason: strings.Join(reasons, "; ")}
	}
	return None{nowhere: true, Reason: fmt.Sprintf("none of %s is set, and there is no display, so planb does not run inside %s, or its client does not pass them on",
		strings.Join(variables, ", "), strings.Join(names, ", "))}
}

// passed are the variables that a pane gets from this process: those that
// change a form's look, its editor, and where its files are. A multiplexer
// starts panes with its own environment, which may be days old. PLANB_DATA_DIR
// is not in the list: the caller that opens the pane passes it, because only it
// knows where the directory was set.
func passed() []string {
	return []string{
		"PLANB_THEME", "NO_COLOR", "ACCESSIBLE", "COLORTERM",
		"LANG", "LC_ALL", "LC_CTYPE", "TZ", "VISUAL", "EDITOR", "PLANB_EDITOR",
		"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "PLANB_MACHINE",
	}
}

// Environment returns the variables to pass to a pane, as NAME=value; only
// those that are set.
func Environment(env Env) []string {
	var set []string
	for _, name := range passed() {
		if value := env(name); value != "" {
			set = append(set, name+"="+value)
		}
	}
	return set
}
