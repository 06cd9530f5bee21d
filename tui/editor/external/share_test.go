package external

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/tui/keymap"
)

const hostilePlan = "# Evil\x1b[2J\r\n\n\tmake\u202e all \xff\x9b31m\n"

func (s *Sharer) ready(t *testing.T, act keymap.Action, text string) shareReady {
	t.Helper()
	cmd := s.Share(act, func(context.Context) (Shared, error) {
		return Shared{What: "The plan", File: "plan-v1.md", Text: safe.New(text)}, nil
	})
	if cmd == nil {
		t.Fatalf("nothing is taken: %s", *s.status)
	}
	return cmd().(shareReady)
}

func newTestSharer(environ ...string) *Sharer {
	return NewSharer(environ, keymap.Plan(), new(string))
}

// The clipboard gets the exact bytes, up to what passes through a multiplexer.
func TestShareCopies(t *testing.T) {
	s := newTestSharer()
	cmd := s.Heard(s.ready(t, keymap.Copy, hostilePlan))
	if got, want := cmd(), tea.SetClipboard(hostilePlan)(); !reflect.DeepEqual(got, want) {
		t.Errorf("copied %q, want %q", got, want)
	}
	if !strings.HasPrefix(*s.status, "The plan is in the clipboard") {
		t.Errorf("it says %q", *s.status)
	}
	if cmd := s.Heard(s.ready(t, keymap.Copy, strings.Repeat("x", maxClipboard+1))); cmd != nil || !strings.HasPrefix(*s.status, "Too long for the clipboard (700 KB)") {
		t.Errorf("too much is copied: %q", *s.status)
	}
	if cmd := newTestSharer().Heard(s.ready(t, keymap.Copy, "x")); cmd != nil {
		t.Error("a text for another screen was taken")
	}
	s.Heard(shareReady{sharer: s, act: keymap.Copy, err: errors.New("the disk is on fire")})
	if *s.status != "It could not be copied or opened: the disk is on fire" {
		t.Errorf("it says %q", *s.status)
	}
}

// A copy for an editor is exact, one for a pager can do nothing to the terminal;
// nobody else can read either, and both are gone afterwards.
func TestShareWritesPrivateCopies(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := newTestSharer("EDITOR=ed", "PAGER=less")
	for act, want := range map[keymap.Action]string{keymap.Edit: hostilePlan, keymap.Pager: safe.New(hostilePlan).Block()} {
		ready := s.ready(t, act, hostilePlan)
		if ready.err != nil {
			t.Fatal(ready.err)
		}
		if got, err := os.ReadFile(ready.path); err != nil || string(got) != want {
			t.Errorf("the copy is %q, %v; want %q", got, err, want)
		}
		for path, mode := range map[string]os.FileMode{ready.path: 0o600, filepath.Dir(ready.path): 0o700} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
			}
		}
		if s.Heard(ready) == nil {
			t.Error("nothing is opened")
		}
		if err := s.Close(); err != nil { // as when the program is ended meanwhile
			t.Fatal(err)
		}
		if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
	}
}

func TestShareSaysWhatBecameOfIt(t *testing.T) {
	s := newTestSharer()
	for want, done := range map[string]shareDone{
		"":                       {sharer: s, act: keymap.Pager},
		"The editor failed: bad": {sharer: s, act: keymap.Edit, err: errors.New("bad")},
		"The pager failed: bad":  {sharer: s, act: keymap.Pager, err: errors.New("bad")},
		"That was a copy. What is kept here did not change.": {sharer: s, act: keymap.Edit, changed: true},
	} {
		*s.status = ""
		if s.Heard(done); *s.status != want {
			t.Errorf("it says %q, want %q", *s.status, want)
		}
	}
	if cmd := s.Share(keymap.Edit, nil); cmd != nil || *s.status != "No editor: set $VISUAL or $EDITOR." {
		t.Errorf("without an editor it says %q", *s.status)
	}
	t.Setenv("PATH", t.TempDir())
	if cmd := s.Share(keymap.Pager, nil); cmd != nil || *s.status != "No pager: set $PAGER." {
		t.Errorf("without a pager it says %q", *s.status)
	}
}

func TestPager(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	for _, c := range []struct{ set, there, want string }{
		{"most -s", "less", "most -s"},
		{"cat", "less", "less"},
		{" ", "less", "less"},
		{"", "more", "more"},
		{"", "", ""},
	} {
		if c.there != "" {
			if err := os.WriteFile(filepath.Join(bin, c.there), []byte("#!/bin/sh\n"), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if got := pager([]string{"PAGER=" + c.set}); got != c.want {
			t.Errorf("with PAGER=%q and %q installed it is %q, want %q", c.set, c.there, got, c.want)
		}
		if err := os.RemoveAll(filepath.Join(bin, c.there)); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(bin, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if got := Editor([]string{"VISUAL= ", "EDITOR=vi"}); got != "vi" {
		t.Errorf("with a blank VISUAL the editor is %q", got) // the shell would run the text itself
	}
	environ := []string{"PAGER=less -S", "LESS=FRX"}
	process := pagerProcess(environ, "/tmp/x/plan-v1.md")
	if got := process.Env[len(process.Env)-1]; got != "LESS=FRX -+F" {
		t.Errorf("less is told %q", got)
	}
	if got := strings.Join(process.Args[1:], " "); !strings.HasSuffix(got, "/tmp/x/plan-v1.md") || !strings.Contains(got, "less -S") {
		t.Errorf("the pager runs as %q", got)
	}
	if !slices.Equal(environ, []string{"PAGER=less -S", "LESS=FRX"}) {
		t.Errorf("the environment became %q", environ)
	}
}
