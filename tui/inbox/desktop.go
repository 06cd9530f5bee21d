package inbox

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	"planb/questions/safe"
)

// notifier makes the escape sequence that asks a terminal for a desktop notification with
// a title and a body, both plain text.
type notifier func(title, body string) string

// notifyingTerminal is a terminal that is known to show notifications.
type notifyingTerminal struct {
	name   string
	is     func(env map[string]string) bool
	notify notifier
}

// notifyingTerminals lists them, each with the sequence that its own documentation names.
// Terminals should drop a sequence they do not know, but not all do. So a terminal that is
// not in the table gets none.
//
// Left out for a reason: Windows Terminal and ConEmu, where OSC 9 starts other
// commands; GNOME Terminal, where only some distributions' VTE shows anything;
// Terminal.app, Alacritty and xterm, which show nothing.
func notifyingTerminals() []notifyingTerminal {
	program := func(name string) func(map[string]string) bool {
		return func(env map[string]string) bool { return env["TERM_PROGRAM"] == name }
	}
	term := func(prefix string) func(map[string]string) bool {
		return func(env map[string]string) bool { return strings.HasPrefix(env["TERM"], prefix) }
	}
	return []notifyingTerminal{
		{"iTerm2", program("iTerm.app"), osc9},
		{"WezTerm", program("WezTerm"), osc777},
		{"Ghostty", program("ghostty"), osc777},
		// TERM also reaches the other end of SSH, where TERM_PROGRAM does not.
		{"kitty", term("xterm-kitty"), osc99},
		{"Ghostty", term("xterm-ghostty"), osc777},
		{"foot", term("foot"), osc777},
		{"rxvt-unicode", term("rxvt-unicode"), osc777},
		// iTerm2's way over SSH, whose servers mostly take variables named LC_.
		{"iTerm2", func(env map[string]string) bool { return env["LC_TERMINAL"] == "iTerm2" }, osc9},
	}
}

// desktopNotifier returns the notifier for the terminal of this environment, or nil if the
// terminal is not known to show notifications. Inside a multiplexer it returns nil,
// because there the variables describe the terminal in which the multiplexer was started,
// maybe days ago and elsewhere. The bell and the message of the multiplexer reach the
// person there.
func desktopNotifier(environ []string) notifier {
	env := make(map[string]string, len(environ))
	for _, pair := range environ {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	for _, inside := range []string{"TMUX", "ZELLIJ", "STY"} {
		if env[inside] != "" {
			return nil
		}
	}
	for _, terminal := range notifyingTerminals() {
		if terminal.is(env) {
			return terminal.notify
		}
	}
	return nil
}

const (
	osc = "\x1b]"
	st  = "\x1b\\" // ends an OSC
)

// osc9 is iTerm2's notification: one text. It must not begin with a digit,
// because numbers there are other commands.
func osc9(title, body string) string {
	return osc + "9;" + notificationText(title) + ": " + notificationText(body) + st
}

// osc777 is the sequence of rxvt-unicode, which other terminals took over.
func osc777(title, body string) string {
	return osc + "777;notify;" + notificationText(title) + ";" + notificationText(body) + st
}

// osc99 is kitty's sequence. Title and body have one identifier, so that a newer
// notification replaces the one before.
func osc99(title, body string) string {
	return osc + fmt.Sprintf("99;i=planb:d=0;%s", notificationText(title)) + st +
		osc + fmt.Sprintf("99;i=planb:d=1:p=body;%s", notificationText(body)) + st
}

// notificationCells is the most cells of a line of a notification.
const notificationCells = 120

// notificationText makes a text that can neither end its sequence nor begin another one.
// It cleans the text as for a screen, drops what is not printable, and replaces the
// semicolon, which separates the parts of a sequence.
func notificationText(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == ';':
			return ','
		case r == unicode.ReplacementChar, !unicode.IsPrint(r):
			return -1
		}
		return r
	}, safe.New(text).Line())
	return ansi.Truncate(text, notificationCells, "…")
}
