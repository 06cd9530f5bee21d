package pane

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Command is what a pane runs.
type Command struct {
	// Argv is the program's absolute path and at least one argument. No shell reads
	// its words.
	Argv  []string
	Dir   string   // working directory; empty: that of the agent's pane
	Env   []string // NAME=value, added to the pane's environment
	Title string   // of the pane
	// Notice is shown in one line if the person looks at another window, or if
	// the pane does not get the focus because they are typing. Not every
	// multiplexer can do that. It may hold any text.
	Notice string
}

// check refuses a command that some multiplexer would not run unchanged.
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
	// Name is the opener's name for --opener and PLANB_OPENER.
	Name() string
	// Place names where panes of this opener appear: one window of a
	// multiplexer. Two agents in one window have the same place. The name is
	// short plain ASCII.
	Place(ctx context.Context) (string, error)
	// Open starts the command in a new pane at that place. The pane gets the
	// focus, unless the opener knows that the person is typing. Open returns when
	// the pane exists; the command may not run yet.
	Open(ctx context.Context, command Command) error
}

// Leaver is the part of an Opener that the command inside the pane uses.
type Leaver interface {
	// Leave gives the focus back to the agent's pane, unless the person has
	// moved elsewhere. It shows the receipt, which says what was sent to whom
	// ("14 answers sent to Claude Code"), in one line that disappears by itself. The
	// receipt may hold any text; an empty one shows nothing.
	Leave(ctx context.Context, receipt string) error
}

// Closer is an Opener whose multiplexer may leave a pane open after its command has ended.
type Closer interface {
	// Close closes the pane of this process, if planb opened it and this process is the
	// pane's command. The process must call it last: closing the pane may kill the
	// process.
	Close(ctx context.Context) error
}

// Announcer is an Opener whose multiplexer can show a person a message wherever
// in it they are.
type Announcer interface {
	// Announce shows any text in one line that disappears by itself, on every
	// terminal attached to the multiplexer, even one that shows this pane.
	// Without an attached terminal it does nothing.
	Announce(ctx context.Context, text string) error
}

// Resident is an Opener whose multiplexer can tell the pane of this process.
type Resident interface {
	// Seat names the pane that this process runs in: a place inside of Place, for Visit.
	Seat() string
}

// Visitor is an Opener whose multiplexer can bring a person to a place or to a seat.
type Visitor interface {
	// Visit shows the person the place in the terminal that they use. The error says why
	// it cannot: a place of another multiplexer, or one that is gone.
	Visit(ctx context.Context, place string) error
}

// None is the opener to use if nothing can be opened.
type None struct {
	// Reason says in one phrase why no pane can be opened.
	Reason string

	nowhere bool // no opener shows a sign that planb runs inside it
}

// Name returns "none".
func (None) Name() string { return "none" }

// Place returns "": without an opener, asks share no place.
func (None) Place(context.Context) (string, error) { return "", nil }

// Open fails with the reason.
func (n None) Open(context.Context, Command) error { return errors.New(n.Reason) }

// Leave does nothing.
func (None) Leave(context.Context, string) error { return nil }
