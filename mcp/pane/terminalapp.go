package pane

import (
	"context"
	"strings"
)

// terminalAppName is the opener's name; "terminal" alone would be ambiguous.
const terminalAppName = "apple-terminal"

// TerminalApp opens a new window of macOS's own Terminal, which has no panes.
// Terminal types a command into the person's shell, whichever that is; so it
// gets the path of a script. The window stays after the form, unless the
// person's profile closes it when the shell ends.
type TerminalApp struct{ script appleScript }

// TerminalAppFromEnv returns the Terminal around this process, or nil and the
// reason.
func TerminalAppFromEnv(env Env) (*TerminalApp, string) {
	if env("TERM_PROGRAM") != "Apple_Terminal" {
		return nil, "this server's environment has no TERM_PROGRAM=Apple_Terminal, so it does not run inside macOS's Terminal, or its client does not pass it on"
	}
	script, reason := appleScriptFromEnv(env, "Terminal")
	if reason != "" {
		return nil, reason
	}
	return &TerminalApp{script: script}, ""
}

// Name returns "apple-terminal".
func (*TerminalApp) Name() string { return terminalAppName }

// Place names the application: one form's window serves all agents there.
func (t *TerminalApp) Place(context.Context) (string, error) {
	return placeName(t.Name(), "", ""), nil
}

// terminalAppWindow runs its first argument in a new window. The second is the
// title, if not empty.
const terminalAppWindow = `on run argv
	tell application id "com.apple.Terminal"
		set opened to (do script (item 1 of argv))
		if (item 2 of argv) is not "" then set custom title of opened to (item 2 of argv)
		activate
	end tell
end run`

// Open opens the window. The command replaces the shell there.
func (t *TerminalApp) Open(ctx context.Context, command Command) error {
	s, err := writeScript(command, t.Name())
	if err != nil {
		return err
	}
	return t.script.tell(ctx, s, terminalAppWindow, "exec "+strings.Join(s.words(), " "), titleLine(command))
}
