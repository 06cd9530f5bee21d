package pane

import (
	"path/filepath"
	"runtime"
)

const ghosttyName = "ghostty"

// ghosttyFromEnv returns the opener of new windows of the Ghostty around this
// process, or nil and the reason. One form's window serves all agents there.
func ghosttyFromEnv(env Env) (*launcher, string) { return ghosttyOn(runtime.GOOS, env) }

// ghosttyOn is ghosttyFromEnv on a system. On macOS it sends AppleScript to the
// running Ghostty (from version 1.3 on). A process cannot tell which split it is in,
// so nothing is split. On other systems it starts the program once more with -e.
// Older versions give the words after -e to a shell, newer ones do not; a script's
// path means the same to both.
func ghosttyOn(system string, env Env) (*launcher, string) {
	if env("TERM_PROGRAM") != ghosttyName && env("GHOSTTY_RESOURCES_DIR") == "" {
		return nil, "neither TERM_PROGRAM=ghostty nor GHOSTTY_RESOURCES_DIR is set, so planb does not run inside Ghostty, or its client does not pass them on"
	}
	if reason := otherTerminal(env, "GHOSTTY_RESOURCES_DIR", ghosttyName); reason != "" {
		return nil, reason
	}
	if system == "darwin" {
		return appleScript(env, ghosttyName, "Ghostty", "", ghosttyWindow, func(run string, _ Command) []string { return []string{run} })
	}
	display := displayOf(env)
	if display == "" {
		return nil, "neither WAYLAND_DISPLAY nor DISPLAY is set, so there is no display for Ghostty to open a window on, or its client does not pass them on"
	}
	program := lookPath(env("PATH")+string(filepath.ListSeparator)+env("GHOSTTY_BIN_DIR"), "ghostty")
	if program == "" {
		return nil, "there is no program ghostty on this server's PATH, nor in GHOSTTY_BIN_DIR"
	}
	prepare := func(command Command) (launch, error) {
		return byScript(command, ghosttyName, func(words []string) call {
			argv := []string{program}
			if title := titleLine(command); title != "" {
				argv = append(argv, "--title="+title)
			}
			return call{argv: append(append(argv, "-e"), words...), env: displayEnv(env)}
		})
	}
	return &launcher{name: ghosttyName, server: display, prepare: prepare, run: startCall}, ""
}

// ghosttyWindow runs its argument in a new window.
const ghosttyWindow = `on run argv
	tell application id "com.mitchellh.ghostty"
		set theSurface to new surface configuration
		set command of theSurface to (item 1 of argv)
		activate window (new window with configuration theSurface)
	end tell
end run`
