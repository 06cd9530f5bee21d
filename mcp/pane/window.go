package pane

import (
	"context"
	"fmt"

	"planb/questions/safe"
)

const windowName = "window"

// Window opens a new window of the person's own terminal program on an X11 or
// Wayland display. The window manager decides where it appears and what gets
// the focus afterwards, so Window is no Leaver; only the form shows the
// receipt.
//
// The system names the terminal program: by xdg-terminal-exec, the freedesktop
// convention, or by Debian's x-terminal-emulator. Both run a command's words
// unchanged. They report only failure, not that a window has appeared.
type Window struct {
	display string // distinguishes displays
	env     []string
	program string // absolute path
	flags   []string
	titled  bool // it has the option -T TITLE
	start   func(context.Context, call) error
}

// windowPrograms lists the programs that open windows, in the order of
// preference.
func windowPrograms() []Window {
	return []Window{
		{program: "xdg-terminal-exec"},
		{program: "x-terminal-emulator", flags: []string{"-e"}, titled: true},
	}
}

// WindowFromEnv returns the opener of new windows, or nil and the reason: no
// display, or no program on PATH that opens a terminal window.
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

// displayOf names the display of this environment, or returns "".
func displayOf(env Env) string {
	if display := env("WAYLAND_DISPLAY"); display != "" {
		return "wayland " + display
	}
	if display := env("DISPLAY"); display != "" {
		return "x11 " + display
	}
	return ""
}

// displayEnv returns the variables by which a program finds its display and the
// services there. They may come from an ancestor of this process.
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

// Place names the display: one form's window serves all agents there.
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

// call returns the program's start. The variables go through env(1), because in
// most terminals an older process opens the window, with its own environment.
func (w *Window) call(command Command) (call, error) {
	words, err := withEnv(command, w.Name(), "")
	if err != nil {
		return call{}, err
	}
	argv := []string{w.program}
	if w.titled && command.Title != "" {
		// Some of these programs read a value that begins with a hyphen as an
		// option.
		argv = append(argv, "-T", safe.New(notAnOption(command.Title)).Line())
	}
	return call{argv: append(append(argv, w.flags...), words...), dir: command.Dir, env: w.env}, nil
}

// titleLine returns the command's title as one cleaned line.
func titleLine(command Command) string { return safe.New(command.Title).Line() }

// notAnOption puts a space before text that would be parsed as an option.
func notAnOption(text string) string {
	if len(text) > 0 && text[0] == '-' {
		return " " + text
	}
	return text
}

// remoteReason returns why no window may open by itself in this environment, or
// "".
//
// Under SSH, DISPLAY or TERM_PROGRAM may stand for the screen of the remote
// machine, which nobody sees. A DISPLAY forwarded by ssh -X is visible, but is
// refused, too. It ends with the connection, while the agent may live on in a
// multiplexer. Each key of the form would be X11 traffic. And many people
// forward X11 to all hosts without wanting windows.
func remoteReason(env Env, opener string) string {
	if env("SSH_CONNECTION") == "" {
		return ""
	}
	return fmt.Sprintf("this server runs over SSH (SSH_CONNECTION is set), and a window could come up on a screen you do not see; set the opener to %q if you do see it", opener)
}
