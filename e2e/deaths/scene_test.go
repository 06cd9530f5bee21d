package deaths_test

import (
	"strings"
	"testing"

	"planb/e2e/rig"
)

// scene is an agent in a tmux, with a session in which it asks.
type scene struct {
	*rig.Tmux
	t       *testing.T
	data    string
	home    string // the agent's pane
	agent   *rig.Agent
	session string
}

// newScene starts an agent; env and flags are its server's.
func newScene(t *testing.T, env []string, flags ...string) *scene {
	t.Helper()
	s := &scene{t: t, data: t.TempDir()} // removed after tmux has ended
	s.Tmux = rig.StartTmux(t, 160, 40)
	s.home = s.FirstPane()
	s.agent = rig.StartAgent(t, s.data, append(s.Environment(s.home), env...), flags...)
	s.session = s.agent.Session("Scene")
	return s
}

// start has the agent ask for a name.
func (s *scene) start() *rig.Pending {
	s.t.Helper()
	return s.agent.Start("ask_user", rig.Arguments(s.t, s.session, rig.NameForm))
}

// ask has the agent ask for a name, and waits until the form in the new pane
// accepts keys.
func (s *scene) ask() (call *rig.Pending, form string) {
	s.t.Helper()
	call = s.start()
	form = s.NewPane(s.home)
	s.Ready(form)
	return call, form
}

// types types text in a form and waits until the form shows it.
func (s *scene) types(form, text, shows string) {
	s.t.Helper()
	s.Text(form, text)
	s.Shows(form, shows)
}

// openForm opens the form from a shell, which shows what planb prints when the
// person leaves it.
func (s *scene) openForm() (shell string) {
	s.t.Helper()
	shell = s.OpenShell(s.data, true)
	s.Text(shell, rig.Planb(s.t)+" tui ask")
	s.Keys(shell, "Enter")
	s.Shows(shell, "What shall it be called?")
	return shell
}

// savesEntry waits until the store has the text as an entry.
func (s *scene) savesEntry(text string) {
	s.t.Helper()
	rig.Until(s.t, "the entry is saved", func() bool { return strings.Contains(rig.EntryOf(s.t, s.data, s.session), text) })
}

// receives waits for the call's result, which must be this name.
func receives(t *testing.T, call *rig.Pending, name string) {
	t.Helper()
	if got, want := call.Reply().String(), `{"name":"`+name+`"}`; got != want {
		t.Errorf("the agent received %q, want %q", got, want)
	}
}
