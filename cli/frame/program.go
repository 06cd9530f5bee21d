package frame

import (
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"planb/store/home"
	"planb/themes"
)

// Version is planb's version.
const Version = "0.1.0"

// Exit codes; 130 is what a shell gives a command that was interrupted.
const (
	ExitFailed   = 1
	exitUsage    = 2
	exitDeclined = 130
)

// Exit is an error that ends the program with an exit code. Without err nothing is printed.
type Exit struct {
	Code int
	Err  error
}

func (e Exit) Error() string {
	if e.Err == nil {
		return ""
	}
	return e.Err.Error()
}

func (e Exit) Unwrap() error { return e.Err }

// UsageError is a mistake in the command line.
func UsageError(err error) error { return Exit{exitUsage, err} }

// Declined ends a command that the person declined, left or interrupted. Without
// err nothing is printed.
func Declined(err error) error { return Exit{exitDeclined, err} }

// WasDeclined reports whether the person declined, left or interrupted the command.
func WasDeclined(err error) bool {
	exit, ok := errors.AsType[Exit](err)
	return ok && exit.Code == exitDeclined
}

// Program is what every command needs: the environment and the standard streams.
type Program struct {
	Env            Environment
	Stdin          *os.File
	Stdout, Stderr *os.File
	// File is the path of planb's program file, for those that start it again; "" for the
	// file of this process.
	File string
	// ChecksHere has a store checked in this process, which some damage ends, and not in one
	// of its own.
	ChecksHere bool
	// TaskLimits returns the limits of tasks by the person's settings; nil: none.
	TaskLimits func() home.TaskLimits
	// Theme returns the theme that the person named in PLANB_THEME or in the settings; false
	// for none. If Theme is nil, there is none.
	Theme func() (themes.Choice, bool)
}

// New returns the program of this process.
func New() Program {
	return Program{Env: newEnvironment(os.Environ()), Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr}
}

// Run executes the command that args name and returns the exit code. help formats the
// help of a command, and trouble an error for a terminal.
func (p Program) Run(ctx context.Context, root *cobra.Command, help func(*cobra.Command) string, trouble func(error) string, args []string) int {
	root.SetArgs(args)
	wantsHelp := false
	root.SetHelpFunc(func(*cobra.Command, []string) { wantsHelp = true })
	err := root.ExecuteContext(ctx)
	if wantsHelp {
		var command *cobra.Command
		if command, err = helpTarget(root, args); err == nil {
			err = p.Print(help(command))
		}
	}
	var exit Exit
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &exit):
		exit = Exit{ExitFailed, err}
	}
	// Print err, not exit: err may join further errors.
	switch text := strings.TrimSpace(err.Error()); {
	case text == "":
	case IsTerminal(p.Stderr):
		_, _ = io.WriteString(p.Stderr, trouble(err)) // there is no place to report that stderr fails
	default:
		p.Warn(text)
	}
	return exit.Code
}

// VersionText is the version with the commit that it was built from.
func VersionText() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return Version
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && len(setting.Value) >= 12 {
			return Version + " (" + setting.Value[:12] + ")"
		}
	}
	return Version
}

// UntilSignal returns a context that SIGINT, SIGTERM or SIGHUP cancels.
func UntilSignal(ctx context.Context) (context.Context, context.CancelFunc) {
	return signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
}
