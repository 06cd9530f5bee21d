package tui

import (
	"slices"
	"strings"

	"planb/tui/editor/external"
)

// ascii reports whether the terminal is known to have no other characters than
// ASCII ones to draw diagrams with: by its kind (the consoles of Linux and BSD have
// some lines, but neither dotted ones nor all arrows), or because the locale says so,
// in the order that POSIX gives its variables. Where nothing is said, terminals of
// today have them.
func (t Terminal) ascii() bool {
	kind, _, _ := strings.Cut(external.Variable(t.Environ, "TERM"), "-")
	if slices.Contains([]string{"linux", "dumb", "vt52", "vt100", "vt102", "vt220", "cons25", "wsvt25"}, kind) {
		return true
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale := strings.ToLower(external.Variable(t.Environ, name)); locale != "" {
			return !strings.Contains(locale, "utf-8") && !strings.Contains(locale, "utf8")
		}
	}
	return false
}
