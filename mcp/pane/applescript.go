package pane

import (
	"context"
	"fmt"
)

// appleScript has an application of macOS do something.
//
// The text of a script is always one of this package's constants. What varies
// goes in osascript's arguments, which a script gets as values in argv and never
// reads as AppleScript; so there is nothing to quote, and nothing can break out.
type appleScript struct {
	program string // osascript, by absolute path
	app     string // what macOS and a person call the application
	run     func(context.Context, call) (string, error)
}

// appleScriptFromEnv returns what runs scripts for an application, or the reason
// why nothing does.
func appleScriptFromEnv(env Env, app string) (appleScript, string) {
	program := lookPath(env("PATH"), "osascript")
	if program == "" {
		return appleScript{}, "there is no osascript on this server's PATH, which tells " + app + " what to do; it comes with macOS"
	}
	return appleScript{program: program, app: app, run: runCall}, ""
}

// tell runs the script with arguments of which the first must not look like an
// option, and removes the command's file where the application was not told.
func (a appleScript) tell(ctx context.Context, s script, text string, arguments ...string) error {
	_, err := a.run(ctx, call{argv: append([]string{a.program, "-e", text}, arguments...)})
	if err == nil {
		return nil
	}
	s.remove()
	return fmt.Errorf("%w; if macOS asks whether %s may be controlled, or was told that it may not, allow it in System Settings, Privacy & Security, Automation", err, a.app)
}
