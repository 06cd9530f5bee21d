package rig

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Tmux is a tmux of the test's own, on its own socket.
type Tmux struct {
	T      testing.TB
	Socket string
	PID    string
	Home   string
}

// StartTmux starts tmux with one window of that size, in which a shell sleeps.
func StartTmux(t testing.TB, width, height int) *Tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("tmux is missing; these tests need it")
		}
		t.Skip("tmux is missing")
	}
	// A socket's path may have 104 bytes; t.TempDir's is longer with long test names.
	dir, err := os.MkdirTemp("", "planb-tmux-")
	if err != nil {
		t.Fatal(err)
	}
	// It lies where tmux itself would keep it, if TMUX_TMPDIR were dir.
	sockets := filepath.Join(dir, fmt.Sprintf("tmux-%d", os.Getuid()))
	if err := os.Mkdir(sockets, 0o700); err != nil {
		t.Fatal(err)
	}
	tm := &Tmux{T: t, Socket: filepath.Join(sockets, "s"), Home: dir}
	t.Cleanup(func() {
		// The server may be gone already, by the test's own hand.
		panes, _ := exec.Command("tmux", "-S", tm.Socket, "list-panes", "-a", "-F", "#{pane_pid}").Output()
		pids := withChildren(strings.Fields(string(panes)))
		_ = exec.Command("tmux", "-S", tm.Socket, "kill-server").Run()
		// A form that is closed saves its draft, and a client its state: their
		// directories must stay until then.
		Until(t, "what ran in the panes has ended", func() bool { return !AnyAlive(pids) })
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	tm.Run("-f", "/dev/null", "new-session", "-d", "-s", "work", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "cat")
	tm.Run("set-option", "-g", "default-terminal", "tmux-256color")
	tm.Run("set-option", "-sg", "escape-time", "10")
	tm.PID = tm.Run("display-message", "-p", "#{pid}")
	return tm
}

// Run executes a tmux command and returns what it printed.
func (tm *Tmux) Run(args ...string) string {
	tm.T.Helper()
	out, err := tm.Try(args...)
	if err != nil {
		tm.T.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (tm *Tmux) Try(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-S", tm.Socket}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "TMUX_PANE=", "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

// Environment is what a program started in that pane sees.
func (tm *Tmux) Environment(pane string) []string {
	return []string{"TMUX=" + tm.Socket + "," + tm.PID + ",0", "TMUX_PANE=" + pane, "TERM=tmux-256color"}
}

// Panes lists all panes by id, in the order of their making.
func (tm *Tmux) Panes() []string {
	tm.T.Helper()
	return strings.Fields(tm.Run("list-panes", "-a", "-F", "#{pane_id}"))
}

// Screen is the pane's text as it stands, or "" when the pane is gone.
func (tm *Tmux) Screen(pane string) string {
	tm.T.Helper()
	text, err := tm.Try("capture-pane", "-p", "-t", pane)
	if err != nil {
		return ""
	}
	return text
}

// Keys presses keys in the pane, by tmux's names.
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

// NewPane waits for a pane that is not among the known ones.
func (tm *Tmux) NewPane(known ...string) string {
	tm.T.Helper()
	var found string
	Until(tm.T, "a new pane opened", func() bool {
		for _, id := range tm.Panes() {
			isKnown := false
			for _, k := range known {
				isKnown = isKnown || k == id
			}
			if !isKnown {
				found = id
				return true
			}
		}
		return false
	})
	return found
}

// Gone waits until the pane has closed.
func (tm *Tmux) Gone(pane string) {
	tm.T.Helper()
	for d := NewDeadline(); slices.Contains(tm.Panes(), pane); d.Pause() {
		if d.Passed() {
			tm.T.Fatalf("pane %s never closed:\n%s", pane, tm.Screen(pane))
		}
	}
}

// Ready enters the form in the pane if it came up by itself, and waits until it takes
// keys.
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

// EnterHint is what a form, or a dialog, says as long as the person has not entered it.
const EnterHint = "↓ to "

// pauseHint is what it says until the person pressed no key for a while.
const pauseHint = "Keys count as soon as"

// Enter enters what came up by itself in the pane.
func (tm *Tmux) Enter(pane string) {
	tm.T.Helper()
	tm.Shows(pane, EnterHint)
	tm.Keys(pane, "Down")
	tm.Lacks(pane, EnterHint)
	tm.Lacks(pane, pauseHint)
}

// Second waits until the second step of a verdict, whose dialog says a text, takes
// keys.
func (tm *Tmux) Second(pane string, texts ...string) {
	tm.T.Helper()
	tm.Shows(pane, texts...)
	tm.Lacks(pane, pauseHint)
}

// Lacks waits until the pane shows something, but not the text.
func (tm *Tmux) Lacks(pane, text string) {
	tm.T.Helper()
	Until(tm.T, "pane "+pane+" shows no "+text, func() bool {
		screen := tm.Screen(pane)
		return strings.TrimSpace(screen) != "" && !strings.Contains(screen, text)
	})
}

// Open runs planb in a window of its own and returns its pane.
func (tm *Tmux) Open(dataDir string, args ...string) string {
	tm.T.Helper()
	return tm.OpenCommand(dataDir, append([]string{Planb(tm.T)}, args...))
}

// OpenCommand is open with another command.
func (tm *Tmux) OpenCommand(dataDir string, command []string) string {
	tm.T.Helper()
	return tm.Run(append([]string{"new-window", "-d", "-P", "-F", "#{pane_id}", "-e", "PLANB_DATA_DIR=" + dataDir,
		"-e", "LC_ALL=C.UTF-8", "--"}, command...)...)
}

// OpenShell opens a shell in a window of its own and returns its pane. Outside
// tmux means that what runs in it is told that there is no tmux.
func (tm *Tmux) OpenShell(dataDir string, inTmux bool) string {
	tm.T.Helper()
	command := []string{"sh"}
	if !inTmux {
		command = []string{"env", "TMUX=", "TMUX_PANE=", "sh"}
	}
	return tm.Run(append([]string{"new-window", "-d", "-P", "-F", "#{pane_id}", "-e", "PLANB_DATA_DIR=" + dataDir,
		"-e", "LC_ALL=C.UTF-8", "-e", "HOME=" + tm.Home, "-e", "PS1=$ ", "--"}, command...)...)
}

// withChildren adds what the processes started, and what that started. A system
// without ps adds nothing: planb itself starts nothing in a pane.
func withChildren(pids []string) []string {
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=").Output()
	if err != nil {
		return pids
	}
	children := map[string][]string{}
	for line := range strings.Lines(string(out)) {
		if fields := strings.Fields(line); len(fields) == 2 {
			children[fields[1]] = append(children[fields[1]], fields[0])
		}
	}
	for i := 0; i < len(pids); i++ {
		pids = append(pids, children[pids[i]]...)
	}
	return pids
}

func AnyAlive(pids []string) bool {
	for _, pid := range pids {
		if exec.Command("kill", "-0", pid).Run() == nil {
			return true
		}
	}
	return false
}

// First is the pane that the test's tmux began with.
func (tm *Tmux) First() []string { return []string{tm.Panes()[0]} }

// OpenClean runs a program in a window of its own, in that directory and with
// no variables but those and what tmux gives. Its pane stays when it has ended.
func (tm *Tmux) OpenClean(dir string, env, argv []string) string {
	tm.T.Helper()
	const script = `env -i TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" TERM="$TERM" "$@"; echo "client ended: $?"; exec cat`
	command := append([]string{"new-window", "-d", "-P", "-F", "#{pane_id}", "-c", dir, "--", "sh", "-c", script, "sh"}, env...)
	// Whatever a client tries to reach beside its model and planb is refused.
	command = append(command, "PATH="+os.Getenv("PATH"), "LC_ALL=C.UTF-8",
		"HTTP_PROXY=http://127.0.0.1:9", "HTTPS_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1,localhost")
	return tm.Run(append(command, argv...)...)
}

// Watch attaches a terminal to the session, as a person's, so that there is
// somebody to show messages to; it is a pane of another tmux.
func (tm *Tmux) Watch() (*Tmux, string) {
	tm.T.Helper()
	person := StartTmux(tm.T, 120, 30)
	pane := person.Run("new-window", "-d", "-P", "-F", "#{pane_id}", "--", "env", "-u", "TMUX", "LC_ALL=C.UTF-8", "tmux", "-S", tm.Socket, "attach", "-t", "work")
	Until(tm.T, "somebody is attached", func() bool { return tm.Run("list-clients") != "" })
	return person, pane
}

func (tm *Tmux) Flag(pane, format string) string {
	tm.T.Helper()
	return tm.Run("display-message", "-p", "-t", pane, format)
}

// StaysAlone watches for a while that no pane but the known ones comes up.
func (tm *Tmux) StaysAlone(during time.Duration, known ...string) {
	tm.T.Helper()
	for end := time.Now().Add(during); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if got := tm.Panes(); fmt.Sprint(got) != fmt.Sprint(known) {
			tm.T.Fatalf("the panes are %v, want %v alone", got, known)
		}
	}
}

// Does presses keys one after another, each when what the one before does is shown.
func (tm *Tmux) Does(pane string, steps ...[2]string) {
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
