package screen

import (
	"io"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"planb/questions/safe"
	"planb/themes"
	"planb/tui/keymap"
)

// Terminal holds the facts about the terminal and what the person wants of it.
type Terminal struct {
	// Keys come from Input, and the program draws on Output: a terminal, or
	// /dev/tty for a program in a pipe. If Input ends or the terminal is gone, the
	// program ends as if the person had left.
	Input  io.Reader
	Output io.Writer
	// Environ is the environment as os.Environ gives it. TERM, COLORTERM and the
	// variables of the locale and of multiplexers say what the terminal can do, VISUAL
	// and EDITOR which editor the person has.
	Environ []string
	// Themes are the themes that the person can choose from.
	Themes themes.Collection
	// Theme names one of them, or a family (see themes.Collection.Find). If it is empty,
	// planb's own family is used.
	Theme string
	// Keeper keeps the theme that the person chooses.
	Keeper ThemeKeeper
	// Keys are the keys that the person gave to actions.
	Keys keymap.Keys
	// Mistakes are the mistakes in the person's settings, a line each. A form shows
	// them, because a pane's first screen covers all that was printed before.
	Mistakes []string
	// Panel is the percentage of a form that its panel of illustrations gets at first; 0
	// leaves that to the form.
	Panel int
	// NoColor leaves all colours out, whatever Theme says.
	NoColor bool
	// NoMouse leaves the mouse to the terminal.
	NoMouse bool
}

// Choice returns the theme that the person wants. The error for an unknown name is a
// *themes.UnknownError.
func (t Terminal) Choice() (themes.Choice, error) {
	if t.NoColor {
		return t.Themes.Find(themes.NoColor)
	}
	return t.Themes.Find(t.Theme)
}

// Plain reports whether nothing can be drawn, or the person wants nothing drawn. planb
// then asks line by line.
func (t Terminal) Plain() bool {
	return Variable(t.Environ, "ACCESSIBLE") != "" || Variable(t.Environ, "TERM") == "dumb"
}

// ASCII reports whether the terminal is known to have only ASCII characters for
// diagrams: by its kind (the consoles of Linux and BSD have some lines, but neither
// dotted ones nor all arrows), or because the locale says so. The variables of the
// locale are read in POSIX's order. If none is set, the answer is false.
func (t Terminal) ASCII() bool {
	kind, _, _ := strings.Cut(Variable(t.Environ, "TERM"), "-")
	if slices.Contains([]string{"linux", "dumb", "vt52", "vt100", "vt102", "vt220", "cons25", "wsvt25"}, kind) {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(Variable(t.Environ, name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}

// Wrap breaks the lines of a text between words where the terminal would break them
// anywhere. If the output is not a terminal, the lines stay as they are.
func (t Terminal) Wrap(text string) string {
	f, ok := t.Output.(term.File)
	if !ok {
		return text
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width < 2 {
		return text
	}
	return ansi.Wordwrap(text, width-1, "") // some terminals break after a full line by themselves
}

// GNUScreen reports whether this is a window of GNU screen.
func (t Terminal) GNUScreen() bool { return Variable(t.Environ, "STY") != "" }

// Variable returns the value of a variable in an environment. If a name occurs more
// than once, the last entry counts, as it does for a process started with it.
func Variable(environ []string, name string) string {
	value := ""
	for _, entry := range environ {
		if v, ok := strings.CutPrefix(entry, name+"="); ok {
			value = v
		}
	}
	return value
}

// ThemeKeeper keeps the theme that a person chooses.
type ThemeKeeper struct {
	// Save keeps the name of a theme and returns where, for the person to read. It is
	// called outside the update loop. If it is nil, no theme can be chosen.
	Save func(name string) (where string, err error)
	// Where names the file in which Save keeps it; empty if there is none.
	Where string
	// Stronger is the variable that overrides the saved theme; empty if none does.
	Stronger string
}

// Overruled says why a saved theme will not be seen; empty if it will.
func (k ThemeKeeper) Overruled() string {
	if k.Stronger == "" {
		return ""
	}
	return k.Stronger + " is set and decides; unset it to see this theme."
}

// Saved says which theme was saved where, and whether it will be seen.
func (k ThemeKeeper) Saved(name, where string) string {
	return strings.TrimSpace("The theme is now " + name + ", in " + safe.New(where).Line() + ". " + k.Overruled())
}
