package tui

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"planb/questions"
	"planb/questions/safe"
)

// Plain reports whether nothing can, or should, be drawn on the terminal: what planb
// has to ask is then asked line by line.
func (t Terminal) Plain() bool {
	return variable(t.Environ, "ACCESSIBLE") != "" || variable(t.Environ, "TERM") == "dumb"
}

// plainTalk is a conversation in lines, for who reads by ear or by touch, or whose
// terminal draws nothing: what planb says is printed once, from top to bottom, and
// the person answers a line at a time.
type plainTalk struct {
	ctx      context.Context
	terminal io.Reader // for an editor
	out      io.Writer
	lines    *lineReader
	// news are what has happened while a line is waited for: each says it to the
	// person; an error of it ends the wait.
	news <-chan func() error
}

// How a conversation ends without an outcome.
var (
	errLeft  = errors.New("left without an outcome")       // by the end of the input, or of the program
	errLater = errors.New("put off")                       // as the person wants it
	errEnded = errors.New("settled elsewhere, or expired") // and there is nothing to answer any more
)

func newPlainTalk(ctx context.Context, t Terminal) *plainTalk {
	return &plainTalk{ctx: ctx, terminal: t.Input, out: t.Output, lines: readLines(ctx, t.Input)}
}

// say prints lines of what is clean already.
func (t *plainTalk) say(format string, args ...any) error {
	_, err := io.WriteString(t.out, t.wrapped(fmt.Sprintf(format, args...))+"\n")
	return err
}

// wrapped breaks lines between words where the terminal would break them anywhere.
func (t *plainTalk) wrapped(text string) string {
	f, ok := t.out.(term.File)
	if !ok {
		return text
	}
	width, _, err := term.GetSize(f.Fd())
	if err != nil || width < 2 {
		return text
	}
	return ansi.Wordwrap(text, width-1, "") // some terminals break after a full line by themselves
}

// ask prints what is wanted and returns the line that the person types, without
// spaces around it.
func (t *plainTalk) ask(want string) (string, error) {
	line, err := t.askExact(want)
	return strings.TrimSpace(line), err
}

// askExact is ask for a line that is kept as it was typed.
func (t *plainTalk) askExact(want string) (string, error) {
	if want != "" {
		want = t.wrapped(want) + " "
	}
	if _, err := io.WriteString(t.out, want); err != nil {
		return "", err
	}
	t.lines.want()
	for {
		select {
		case line, ok := <-t.lines.read:
			t.lines.reading = false
			if !ok {
				return "", t.ended()
			}
			return strings.ToValidUTF8(line, "\uFFFD"), nil
		case tell := <-t.news:
			if err := tell(); err != nil {
				return "", err
			}
		case <-t.ctx.Done():
			return "", errLeft
		}
	}
}

// ended says why there are no more lines, where somebody is there to read it.
func (t *plainTalk) ended() error {
	if errors.Is(t.lines.err, bufio.ErrTooLong) {
		if err := t.say("\nThat line is too long to be read. Write long texts with /edit."); err != nil {
			return err
		}
	}
	return errLeft
}

// lineReader reads lines one at a time, when they are wanted: an editor that is
// started meanwhile has the terminal for itself.
type lineReader struct {
	wanted  chan struct{}
	read    chan string // closed at the end of the input
	reading bool        // a line is wanted and has not come yet
	err     error       // why read was closed, if not because all was read
}

// readLines reads until the input or ctx ends. A read from a terminal cannot be
// ended: it is left behind.
func readLines(ctx context.Context, in io.Reader) *lineReader {
	l := &lineReader{wanted: make(chan struct{}, 1), read: make(chan string)}
	go func() {
		defer close(l.read)
		scanner := bufio.NewScanner(in)
		scanner.Buffer(nil, questions.MaxReplyBytes)
		for {
			select {
			case <-l.wanted:
			case <-ctx.Done():
				return
			}
			if !scanner.Scan() {
				l.err = scanner.Err()
				return
			}
			select {
			case l.read <- scanner.Text():
			case <-ctx.Done():
				return
			}
		}
	}()
	return l
}

// want has a line read, unless one is being read already.
func (l *lineReader) want() {
	if l.reading {
		return
	}
	l.reading = true
	select {
	case l.wanted <- struct{}{}:
	default: // the input has ended, which the next look at it tells
	}
}

// plainBlock is a text as it was written, without the line breaks at its end.
func plainBlock(text safe.Text) string { return strings.TrimRight(text.Block(), "\n") }
