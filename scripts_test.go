package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestScripts(t *testing.T) {
	program := planb(t)
	specs, err := filepath.Abs("testdata/specs")
	if err != nil {
		t.Fatal(err)
	}
	planbMCP, err := filepath.Abs("testdata/planb-mcp")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/scripts",
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(program)+string(os.PathListSeparator)+env.Getenv("PATH"))
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("PLANB_DATA_DIR", filepath.Join(env.WorkDir, "data"))
			env.Setenv("TERM", "xterm-256color")
			env.Setenv("LC_ALL", "C.UTF-8")
			env.Setenv("SPECS", specs)
			env.Setenv("PLANBMCP", planbMCP)
			for _, name := range []string{"TMUX", "TMUX_PANE", "XDG_DATA_HOME", "XDG_STATE_HOME", "NO_COLOR"} {
				env.Setenv(name, "")
			}
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits":   exits,
			"history": history,
			"past":    past,
			"person":  person,
		},
	})
}

// exits CODE COMMAND... runs a command that must end with that code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	err := ts.Exec(args[1], args[2:]...)
	checkExit(ts, args[0], err)
}

func checkExit(ts *testscript.TestScript, want string, err error) {
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

// person FILE CODE COMMAND... runs a command on a terminal of 100 × 30 and does
// what the file's lines say: "see TEXT" waits until the terminal was sent that
// text, "type TEXT" and "key NAME" press keys, "leave" closes whatever is open. The command's stdout goes to the
// file person.stdout, what the terminal was sent to person.screen.
func person(ts *testscript.TestScript, neg bool, args []string) {
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
	var screen terminalOutput
	drained := screen.drain(tty)
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	exit, err := perform(tty, &screen, ts.ReadFile(args[0]), ended)
	if err != nil {
		_ = cmd.Process.Kill()
		ts.Fatalf("%v", err)
	}
	<-drained
	ts.Check(os.WriteFile(ts.MkAbs("person.stdout"), stdout.Bytes(), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("person.screen"), []byte(screen.text()), 0o600))
	checkExit(ts, args[1], exit)
}

var errStays = errors.New("the command does not end")

// perform does what the lines say and returns how the command ended.
func perform(tty io.Writer, screen *terminalOutput, lines string, ended <-chan error) (exit, problem error) {
	for line := range strings.Lines(lines) {
		line = strings.TrimRight(line, "\n")
		if line == "leave" {
			exit = leave(tty, ended)
			if errors.Is(exit, errStays) {
				return nil, fmt.Errorf("%w; the terminal was sent:\n%s", errStays, screen.text())
			}
			return exit, nil
		}
		if err := act(tty, screen, line); err != nil {
			return nil, err
		}
	}
	select {
	case exit = <-ended:
		return exit, nil
	case <-time.After(patience):
		return nil, fmt.Errorf("%w; the terminal was sent:\n%s", errStays, screen.text())
	}
}

// leave closes whatever is open, at a person's pace: an Esc and what follows it
// at once are one key.
func leave(tty io.Writer, ended <-chan error) error {
	press := time.NewTicker(200 * time.Millisecond)
	defer press.Stop()
	limit := time.After(patience)
	for {
		select {
		case err := <-ended:
			return err
		case <-limit:
			return errStays
		case <-press.C:
			_, _ = io.WriteString(tty, keys["ctrl+c"]) // it may have ended just now
		}
	}
}

func act(tty io.Writer, screen *terminalOutput, line string) error {
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
		bytes, known := keys[what]
		if !known {
			return fmt.Errorf("no key %q is known here", what)
		}
		_, err := io.WriteString(tty, bytes)
		return err
	}
	return fmt.Errorf("a person can see, rest, type and press a key, not %q", verb)
}

// keys is what a terminal sends for them.
var keys = map[string]string{
	"enter": "\r", "tab": "\t", "space": " ", "esc": "\x1b", "backspace": "\x7f",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"ctrl+c": "\x03", "ctrl+s": "\x13",
}

// terminalOutput is all that was written to a terminal.
type terminalOutput struct {
	mu  sync.Mutex
	raw bytes.Buffer
}

func (o *terminalOutput) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.raw.Write(p)
}

// drain takes in all that comes from a terminal; the channel is closed at its end.
func (o *terminalOutput) drain(tty io.Reader) <-chan struct{} {
	drained := make(chan struct{})
	go func() {
		defer close(drained)
		// It ends with EIO when the command's side closes.
		_, _ = io.Copy(o, tty)
	}()
	return drained
}

func (o *terminalOutput) bytes() []byte {
	o.mu.Lock()
	defer o.mu.Unlock()
	return bytes.Clone(o.raw.Bytes())
}

func (o *terminalOutput) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return ansi.Strip(o.raw.String())
}

// rested waits until what said that no key counts is gone: something came behind it.
func (o *terminalOutput) rested() error {
	for deadline := newDeadline(); ; deadline.pause() {
		text := o.text()
		_, behind, told := strings.Cut(text[max(strings.LastIndex(text, "as soon as"), 0):], "typing.")
		if told && strings.TrimSpace(behind) != "" {
			return nil
		}
		if deadline.passed() {
			return fmt.Errorf("keys never counted; the terminal was sent:\n%s", text)
		}
	}
}

func (o *terminalOutput) await(text string) error {
	for deadline := newDeadline(); ; deadline.pause() {
		if strings.Contains(o.text(), text) {
			return nil
		}
		if deadline.passed() {
			return fmt.Errorf("the terminal was never sent %q; it was sent:\n%s", text, o.text())
		}
	}
}
