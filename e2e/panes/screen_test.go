package panes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// screenSession is a GNU screen of the test, with a terminal attached.
type screenSession struct {
	t       *testing.T
	dir     string
	session string // STY
}

// startScreen starts screen with one window, number 0, which shows "agent". It
// attaches a terminal: the pane of a tmux.
func startScreen(t *testing.T) (*screenSession, *rig.Tmux) {
	t.Helper()
	if _, err := exec.LookPath("screen"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("screen is missing; this test needs it")
		}
		t.Skip("screen is missing")
	}
	dir, err := os.MkdirTemp("", "planb-screen-")
	if err != nil {
		t.Fatal(err)
	}
	s := &screenSession{t: t, dir: dir}
	tm := rig.StartTmux(t, 120, 40)
	t.Cleanup(func() {
		_, _ = s.try("-S", s.session, "-X", "quit") // it has ended already if its last window was closed
		rig.Until(t, "the session has ended", func() bool {
			left, err := filepath.Glob(filepath.Join(dir, "*.work"))
			return err == nil && len(left) == 0
		})
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	said := filepath.Join(dir, "sty")
	s.run("-c", "/dev/null", "-U", "-dmS", "work", "sh", "-c", `echo agent; echo "$STY $WINDOW" >`+said+`; exec cat`)
	rig.Until(t, "screen has started its window", func() bool {
		text, err := os.ReadFile(said)
		session, found := strings.CutSuffix(string(text), " 0\n")
		s.session = session
		return err == nil && found
	})
	terminal := tm.Run("new-window", "-t", "work:", "-P", "-F", "#{pane_id}", "-e", "SCREENDIR="+dir, "-e", "LC_ALL=C.UTF-8", "-e", "TMUX=", "-e", "STY=",
		"--", "screen", "-U", "-x", s.session)
	tm.Shows(terminal, "agent")
	return s, tm
}

func (s *screenSession) try(args ...string) (string, error) {
	command := exec.Command("screen", args...)
	command.Env = append(os.Environ(), "SCREENDIR="+s.dir, "STY=", "TERM=xterm-256color", "LC_ALL=C.UTF-8")
	out, err := command.CombinedOutput()
	return string(out), err
}

func (s *screenSession) run(args ...string) string {
	s.t.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.t.Fatalf("screen %q: %v\n%s", args, err, out)
	}
	return out
}

// shows waits until the window with that number shows all the texts.
func (s *screenSession) shows(window string, texts ...string) {
	s.t.Helper()
	file := filepath.Join(s.dir, "hardcopy")
	rig.Until(s.t, "window "+window+" shows "+strings.Join(texts, ", "), func() bool {
		if _, err := s.try("-S", s.session, "-p", window, "-X", "hardcopy", file); err != nil {
			return false
		}
		seen, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		for _, text := range texts {
			if !strings.Contains(string(seen), text) {
				return false
			}
		}
		return true
	})
}

func TestAFormOpensInAScreenWindow(t *testing.T) {
	t.Parallel()
	s, tm := startScreen(t)
	terminal := tm.Panes()[1]
	// The person is here when the agent asks; screen alone would go back here.
	s.run("-S", s.session, "-X", "screen", "sh", "-c", "echo mail; exec cat")
	tm.Shows(terminal, "mail")
	a := rig.StartAgent(t, t.TempDir(), []string{"SCREENDIR=" + s.dir, "STY=" + s.session, "WINDOW=0", "TERM=screen"})
	call := a.Start("ask_user", rig.Arguments(t, a.Session("In screen"), rig.NameForm))
	// screen switches the attached terminal to the form.
	tm.Shows(terminal, "What shall it be called?")
	tm.Enter(terminal)
	s.shows("2", "What shall it be called?")
	s.run("-S", s.session, "-p", "2", "-X", "stuff", "Aurora")
	s.shows("2", "Aurora")
	s.run("-S", s.session, "-p", "2", "-X", "stuff", "^S")
	if got := call.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
	tm.Shows(terminal, "agent")
	// screen itself may list the window for ten more seconds.
	server, _, _ := strings.Cut(s.session, ".")
	rig.Until(t, "the form in its window has ended", func() bool {
		out, err := exec.Command("ps", "-eo", "ppid=,args=").Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(out)) {
			if parent, _, _ := strings.Cut(strings.TrimSpace(line), " "); parent == server && strings.Contains(line, "tui ask") {
				return false
			}
		}
		return true
	})
}
