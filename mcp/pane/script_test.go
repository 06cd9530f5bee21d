package pane

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// saying returns a command that prints its directory, $A and its words, each
// followed by a zero byte.
func saying(words ...string) []string {
	return append([]string{"/bin/sh", "-c", `printf '%s\0' "$PWD" "$A" "$@"`, "sh"}, words...)
}

// ran runs a script as a terminal does and returns its output.
func ran(t *testing.T, s script) []string {
	t.Helper()
	words := s.words()
	out, err := exec.Command(words[0], words[1:]...).Output()
	if err != nil {
		t.Fatalf("the script failed: %v", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

func TestAScriptRunsTheWordsOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := filepath.Join(t.TempDir(), "it's $(a) `dir`; \"x\"")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	hostile := []string{"", "--", "it's", `a\'b`, `'`, `''`, `\`, "$HOME $(id) `id`", "a\nb\tc", "!x ~ * ?", `"`, "é \x1b[2J\xff"}
	s, err := writeScript(Command{Argv: saying(hostile...), Dir: dir, Env: []string{"A=x'; y=\"$z\"\n"}}, "ghostty")
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(s.path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if got, want := ran(t, s), append([]string{dir, "x'; y=\"$z\"\n"}, hostile...); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
}

// The command takes the shell's place, so that a signal to the pane's process reaches it.
func TestACommandTakesTheShellsPlace(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := writeScript(Command{Argv: []string{"/bin/sh", "-c", `printf %s "$PPID"; :`}, Dir: "/"}, "ghostty")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ran(t, s)[0], strconv.Itoa(os.Getpid()); got != want {
		t.Errorf("its parent is %s, not %s", got, want)
	}
}

func TestAScriptRunsWhereTheDirectoryIsGone(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s, err := writeScript(Command{Argv: saying("here"), Dir: "/nowhere/at all"}, "ghostty")
	if err != nil {
		t.Fatal(err)
	}
	if got := ran(t, s); got[2] != "here" {
		t.Errorf("got %q", got)
	}
}

func TestScriptsThatCannotBeAreRefused(t *testing.T) {
	plain, spaced := t.TempDir(), filepath.Join(t.TempDir(), "a b")
	if err := os.Mkdir(spaced, 0o700); err != nil {
		t.Fatal(err)
	}
	good := []string{"/planb", "tui"}
	for _, test := range []struct {
		name, tmp string
		command   Command
		says      string
	}{
		{"a path that would have to be quoted", spaced, Command{Argv: good}, "set TMPDIR"},
		{"nowhere to write", "/nowhere", Command{Argv: good}, "can't be written"},
		{"one word", plain, Command{Argv: good[:1]}, "at least one argument"},
		{"a zero byte", plain, Command{Argv: good, Env: []string{"A=\x00"}}, "zero byte"},
		{"a relative directory", plain, Command{Argv: good, Dir: "-"}, "absolute path"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TMPDIR", test.tmp)
			if s, err := writeScript(test.command, "ghostty"); err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("got %v, %v; want %s", s, err, test.says)
			}
			if left, _ := os.ReadDir(test.tmp); len(left) > 0 {
				t.Errorf("it leaves %v", left)
			}
		})
	}
}

func TestIsPlain(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{
		"/tmp/planb-form-123": true, "Ubuntu-24.04": true, "a_b": true,
		"": false, "-x": false, "a b": false, "a;b": false, "a%b%": false, "é": false, "a\n": false, "a'": false, `a\`: false, "~": false, "a^": false,
	} {
		if isPlain(word) != want {
			t.Errorf("%q is plain: %v", word, !want)
		}
	}
}

// For any word, the shell passes on that word and does nothing else.
func FuzzScriptText(f *testing.F) {
	for _, word := range []string{"", "'", `'\''`, "\\", "a'b'", "$(touch x)`touch x`", "\n'\n", "\x81\x88\xff", "; rm -rf /"} {
		f.Add(word)
	}
	f.Fuzz(func(t *testing.T, word string) {
		text, err := scriptText("/"+word, append([]string{"/usr/bin/env", "A=" + word}, saying(word)...))
		if strings.Contains(word, "\x00") {
			if err == nil {
				t.Fatal("it was taken")
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(t.TempDir(), "s")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := ran(t, script{file}); len(got) != 3 || got[1] != word || got[2] != word {
			t.Errorf("%q became %q", word, got)
		}
	})
}
