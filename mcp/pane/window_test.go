package pane

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWindowCall(t *testing.T) {
	t.Parallel()
	behind := []string{"/bin/sh", "-c", ignoring, "planb", "/usr/bin/env", "A=$HOME", "PLANB_OPENER=window", "/opt/plan b/planb", "tui", "$(id);", "-e"}
	both := programs(t, "xdg-terminal-exec", "x-terminal-emulator")
	debian := programs(t, "x-terminal-emulator")
	for _, test := range []struct {
		reason string
		path   string
		title  string
		want   []string
	}{
		{"the convention of all desktops comes first, and its title's flag is not everywhere", both, "planb", []string{both + "/xdg-terminal-exec"}},
		{"Debian's takes a title", debian, "planb", []string{debian + "/x-terminal-emulator", "-T", "planb", "-e"}},
		{"and goes without", debian, "", []string{debian + "/x-terminal-emulator", "-e"}},
		{"a title is no option", debian, "-e x", []string{debian + "/x-terminal-emulator", "-T", " -e x", "-e"}},
		{"a title controls nothing", debian, "a\x1b]0;b\x07", []string{debian + "/x-terminal-emulator", "-T", "a␛]0;b␇", "-e"}},
	} {
		w, reason := windowFromEnv(environment("DISPLAY=:0", "XAUTHORITY=/x", "HOME=/h", "PATH="+test.path))
		if w == nil {
			t.Fatal(reason)
		}
		got, err := w.prepare(Command{Argv: []string{"/opt/plan b/planb", "tui", "$(id);", "-e"}, Env: []string{"A=$HOME"}, Dir: "/src", Title: test.title})
		if want := slices.Concat(test.want, behind); err != nil || !slices.Equal(got.argv, want) || got.dir != "/src" || !slices.Equal(got.env, []string{"DISPLAY=:0", "XAUTHORITY=/x"}) {
			t.Errorf("%s:\ngot  %q in %s, %v\nwant %q", test.reason, got.argv, got.dir, err, want)
		}
		if _, err := w.prepare(Command{Argv: []string{"/planb"}}); err == nil {
			t.Error("one word was taken, which would go through a shell")
		}
	}
}

func TestWindowFromEnv(t *testing.T) {
	dir := programs(t, "x-terminal-emulator")
	if err := os.WriteFile(filepath.Join(dir, "xdg-terminal-exec"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, test := range []struct {
		name    string
		env     Env
		program string
		reason  string
	}{
		{"X11, and a file that is no program", environment("DISPLAY=:0", "PATH=/nowhere:"+dir), dir + "/x-terminal-emulator", ""},
		{"Wayland", environment("WAYLAND_DISPLAY=wayland-0", "PATH="+dir), dir + "/x-terminal-emulator", ""},
		{"no display", environment("PATH=" + dir), "", "no display"},
		{"no program", environment("DISPLAY=:0", "PATH="+t.TempDir()), "", "neither xdg-terminal-exec nor x-terminal-emulator"},
		{"no PATH", environment("DISPLAY=:0"), "", "neither xdg-terminal-exec nor x-terminal-emulator"},
		{"the agent's project may hold any program", environment("DISPLAY=:0", "PATH=.:"), "", "neither xdg-terminal-exec nor x-terminal-emulator"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, reason := windowFromEnv(test.env)
			if (w == nil) != (test.program == "") || !strings.Contains(reason, test.reason) {
				t.Fatalf("got %v and %q, want %q", w, reason, test.reason)
			}
			if w == nil {
				return
			}
			if got, err := w.prepare(Command{Argv: []string{"/planb", "tui"}}); err != nil || got.argv[0] != test.program {
				t.Errorf("got %q, %v, want %s", got.argv, err, test.program)
			}
		})
	}
}

func TestWindowPlaceIsTheDisplay(t *testing.T) {
	t.Parallel()
	places := map[string]bool{}
	for _, variable := range []string{"DISPLAY=:0", "DISPLAY=:1", "WAYLAND_DISPLAY=:0", "DISPLAY=:0"} {
		w, _ := windowFromEnv(environment(variable, "PATH="+programs(t, "xdg-terminal-exec")))
		place, err := w.Place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		places[place] = true
	}
	if len(places) != 3 {
		t.Errorf("three displays are at %v", places)
	}
}

func TestAStartThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		argv []string
		want string // empty: it does not fail
	}{
		{"no display", []string{"/bin/sh", "-c", "echo Can\\'t open display >&2; exit 1"}, "sh could not open a window (exit status 1): Can't open display"},
		{"without a word", []string{"/bin/sh", "-c", "exit 3"}, "sh could not open a window (exit status 3): it did not say why"},
		{"no program", []string{"/nowhere/term"}, "running term: fork/exec /nowhere/term: no such file or directory"},
		{"it stays", []string{"/bin/sleep", "2"}, ""},
		{"it has left the window to another process", []string{"/bin/true"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			switch _, err := startCall(t.Context(), call{argv: test.argv}); {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || err.Error() != test.want):
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
}

// Cancelling the call that opens a window does not close the window.
func TestAStartedProgramOutlivesTheCall(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "mark")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := startCall(ctx, call{argv: []string{"/bin/sh", "-c", `sleep 0.1; : >"$0"`, mark}}); err == nil {
		t.Error("a cancelled start says nothing of it")
	}
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if _, err := os.Stat(mark); err == nil {
			return
		}
		if time.Now().After(end) {
			t.Fatal("the program ended with the call")
		}
	}
}

