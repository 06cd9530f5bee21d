package pane_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"planb/mcp/pane"
)

// tmux is a private tmux server with one window of the given size. A pane in it
// stands for the agent's.
type tmux struct {
	t      *testing.T
	socket string
	agent  string
}

func startTmux(t *testing.T, width, height int) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("tmux is not installed, and CI must have it")
		}
		t.Skip("tmux is not installed")
	}
	dir, err := os.MkdirTemp("", "planb") // t.TempDir's paths are too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	m := &tmux{t: t, socket: filepath.Join(dir, "s")}
	t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", m.socket, "kill-server").Run()
		_ = os.RemoveAll(dir)
	})
	m.agent = m.do("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height),
		"-P", "-F", "#{pane_id}", "--", "/bin/sleep", "1000")
	return m
}

func (m *tmux) do(args ...string) string {
	m.t.Helper()
	out, err := exec.Command("tmux", append([]string{"-S", m.socket}, args...)...).CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %q: %v: %s", args, err, out)
	}
	return strings.TrimRight(string(out), "\n")
}

// at returns the opener as a process in that pane has it.
func (m *tmux) at(paneID string, more ...string) *pane.Tmux {
	m.t.Helper()
	env := map[string]string{"TMUX": m.socket + ",1,0", "TMUX_PANE": paneID}
	for _, pair := range more {
		name, value, _ := strings.Cut(pair, "=")
		env[name] = value
	}
	t, reason := pane.FromEnv(func(name string) string { return env[name] })
	if t == nil {
		m.t.Fatal(reason)
	}
	return t
}

// panes lists all panes except the agent's, each in the given format.
func (m *tmux) panes(format string) []string {
	m.t.Helper()
	var others []string
	for line := range strings.Lines(m.do("list-panes", "-a", "-F", "#{pane_id} "+format)) {
		if !strings.HasPrefix(line, m.agent+" ") {
			others = append(others, strings.TrimSpace(line))
		}
	}
	return others
}

