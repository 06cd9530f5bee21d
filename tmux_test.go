package main_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tmuxServer is a tmux of the test's own, on its own socket.
type tmuxServer struct {
	t      testing.TB
	socket string
	pid    string
	home   string
}

// startTmux starts tmux with one window of that size, in which a shell sleeps.
func startTmux(t testing.TB, width, height int) *tmuxServer {
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
	tm := &tmuxServer{t: t, socket: filepath.Join(sockets, "s"), home: dir}
	t.Cleanup(func() {
		// The server may be gone already, by the test's own hand.
		panes, _ := exec.Command("tmux", "-S", tm.socket, "list-panes", "-a", "-F", "#{pane_pid}").Output()
		pids := withChildren(strings.Fields(string(panes)))
		_ = exec.Command("tmux", "-S", tm.socket, "kill-server").Run()
		// A form that is closed saves its draft, and a client its state: their
		// directories must stay until then.
		until(t, "what ran in the panes has ended", func() bool { return !anyAlive(pids) })
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	tm.run("-f", "/dev/null", "new-session", "-d", "-s", "work", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "cat")
	tm.run("set-option", "-g", "default-terminal", "tmux-256color")
	tm.run("set-option", "-sg", "escape-time", "10")
	tm.pid = tm.run("display-message", "-p", "#{pid}")
	return tm
}

// run executes a tmux command and returns what it printed.
func (tm *tmuxServer) run(args ...string) string {
	tm.t.Helper()
	out, err := tm.try(args...)
	if err != nil {
		tm.t.Fatalf("tmux %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (tm *tmuxServer) try(args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "tmux", append([]string{"-S", tm.socket}, args...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "TMUX_PANE=", "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	out, err := cmd.CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

// environment is what a program started in that pane sees.
func (tm *tmuxServer) environment(pane string) []string {
	return []string{"TMUX=" + tm.socket + "," + tm.pid + ",0", "TMUX_PANE=" + pane, "TERM=tmux-256color"}
}

// panes lists all panes by id, in the order of their making.
func (tm *tmuxServer) panes() []string {
	tm.t.Helper()
	return strings.Fields(tm.run("list-panes", "-a", "-F", "#{pane_id}"))
}

// screen is the pane's text as it stands, or "" when the pane is gone.
func (tm *tmuxServer) screen(pane string) string {
	tm.t.Helper()
	text, err := tm.try("capture-pane", "-p", "-t", pane)
	if err != nil {
		return ""
	}
	return text
}

// keys presses keys in the pane, by tmux's names.
func (tm *tmuxServer) keys(pane string, keys ...string) {
	tm.t.Helper()
	tm.run(append([]string{"send-keys", "-t", pane}, keys...)...)
}

// text types text in the pane.
func (tm *tmuxServer) text(pane, text string) {
	tm.t.Helper()
	tm.run("send-keys", "-t", pane, "-l", text)
}

// savedIn waits until a form says that it is kept in the directory, which it tells in
// more than one line where that is long.
func (tm *tmuxServer) savedIn(pane, dir string) {
	tm.t.Helper()
	tm.shows(pane, "This is saved in", dir[:20])
}

// shows waits until the pane shows all the texts.
func (tm *tmuxServer) shows(pane string, texts ...string) {
	tm.t.Helper()
	var last string
	for d := newDeadline(); ; d.pause() {
		last = tm.screen(pane)
		missing := ""
		for _, text := range texts {
			if !strings.Contains(last, text) {
				missing = text
			}
		}
		if missing == "" {
			return
		}
		if d.passed() {
			if !slices.Contains(tm.panes(), pane) {
				tm.t.Fatalf("pane %s closed before it showed %q", pane, missing)
			}
			tm.t.Fatalf("pane %s never showed %q:\n%s", pane, missing, last)
		}
	}
}

// newPane waits for a pane that is not among the known ones.
func (tm *tmuxServer) newPane(known ...string) string {
	tm.t.Helper()
	var found string
	until(tm.t, "a new pane opened", func() bool {
		for _, id := range tm.panes() {
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

// gone waits until the pane has closed.
func (tm *tmuxServer) gone(pane string) {
	tm.t.Helper()
	for d := newDeadline(); slices.Contains(tm.panes(), pane); d.pause() {
		if d.passed() {
			tm.t.Fatalf("pane %s never closed:\n%s", pane, tm.screen(pane))
		}
	}
}

// ready enters the form in the pane if it came up by itself, and waits until it takes
// keys.
func (tm *tmuxServer) ready(pane string) {
	tm.t.Helper()
	shut := false
	until(tm.t, "the form in pane "+pane, func() bool {
		screen := tm.screen(pane)
		shut = strings.Contains(screen, enterHint)
		return shut || strings.Contains(screen, "esc menu") || strings.Contains(screen, "esc back")
	})
	if shut {
		tm.enter(pane)
	}
}

// enterHint is what a form, or a dialog, says as long as the person has not entered it.
const enterHint = "↓ to "

// pauseHint is what it says until the person pressed no key for a while.
const pauseHint = "Keys count as soon as"

// enter enters what came up by itself in the pane.
func (tm *tmuxServer) enter(pane string) {
	tm.t.Helper()
	tm.shows(pane, enterHint)
	tm.keys(pane, "Down")
	tm.lacks(pane, enterHint)
	tm.lacks(pane, pauseHint)
}

// second waits until the second step of a verdict, whose dialog says a text, takes
// keys.
func (tm *tmuxServer) second(pane string, texts ...string) {
	tm.t.Helper()
	tm.shows(pane, texts...)
	tm.lacks(pane, pauseHint)
}

// lacks waits until the pane shows something, but not the text.
func (tm *tmuxServer) lacks(pane, text string) {
	tm.t.Helper()
	until(tm.t, "pane "+pane+" shows no "+text, func() bool {
		screen := tm.screen(pane)
		return strings.TrimSpace(screen) != "" && !strings.Contains(screen, text)
	})
}

// open runs planb in a window of its own and returns its pane.
func (tm *tmuxServer) open(dataDir string, args ...string) string {
	tm.t.Helper()
	return tm.openCommand(dataDir, append([]string{planb(tm.t)}, args...))
}

// openCommand is open with another command.
func (tm *tmuxServer) openCommand(dataDir string, command []string) string {
	tm.t.Helper()
	return tm.run(append([]string{"new-window", "-d", "-P", "-F", "#{pane_id}", "-e", "PLANB_DATA_DIR=" + dataDir,
		"-e", "LC_ALL=C.UTF-8", "--"}, command...)...)
}

// openShell opens a shell in a window of its own and returns its pane. Outside
// tmux means that what runs in it is told that there is no tmux.
func (tm *tmuxServer) openShell(dataDir string, inTmux bool) string {
	tm.t.Helper()
	command := []string{"sh"}
	if !inTmux {
		command = []string{"env", "TMUX=", "TMUX_PANE=", "sh"}
	}
	return tm.run(append([]string{"new-window", "-d", "-P", "-F", "#{pane_id}", "-e", "PLANB_DATA_DIR=" + dataDir,
		"-e", "LC_ALL=C.UTF-8", "-e", "HOME=" + tm.home, "-e", "PS1=$ ", "--"}, command...)...)
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

func anyAlive(pids []string) bool {
	for _, pid := range pids {
		if exec.Command("kill", "-0", pid).Run() == nil {
			return true
		}
	}
	return false
}
