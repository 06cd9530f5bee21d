package pane

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
)

const ghosttyName = "ghostty"

// Ghostty opens a new window of the Ghostty around the server. On macOS it
// sends AppleScript to the running Ghostty (from version 1.3 on). A process
// cannot tell which split it is in, so nothing is split. On other systems it
// starts the program once more with -e. Older versions give the words after -e
// to a shell, newer ones do not; a script's path means the same to both.
type Ghostty struct {
	display string // not on macOS
	program string // absolute path; empty on macOS
	env     []string
	start   func(context.Context, call) error
	script  appleScript // on macOS
}

// GhosttyFromEnv returns the Ghostty around this process, or nil and the
// reason.
func GhosttyFromEnv(env Env) (*Ghostty, string) { return ghosttyOn(runtime.GOOS, env) }

func ghosttyOn(system string, env Env) (*Ghostty, string) {
	if env("TERM_PROGRAM") != ghosttyName && env("GHOSTTY_RESOURCES_DIR") == "" {
		return nil, "this server's environment has neither TERM_PROGRAM=ghostty nor GHOSTTY_RESOURCES_DIR, so it does not run inside Ghostty, or its client does not pass them on"
	}
	if reason := otherTerminal(env, "GHOSTTY_RESOURCES_DIR", ghosttyName); reason != "" {
		return nil, reason
	}
	if system == "darwin" {
		script, reason := appleScriptFromEnv(env, "Ghostty")
		if reason != "" {
			return nil, reason
		}
		return &Ghostty{script: script}, ""
	}
	display := displayOf(env)
	if display == "" {
		return nil, "this server's environment has neither WAYLAND_DISPLAY nor DISPLAY, so there is no display for Ghostty to open a window on, or its client does not pass them on"
	}
	program := lookPath(env("PATH")+string(filepath.ListSeparator)+env("GHOSTTY_BIN_DIR"), "ghostty")
	if program == "" {
		return nil, "there is no program ghostty on this server's PATH, nor in GHOSTTY_BIN_DIR"
	}
	return &Ghostty{display: display, program: program, env: displayEnv(env), start: startCall}, ""
}

// Name returns "ghostty".
func (*Ghostty) Name() string { return ghosttyName }

// Place names the display, or on macOS the application: one form's window
// serves all agents there.
func (g *Ghostty) Place(context.Context) (string, error) {
	return placeName(g.Name(), g.display, ""), nil
}

// ghosttyWindow runs its argument in a new window.
const ghosttyWindow = `on run argv
	tell application id "com.mitchellh.ghostty"
		set theSurface to new surface configuration
		set command of theSurface to (item 1 of argv)
		activate window (new window with configuration theSurface)
	end tell
end run`

// Open opens the window.
func (g *Ghostty) Open(ctx context.Context, command Command) error {
	s, err := writeScript(command, g.Name())
	if err != nil {
		return err
	}
	if g.program == "" {
		return g.script.tell(ctx, s, ghosttyWindow, strings.Join(s.words(), " "))
	}
	argv := []string{g.program}
	if title := titleLine(command); title != "" {
		argv = append(argv, "--title="+title)
	}
	if err := g.start(ctx, call{argv: append(append(argv, "-e"), s.words()...), env: g.env}); err != nil {
		s.remove()
		return err
	}
	return nil
}
