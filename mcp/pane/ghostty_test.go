package pane

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestGhosttyStartsAWindow(t *testing.T) {
	bin := programs(t, "ghostty")
	for _, test := range []struct {
		reason string
		title  string
		want   []string
	}{
		{"a title is no option and controls nothing", hostile().Title, []string{"--title=" + hostileTitle}},
		{"and goes without", "", nil},
	} {
		t.Run(test.reason, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			g, reason := ghosttyOn("linux", environment("TERM_PROGRAM=ghostty", "DISPLAY=:0", "GHOSTTY_BIN_DIR="+bin))
			if g == nil {
				t.Fatal(reason)
			}
			var started call
			g.run = func(_ context.Context, c call) (string, error) { started = c; return "", nil }
			command := hostile()
			command.Title = test.title
			if err := g.Open(t.Context(), command); err != nil {
				t.Fatal(err)
			}
			path, text := scriptBy(t, started.argv)
			want := slices.Concat([]string{bin + "/ghostty"}, test.want, []string{"-e", "/bin/sh", path})
			if !slices.Equal(started.argv, want) || !slices.Equal(started.env, []string{"DISPLAY=:0"}) {
				t.Errorf("got  %q with %q\nwant %q", started.argv, started.env, want)
			}
			if !strings.Contains(text, "'PLANB_OPENER=ghostty'") {
				t.Errorf("the script is %q", text)
			}

			g.run = func(context.Context, call) (string, error) { return "", errors.New("no display") }
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			if err := g.Open(t.Context(), command); err == nil {
				t.Error("a failed start is no error")
			}
			if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
				t.Errorf("it leaves %v", left)
			}
		})
	}
}

func TestGhosttyOn(t *testing.T) {
	t.Parallel()
	bin := programs(t, "ghostty", "osascript")
	desktop := environment("DISPLAY=:0", "PATH="+bin)
	for _, test := range []struct {
		name, system string
		env          Env
		reason       string
	}{
		{"as it says", "linux", with(desktop, "TERM_PROGRAM=ghostty"), ""},
		{"a client passes half of it on", "linux", with(desktop, "GHOSTTY_RESOURCES_DIR=/usr/share/ghostty"), ""},
		{"the program is where it says", "linux", environment("WAYLAND_DISPLAY=w", "TERM_PROGRAM=ghostty", "GHOSTTY_BIN_DIR="+bin), ""},
		{"outside", "linux", with(desktop, "TERM_PROGRAM=vscode"), "does not run inside Ghostty"},
		{"another terminal was started from one", "linux", with(desktop, "TERM_PROGRAM=vscode", "GHOSTTY_RESOURCES_DIR=/usr/share/ghostty"), `TERM_PROGRAM="vscode" says`},
		{"no display", "linux", environment("TERM_PROGRAM=ghostty", "PATH="+bin), "no display"},
		{"no program", "linux", environment("TERM_PROGRAM=ghostty", "DISPLAY=:0", "PATH=.:", "GHOSTTY_BIN_DIR=."), "no program ghostty"},
		{"on macOS", "darwin", environment("TERM_PROGRAM=ghostty", "PATH="+bin), ""},
		{"on macOS without AppleScript", "darwin", environment("TERM_PROGRAM=ghostty"), "no osascript"},
	} {
		t.Run(test.name, func(t *testing.T) {
			g, reason := ghosttyOn(test.system, test.env)
			if (g == nil) != (test.reason != "") || !strings.Contains(reason, test.reason) {
				t.Errorf("got %v and %q, want %q", g, reason, test.reason)
			}
		})
	}
}
