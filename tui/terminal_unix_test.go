//go:build unix

package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/tui/askscreen"
	"planb/tui/screen"
	"planb/tui/tuitest"
)

// childVariable makes this test binary the program under test: its value says
// which one. Signals and closed terminals need a process of their own.
const childVariable = "PLANB_TUI_TEST_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(child(os.Getenv(childVariable), os.Args[1]))
	}
	os.Exit(tuitest.RunAtOnce(m, 8))
}

// child shows an ask on its terminal. What it saves goes to a file, since its
// store is gone when it ends.
func child(what, file string) int {
	ctx := context.Background()
	st := store.New(kvtest.NewMap(), store.Options{})
	session := tuitest.Must(st.CreateSession(ctx, store.Session{Title: safe.New("Names")}))
	ask, _, err := st.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: questions.Spec{
		Title: safe.New("The new ship"),
		Questions: []questions.Question{{
			ID: "name", Kind: questions.Text, Label: safe.New("What is it called?"), Tab: safe.New(questions.DefaultTab),
		}},
	}})
	if err != nil {
		panic(err)
	}
	here := screen.Terminal{Input: os.Stdin, Output: os.Stdout, Environ: os.Environ(), Theme: "dark"}
	switch what {
	case "panic":
		err = terminal{here}.run(ctx, &panicking{askscreen.New(st, askscreen.Options{ID: ask.ID})})
	case "lines":
		here.Environ = append(here.Environ, "ACCESSIBLE=1")
		_, err = Ask(ctx, AskOptions{Store: &entryFile{st, file}, Terminal: here, ID: ask.ID})
	case "ignoring":
		signal.Ignore(syscall.SIGINT)
		_, err = Ask(ctx, AskOptions{Store: &entryFile{st, file}, Terminal: here, ID: ask.ID})
	case "slow":
		err = terminal{here}.run(ctx, &slowToClose{askscreen.New(st, askscreen.Options{ID: ask.ID}), file})
	default:
		_, err = Ask(ctx, AskOptions{Store: &entryFile{st, file}, Terminal: here, ID: ask.ID})
	}
	if err != nil {
		HoldPane(here, err)
		return 1
	}
	return 0
}

// entryFile is a store that writes every entry to a file as well.
type entryFile struct {
	askscreen.Store
	path string
}

func (d *entryFile) MergeEntry(ctx context.Context, id string, entry questions.Entry, merge func(questions.Entry) questions.Entry) error {
	text, err := json.Marshal(entry)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(d.path, text, 0o600), d.Store.MergeEntry(ctx, id, entry, merge))
}

// panicking is a form that breaks at the key x.
type panicking struct{ *askscreen.Screen }

func (p *panicking) Update(msg tea.Msg) tea.Cmd {
	if key, ok := msg.(tea.KeyPressMsg); ok && key.Text == "x" {
		panic("broken on purpose")
	}
	return p.Screen.Update(msg)
}

// slowToClose is a form that closes once a file exists.
type slowToClose struct {
	*askscreen.Screen
	file string
}

func (s *slowToClose) Close(ctx context.Context) ([]string, error) {
	fmt.Println("closing")
	for {
		if _, err := os.Stat(s.file); err == nil {
			return s.Screen.Close(ctx)
		}
		time.Sleep(time.Millisecond)
	}
}

// onTerminal is a child on a terminal of its own.
type onTerminal struct {
	t       *testing.T
	cmd     *exec.Cmd
	tty     *os.File
	entries string
	mu      sync.Mutex
	output  bytes.Buffer
}