func (m *tmux) until(what string, there func() bool) {
	m.t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !there() {
		if time.Now().After(deadline) {
			m.t.Fatalf("waited in vain: %s; panes: %s", what, m.do("list-panes", "-a"))
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// report returns a program that writes its arguments and environment to a file,
// one on a line, and then waits.
func report(t *testing.T) (argv []string, read func() (args, env string)) {
	t.Helper()
	dir := t.TempDir()
	script := filepath.Join(dir, "report me")
	body := "#!/bin/sh\nenv >" + dir + "/env\nprintf '%s\\n' \"$PWD\" \"$@\" >" + dir + "/part\nmv " + dir + "/part " + dir + "/args\nexec sleep 1000\n"
	if err := os.WriteFile(script, []byte(body), 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{script}, func() (string, string) {
		args, err := os.ReadFile(filepath.Join(dir, "args"))
		if err != nil {
			return "", ""
		}
		env, err := os.ReadFile(filepath.Join(dir, "env"))
		if err != nil {
			t.Fatal(err)
		}
		return string(args), string(env)
	}
}

func TestThePaneOpensWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name          string
		width, height int
		want          string // of the form: width×height, zoomed
	}{
		{"right", 200, 50, "120 50 0"},
		{"below", 120, 50, "120 29 0"},
		{"over everything", 80, 24, "80 24 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := startTmux(t, test.width, test.height)
			err := m.at(m.agent).Open(t.Context(), pane.Command{Argv: []string{"/bin/sleep", "1000"}, Title: "planb · Claude Code"})
			if err != nil {
				t.Fatal(err)
			}
			got := m.panes("#{pane_width} #{pane_height} #{window_zoomed_flag} #{pane_active} #{pane_title}")
			if len(got) != 1 || !strings.HasSuffix(got[0], test.want+" 1 planb · Claude Code") {
				t.Errorf("panes are %q, want one %q with the focus and the title", got, test.want)
			}
		})
	}
}

func TestNothingOfACommandReachesAShell(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	argv, read := report(t)
	dir := filepath.Join(t.TempDir(), "c#-#(touch pwned)")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	words := []string{"$(touch pwned)", "`id`", "#{pane_id}", "#(id)", "a;b", "last;", ";", "it's \"two\" words", "-x", "--", "%H"}
	err := m.at(m.agent).Open(t.Context(), pane.Command{
		Argv: append(argv, words...), Dir: dir,
		Env: []string{"PLANB_A=#{pane_id} $(id);", "PLANB_B=two words"},
	})
	if err != nil {
		t.Fatal(err)
	}
	var args, env string
	m.until("the command ran", func() bool { args, env = read(); return args != "" })
	if want := dir + "\n" + strings.Join(words, "\n") + "\n"; args != want {
		t.Errorf("the command got\n%s\nwant\n%s", args, want)
	}
	for _, want := range []string{"PLANB_A=#{pane_id} $(id);\n", "PLANB_B=two words\n", "PLANB_TMUX_PANE=" + m.agent + "\n", "TMUX=" + m.socket} {
		if !strings.Contains(env, want) {
			t.Errorf("the environment lacks %q:\n%s", want, env)
		}
	}
}

// The person types Ctrl+C for their agent, and a pane takes the focus whose program does
// not yet read keys.
func TestCtrlCDoesNotEndAProgramThatDoesNotYetReadKeys(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	err := m.at(m.agent).Open(t.Context(), pane.Command{Argv: []string{"/bin/sh", "-c", "echo begun; read line; echo \"read $line\"; exec sleep 1000"}})
	if err != nil {
		t.Fatal(err)
	}
	shows := func(text string) {
		m.until("the pane shows "+text, func() bool {
			panes := m.panes("")
			return len(panes) == 1 && strings.Contains(m.do("capture-pane", "-p", "-t", panes[0]), text)
		})
	}
	shows("begun")
	m.do("send-keys", "-t", m.panes("")[0], "C-c", "y", "Enter")
	shows("read y")
}

func TestTheFocusIsGivenBack(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	if err := m.at(m.agent).Open(t.Context(), pane.Command{Argv: []string{"/bin/sleep", "1000"}}); err != nil {
		t.Fatal(err)
	}
	form := m.panes("")[0]
	if err := m.at(form, "PLANB_TMUX_PANE="+m.agent).Leave(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if got := m.do("display-message", "-p", "#{pane_id}"); got != m.agent {
		t.Errorf("the focus is on %s, want %s", got, m.agent)
	}
}

func TestTheFocusStaysWhereThePersonPutIt(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	if err := m.at(m.agent).Open(t.Context(), pane.Command{Argv: []string{"/bin/sleep", "1000"}}); err != nil {
		t.Fatal(err)
	}
	form := m.panes("")[0]
	other := m.do("split-window", "-P", "-F", "#{pane_id}", "-t", m.agent, "--", "/bin/sleep", "1000")
	if err := m.at(form, "PLANB_TMUX_PANE="+m.agent).Leave(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	if got := m.do("display-message", "-p", "#{pane_id}"); got != other {
		t.Errorf("the focus is on %s, want %s", got, other)
	}
}

func TestZoomIsLeftAsItWas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name          string
		width, height int
		zoomed        bool // the agent's pane, before
	}{
		{"a small window", 80, 24, false},
		{"the agent's pane was zoomed", 200, 50, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			m := startTmux(t, test.width, test.height)
			before := "0"
			if test.zoomed {
				before = "1"
				m.do("split-window", "-d", "-t", m.agent, "--", "/bin/sleep", "1000")
				m.do("resize-pane", "-Z", "-t", m.agent)
			}
			argv, read := report(t)
			if err := m.at(m.agent).Open(t.Context(), pane.Command{Argv: append(argv, "x")}); err != nil {
				t.Fatal(err)
			}
			form := m.do("display-message", "-p", "#{pane_id}")
			if got := m.do("display-message", "-p", "#{window_zoomed_flag}"); got != "1" || form == m.agent {
				t.Fatalf("the form %s opened with zoom %s, want it zoomed", form, got)
			}
			var env string
			m.until("the form runs", func() bool { _, env = read(); return env != "" })
			var passed []string
			for line := range strings.Lines(env) {
				if strings.HasPrefix(line, "PLANB_") {
					passed = append(passed, strings.TrimSpace(line))
				}
			}
			if err := m.at(form, passed...).Leave(t.Context(), ""); err != nil {
				t.Fatal(err)
			}
			m.do("kill-pane", "-t", form)
			m.until("the window is as it was", func() bool {
				return m.do("display-message", "-p", "#{pane_id} #{window_zoomed_flag}") == m.agent+" "+before
			})
		})
	}
}

