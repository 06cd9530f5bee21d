package pane

import (
	"context"
	"fmt"
)

// appleScript controls an application of macOS.
//
// The text of a script is always a constant of this package. Variable values go
// into osascript's arguments. A script gets those as values in argv and never
// reads them as AppleScript, so nothing must be quoted and nothing can break
// out.
type appleScript struct {
	program string // osascript, by absolute path
	app     string // the application's name for macOS and people
	run     func(context.Context, call) (string, error)
}

// appleScriptFromEnv returns the appleScript for an application, or why there
// is none.
func appleScriptFromEnv(env Env, app string) (appleScript, string) {
	program := lookPath(env("PATH"), "osascript")
	if program == "" {
		return appleScript{}, "there is no osascript on this server's PATH, which tells " + app + " what to do; it comes with macOS"
	}
	return appleScript{program: program, app: app, run: runCall}, ""
}

// tell runs the script with arguments; the first one must not look like an
// option. On an error it removes the command's file.
func (a appleScript) tell(ctx context.Context, s script, text string, arguments ...string) error {
	_, err := a.run(ctx, call{argv: append([]string{a.program, "-e", text}, arguments...)})
	if err == nil {
		return nil
	}
	s.remove()
	return fmt.Errorf("%w; if macOS asks whether %s may be controlled, or was told that it may not, allow it in System Settings, Privacy & Security, Automation", err, a.app)
}