func startChild(t *testing.T, what string) *onTerminal {
	t.Helper()
	c := &onTerminal{t: t, entries: filepath.Join(t.TempDir(), "entry.json")}
	c.cmd = exec.CommandContext(t.Context(), os.Args[0], c.entries)
	// Under the race detector a program waits a second before it ends. That is
	// for races that are just being told, of which there is none here.
	c.cmd.Env = append(os.Environ(), childVariable+"="+what, "GORACE=atexit_sleep_ms=0",
		"TERM=xterm-256color", "TMUX=", "SSH_TTY=none")
	tty, err := pty.StartWithSize(c.cmd, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	c.tty = interruptible(t, tty)
	go func() {
		buf := make([]byte, 4096)
		for {
			n, err := c.tty.Read(buf)
			c.mu.Lock()
			c.output.Write(buf[:n])
			c.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { _ = c.tty.Close() })
	c.until("the form", func() bool { return strings.Contains(ansi.Strip(c.drawn()), "What is it called?") })
	return c
}

// interruptible makes a file whose Close does not wait for a Read.
func interruptible(t *testing.T, f *os.File) *os.File {
	t.Helper()
	fd, err := syscall.Dup(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	syscall.CloseOnExec(fd)
	if err := errors.Join(syscall.SetNonblock(fd, true), f.Close()); err != nil {
		t.Fatal(err)
	}
	return os.NewFile(uintptr(fd), f.Name())
}

func (c *onTerminal) until(what string, holds func() bool) {
	c.t.Helper()
	defer func() {
		if c.t.Failed() {
			c.t.Logf("drawn: %q", c.drawn())
		}
	}()
	tuitest.Poll(c.t, what, holds)
}

// wait waits for the child's end, and kills it when that does not come.
func (c *onTerminal) wait() error {
	c.t.Helper()
	overdue := time.AfterFunc(tuitest.Patience, func() {
		c.t.Errorf("the program did not end within %v", tuitest.Patience)
		_ = c.cmd.Process.Kill()
	})
	defer overdue.Stop()
	return c.cmd.Wait()
}

func (c *onTerminal) drawn() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.output.String()
}

func (c *onTerminal) keys(text string) {
	c.t.Helper()
	if _, err := io.WriteString(c.tty, text); err != nil {
		c.t.Fatal(err)
	}
}

// Entry is what the child saved last.
func (c *onTerminal) Entry() string {
	text, err := os.ReadFile(c.entries)
	if err != nil {
		return ""
	}
	var entry questions.Entry
	if err := json.Unmarshal(text, &entry); err != nil {
		return ""
	}
	return entry.Fields["name"].Text.Raw()
}

const leaveAltScreen = "\x1b[?1049l"

func TestClosedPaneSavesTheEntry(t *testing.T) {
	t.Parallel()
	c := startChild(t, "ask")
	before := len(c.drawn())
	c.keys("Vega")
	c.until("the last key to be drawn", func() bool { return strings.Contains(ansi.Strip(c.drawn()[before:]), "a") })
	if err := c.tty.Close(); err != nil { // what tmux does with a pane that is closed
		t.Fatal(err)
	}
	if err := c.wait(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	if got := c.Entry(); got != "Vega" {
		t.Errorf("the entry is %q", got)
	}
}

func TestSignalsSaveTheEntryAndRestoreTheTerminal(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			c := startChild(t, "ask")
			c.keys("Vega")
			c.until("the entry", func() bool { return c.Entry() == "Vega" })
			c.keys("!")
			if err := c.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if err := c.wait(); err != nil {
				t.Errorf("the program ended with %v", err)
			}
			if got := c.Entry(); got != "Vega" && got != "Vega!" { // the last key and the signal race
				t.Errorf("the entry is %q", got)
			}
			c.until("the terminal to be restored, and the way back", func() bool {
				_, after, restored := strings.Cut(c.drawn(), leaveAltScreen)
				return restored && strings.Contains(after, "planb tui ask")
			})
		})
	}
}

// Line by line, too, a signal lets planb save what was entered and say how to come back.
func TestSignalsLeavePlainLinesAsThePersonDoes(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			c := startChild(t, "lines")
			if err := c.cmd.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			if err := c.wait(); err != nil {
				t.Errorf("the program ended with %v", err)
			}
			c.until("the way back", func() bool { return strings.Contains(c.drawn(), "planb tui ask") })
		})
	}
}

// A pane is started with SIGINT ignored, because a Ctrl+C that the person typed for their
// agent may come before planb reads the keys.
func TestAnIgnoredInterruptDoesNotEndTheForm(t *testing.T) {
	t.Parallel()
	c := startChild(t, "ignoring")
	c.keys("Veg")
	c.until("the entry", func() bool { return c.Entry() == "Veg" })
	if err := c.cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	c.keys("a")
	c.until("the next key", func() bool { return c.Entry() == "Vega" })
}

// A person in a hurry presses Ctrl+S twice. The second one comes when the form has
// closed, and a terminal in its usual mode would hold up all that is printed then.
func TestCtrlSBehindTheFormStopsNothing(t *testing.T) {
	t.Parallel()
	c := startChild(t, "slow")
	if err := c.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	c.until("the form to close", func() bool { return strings.Contains(c.drawn(), "closing") })
	c.keys("\x13")
	c.until("the key to be echoed", func() bool { return strings.Contains(c.drawn(), "^S") })
	if err := os.WriteFile(c.entries, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c.until("the way back", func() bool { return strings.Contains(c.drawn(), "planb tui ask") })
	if err := c.wait(); err != nil {
		t.Error(err)
	}
}

func TestPanicRestoresTheTerminalAndStaysReadable(t *testing.T) {
	t.Parallel()
	c := startChild(t, "panic")
	c.keys("x")
	c.until("the sentence on a restored terminal", func() bool {
		_, after, restored := strings.Cut(c.drawn(), leaveAltScreen)
		return restored && strings.Contains(after, "planb crashed") && strings.Contains(after, "Press Enter")
	})
	c.keys("\r")
	exit := new(exec.ExitError)
	if err := c.wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
		t.Errorf("the program ended with %v", err)
	}
}
