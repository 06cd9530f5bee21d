package pane

import (
	"fmt"

	"planb/questions/safe"
)

const windowName = "window"

// windowProgram is a program that opens a window of the person's terminal program.
type windowProgram struct {
	name   string
	flags  []string // before the command
	titled bool     // it has the option -T TITLE
}

// windowPrograms lists the programs that open windows, in the order of preference:
// xdg-terminal-exec, the freedesktop convention, and Debian's x-terminal-emulator.
// Both run a command's words unchanged. They report only failure, not that a window
// has appeared.
func windowPrograms() []windowProgram {
	return []windowProgram{
		{name: "xdg-terminal-exec"},
		{name: "x-terminal-emulator", flags: []string{"-e"}, titled: true},
	}
}

// windowFromEnv returns the opener of new windows on the X11 or Wayland display of
// this process, or nil and the reason: no display, or no program on PATH that opens
// a terminal window. One form's window serves all agents of a display. It and the
// form outlive this process.
func windowFromEnv(env Env) (*launcher, string) {
	display := displayOf(env)
	if display == "" {
		return nil, "neither WAYLAND_DISPLAY nor DISPLAY is set, so there is no display to open a window on, or its client does not pass them on"
	}
	for _, program := range windowPrograms() {
		if path := lookPath(env("PATH"), program.name); path != "" {
			prepare := func(command Command) (launch, error) {
				started, err := program.call(path, command)
				started.env = displayEnv(env)
				return launch{call: started}, err
			}
			return &launcher{name: windowName, server: display, prepare: prepare, run: startCall}, ""
		}
	}
	return nil, "there is neither xdg-terminal-exec nor x-terminal-emulator on this server's PATH to open a window with"
}

// call returns the program's start. The variables go through env(1), because in
// most terminals an older process opens the window, with its own environment.
func (p windowProgram) call(path string, command Command) (call, error) {
	words, err := withEnv(command, windowName, "")
	if err != nil {
		return call{}, err
	}
	argv := []string{path}
	if p.titled && command.Title != "" {
		// Some of these programs read a value that begins with a hyphen as an
		// option.
		argv = append(argv, "-T", safe.New(notAnOption(command.Title)).Line())
	}
	return call{argv: append(append(argv, p.flags...), words...), dir: command.Dir}, nil
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
