package main_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A form of one's own that is left waits for nobody, and the same file in the same
// project goes on with what was entered, however often it is left.
func TestAFormOfOnesOwnIsGoneOnWith(t *testing.T) {
	t.Parallel()
	data, project := t.TempDir(), t.TempDir()
	form := filepath.Join(t.TempDir(), "form.json")
	writeFile(t, form, `{"title":"Names","questions":[{"id":"ship","kind":"text","label":"Which ship?"},{"id":"port","kind":"text","label":"Which port?"}]}`)
	tm := startTmux(t, 80, 24)
	out := filepath.Join(project, "out")
	ask := func(dir string) (pane string) {
		return tm.openCommand(data, []string{"sh", "-c", `cd "$1" && "$0" ask "$2" >out; echo "left with $?"; exec cat`, planb(t), dir, form})
	}
	said := func(args ...string) string {
		command := exec.Command(planb(t), args...)
		command.Env = append(os.Environ(), "PLANB_DATA_DIR="+data)
		command.Dir = project
		text, _ := command.CombinedOutput() // some of them end with an error, and say why
		return string(text)
	}
	leave := func(pane string) {
		tm.keys(pane, "C-c")
		tm.shows(pane, "Save for later")
		tm.keys(pane, "C-c")
		tm.shows(pane, "left with 130")
	}

	first := ask(project)
	tm.shows(first, "Which ship?")
	tm.text(first, "Heron")
	tm.shows(first, "Heron", "1/2 answered")
	leave(first)
	if got := said("status"); got != "" {
		t.Errorf("planb status says %q of a form that nobody waits for", got)
	}
	if got := said("tui", "ask"); !strings.Contains(got, "nothing waits") {
		t.Errorf("planb tui ask says %q", got)
	}
	companion := tm.open(data, "tui")
	tm.shows(companion, "Names")
	if screen := tm.screen(companion); strings.Contains(screen, "Waiting for you") {
		t.Errorf("it waits in the list:\n%s", screen)
	}

	elsewhere := ask(t.TempDir())
	tm.shows(elsewhere, "Which ship?", "0/2 answered")
	leave(elsewhere)

	again := ask(project)
	tm.shows(again, "Heron", "1/2 answered")
	leave(again)
	again = ask(project)
	tm.shows(again, "Heron", "1/2 answered")
	tm.keys(again, "Tab")
	tm.text(again, "Bergen")
	tm.shows(again, "2/2 answered")
	tm.keys(again, "C-s")
	tm.shows(again, "left with 0")
	if got := strings.TrimSpace(readFile(t, out)); got != `{"ship":"Heron","port":"Bergen"}` {
		t.Errorf("it printed %s", got)
	}
	// Answered, it is done: the next one begins anew.
	anew := ask(project)
	tm.shows(anew, "Which ship?", "0/2 answered")
}

// What was left and then answered elsewhere is printed by the next call.
func TestAFormOfOnesOwnAnsweredElsewhereIsPrinted(t *testing.T) {
	t.Parallel()
	data, project := t.TempDir(), t.TempDir()
	form := filepath.Join(project, "form.json")
	writeFile(t, form, `{"title":"Names","questions":[{"id":"ship","kind":"text","label":"Which ship?"}]}`)
	tm := startTmux(t, 80, 24)
	ask := func() string {
		return tm.openCommand(data, []string{"sh", "-c", `cd "$1" && "$0" ask form.json; echo "left with $?"; exec cat`, planb(t), project})
	}
	pane := ask()
	tm.shows(pane, "Which ship?")
	tm.text(pane, "Heron")
	tm.shows(pane, "1/1 answered")
	tm.keys(pane, "C-c")
	tm.shows(pane, "Save for later")
	tm.keys(pane, "C-c")
	tm.shows(pane, "left with 130", "tui ask ")
	_, after, _ := strings.Cut(tm.screen(pane), "tui ask ")
	id := strings.Fields(after)[0]
	other := tm.open(data, "tui", "ask", id)
	tm.shows(other, "Heron")
	tm.keys(other, "C-s")
	tm.gone(other)
	pane = ask()
	tm.shows(pane, `{"ship":"Heron"}`, "left with 0")
	pane = ask()
	tm.shows(pane, "Which ship?", "0/1 answered")
}