// The person left the zoomed form for the agent's pane, which ended the zoom. It is not
// brought back against their will.
func TestAZoomThatThePersonEndedStaysEnded(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	form := m.do("split-window", "-Z", "-P", "-F", "#{pane_id}", "-t", m.agent, "--", "/bin/sleep", "1000")
	m.do("select-pane", "-t", m.agent)
	if err := m.at(form, "PLANB_TMUX_PANE="+m.agent, "PLANB_TMUX_ZOOM=1").Leave(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	// tmux would zoom half a second later, so before this.
	m.do("run-shell", "-b", "-d", "0.6", "-C", "set-option -g @later 1")
	m.until("tmux had the time to zoom", func() bool { return m.do("show-option", "-gqv", "@later") == "1" })
	if got := m.do("display-message", "-p", "#{pane_id} #{window_zoomed_flag}"); got != m.agent+" 0" {
		t.Errorf("pane and zoom are %q, want %q", got, m.agent+" 0")
	}
}

func TestAnAgentsPaneThatIsGoneIsAnErrorOfLeave(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	form := m.do("split-window", "-P", "-F", "#{pane_id}", "-t", m.agent, "--", "/bin/sleep", "1000")
	err := m.at(form, "PLANB_TMUX_PANE=%99").Leave(t.Context(), "")
	if err == nil || !strings.Contains(err.Error(), "can't find pane: %99") {
		t.Errorf("Leave said %v", err)
	}
}

// attach attaches a terminal of 120×30 to the agent's session.
func (m *tmux) attach() *screen {
	m.t.Helper()
	return m.attachTo(m.agent)
}

// attachTo attaches a terminal to another session.
func (m *tmux) attachTo(session string) *screen {
	m.t.Helper()
	return m.attachSized(session, 120, 30)
}

func (m *tmux) attachSized(session string, width, height int) *screen {
	m.t.Helper()
	before := m.do("list-clients")
	attached := exec.Command("tmux", "-S", m.socket, "attach", "-t", session)
	attached.Env = append(os.Environ(), "TERM=xterm-256color", "TMUX=")
	terminal, err := pty.StartWithSize(attached, &pty.Winsize{Cols: uint16(width), Rows: uint16(height)})
	if err != nil {
		m.t.Fatal(err)
	}
	seen := &screen{}
	drawn := make(chan struct{})
	go func() {
		defer close(drawn)
		_, _ = io.Copy(seen, terminal) // ends with an error when the terminal's other side is closed
	}()
	m.t.Cleanup(func() {
		_ = exec.Command("tmux", "-S", m.socket, "kill-server").Run()
		_ = attached.Wait()
		_ = terminal.Close()
		<-drawn
	})
	m.until("a terminal is attached", func() bool { return m.do("list-clients") != before })
	seen.keys = terminal
	return seen
}

// idle is at, four seconds later: no key counts as typing any more.
func (m *tmux) idle(paneID string) *pane.Tmux {
	m.t.Helper()
	t := m.at(paneID)
	t.SetClock(func() time.Time { return time.Now().Add(4 * time.Second) })
	return t
}

// A person who types keeps the focus, and sees in one line who asks. The form
// opens beside and covers nothing. A title may hold any text.
func TestTheFocusIsNotTakenFromWhoTypes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name          string
		width, height int
		zoomed        bool
		want          string // of the form
	}{
		{"wide", 200, 50, false, "120 50 0 0"}, {"high", 120, 60, false, "120 36 0 0"},
		{"small", 80, 24, false, "80 12 0 0"}, {"zoomed", 200, 50, true, "120 25 0 0"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m := startTmux(t, test.width, test.height)
			m.do("set-option", "-g", "status", "off")
			if test.zoomed {
				m.do("split-window", "-d", "-t", m.agent, "--", "/bin/sleep", "1000")
				m.do("resize-pane", "-Z", "-t", m.agent)
			}
			seen := m.attachSized(m.agent, test.width, test.height)
			if _, err := io.WriteString(seen.keys, "please also "); err != nil {
				t.Fatal(err)
			}
			command := pane.Command{Argv: []string{"/bin/sleep", "999"}, Notice: "Claude Code asks: #(touch pwned) #{pane_id} 100%H\x1b[2J;"}
			if err := m.at(m.agent).Open(t.Context(), command); err != nil {
				t.Fatal(err)
			}
			got := m.do("list-panes", "-f", "#{m:*999*,#{pane_start_command}}", "-F", "#{pane_width} #{pane_height} #{window_zoomed_flag} #{pane_active}")
			if active := m.do("display-message", "-p", "#{pane_id}"); active != m.agent || got != test.want {
				t.Errorf("the focus is on %s, the form is %q, want %q", active, got, test.want)
			}
			m.until("the terminal tells who asks", func() bool {
				return strings.Contains(seen.text(), "Claude Code asks: #(touch pwned) #{pane_id} 100%H␛[2J;")
			})
		})
	}
}

