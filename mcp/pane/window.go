package pane

import (
	"context"
	"fmt"

	"planb/questions/safe"
)

const windowName = "window"

// Window opens a new window of the person's own terminal program on an X11 or
// Wayland display. The window manager decides where it appears, and whom the
// focus goes back to, so there is no Leaver; a receipt is seen in the form alone.
//
// Which program that is, the system says: xdg-terminal-exec, the freedesktop
// convention, or x-terminal-emulator, Debian's. Both run a command's words as
// they are. Neither tells whether a window came up, only that it could not.
type Window struct {
	display string // what tells displays apart
	env     []string
	program string // by absolute path
	flags   []string
	titled  bool // it takes -T TITLE
	start   func(context.Context, call) error
}

// windowPrograms are the programs that open windows, the preferred one first.
func windowPrograms() []Window {
	return []Window{
		{program: "xdg-terminal-exec"},
		{program: "x-terminal-emulator", flags: []string{"-e"}, titled: true},
	}
}

// WindowFromEnv returns the opener of new windows, or nil and the reason there
// is none: no display, or no program on PATH that opens a terminal's window.
func WindowFromEnv(env Env) (*Window, string) {
	display := displayOf(env)
	if display == "" {
		return nil, "this server's environment has neither WAYLAND_DISPLAY nor DISPLAY, so there is no display to open a window on, or its client does not pass them on"
	}
	for _, w := range windowPrograms() {
		if path := lookPath(env("PATH"), w.program); path != "" {
			w.program, w.display, w.env, w.start = path, display, displayEnv(env), startCall
			return &w, ""
		}
	}
	return nil, "there is neither xdg-terminal-exec nor x-terminal-emulator on this server's PATH to open a window with"
}

// displayOf names the display programs of this environment appear on; empty
// where there is none.
func displayOf(env Env) string {
	if display := env("WAYLAND_DISPLAY"); display != "" {
		return "wayland " + display
	}
	if display := env("DISPLAY"); display != "" {
		return "x11 " + display
	}
	return ""
}

// displayEnv is what a program needs to find its display and the services there.
// This process's own environment may lack it, where a process above knows it.
func displayEnv(env Env) []string {
	var set []string
	for _, name := range []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP"} {
		if value := env(name); value != "" {
			set = append(set, name+"="+value)
		}
	}
	return set
}

// Name returns "window".
func (w *Window) Name() string { return windowName }

// Place names the display: one form's window serves all its agents.
func (w *Window) Place(context.Context) (string, error) {
	return placeName(w.Name(), w.display, ""), nil
}

// Open starts the terminal program. It and the form outlive this process.
func (w *Window) Open(ctx context.Context, command Command) error {
	started, err := w.call(command)
	if err != nil {
		return err
	}
	return w.start(ctx, started)
}

// call is the program's start. The variables go through env(1): most terminals
// leave the window to a process that was there before, with its own environment.
func (w *Window) call(command Command) (call, error) {
	words, err := withEnv(command, w.Name(), "")
	if err != nil {
		return call{}, err
	}
	argv := []string{w.program}
	if w.titled && command.Title != "" {
		// Some of these programs would take a value with a hyphen in front for an option.
		argv = append(argv, "-T", safe.New(notAnOption(command.Title)).Line())
	}
	return call{argv: append(append(argv, w.flags...), words...), dir: command.Dir, env: w.env}, nil
}

// titleLine is the command's title in one line that controls nothing.
func titleLine(command Command) string { return safe.New(command.Title).Line() }

// notAnOption puts a space before text that an option's parser would take for
// the next option.
func notAnOption(text string) string {
	if len(text) > 0 && text[0] == '-' {
		return " " + text
	}
	return text
}

// afar is why a window is not to come up by itself in this environment; empty
// if it may.
//
// Under SSH, DISPLAY or TERM_PROGRAM may stand for the screen of the machine
// that is logged in to, before which nobody sits. A DISPLAY that ssh -X forwards
// is seen, but is refused as well: it is gone with the connection, while the
// agent may live on in a multiplexer; each key of the form would travel as X11's
// own traffic; and many have forwarding on for all hosts without wanting windows.
func afar(env Env, opener string) string {
	if env("SSH_CONNECTION") == "" {
		return ""
	}
	return fmt.Sprintf("this server runs over SSH (SSH_CONNECTION is set), and a window could come up on a screen you do not see; set the opener to %q if you do see it", opener)
}
