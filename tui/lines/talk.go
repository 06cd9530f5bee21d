package lines

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/charmbracelet/x/term"

	"planb/questions"
	"planb/questions/safe"
	"planb/tui/screen"
	"planb/tui/wording"
)

// talk is a conversation in lines, for people who read by ear or by touch and for
// terminals that draw nothing. planb prints each thing once, from top to bottom, and the
// person answers a line at a time.
type talk struct {
	ctx      context.Context
	terminal screen.Terminal
	lines    *lineReader
	// edits says that /edit opens an editor now.
	edits bool
	// news is what happens while the conversation waits for a line. Each function tells
	// the person; its error ends the wait.
	news <-chan func() error
	// answers is the id of the ask that is being answered.
	answers string
}

// The ways in which a conversation ends without an outcome.
var (
	errLeft  = errors.New("left without an outcome")       // the input or the program ended
	errLater = errors.New("put off")                       // the person wants to leave
	errEnded = errors.New("settled elsewhere, or expired") // there is nothing left to answer
)

func newTalk(ctx context.Context, t screen.Terminal) *talk {
	return &talk{ctx: ctx, terminal: t, lines: readLines(ctx, t.Input)}
}

// say prints lines of text that is already cleaned.
func (t *talk) say(format string, args ...any) error {
	_, err := io.WriteString(t.terminal.Output, t.terminal.Wrap(fmt.Sprintf(format, args...))+"\n")
	return err
}

// ask prints what is wanted and returns the line that the person types, without
// spaces around it.
func (t *talk) ask(want string) (string, error) {
	line, err := t.askExact(want)
	return strings.TrimSpace(line), err
}

// askExact is ask for a line that is kept as it was typed.
func (t *talk) askExact(want string) (string, error) {
	if want != "" {
		want = t.terminal.Wrap(want) + " "
	}
	if _, err := io.WriteString(t.terminal.Output, want); err != nil {
		return "", err
	}
	t.lines.want()
	for {
		select {
		case line, ok := <-t.lines.read:
			t.lines.reading = false
			switch {
			case !ok:
				return "", t.left()
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
			return "", t.left()
		}
	}
}

// left ends the line of the prompt, so that what comes next begins a new one. On a terminal
// that is gone nobody sees it.
func (t *talk) left() error {
	_, _ = io.WriteString(t.terminal.Output, "\n")
	return errLeft
}

// drop reads a line that is for nothing, and no error if none comes.
func (t *talk) drop(want string) error {
	t.news = nil
	if _, err := t.ask(want); !errors.Is(err, errLeft) {
		return err
	}
	return nil
}

// tooLong says that a line was too long, and what to do instead.
func (t *talk) tooLong(err error) error {
	instead := ""
	if t.edits {
		instead = " Type /edit to write it in your editor."
	}
	return t.say("\nThat line was not read: %s.%s", wording.Sentence(err), instead)
}

// lineReader reads one line at a time, and only when one is wanted, so that an editor that
// is started meanwhile has the terminal for itself.
type lineReader struct {
	wanted  chan struct{}
	read    chan typedLine // closed at the end of the input
	reading bool           // a line is wanted and has not come yet
	most    int            // bytes of a line
}

// typedLine is a line, or why it could not be read.
type typedLine struct {
	text string
	err  error
}

// mostTyped is how many bytes of one line a terminal passes on. It drops the rest of a
// longer line.
const mostTyped = 4095

// readLines reads until the input or ctx ends. A read from a terminal cannot be ended, so
// it may outlive ctx.
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
	return fmt.Errorf("it has more than %s", wording.Bytes(l.most))
}

// want asks for a line, unless one is being read already.
func (l *lineReader) want() {
	if l.reading {
		return
	}
	l.reading = true
	select {
	case l.wanted <- struct{}{}:
	default: // the input has ended; the next receive says so
	}
}

// block returns a text as it was written, without the line breaks at its end.
func block(text safe.Text) string { return strings.TrimRight(text.Block(), "\n") }