// A terminal without recent keys, or one that shows another window, does not
// keep the focus.
func TestTheFocusIsTakenFromWhoReads(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	seen := m.attachSized(m.agent, 200, 50)
	if err := m.idle(m.agent).Open(t.Context(), pane.Command{Argv: []string{"/bin/sleep", "1000"}}); err != nil {
		t.Fatal(err)
	}
	if got := m.panes("#{pane_active}"); len(got) != 1 || !strings.HasSuffix(got[0], " 1") {
		t.Errorf("the panes are %q, want one with the focus", got)
	}
	m.do("kill-pane", "-t", strings.Fields(m.panes("")[0])[0])
	other := m.do("new-session", "-d", "-P", "-F", "#{session_id}", "--", "/bin/sleep", "1000")
	m.do("switch-client", "-c", strings.TrimSpace(m.do("list-clients", "-F", "#{client_name}")), "-t", other)
	if _, err := io.WriteString(seen.keys, "x"); err != nil {
		t.Fatal(err)
	}
	if err := m.at(m.agent).Open(t.Context(), pane.Command{Argv: []string{"/bin/sleep", "1000"}}); err != nil {
		t.Fatal(err)
	}
	if got := m.do("display-message", "-p", "-t", m.agent, "#{pane_active}"); got != "0" {
		t.Error("typing at another window kept the focus in this one")
	}
}

func TestTheReceiptIsShownAsItIs(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 120, 30)
	seen := m.attach()
	const receipt = "3 answers #(touch pwned) #{pane_id} #[fg=red] 100%H\x1b[31m sent;"
	if err := m.at(m.agent).Leave(t.Context(), receipt); err != nil {
		t.Fatal(err)
	}
	const want = "3 answers #(touch pwned) #{pane_id} #[fg=red] 100%H␛[31m sent;"
	m.until("the terminal shows the receipt as it is", func() bool { return strings.Contains(seen.text(), want) })
}

func TestEverySessionOfThePersonHearsAnAnnouncement(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 120, 30)
	announcer, ok := any(m.at(m.agent)).(pane.Announcer)
	if !ok {
		t.Fatal("tmux announces nothing")
	}
	if err := announcer.Announce(t.Context(), "nobody is there"); err != nil {
		t.Errorf("with no terminal attached: %v", err)
	}
	here := m.attach()
	elsewhere := m.attachTo(m.do("new-session", "-d", "-P", "-F", "#{session_id}", "--", "/bin/sleep", "1000"))
	if err := announcer.Announce(t.Context(), "2 wait #(touch pwned) #{pane_id} 100%H\x1b[31m;"); err != nil {
		t.Fatal(err)
	}
	const want = "2 wait #(touch pwned) #{pane_id} 100%H␛[31m;"
	m.until("the terminal at this session shows it", func() bool { return strings.Contains(here.text(), want) })
	m.until("the terminal at another session shows it", func() bool { return strings.Contains(elsewhere.text(), want) })
}

func TestAPersonInAnotherWindowIsTold(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 120, 30)
	seen := m.attach()
	command := pane.Command{Argv: []string{"/bin/sleep", "1000"}, Notice: "Claude Code 1 asks you"}
	if err := m.idle(m.agent).Open(t.Context(), command); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(seen.text(), "asks you") || strings.Contains(m.do("show-messages"), "asks you") {
		t.Error("a person who looks at the window was told too")
	}
	m.do("new-window", "--", "/bin/sleep", "1000")
	command.Notice = "Claude Code 2 asks you"
	if err := m.at(m.agent).Open(t.Context(), command); err != nil {
		t.Fatal(err)
	}
	m.until("the terminal shows the notice", func() bool { return strings.Contains(seen.text(), "Claude Code 2 asks you (window 0)") })
}

