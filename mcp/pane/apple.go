package pane

import (
	"fmt"
	"strconv"
	"strings"
)

// appleScript returns a launcher that controls an application of macOS, or why
// there is none. The place is one server of the application.
//
// The text of a script is always a constant of this package. Variable values go
// into osascript's arguments. A script gets those as values in argv and never
// reads them as AppleScript, so nothing must be quoted and nothing can break
// out. The first argument must not look like an option.
func appleScript(env Env, name, app, server, text string, arguments func(run string, command Command) []string) (*launcher, string) {
	program := lookPath(env("PATH"), "osascript")
	if program == "" {
		return nil, "there is no osascript on this server's PATH, which tells " + app + " what to do; it comes with macOS"
	}
	prepare := func(command Command) (launch, error) {
		return byScript(command, name, func(words []string) call {
			return call{argv: append([]string{program, "-e", text}, arguments(strings.Join(words, " "), command)...)}
		})
	}
	return &launcher{
		name: name, server: server, prepare: prepare, run: runCall,
		advice: fmt.Sprintf("if macOS asks whether %s may be controlled, or was told that it may not, allow it in System Settings, Privacy & Security, Automation", app),
	}, ""
}

const iterm2Name = "iterm2"

// iterm2FromEnv returns the opener of panes beside or below this process's iTerm2
// session, or nil and the reason. The place is the tab in which the session began.
// iTerm2 splits a command's string by its own rules, in which even a quoted
// backslash has a meaning; so it gets the path of a script.
func iterm2FromEnv(env Env) (*launcher, string) {
	at := env("ITERM_SESSION_ID")
	if at == "" {
		return nil, "ITERM_SESSION_ID is not set, so planb does not run inside iTerm2, or its client does not pass it on"
	}
	number, session, _ := strings.Cut(at, ":")
	tab, _, hasPane := strings.Cut(number, "p")
	if !hasPane || session == "" || strings.Trim(session, "0123456789abcdefABCDEF-") != "" {
		return nil, fmt.Sprintf("ITERM_SESSION_ID=%q does not name an iTerm2 session", at)
	}
	if reason := otherTerminal(env, "ITERM_SESSION_ID", "iTerm.app"); reason != "" {
		return nil, reason
	}
	return appleScript(env, iterm2Name, "iTerm2", tab, iterm2Split, func(run string, command Command) []string {
		const wide = formColumns + agentColumns + 1 // plus the line between them
		return []string{run, session, strconv.Itoa(wide), titleLine(command)}
	})
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

// terminalAppName is the opener's name; "terminal" alone would be ambiguous.
const terminalAppName = "apple-terminal"

// terminalAppFromEnv returns the opener of new windows of macOS's own Terminal,
// which has no panes, or nil and the reason. One form's window serves all agents
// there. Terminal types a command into the person's shell, whichever that is; so it
// gets the path of a script, which replaces the shell. The window stays after the
// form, unless the person's profile closes it when the shell ends.
func terminalAppFromEnv(env Env) (*launcher, string) {
	if env("TERM_PROGRAM") != "Apple_Terminal" {
		return nil, "TERM_PROGRAM is not Apple_Terminal, so planb does not run inside macOS's Terminal, or its client does not pass it on"
	}
	return appleScript(env, terminalAppName, "Terminal", "", terminalAppWindow, func(run string, command Command) []string {
		return []string{"exec " + run, titleLine(command)}
	})
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
