package pane

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

const iterm2Name = "iterm2"

// ITerm2 opens a pane beside or below the server's session, on macOS. iTerm2
// splits a command's string by its own rules, in which even a quoted backslash
// has a meaning; so it gets the path of a script. It cannot show messages, so
// only the form shows the receipt. When the pane closes, iTerm2 chooses the
// next focus itself.
type ITerm2 struct {
	session string // its unique id
	tab     string // wNtN, at the session's start
	script  appleScript
}

// ITerm2FromEnv returns the iTerm2 around this process, or nil and the reason.
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

// Place names the tab in which the session began.
func (i *ITerm2) Place(context.Context) (string, error) {
	return placeName(i.Name(), i.tab, ""), nil
}

// iterm2Split splits a session. Its arguments: the command; the session's id;
// the number of columns from which it splits side by side; the new session's
// name, if not empty.
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

// Open splits the session of this process in half.
func (i *ITerm2) Open(ctx context.Context, command Command) error {
	s, err := writeScript(command, i.Name())
	if err != nil {
		return err
	}
	const wide = formColumns + agentColumns + 1 // plus the line between them
	return i.script.tell(ctx, s, iterm2Split, strings.Join(s.words(), " "), i.session, strconv.Itoa(wide), titleLine(command))
}
