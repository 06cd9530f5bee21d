package pane

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

const iterm2Name = "iterm2"

// ITerm2 opens a pane beside or below the session the server runs in, on macOS.
// iTerm2 splits a command's string by rules of its own, in which even a quoted
// backslash means something; so it is given a script's path. It has no line for
// messages, so a receipt is seen in the form alone, and when the pane closes it
// chooses itself who gets the focus.
type ITerm2 struct {
	session string // its unique id
	tab     string // wNtN, as it was when the session began
	script  appleScript
}

// ITerm2FromEnv returns the iTerm2 this process runs in, or nil and the reason
// there is none.
func ITerm2FromEnv(env Env) (*ITerm2, string) {
	at := env("ITERM_SESSION_ID")
	if at == "" {
		return nil, "this server's environment has no ITERM_SESSION_ID, so it does not run inside iTerm2, or its client does not pass it on"
	}
	number, session, _ := strings.Cut(at, ":")
	tab, _, hasPane := strings.Cut(number, "p")
	if !hasPane || session == "" || strings.Trim(session, "0123456789abcdefABCDEF-") != "" {
		return nil, fmt.Sprintf("ITERM_SESSION_ID=%q does not name an iTerm2 session", at)
	}
	if reason := otherTerminal(env, "ITERM_SESSION_ID", "iTerm.app"); reason != "" {
		return nil, reason
	}
	script, reason := appleScriptFromEnv(env, "iTerm2")
	if reason != "" {
		return nil, reason
	}
	return &ITerm2{session: session, tab: tab, script: script}, ""
}

// Name returns "iterm2".
func (*ITerm2) Name() string { return iterm2Name }

// Place names the tab the session began in.
func (i *ITerm2) Place(context.Context) (string, error) {
	return placeName(i.Name(), i.tab, ""), nil
}

// iterm2Split splits the session whose id is the second argument, for the first
// as the command: side by side if it has as many columns as the third says. The
// fourth, if it is not empty, becomes the new session's name.
const iterm2Split = `on run argv
	tell application id "com.googlecode.iterm2"
		repeat with aWindow in windows
			repeat with aTab in tabs of aWindow
				repeat with aSession in sessions of aTab
					if unique ID of aSession is (item 2 of argv) then
						tell aSession
							if columns >= ((item 3 of argv) as integer) then
								set opened to (split vertically with default profile command (item 1 of argv))
							else
								set opened to (split horizontally with default profile command (item 1 of argv))
							end if
						end tell
						tell opened
							if (item 4 of argv) is not "" then set name to (item 4 of argv)
							select
						end tell
						return
					end if
				end repeat
			end repeat
		end repeat
	end tell
	error "the iTerm2 session this server was started in is gone"
end run`

// Open splits the session of this process in two halves.
func (i *ITerm2) Open(ctx context.Context, command Command) error {
	s, err := writeScript(command, i.Name())
	if err != nil {
		return err
	}
	const wide = formColumns + agentColumns + 1 // and the line between
	return i.script.tell(ctx, s, iterm2Split, strings.Join(s.words(), " "), i.session, strconv.Itoa(wide), titleLine(command))
}
