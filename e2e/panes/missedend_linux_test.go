package panes_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"planb/e2e/rig"
)

// tmux may miss that the program in a pane has ended: here its signal never reaches tmux,
// and the pane's terminal is still open. planb's pane closes all the same, and the person
// still sees the receipt.
func TestAPaneClosesWhoseEndTmuxMissed(t *testing.T) {
	real, err := exec.LookPath("tmux")
	if err != nil {
		real = "tmux" // StartTmux says that it is missing
	}
	if err := exec.Command("env", "--block-signal=CHLD", "true").Run(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("this env has no --block-signal; GNU coreutils have it")
		}
		t.Skip("this env has no --block-signal")
	}
	deaf := t.TempDir()
	script := "#!/bin/sh\nexec env --block-signal=CHLD " + real + " \"$@\"\n"
	if err := rig.WriteProgram(filepath.Join(deaf, "tmux"), script); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", deaf+string(filepath.ListSeparator)+os.Getenv("PATH"))

	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	home := tm.FirstPane()
	a := rig.StartAgent(t, data, tm.Environment(home))
	call := a.Start("ask_user", rig.Arguments(t, a.Session("A question"), rig.NameForm))
	form := tm.NewPane(home)
	tm.Shows(form, "What shall it be called?")
	terminal, err := os.OpenFile(tm.Run("display-message", "-p", "-t", form, "#{pane_tty}"), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer terminal.Close()
	tm.Ready(form)
	tm.Text(form, "Aurora")
	tm.Shows(form, "Aurora")
	tm.Keys(form, "C-s")
	if got, want := call.Reply().String(), `{"name":"Aurora"}`; got != want {
		t.Errorf("the agent received %q, want %q", got, want)
	}
	tm.Gone(form)
}
