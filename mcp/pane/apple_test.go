package pane

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

const aSession = "A1B2C3D4-0000-4000-8000-0123456789AB"

// hostile returns a command in which every part tries to break out of its
// place.
func hostile() Command {
	const out = `"; quit` + "\n" + `end tell'; $(id) %PATH% ; \`
	return Command{
		Argv: []string{"/opt/" + out + "/planb", out}, Dir: "/" + out, Env: []string{"A=" + out},
		Title: "--planb\x1b]0;x\x07" + out,
	}
}

// hostileTitle is the command's title as a terminal gets it.
const hostileTitle = `--planb␛]0;x␇"; quit↵end tell'; $(id) %PATH% ; \`

// scriptBy finds the script's path in a terminal's arguments, and reads the
// script.
func scriptBy(t *testing.T, argv []string) (path, text string) {
	t.Helper()
	for _, word := range argv {
		if at := strings.Index(word, os.Getenv("TMPDIR")); at >= 0 {
			path = word[at:]
		}
	}
	return path, readText(t, path)
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Variable values reach AppleScript only as arguments.
func TestWhatAppleScriptsAreGiven(t *testing.T) {
	bin := programs(t, "osascript")
	osascript := bin + "/osascript"
	for _, test := range []struct {
		name   string
		opener func(run func(context.Context, call) (string, error)) Opener
		want   []string // SCRIPT stands for the path
	}{
		{"iterm2", func(run func(context.Context, call) (string, error)) Opener {
			i, _ := iterm2FromEnv(environment("ITERM_SESSION_ID=w0t2p1:"+aSession, "PATH="+bin))
			i.run = run
			return i
		}, []string{osascript, "-e", iterm2Split, "/bin/sh SCRIPT", aSession, "141", hostileTitle}},
		{"apple-terminal", func(run func(context.Context, call) (string, error)) Opener {
			a, _ := terminalAppFromEnv(environment("TERM_PROGRAM=Apple_Terminal", "PATH="+bin))
			a.run = run
			return a
		}, []string{osascript, "-e", terminalAppWindow, "exec /bin/sh SCRIPT", hostileTitle}},
		{"ghostty", func(run func(context.Context, call) (string, error)) Opener {
			g, _ := ghosttyOn("darwin", environment("TERM_PROGRAM=ghostty", "PATH="+bin))
			g.run = run
			return g
		}, []string{osascript, "-e", ghosttyWindow, "/bin/sh SCRIPT"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			r := &recorder{}
			opener := test.opener(r.run)
			if opener.Name() != test.name {
				t.Errorf("it is called %s", opener.Name())
			}
			if err := opener.Open(t.Context(), hostile()); err != nil {
				t.Fatal(err)
			}
			path, text := scriptBy(t, r.calls[0].argv)
			for i := range test.want {
				test.want[i] = strings.ReplaceAll(test.want[i], "SCRIPT", path)
			}
			if got := r.calls[0].argv; !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			if !strings.Contains(text, "'PLANB_OPENER="+test.name+"'") || strings.Contains(text, "\x1b") {
				t.Errorf("the script is %q", text)
			}

			failing := test.opener(func(context.Context, call) (string, error) {
				return "", errors.New("osascript refused: Not authorized to send Apple events. (-1743)")
			})
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			err := failing.Open(t.Context(), hostile())
			if err == nil || !strings.Contains(err.Error(), "Automation") || !strings.Contains(err.Error(), "-1743") {
				t.Errorf("a refusal is %v", err)
			}
			if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
				t.Errorf("it leaves %v", left)
			}
			if err := failing.Open(t.Context(), Command{Argv: []string{"/planb"}}); err == nil {
				t.Error("one word was taken")
			}
		})
	}
}

func TestITerm2FromEnv(t *testing.T) {
	t.Parallel()
	path := "PATH=" + programs(t, "osascript")
	for _, test := range []struct {
		name   string
		env    Env
		reason string
	}{
		{"as iTerm2 sets it", environment("ITERM_SESSION_ID=w0t2p1:"+aSession, "TERM_PROGRAM=iTerm.app", path), ""},
		{"a client passes half of it on", environment("ITERM_SESSION_ID=w0t2p1:"+aSession, path), ""},
		{"outside", environment(path), "does not run inside iTerm2"},
		{"an editor that was started from one", environment("ITERM_SESSION_ID=w0t2p1:"+aSession, "TERM_PROGRAM=vscode", path), "the terminal is another"},
		{"no id", environment("ITERM_SESSION_ID=w0t2p1", path), "does not name"},
		{"an id that is none", environment(`ITERM_SESSION_ID=w0t2p1:x" & (do shell script "id") & "`, path), "does not name"},
		{"no place", environment("ITERM_SESSION_ID="+aSession, path), "does not name"},
		{"no osascript", environment("ITERM_SESSION_ID=w0t2p1:"+aSession, "PATH=/nowhere"), "no osascript"},
	} {
		t.Run(test.name, func(t *testing.T) {
			i, reason := iterm2FromEnv(test.env)
			if (i == nil) != (test.reason != "") || !strings.Contains(reason, test.reason) {
				t.Errorf("got %v and %q, want %q", i, reason, test.reason)
			}
		})
	}
}

func TestTerminalAppFromEnv(t *testing.T) {
	t.Parallel()
	path := "PATH=" + programs(t, "osascript")
	for _, test := range []struct {
		name   string
		env    Env
		reason string
	}{
		{"as it says", environment("TERM_PROGRAM=Apple_Terminal", path), ""},
		{"another", environment("TERM_PROGRAM=vscode", path), "does not run inside macOS's Terminal"},
		{"no osascript", environment("TERM_PROGRAM=Apple_Terminal", "PATH=/nowhere"), "no osascript"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, reason := terminalAppFromEnv(test.env)
			if (a == nil) != (test.reason != "") || !strings.Contains(reason, test.reason) {
				t.Errorf("got %v and %q, want %q", a, reason, test.reason)
			}
		})
	}
}

func TestITerm2PlaceIsTheTab(t *testing.T) {
	t.Parallel()
	place := func(at string) string {
		i, reason := iterm2FromEnv(environment("ITERM_SESSION_ID="+at+":"+aSession, "PATH="+programs(t, "osascript")))
		if i == nil {
			t.Fatal(reason)
		}
		place, err := i.Place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return place
	}
	if one, beside, other := place("w0t2p0"), place("w0t2p1"), place("w0t3p0"); one != beside || one == other {
		t.Errorf("two panes of a tab are at %s and %s, another tab at %s", one, beside, other)
	}
}
