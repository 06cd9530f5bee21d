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

// Person FILE CODE COMMAND... runs a command on a terminal of 100 × 30 and does
// what the file's lines say: "see TEXT" waits until the terminal was sent that
// text, "type TEXT" and "key NAME" press keys, "leave" closes whatever is open. The command's stdout goes to the
// file person.stdout, what the terminal was sent to person.screen.
func Person(ts *testscript.TestScript, neg bool, args []string) {
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

var ErrStays = errors.New("the command does not end")

// Perform does what the lines say and returns how the command ended.
func Perform(tty io.Writer, screen *Output, lines string, ended <-chan error) (exit, problem error) {
	for line := range strings.Lines(lines) {
		line = strings.TrimRight(line, "\n")
		if line == "leave" {
			exit = Leave(tty, ended)
			if errors.Is(exit, ErrStays) {
				return nil, fmt.Errorf("%w; the terminal was sent:\n%s", ErrStays, screen.Text())
			}
			return exit, nil
		}
		if err := Act(tty, screen, line); err != nil {
			return nil, err
		}
	}
	select {
	case exit = <-ended:
		return exit, nil
	case <-time.After(Patience):
		return nil, fmt.Errorf("%w; the terminal was sent:\n%s", ErrStays, screen.Text())
	}
}

// Leave closes whatever is open, at a person's pace: an Esc and what follows it
// at once are one key.
func Leave(tty io.Writer, ended <-chan error) error {
	press := time.NewTicker(200 * time.Millisecond)
	defer press.Stop()
	limit := time.After(Patience)
	for {
		select {
		case err := <-ended:
			return err
		case <-limit:
			return ErrStays
		case <-press.C:
			_, _ = io.WriteString(tty, Keys["ctrl+c"]) // it may have ended just now
		}
	}
}

func Act(tty io.Writer, screen *Output, line string) error {
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
		bytes, known := Keys[what]
		if !known {
			return fmt.Errorf("no key %q is known here", what)
		}
		_, err := io.WriteString(tty, bytes)
		return err
	}
	return fmt.Errorf("a person can see, rest, type and press a key, not %q", verb)
}

// Keys is what a terminal sends for them.
var Keys = map[string]string{
	"enter": "\r", "tab": "\t", "space": " ", "esc": "\x1b", "backspace": "\x7f",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"ctrl+c": "\x03", "ctrl+s": "\x13",
}

// Output is all that was written to a terminal.
type Output struct {
	mu  sync.Mutex
	raw bytes.Buffer
}

func (o *Output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.raw.Write(p)
}

// Drain takes in all that comes from a terminal; the channel is closed at its end.
func (o *Output) Drain(tty io.Reader) <-chan struct{} {
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		// It ends with EIO when the command's side closes.
		_, _ = io.Copy(o, tty)
	}()
	return drained
}

func (o *Output) Bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Clone(o.raw.Bytes())
}

func (o *Output) Text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return ansi.Strip(o.raw.String())
}

// rested waits until what said that no key counts is gone: something came behind it.
func (o *Output) rested() error {
	for deadline := NewDeadline(); ; deadline.Pause() {
		text := o.Text()
		_, behind, told := strings.Cut(text[max(strings.LastIndex(text, "as soon as"), 0):], "typing.")
		if told && strings.TrimSpace(behind) != "" {
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
