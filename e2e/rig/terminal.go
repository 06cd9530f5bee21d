package rig

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

// CheckExit fails the script unless err has the exit code want.
func CheckExit(ts *testscript.TestScript, want string, err error) {
	code := 0
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		code = exit.ExitCode()
	case err != nil:
		ts.Fatalf("%v", err)
	}
	if strconv.Itoa(code) != want {
		ts.Fatalf("exit code %d, want %s", code, want)
	}
}

// PersonCommand is the script command "person FILE CODE COMMAND...". It runs a
// command on a terminal of 100 × 30 cells, performs the lines of the file (see
// Perform), and checks the exit code. It writes the command's stdout to the
// file person.stdout and all output to the terminal to the file person.screen.
func PersonCommand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: person FILE CODE COMMAND...")
	}
	var stdout bytes.Buffer
	cmd := exec.Command(args[2], args[3:]...)
	cmd.Dir = ts.MkAbs(".")
	cmd.Stdout = &stdout
	for _, name := range []string{"PATH", "HOME", "PLANB_DATA_DIR", "TERM", "LC_ALL", "NO_COLOR", "PLANB_THEME"} {
		cmd.Env = append(cmd.Env, name+"="+ts.Getenv(name))
	}
	if program, err := exec.LookPath(args[2]); err == nil {
		cmd.Path = program
	} else if args[2] == "planb" {
		path, err := built()
		ts.Check(err)
		cmd.Path, cmd.Err = path, nil
	}
	tty, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 100, Rows: 30})
	ts.Check(err)
	defer tty.Close()
	var screen Output
	drained := screen.Drain(tty)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	exit, err := Perform(tty, &screen, ts.ReadFile(args[0]), ended)
	if err != nil {
		_ = cmd.Process.Kill()
		ts.Fatalf("%v", err)
	}
	<-drained
	ts.Check(os.WriteFile(ts.MkAbs("person.stdout"), stdout.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("person.screen"), []byte(screen.Text()), 0o600))
	CheckExit(ts, args[1], exit)
}

// ErrStillRuns is the error if a command does not end within Patience.
var ErrStillRuns = errors.New("the command does not end")

// Perform performs the lines as a person at a terminal and returns how the
// command ended. A line is one of those of PerformLine, or "leave", see
// CloseAll. problem is why a line could not be performed.
func Perform(tty io.Writer, screen *Output, lines string, ended <-chan error) (exit, problem error) {
	for line := range strings.Lines(lines) {
		line = strings.TrimRight(line, "\n")
		if line == "leave" {
			exit = CloseAll(tty, ended)
			if errors.Is(exit, ErrStillRuns) {
				return nil, fmt.Errorf("%w; the terminal was sent:\n%s", ErrStillRuns, screen.Text())
			}
			return exit, nil
		}
		if err := PerformLine(tty, screen, line); err != nil {
			return nil, err
		}
	}
	select {
	case exit = <-ended:
		return exit, nil
	case <-time.After(Patience):
		return nil, fmt.Errorf("%w; the terminal was sent:\n%s", ErrStillRuns, screen.Text())
	}
}

// CloseAll presses Ctrl+C until the command ends, and returns how it ended. It
// presses at a person's pace: a terminal takes an Esc and a key right behind it
// for one key.
func CloseAll(tty io.Writer, ended <-chan error) error {
	press := time.NewTicker(200 * time.Millisecond)
	defer press.Stop()
	limit := time.After(Patience)
	for {
		select {
		case err := <-ended:
			return err
		case <-limit:
			return ErrStillRuns
		case <-press.C:
			_, _ = io.WriteString(tty, KeyBytes["ctrl+c"]) // it may have ended just now
		}
	}
}

// PerformLine performs one line: "see TEXT" waits until the terminal was sent
// the text, "rest" waits until the form accepts keys, "type TEXT" types the
// text, "key NAME" presses a key of KeyBytes. An empty line and "#" do nothing.
func PerformLine(tty io.Writer, screen *Output, line string) error {
	verb, what, _ := strings.Cut(line, " ")
	switch verb {
	case "", "#":
		return nil
	case "see":
		return screen.await(what)
	case "rest":
		return screen.rested()
	case "type":
		_, err := io.WriteString(tty, what)
		return err
	case "key":
		bytes, known := KeyBytes[what]
		if !known {
			return fmt.Errorf("no key %q is known here", what)
		}
		_, err := io.WriteString(tty, bytes)
		return err
	}
	return fmt.Errorf("a person can see, rest, type and press a key, not %q", verb)
}

// KeyBytes is what a terminal sends for each key.
var KeyBytes = map[string]string{
	"enter": "\r", "tab": "\t", "space": " ", "esc": "\x1b", "backspace": "\x7f",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D", "home": "\x1b[H",
	"ctrl+c": "\x03", "ctrl+s": "\x13",
}

// Output collects everything that was written to a terminal.
type Output struct {
	mu  sync.Mutex
	raw bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.raw.Write(p)
}

// Drain copies a terminal's output to o. It closes the channel at the end of
// the output.
func (o *Output) Drain(tty io.Reader) <-chan struct{} {
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		// It ends with EIO when the command closes its side.
		_, _ = io.Copy(o, tty)
	}()
	return drained
}

// Bytes returns all output as it was sent.
func (o *Output) Bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Clone(o.raw.Bytes())
}

// Text returns all output without escape sequences.
func (o *Output) Text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return ansi.Strip(o.raw.String())
}

// rested waits until the keys of the moment were drawn over the notice that keys do
// not count yet. A page that is drawn late may come between them.
func (o *Output) rested() error {
	for deadline := NewDeadline(); ; deadline.Pause() {
		text := o.Text()
		_, behind, told := strings.Cut(text[max(strings.LastIndex(text, "as soon as"), 0):], "typing.")
		if told && strings.Contains(behind, "esc ") {
			return nil
		}
		if deadline.Passed() {
			return fmt.Errorf("keys never counted; the terminal was sent:\n%s", text)
		}
	}
}

func (o *Output) await(text string) error {
	for deadline := NewDeadline(); ; deadline.Pause() {
		if strings.Contains(o.Text(), text) {
			return nil
		}
		if deadline.Passed() {
			return fmt.Errorf("the terminal was never sent %q; it was sent:\n%s", text, o.Text())
		}
	}
}
