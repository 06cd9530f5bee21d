package rig

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Tmux is a tmux server of the test, on a socket of its own.
type Tmux struct {
	T      testing.TB
	Socket string
	PID    string
	Home   string
	line   *line
}

// StartTmux starts tmux with one window of the given size, in which cat runs.
// It stops tmux at the end of the test. It skips the test if tmux is missing,
// but fails it in CI.
func StartTmux(t testing.TB, width, height int) *Tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("tmux is missing; these tests need it")
		}
		t.Skip("tmux is missing")
	}
	// A socket's path may have at most 104 bytes; t.TempDir's is longer for
	// long test names.
	dir, err := os.MkdirTemp("", "planb-tmux-")
	if err != nil {
		t.Fatal(err)
	}
	// tmux would put the socket there if TMUX_TMPDIR were dir.
	sockets := filepath.Join(dir, fmt.Sprintf("tmux-%d", os.Getuid()))
	if err := os.Mkdir(sockets, 0o700); err != nil {
		t.Fatal(err)
	}
	tm := &Tmux{T: t, Socket: filepath.Join(sockets, "s"), Home: dir}
	// A test's directories are removed where its first one was made. That must be before
	// the cleanup below, for what runs in the panes writes into the others until it ends.
	_ = t.TempDir()
	release := endWithTest(t, tm.Socket)
	tm.line = startLine(t, tm.Socket) // first: a command without a target acts on the newest session
	t.Cleanup(func() {
		panes, _ := tm.Try("list-panes", "-a", "-F", "#{pane_pid}") // the test may have killed the server
		pids := withChildren(strings.Fields(panes))
		_, _ = tm.Try("kill-server") // the line ends with it, before a reply
		release()
		// A form that is closed saves its entry, and a client its state. Their
		// directories must stay until then.
		Until(t, "what ran in the panes has ended", func() bool { return !AnyAlive(pids) })
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	tm.Run("new-session", "-d", "-s", "work", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "cat", "-")
	tm.Run("set-option", "-g", "default-terminal", "tmux-256color")
	tm.Run("set-option", "-sg", "escape-time", "10")
	tm.PID = tm.Run("display-message", "-p", "#{pid}")
	return tm
}

// endWithTest starts a shell that ends the tmux server when its input ends, as it does when
// the test is killed. The function that it returns releases the shell.
func endWithTest(t testing.TB, socket string) (release func()) {
	t.Helper()
	shell := exec.Command("sh", "-c", `read -r _ || exec tmux -S "$0" kill-server`, socket)
	held, err := shell.StdinPipe()
	if err == nil {
		err = shell.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		if _, err := io.WriteString(held, "\n"); err != nil {
			t.Error(err)
		}
		if err := shell.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// Run runs a tmux command and returns its output. It fails the test if tmux
// fails.
func (tm *Tmux) Run(args ...string) string {
	tm.T.Helper()
	out, err := tm.Try(args...)
	if err != nil {
		tm.T.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// Try is Run that returns the error.
func (tm *Tmux) Try(args ...string) (string, error) {
	buffer := strings.HasSuffix(args[0], "-buffer") // tmux prints a text there as it is only to a process of its own
	if newline := strings.Contains(strings.Join(args, ""), "\n"); !buffer && !newline {
		return tm.line.ask(args)
	}
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-S", tm.Socket}, args...)...)
	cmd.Env = tmuxEnvironment()
	out, err := cmd.CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

// Environment returns the variables that tmux sets for a program in the pane.
func (tm *Tmux) Environment(pane string) []string {
	return []string{"TMUX=" + tm.Socket + "," + tm.PID + ",0", "TMUX_PANE=" + pane, "TERM=tmux-256color"}
}

// Panes returns the ids of all panes, in the order of their creation.
func (tm *Tmux) Panes() []string {
	tm.T.Helper()
	return strings.Fields(tm.Run("list-panes", "-a", "-F", "#{pane_id}", "-f", "#{!=:#{session_name},"+backstage+"}"))
}

// Screen returns the pane's text now, or "" if the pane is gone.
func (tm *Tmux) Screen(pane string) string {
	tm.T.Helper()
	text, err := tm.Try("capture-pane", "-p", "-t", pane)
	if err != nil {
		return ""
	}
	return text
}

// Keys presses keys in the pane, by tmux's names for them.
func (tm *Tmux) Keys(pane string, keys ...string) {
	tm.T.Helper()
	tm.Run(append([]string{"send-keys", "-t", pane}, keys...)...)
}

// Text types text in the pane.
func (tm *Tmux) Text(pane, text string) {
	tm.T.Helper()
	tm.Run("send-keys", "-t", pane, "-l", text)
}

// Shows waits until the pane shows all the texts.
func (tm *Tmux) Shows(pane string, texts ...string) {
	tm.T.Helper()
	var last string
	for d := NewDeadline(); ; d.Pause() {
		last = tm.Screen(pane)
		missing := ""
		for _, text := range texts {
			if !strings.Contains(last, text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		if d.Passed() {
			if !slices.Contains(tm.Panes(), pane) {
				tm.T.Fatalf("pane %s closed before it showed %q", pane, missing)
			}
			tm.T.Fatalf("pane %s never showed %q:\n%s", pane, missing, last)
		}
	}
}

// NewPane waits for a pane that is not one of the known ones and returns its
// id.
func (tm *Tmux) NewPane(known ...string) string {
	tm.T.Helper()
	var found string
	Until(tm.T, "a new pane opened", func() bool {
		opened := slices.DeleteFunc(tm.Panes(), func(id string) bool { return slices.Contains(known, id) })
		if len(opened) > 0 {
			found = opened[0]
		}
		return found != ""
	})
	return found
}

// Gone waits until the pane has closed. tmux 3.3 misses now and then that a program
// has ended, until another child of it ends; if it takes long, tmux is given one.
func (tm *Tmux) Gone(pane string) {
	tm.T.Helper()
	long := time.Now().Add(time.Second)
	for d := NewDeadline(); slices.Contains(tm.Panes(), pane); d.Pause() {
		if d.Passed() {
			tm.T.Fatalf("pane %s never closed:\n%s", pane, tm.Screen(pane))
		}
		if time.Now().After(long) {
			_, _ = tm.Try("run-shell", "-b", "true") // the pane may have been its last one
		}
	}
}

// Ready waits until the form in the pane accepts keys. It enters a form that
// came up by itself.
func (tm *Tmux) Ready(pane string) {
	tm.T.Helper()
	shut := false
	Until(tm.T, "the form in pane "+pane, func() bool {
		screen := tm.Screen(pane)
		shut = strings.Contains(screen, EnterHint)
		return shut || strings.Contains(screen, "esc menu") || strings.Contains(screen, "esc back")
	})
	if shut {
		tm.Enter(pane)
	}
}

// EnterHint is shown in a form or dialog until the person enters it.
const EnterHint = "↓ to "

// pauseHint is shown until the person has pressed no key for a while.
const pauseHint = "Keys count as soon as"

// Enter enters a form or dialog that came up by itself in the pane.
func (tm *Tmux) Enter(pane string) {
	tm.T.Helper()
	tm.Shows(pane, EnterHint)
	tm.Keys(pane, "Down")
	tm.Lacks(pane, EnterHint)
	tm.Lacks(pane, pauseHint)
}

// ReadyDialog waits until the dialog that confirms a verdict shows the texts
// and accepts keys. Its last row then names them. A missing pauseHint is no sign:
// a slow terminal draws the dialog before the last row.
func (tm *Tmux) ReadyDialog(pane string, texts ...string) {
	tm.T.Helper()
	tm.Shows(pane, texts...)
	Until(tm.T, "the dialog in pane "+pane+" accepts keys", func() bool {
		screen := tm.Screen(pane)
		return strings.Contains(screen, "esc back") || strings.Contains(screen, "esc close")
	})
}

// Lacks waits until the pane shows something without the text.
func (tm *Tmux) Lacks(pane, text string) {
	tm.T.Helper()
	Until(tm.T, "pane "+pane+" shows no "+text, func() bool {
		screen := tm.Screen(pane)
		return strings.TrimSpace(screen) != "" && !strings.Contains(screen, text)
	})
}

// Open runs planb in a new window and returns its pane.
func (tm *Tmux) Open(dataDir string, args ...string) string {
	tm.T.Helper()
	return tm.OpenCommand(dataDir, append([]string{Planb(tm.T)}, args...))
}

// OpenCommand is Open with another command.
func (tm *Tmux) OpenCommand(dataDir string, command []string) string {
	tm.T.Helper()
	return tm.NewWindow(append([]string{"-e", "PLANB_DATA_DIR=" + dataDir, "-e", "LC_ALL=C.UTF-8", "--"}, command...)...)
}

// NewWindow opens a window and returns its pane. The words are options of tmux's new-window
// and a command.
func (tm *Tmux) NewWindow(words ...string) string {
	tm.T.Helper()
	return tm.Run(append([]string{"new-window", "-d", "-t", "work:", "-P", "-F", "#{pane_id}"}, words...)...)
}

// OpenShell opens a shell in a new window and returns its pane. Without inTmux,
// programs in the shell see no tmux.
func (tm *Tmux) OpenShell(dataDir string, inTmux bool) string {
	tm.T.Helper()
	command := []string{"sh"}
	if !inTmux {
		command = []string{"env", "TMUX=", "TMUX_PANE=", "sh"}
	}
	return tm.NewWindow(append([]string{"-e", "PLANB_DATA_DIR=" + dataDir, "-e", "LC_ALL=C.UTF-8", "-e", "HOME=" + tm.Home,
		"-e", "PS1=$ ", "--"}, command...)...)
}

// FirstPane returns the pane that tmux started with.
func (tm *Tmux) FirstPane() string { return tm.Panes()[0] }

// OpenClean runs a program in a new window and directory, with no variables but
// env and tmux's own. The pane stays open after the program has ended.
func (tm *Tmux) OpenClean(dir string, env, argv []string) string {
	tm.T.Helper()
	const script = `env -i TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" TERM="$TERM" "$@"; echo "client ended: $?"; exec cat`
	command := append([]string{"-c", dir, "--", "sh", "-c", script, "sh"}, env...)
	// The client can reach its model and planb; the proxy refuses everything
	// else.
	command = append(command, "PATH="+os.Getenv("PATH"), "LC_ALL=C.UTF-8",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost")
	return tm.NewWindow(append(command, argv...)...)
}

// Attach attaches a terminal to the session, as a person does, so that tmux has
// somebody to show messages to. The terminal is the returned pane of the
// returned tmux.
func (tm *Tmux) Attach() (*Tmux, string) {
	tm.T.Helper()
	person := StartTmux(tm.T, 120, 30)
	pane := person.NewWindow("--", "env", "-u", "TMUX", "LC_ALL=C.UTF-8", "tmux", "-S", tm.Socket, "attach", "-t", "work")
	Until(tm.T, "somebody is attached", func() bool { return tm.Run("list-clients", "-t", "work") != "" })
	return person, pane
}

// Format returns the value of a tmux format, such as #{pane_title}, in the
// pane.
func (tm *Tmux) Format(pane, format string) string {
	tm.T.Helper()
	return tm.Run("display-message", "-p", "-t", pane, format)
}

// NoPaneOpens checks for a while that there are no panes but the known ones.
func (tm *Tmux) NoPaneOpens(during time.Duration, known ...string) {
	tm.T.Helper()
	for end := time.Now().Add(during); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if got := tm.Panes(); fmt.Sprint(got) != fmt.Sprint(known) {
			tm.T.Fatalf("the panes are %v, want %v alone", got, known)
		}
	}
}

// Walk performs steps, each a key and a text. It waits until the pane shows a
// step's text before the next key. "text ABC" types ABC.
func (tm *Tmux) Walk(pane string, steps ...[2]string) {
	tm.T.Helper()
	for _, step := range steps {
		if name, text := strings.CutPrefix(step[0], "text "); text {
			tm.Text(pane, name)
		} else {
			tm.Keys(pane, step[0])
		}
		tm.Shows(pane, step[1])
	}
}
