package pane

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Command is what a pane shall run.
type Command struct {
	// Argv is the program, by absolute path, and at least one argument. It is
	// run directly, never through a shell.
	Argv  []string
	Dir   string   // working directory; empty: that of the agent's pane
	Env   []string // NAME=value, added to the pane's environment
	Title string   // of the pane
	// Notice is shown in one line to a person who looks at another window, or whose
	// typing keeps the pane from getting the focus, where the multiplexer can do that.
	// It may hold any text.
	Notice string
}

// check refuses what some multiplexer would not run as it stands.
func (c Command) check() error {
	if len(c.Argv) < 2 {
		return errors.New("a pane's command needs a program and at least one argument, else it would go through a shell")
	}
	if !filepath.IsAbs(c.Argv[0]) {
		return fmt.Errorf("a pane's program needs an absolute path, got %q", c.Argv[0])
	}
	for _, word := range c.Argv {
		if strings.ContainsRune(word, 0) {
			return errors.New("a pane's command contains a zero byte")
		}
	}
	return nil
}

// Opener opens panes.
type Opener interface {
	// Name is what --opener and PLANB_OPENER call it.
	Name() string
	// Place names where panes of this opener appear: one window of a
	// multiplexer. Two agents in one window are at the same place. It is short
	// and plain ASCII.
	Place(ctx context.Context) (string, error)
	// Open starts the command in a new pane at that place. The pane gets the focus,
	// unless the opener can tell that the person is typing. It returns once the pane is there; the command may not have begun.
	Open(ctx context.Context, command Command) error
}

// Leaver is an Opener's other half, used by the command inside the pane.
type Leaver interface {
	// Leave gives the focus back to the agent's pane, if the person has not
	// moved elsewhere, and shows the receipt in one line that goes away by itself.
	// The receipt may hold any text; an empty one shows nothing.
	Leave(ctx context.Context, receipt string) error
}

// Announcer is an Opener whose multiplexer can tell a person something wherever
// in it they are.
type Announcer interface {
	// Announce shows text, which may be any, in one line that goes away by itself,
	// on every terminal attached to the multiplexer, also one that looks at this
	// very pane. Where none is attached it does nothing.
	Announce(ctx context.Context, text string) error
}

// None is the opener where nothing can be opened.
type None struct {
	// Reason is one phrase for the person: why there is nothing to open a pane in.
	Reason string
}

// Name returns "none".
func (None) Name() string { return "none" }

// Place returns "": asks of a server without an opener have no common place.
func (None) Place(context.Context) (string, error) { return "", nil }

// Open fails with the reason.
func (n None) Open(context.Context, Command) error { return errors.New(n.Reason) }

// Leave does nothing.
func (None) Leave(context.Context, string) error { return nil }
