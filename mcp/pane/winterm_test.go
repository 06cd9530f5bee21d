package pane

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestWindowsSplit(t *testing.T) {
	t.Parallel()
	pane := []string{"wt.exe", "-w", "0", "split-pane", "-V", "--size", "0.60"}
	good := []string{"/planb", "tui"}
	for _, test := range []struct {
		reason string
		in     Command
		want   []string
	}{
		{"all there is", Command{Argv: good, Title: "planb", Dir: "/src"},
			[]string{"--title", "planb", "--startingDirectory", "/src", "--", "/planb", "tui"}},
		{"no empty names", Command{Argv: good}, []string{"--", "/planb", "tui"}},
		{"a semicolon ends nothing", Command{Argv: []string{"/a;b/planb", "tui", ";"}, Title: "x; new-tab cmd", Dir: `/c\;d;`},
			[]string{"--title", `x\; new-tab cmd`, "--startingDirectory", `/c\\;d\;`, "--", `/a\;b/planb`, "tui", `\;`}},
		{"a title is no option and controls nothing", Command{Argv: good, Title: "-M\x1b[2J\n"},
			[]string{"--title", " -M␛[2J↵", "--", "/planb", "tui"}},
	} {
		test.in.Env = []string{"A=x;%PATH%"} // no word of a command
		got, err := windowsSplit(test.in)
		if err != nil || !slices.Equal(got.argv, slices.Concat(pane, test.want)) {
			t.Errorf("%s:\ngot  %q, %v\nwant %q", test.reason, got.argv, err, test.want)
		}
		if !slices.Equal(got.env, []string{"A=x;%PATH%", "PLANB_OPENER=windows-terminal"}) {
			t.Errorf("%s: the environment is %q", test.reason, got.env)
		}
	}
	for _, bad := range []Command{
		{Argv: []string{"/planb", "%PATH%"}}, {Argv: []string{"/planb", `a"b`}}, {Argv: []string{"/a b/planb", `c d\`}},
		{Argv: good, Dir: "/50%"}, {Argv: good[:1]}, {Argv: []string{"planb", "tui"}},
	} {
		if got, err := windowsSplit(bad); err == nil {
			t.Errorf("%q became %q", bad.Argv, got.argv)
		}
	}
}

// Windows Terminal ends a command at each semicolon without a backslash before
// it, and then removes those backslashes.
func FuzzWindowsSplit(f *testing.F) {
	for _, word := range []string{";", `\;`, `;;`, `a\`, `a;\;b`, "; new-tab cmd"} {
		f.Add(word, word)
	}
	f.Fuzz(func(t *testing.T, title, word string) {
		split, err := windowsSplit(Command{Argv: []string{"/planb", word}, Title: title})
		if err != nil {
			return
		}
		for i, given := range split.argv {
			for at := range given {
				if given[at] == ';' && (at == 0 || given[at-1] != '\\') {
					t.Fatalf("%q ends the command", given)
				}
			}
			split.argv[i] = strings.ReplaceAll(given, `\;`, ";")
		}
		if want := []string{"--", "/planb", word}; !slices.Equal(split.argv[len(split.argv)-3:], want) {
			t.Errorf("got %q, want %q at the end", split.argv, want)
		}
	})
}

func TestWindowsTerminalFromWSL(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	bin := programs(t, "cmd.exe")
	w, reason := windowsTerminalFromEnv(environment("WT_SESSION="+aSession, "WSL_DISTRO_NAME=Ubuntu-24.04", "PATH="+bin))
	if w == nil {
		t.Fatal(reason)
	}
	r := &recorder{}
	w.run = r.run
	if err := w.Open(t.Context(), hostile()); err != nil {
		t.Fatal(err)
	}
	path, text := scriptBy(t, r.calls[0].argv)
	want := []string{bin + "/cmd.exe", "/c", "wt.exe", "-w", "0", "split-pane", "-V", "--size", "0.60", "--", "wsl.exe", "-d", "Ubuntu-24.04", "--exec", "/bin/sh", path}
	if got := r.calls[0].argv; !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	for _, word := range r.calls[0].argv[2:] {
		if !isPlain(strings.TrimLeft(word, "-")) && word != "--" {
			t.Errorf("%q may mean something to cmd.exe", word)
		}
	}
	if !strings.Contains(text, "'PLANB_OPENER=windows-terminal'") {
		t.Errorf("the script is %q", text)
	}

	w.run = func(context.Context, call) (string, error) { return "", errors.New("no wt.exe") }
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := w.Open(t.Context(), hostile()); err == nil {
		t.Error("a failure is no error")
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

func TestWindowsTerminalFromEnv(t *testing.T) {
	t.Parallel()
	path := "PATH=" + programs(t, "cmd.exe")
	for _, test := range []struct {
		name   string
		env    Env
		reason string
	}{
		{"in WSL", environment("WT_SESSION="+aSession, "WSL_DISTRO_NAME=Debian", path), ""},
		{"outside", environment(path), "does not run inside Windows Terminal"},
		{"an editor that was started from one", environment("WT_SESSION="+aSession, "WSL_DISTRO_NAME=Debian", "TERM_PROGRAM=vscode", path), "the terminal is another"},
		{"no distribution", environment("WT_SESSION="+aSession, path), "WSL_DISTRO_NAME is not"},
		{"a name for cmd.exe to read", environment("WT_SESSION="+aSession, "WSL_DISTRO_NAME=a&calc", path), "does not name"},
		{"an option", environment("WT_SESSION="+aSession, "WSL_DISTRO_NAME=--shutdown", path), "does not name"},
		{"no cmd.exe", environment("WT_SESSION="+aSession, "WSL_DISTRO_NAME=Debian", "PATH=/nowhere"), "appendWindowsPath"},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, reason := windowsTerminalFromEnv(test.env)
			if (w == nil) != (test.reason != "") || !strings.Contains(reason, test.reason) {
				t.Errorf("got %v and %q, want %q", w, reason, test.reason)
			}
		})
	}
}