// screen is everything that tmux drew on a terminal.
type screen struct {
	keys io.Writer // presses keys
	mu   sync.Mutex
	all  strings.Builder
}

func (s *screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.Write(p)
}

func (s *screen) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.all.String()
}

// A person is brought to the pane of an agent, among others of its window.
func TestVisitAPane(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 120, 30)
	m.attach()
	here := m.at(m.agent)
	other := m.do("new-window", "-d", "-P", "-F", "#{pane_id}", "--", "/bin/sleep", "1000")
	m.do("split-window", "-t", other, "--", "/bin/sleep", "1000") // has the focus there
	for _, pane := range []string{other, m.agent} {
		if err := here.Visit(t.Context(), m.at(pane).Seat()); err != nil {
			t.Fatal(err)
		}
		if got := m.do("list-clients", "-F", "#{pane_id}"); got != pane {
			t.Errorf("the terminal shows %s, want %s", got, pane)
		}
	}
	seat := m.at(other).Seat()
	m.do("kill-pane", "-t", other)
	if err := here.Visit(t.Context(), seat); err == nil {
		t.Error("a pane that is gone was visited")
	}
}

// A person is brought to the window of an agent, in another session, too.
func TestVisit(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 120, 30)
	m.attach()
	here := m.at(m.agent)
	for _, args := range [][]string{{"new-window", "-d"}, {"new-session", "-d"}} {
		other := m.do(append(args, "-P", "-F", "#{pane_id}", "--", "/bin/sleep", "1000")...)
		place, err := m.at(other).Place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := here.Visit(t.Context(), place); err != nil {
			t.Fatal(err)
		}
		if got := m.do("list-clients", "-F", "#{pane_id}"); got != other {
			t.Errorf("the terminal shows %s, want %s", got, other)
		}
		home, err := here.Place(t.Context())
		if err == nil {
			err = m.at(other).Visit(t.Context(), home)
		}
		if err != nil {
			t.Fatal(err)
		}
		m.do("kill-pane", "-t", other)
		if err := here.Visit(t.Context(), place); err == nil {
			t.Error("a window that is gone was visited")
		}
	}
}

func TestPlaceIsTheWindow(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	beside := m.do("split-window", "-P", "-F", "#{pane_id}", "--", "/bin/sleep", "1000")
	elsewhere := m.do("new-window", "-P", "-F", "#{pane_id}", "--", "/bin/sleep", "1000")
	place := func(id string) string {
		t.Helper()
		place, err := m.at(id).Place(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return place
	}
	if place(m.agent) != place(beside) {
		t.Errorf("two panes of a window are at %s and %s", place(m.agent), place(beside))
	}
	if place(m.agent) == place(elsewhere) {
		t.Errorf("two windows are both at %s", place(m.agent))
	}
	before := place(m.agent)
	m.do("rename-window", "-t", m.agent, "other")
	if after := place(m.agent); after != before {
		t.Errorf("renamed, the window is at %s, before at %s", after, before)
	}
}

func TestAPaneThatIsGoneIsAnError(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 200, 50)
	gone := m.at("%99")
	const want = "the tmux pane this server was started in is gone"
	if _, err := gone.Place(t.Context()); err == nil || err.Error() != want {
		t.Errorf("Place said %v", err)
	}
	err := gone.Open(t.Context(), pane.Command{Argv: []string{"/bin/sleep", "1"}})
	if err == nil || err.Error() != want {
		t.Errorf("Open said %v", err)
	}
}

func TestATmuxThatIsGoneIsAnError(t *testing.T) {
	t.Parallel()
	m := startTmux(t, 80, 24)
	opener := m.at(m.agent)
	m.do("kill-server")
	err := opener.Open(context.Background(), pane.Command{Argv: []string{"/bin/sleep", "1"}})
	if err == nil || !strings.HasPrefix(err.Error(), "tmux refused: ") {
		t.Errorf("Open said %v", err)
	}
}
