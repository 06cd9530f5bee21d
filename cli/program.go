package cli

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
)

// version is planb's version.
const version = "0.1.0"

// Exit codes; 130 is what a shell gives a command that was interrupted.
const (
	exitFailed   = 1
	exitUsage    = 2
	exitDeclined = 130
)

// exitError ends the program with an exit code. Without err nothing is printed.
type exitError struct {
	code int
	err  error
}

func (e exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e exitError) Unwrap() error { return e.err }

func usageError(err error) error { return exitError{exitUsage, err} }

// base is what every command needs: the environment and the standard streams.
type base struct {
	env            environment
	stdin          *os.File
	stdout, stderr *os.File
}

// newBase returns the program of this process.
func newBase() base {
	return base{newEnvironment(os.Environ()), os.Stdin, os.Stdout, os.Stderr}
}

// run executes the command that args name and returns the exit code. tree builds
// the command tree anew at each call.
func (p base) run(ctx context.Context, tree func() *cobra.Command, args []string) int {
	root := tree()
	root.SetArgs(args)
	wantsHelp := false
	root.SetHelpFunc(func(*cobra.Command, []string) { wantsHelp = true })
	err := root.ExecuteContext(ctx)
	if wantsHelp {
		err = p.help(ctx, tree(), args)
	}
	var exit exitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		exit = exitError{exitFailed, err}
	}
	// Print err, not exit: err may join further errors.
	if text := strings.TrimSpace(err.Error()); text != "" {
		p.warn(text)
	}
	return exit.code
}

func versionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return version + " (" + setting.Value[:12] + ")"
		}
	}
	return version
}

// untilSignal returns a context that SIGINT, SIGTERM or SIGHUP cancels.
func untilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}
