package panes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// A person's own form (planb ask) that is left waits for nobody. The same file
// in the same project continues with what was entered, however often the form
// is left.
func TestAFormOfOnesOwnIsGoneOnWith(t *testing.T) {
	t.Parallel()
	data, project := t.TempDir(), t.TempDir()
	form := filepath.Join(t.TempDir(), "form.json")
	rig.WriteFile(t, form, `{"title":"Names","questions":[{"id":"ship","kind":"text","label":"Which ship?"},{"id":"port","kind":"text","label":"Which port?"}]}`)
	tm := rig.StartTmux(t, 80, 24)
	out := filepath.Join(project, "out")
	ask := func(dir string) (pane string) {
		return tm.OpenCommand(data, []string{"sh", "-c", `cd "$1" && "$0" ask "$2" >out; echo "left with $?"; exec cat`, rig.Planb(t), dir, form})
	}
	said := func(args ...string) string {
		command := exec.Command(rig.Planb(t), args...)
		command.Env = append(os.Environ(), "PLANB_DATA_DIR="+data)
		command.Dir = project
		text, _ := command.CombinedOutput() // some of them end with an error and say why
		return string(text)
	}
	leave := func(pane string) {
		tm.Keys(pane, "C-c")
		tm.Shows(pane, "Save for later")
		tm.Keys(pane, "C-c")
		tm.Shows(pane, "left with 130")
	}

	first := ask(project)
	tm.Shows(first, "Which ship?")
	tm.Text(first, "Heron")
	tm.Shows(first, "Heron", "1/2")
	leave(first)
	if got := said("status"); got != "" {
		t.Errorf("planb status says %q of a form that nobody waits for", got)
	}
	if got := said("tui", "ask"); !strings.Contains(got, "nothing waits") {
		t.Errorf("planb tui ask says %q", got)
	}
	inbox := tm.Open(data, "tui")
	tm.Shows(inbox, "Names")
	if screen := tm.Screen(inbox); strings.Contains(screen, "Waiting for you") {
		t.Errorf("it waits in the list:\n%s", screen)
	}

	elsewhere := ask(t.TempDir())
	tm.Shows(elsewhere, "Which ship?", "0/2")
	leave(elsewhere)

	again := ask(project)
	tm.Shows(again, "Heron", "1/2")
	leave(again)
	again = ask(project)
	tm.Shows(again, "Heron", "1/2")
	tm.Keys(again, "Tab")
	tm.Text(again, "Bergen")
	tm.Shows(again, "2/2")
	tm.Keys(again, "C-s")
	tm.Shows(again, "left with 0")
	if got := strings.TrimSpace(rig.ReadFile(t, out)); got != `{"ship":"Heron","port":"Bergen"}` {
		t.Errorf("it printed %s", got)
	}
	// An answered form is done: the next one starts empty.
	anew := ask(project)
	tm.Shows(anew, "Which ship?", "0/2")
}

// A form that was left and then answered elsewhere is printed by the next call.
func TestAFormOfOnesOwnAnsweredElsewhereIsPrinted(t *testing.T) {
	t.Parallel()
	data, project := t.TempDir(), t.TempDir()
	form := filepath.Join(project, "form.json")
	rig.WriteFile(t, form, `{"title":"Names","questions":[{"id":"ship","kind":"text","label":"Which ship?"}]}`)
	tm := rig.StartTmux(t, 80, 24)
	ask := func() string {
		return tm.OpenCommand(data, []string{"sh", "-c", `cd "$1" && "$0" ask form.json; echo "left with $?"; exec cat`, rig.Planb(t), project})
	}
	pane := ask()
	tm.Shows(pane, "Which ship?")
	tm.Text(pane, "Heron")
	tm.Shows(pane, "1/1")
	tm.Keys(pane, "C-c")
	tm.Shows(pane, "Save for later")
	tm.Keys(pane, "C-c")
	tm.Shows(pane, "left with 130", "tui ask ")
	_, after, _ := strings.Cut(tm.Screen(pane), "tui ask ")
	id := strings.Fields(after)[0]
	other := tm.Open(data, "tui", "ask", id)
	tm.Shows(other, "Heron")
	tm.Keys(other, "C-s")
	tm.Gone(other)
	pane = ask()
	tm.Shows(pane, `{"ship":"Heron"}`, "left with 0")
	pane = ask()
	tm.Shows(pane, "Which ship?", "0/1")
}
