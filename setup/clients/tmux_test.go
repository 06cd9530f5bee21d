package clients

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func tmuxPlace(home string) Place {
	return Place{
		Home: home, Env: func(string) string { return "" },
		Exists: func(path string) bool {
			_, err := os.Stat(path)
			return err == nil
		},
	}
}

func tmuxLines(t *testing.T, command, key string) []string {
	t.Helper()
	all, err := TmuxLines(command, key)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestTheFileThatTmuxReads(t *testing.T) {
	home := t.TempDir()
	p := tmuxPlace(home)
	dotfile, xdg := filepath.Join(home, ".tmux.conf"), filepath.Join(home, ".config", "tmux", "tmux.conf")
	if got := p.tmuxFile(); got != dotfile {
		t.Errorf("with none: %s", got)
	}
	if err := os.MkdirAll(filepath.Dir(xdg), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{xdg, dotfile} { // the second one outranks the first
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := p.tmuxFile(); got != path {
			t.Errorf("got %s, want %s", got, path)
		}
	}
	if err := os.WriteFile(xdg, []byte("# >>> planb >>>\nbind-key a choose-tree\n# <<< planb <<<\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := p.tmuxFile(); got != xdg {
		t.Errorf("with planb's lines in %s: %s", xdg, got)
	}
	if r, err := p.PlanTmux(nil); err != nil || !r.Changed() {
		t.Errorf("they are not removed: %v", err)
	}
}

func TestKeysAndCommandsThatTmuxCannotTake(t *testing.T) {
	for _, key := range []string{"", " ", "a b", "a\n", "';kill-server", "C-"} {
		if _, err := TmuxLines("planb", key); err == nil || !strings.Contains(err.Error(), "is not a key of tmux") {
			t.Errorf("%q: %v", key, err)
		}
	}
	for _, command := range []string{"/a#b/planb", "/a%H/planb", "/a\nb"} {
		if _, err := TmuxLines(command, "a"); err == nil {
			t.Errorf("%q is taken", command)
		}
	}
}

// A real tmux reads the lines twice, and a shell finds a path with all kinds of
// characters in them.
func TestTmuxTakesTheLines(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	home := t.TempDir()
	dir := filepath.Join(home, `it's "odd" $HOME;`)
	command := filepath.Join(dir, "planb")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(command, []byte("#!/bin/sh\necho ran $1 >"+filepath.Join(home, "ran")+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i, key := range []string{"a", "M-a", "F5", ";", "'"} {
		socket := filepath.Join(home, fmt.Sprintf("s%d", i)) // a server that ends may still answer at its own
		r, err := tmuxPlace(home).PlanTmux(tmuxLines(t, command, key))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Write(time.Now()); err != nil {
			t.Fatal(err)
		}
		tmux := func(args ...string) string {
			cmd := exec.Command("tmux", append([]string{"-S", socket}, args...)...)
			cmd.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH"), "TERM=xterm", "LC_ALL=C.UTF-8"}
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Errorf("tmux %q: %v\n%s", args, err, out)
			}
			return string(out)
		}
		conf := filepath.Join(home, ".tmux.conf")
		tmux("-f", conf, "new-session", "-d", "cat")
		tmux("source-file", conf)
		if status := tmux("show-options", "-gv", "status-right"); strings.Count(status, "#(") != 1 {
			t.Errorf("status line %s", status)
		}
		if got := strings.TrimSpace(tmux("show-options", "-sv", "escape-time")); got != "10" {
			t.Errorf("escape-time %s", got)
		}
		if got := strings.TrimSpace(tmux("show-options", "-gv", "status-right-length")); got != "80" {
			t.Errorf("behind a pane's title and the time there is room up to column %s", got)
		}
		tmux("set-option", "-g", "status-right-length", "100")
		tmux("source-file", conf)
		if got := strings.TrimSpace(tmux("show-options", "-gv", "status-right-length")); got != "100" {
			t.Errorf("the person's own length became %s", got)
		}
		if bound := tmux("list-keys", "-T", "prefix"); !strings.Contains(bound, "display-popup -E -h ") {
			t.Errorf("the key %s is not bound:\n%s", key, bound)
		}
		// Run the job as tmux does for the status line.
		job := strings.TrimSuffix(strings.TrimSpace(strings.SplitN(tmux("show-options", "-gv", "status-right"), "#(", 2)[1]), ")")
		if out, err := exec.Command("sh", "-c", job).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", job, err, out)
		}
		if ran, err := os.ReadFile(filepath.Join(home, "ran")); err != nil || string(ran) != "ran status\n" {
			t.Errorf("%q, %v", ran, err)
		}
		tmux("kill-server")
	}
}

func TestLinesComeAndGo(t *testing.T) {
	home := t.TempDir()
	conf := filepath.Join(home, ".tmux.conf")
	const mine = "set -g mouse on # mine\n"
	if err := os.WriteFile(conf, []byte(mine), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		lines   []string
		changes bool
	}{{tmuxLines(t, "planb", "a"), true}, {tmuxLines(t, "planb", "a"), false}, {tmuxLines(t, "planb", "M-p"), true}, {nil, true}, {nil, false}} {
		r, err := tmuxPlace(home).PlanTmux(c.lines)
		if err != nil || r.Changed() != c.changes {
			t.Fatalf("%v\n%s", err, r.Diff())
		}
		if !strings.HasPrefix(string(r.After), mine) || c.lines == nil && string(r.After) != mine {
			t.Errorf("%s", r.After)
		}
		if _, err := r.Write(time.Now()); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(conf, []byte("# >>> planb >>>\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := tmuxPlace(home).PlanTmux(nil); err == nil || !strings.HasPrefix(err.Error(), conf+": line 1: ") {
		t.Error(err)
	}
}