func TestAWindowComesAfterWhatTheProcessRunsIn(t *testing.T) {
	t.Parallel()
	path := "PATH=" + programs(t, "x-terminal-emulator")
	desktop := process{pid: 20, name: "bash", env: environment("DISPLAY=:7", "XAUTHORITY=/x")}
	inTmux := process{pid: 20, name: "bash", env: environment("DISPLAY=:7", "TMUX=/tmp/tmux-0/a,10,0", "TMUX_PANE=%2")}
	remote := process{pid: 20, name: "bash", env: environment("DISPLAY=:7", "SSH_CONNECTION=10.0.0.1 5 10.0.0.2 22")}
	bare := process{pid: 20, name: "bash", env: environment()}
	orphaned := process{pid: 20, name: "bash", env: environment("DISPLAY=:7", "TERM_PROGRAM=ghostty")}
	server := process{pid: 10, name: "tmux: server", env: environment("DISPLAY=:7")}
	for _, test := range []struct {
		name    string
		world   world
		wanted  string
		opener  string
		display string
		says    string
	}{
		{"its own display", world{env: []string{path, "DISPLAY=:0"}, above: []process{bare}}, "", "window", "x11 :0", "DISPLAY is set, and"},
		{"tmux is above, though a display is named", world{env: []string{path, "DISPLAY=:0"}, above: []process{inTmux},
			servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2\n"}}, "", "tmux", "", "TMUX is set in process 20 (bash), from which planb was started"},
		{"tmux is above, though a terminal's name was handed down", world{env: []string{path, "DISPLAY=:0", "TERM_PROGRAM=ghostty", "WT_SESSION=1"}, above: []process{inTmux},
			servers: map[string]string{"/tmp/tmux-0/a": "10 20 %2\n"}}, "", "tmux", "", "TMUX is set in process 20 (bash), from which planb was started"},
		{"tmux has begun it, though a display is named", world{env: []string{path, "DISPLAY=:0"}, above: []process{bare, server},
			servers: map[string]string{"/tmp/tmux-0/a": "10 20 %4\n"}}, "", "tmux", "", "planb was started from process 20 (bash), which is in a pane"},
		{"tmux is elsewhere", world{env: []string{path, "DISPLAY=:0"}, above: []process{bare},
			servers: map[string]string{"/tmp/tmux-0/a": "10 99 %4\n"}}, "", "window", "x11 :0", "DISPLAY is set, and"},
		{"the display is known above", world{env: []string{path}, above: []process{bare, desktop}}, "", "window", "x11 :7", "DISPLAY is set in process 20 (bash)"},
		{"the display is known above, by name", world{env: []string{path}, above: []process{desktop}}, "window", "window", "x11 :7", "you have set it"},
		{"above is a terminal without its program, on a display", world{env: []string{path}, above: []process{orphaned}}, "", "window", "x11 :7", "DISPLAY is set in process 20 (bash)"},
		{"above is SSH", world{env: []string{path}, above: []process{remote}}, "", "none", "", "SSH_CONNECTION"},
		{"above is SSH, by name", world{env: []string{path}, above: []process{remote}}, "window", "window", "x11 :7", "you have set it"},
		{"no window where another is wanted", world{env: []string{path}, above: []process{desktop}}, "kitty", "none", "", "KITTY_WINDOW_ID"},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := test.world.surroundings()
			opener, err := s.Detect(test.wanted)
			if err != nil {
				t.Fatal(err)
			}
			opener = Resolve(t.Context(), opener)
			if opener.Name() != test.opener {
				t.Fatalf("got %s, want %s", opener.Name(), test.opener)
			}
			if w, ok := opener.(*launcher); ok {
				if w.server != test.display {
					t.Errorf("it opens on %s, want %s", w.server, test.display)
				}
				got, err := w.prepare(Command{Argv: []string{"/planb", "tui"}})
				if _, name, _ := strings.Cut(test.display, " "); err != nil || got.env[0] != "DISPLAY="+name {
					t.Errorf("its program gets %q, %v", got.env, err)
				}
			}
			choice, err := s.Explain(t.Context(), test.wanted)
			if err != nil || !strings.Contains(choice.Why, test.says) {
				t.Errorf("it is explained by %q, %v; want %q", choice.Why, err, test.says)
			}
		})
	}
}
