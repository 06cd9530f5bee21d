package pane

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// proc writes a proc file system with one process.
func proc(t *testing.T, dir string, pid, parent int, name, environ string) {
	t.Helper()
	dir = filepath.Join(dir, fmt.Sprint(pid))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	stat := fmt.Sprintf("%d (%s) S %d 1 1 0 -1 4194560\n", pid, name, parent)
	for file, content := range map[string]string{"stat": stat, "environ": environ} {
		if err := os.WriteFile(filepath.Join(dir, file), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestProcessesAreWalkedUp(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	proc(t, dir, 40, 30, "planb", "A=1\x00")
	proc(t, dir, 30, 20, "a) S 1 (b", "TMUX=/x,1,0\x00TMUX_PANE=%1\x00TMUX=/y\x00NO\x00=\x00")
	proc(t, dir, 20, 1, "bash\x1b[31m", strings.Repeat("x", 1<<16))
	proc(t, dir, 1, 0, "init", "TMUX=/never\x00")
	var told []string
	for _, p := range processesIn(dir, 30) {
		told = append(told, fmt.Sprintf("%s TMUX=%s TMUX_PANE=%s", p, p.env("TMUX"), p.env("TMUX_PANE")))
	}
	want := "process 30 (a) S 1 (b) TMUX=/x,1,0 TMUX_PANE=%1|process 20 (bash␛[31m) TMUX= TMUX_PANE="
	if got := strings.Join(told, "|"); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestAWalkEnds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	proc(t, dir, 30, 20, "a", "")
	proc(t, dir, 20, 30, "b", "")
	if n := len(processesIn(dir, 30)); n != maxAbove {
		t.Errorf("a circle of processes has %d", n)
	}
	proc(t, dir, 50, 49, "a", "")
	if n := len(processesIn(dir, 50)); n != 1 {
		t.Errorf("above a process that is gone are %d", n-1)
	}
	if err := os.WriteFile(filepath.Join(dir, "50", "stat"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if n := len(processesIn(dir, 50)); n != 0 {
		t.Errorf("nonsense is %d processes", n)
	}
}

func TestAnEnvironmentThatMustNotBeReadIsNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	proc(t, dir, 30, 1, "a", "TMUX=/x,1,0\x00")
	if err := os.Remove(filepath.Join(dir, "30", "environ")); err != nil {
		t.Fatal(err)
	}
	if list := processesIn(dir, 30); len(list) != 1 || list[0].env != nil {
		t.Errorf("got %+v", list)
	}
	if os.Getuid() != 0 {
		return // only root can give a file away
	}
	proc(t, dir, 30, 1, "a", "TMUX=/x,1,0\x00")
	if err := os.Chown(filepath.Join(dir, "30"), 4711, 4711); err != nil {
		t.Fatal(err)
	}
	if list := processesIn(dir, 30); len(list) != 1 || list[0].env != nil {
		t.Errorf("another user's environment is read: %+v", list)
	}
}

func TestTheNameOfAProcessCannotDraw(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	proc(t, dir, 30, 1, "a\x1b[31m\x00b", "")
	if list := processesIn(dir, 30); len(list) != 1 || strings.ContainsAny(list[0].String(), "\x1b\x00") {
		t.Errorf("got %q", list)
	}
}

// BenchmarkProcessesAbove measures a start without a multiplexer in the
// environment.
func BenchmarkProcessesAbove(b *testing.B) {
	for b.Loop() {
		for _, p := range processesAbove() {
			if p.env != nil {
				p.env("TMUX")
			}
		}
	}
}
