package tui

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/charmbracelet/x/term"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/screen"
	"planb/tui/wording"
)

// plainTalk is a conversation in lines, for who reads by ear or by touch, or whose
// terminal draws nothing: what planb says is printed once, from top to bottom, and
// the person answers a line at a time.
type plainTalk struct {
	ctx      context.Context
	terminal io.Reader // for an editor
	environ  []string
	out      io.Writer
	lines    *lineReader
	// edits says that there is something to write now, for which /edit opens an editor.
	edits bool
	// news are what has happened while a line is waited for: each says it to the
	// person; an error of it ends the wait.
	news <-chan func() error
	// answers is the ask that is answered now.
	answers string
}

// How a conversation ends without an outcome.
var (
	errLeft  = errors.New("left without an outcome")       // by the end of the input, or of the program
	errLater = errors.New("put off")                       // as the person wants it
	errEnded = errors.New("settled elsewhere, or expired") // and there is nothing to answer any more
)

func newPlainTalk(ctx context.Context, t screen.Terminal) *plainTalk {
	return &plainTalk{ctx: ctx, terminal: t.Input, environ: t.Environ, out: t.Output, lines: readLines(ctx, t.Input)}
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
			switch {
			case !ok:
				return "", errLeft
			case line.err == nil:
				return strings.ToValidUTF8(line.text, "\uFFFD"), nil
			}
			if err := t.tooLong(line.err); err != nil {
				return "", err
			}
			t.lines.want()
		case tell := <-t.news:
			if err := tell(); err != nil {
				return "", err
			}
		case <-t.ctx.Done():
			return "", errLeft
		}
	}
}

// tooLong says that a line was too long to be taken, and what to do instead.
func (t *plainTalk) tooLong(err error) error {
	instead := ""
	if t.edits {
		instead = " Type /edit to write it in your editor."
	}
	return t.say("\nNothing of that line was taken: %s.%s", wording.Sentence(err), instead)
}

// lineReader reads lines one at a time, when they are wanted: an editor that is
// started meanwhile has the terminal for itself.
type lineReader struct {
	wanted  chan struct{}
	read    chan typedLine // closed at the end of the input
	reading bool           // a line is wanted and has not come yet
	most    int            // bytes of a line
}

// typedLine is a line, or why it could not be taken.
type typedLine struct {
	text string
	err  error
}

// mostTyped is how many bytes of one line a terminal passes on: what is typed or
// pasted behind them is lost in there.
const mostTyped = 4095

// readLines reads until the input or ctx ends. A read from a terminal cannot be
// ended: it is left behind.
func readLines(ctx context.Context, in io.Reader) *lineReader {
	l := &lineReader{wanted: make(chan struct{}, 1), read: make(chan typedLine), most: questions.MaxReplyBytes}
	if f, ok := in.(term.File); ok && term.IsTerminal(f.Fd()) {
		l.most = mostTyped - 1
	}
	go func() {
		defer close(l.read)
		buffer := bufio.NewReader(in)
		for {
			select {
			case <-l.wanted:
			case <-ctx.Done():
				return
			}
			line, ok := l.next(buffer)
			if !ok {
				return
			}
			select {
			case l.read <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	return l
}

// next reads a line without its end; false at the end of the input.
func (l *lineReader) next(in *bufio.Reader) (typedLine, bool) {
	var line []byte
	size := 0
	for {
		part, err := in.ReadSlice('\n')
		if size += len(part); size <= l.most+len("\r\n") {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && size == 0:
			return typedLine{}, false
		}
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if size > l.most+len("\r\n") || len(line) > l.most {
			return typedLine{err: l.tooLong()}, true
		}
		return typedLine{text: string(line)}, true
	}
}

func (l *lineReader) tooLong() error {
	if l.most < mostTyped {
		return fmt.Errorf("a terminal passes on no more than %d bytes of a line", mostTyped)
	}
	return fmt.Errorf("it has more than %s", wording.RoundBytes(l.most))
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
