package pane

import (
	"context"
	"fmt"
)

// launcher is an Opener that runs one program for each pane. It is no Leaver: the
// terminal itself decides what gets the focus when the pane closes, and it cannot show a
// receipt. The form prints that at its end.
type launcher struct {
	name           string
	server, number string // of the place, see placeName
	// prepare returns what to run for the command.
	prepare func(Command) (launch, error)
	// run is runCall for a program that ends at once, else startCall.
	run func(context.Context, call) (string, error)
	// advice says what to do if the program refuses; may be empty.
	advice string
}

// launch is the program that opens a pane.
type launch struct {
	call
	script script // that the pane runs; the zero script if it runs the command itself
}

// Name is the opener's name.
func (l *launcher) Name() string { return l.name }

// Place names the place that the launcher was made for.
func (l *launcher) Place(context.Context) (string, error) {
	return placeName(l.name, l.server, l.number), nil
}

// Open runs the program. If it fails, the script is removed.
func (l *launcher) Open(ctx context.Context, command Command) error {
	start, err := l.prepare(command)
	if err != nil {
		return err
	}
	if _, err = l.run(ctx, start.call); err == nil {
		return nil
	}
	start.script.remove()
	if l.advice != "" {
		return fmt.Errorf("%w; %s", err, l.advice)
	}
	return err
}

// byScript prepares a call that runs the command by a script. argv gets the words
// that run the script; none of them needs quoting.
func byScript(command Command, opener string, argv func(words []string) call) (launch, error) {
	s, err := writeScript(command, opener)
	if err != nil {
		return launch{}, err
	}
	return launch{argv(s.words()), s}, nil
}
