package deaths_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
)

// doctor is what planb doctor says of the store on the disk, which may be a problem.
func (d fullDisk) doctor() string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), rig.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, rig.Planb(d.t), "doctor")
	cmd.Env = []string{"HOME=" + d.disk, "PATH=" + os.Getenv("PATH"), "PLANB_DATA_DIR=" + d.disk, "PLANB_RUNTIME_DIR=" + d.run}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		d.t.Fatalf("planb doctor: %v\n%s", err, out)
	}
	return string(out)
}

// putAside are the changes that lie beside the store on the disk.
func (d fullDisk) putAside() (puts, texts []string, names []string) {
	d.t.Helper()
	names, err := filepath.Glob(filepath.Join(d.disk, "kept", "*"))
	if err != nil {
		d.t.Fatal(err)
	}
	for _, name := range names {
		var change struct{ Puts, Texts map[string]string }
		if err := json.Unmarshal([]byte(rig.ReadFile(d.t, name)), &change); err != nil {
			d.t.Errorf("%s: %v", name, err)
		}
		for _, text := range change.Puts {
			puts = append(puts, text)
		}
		for _, text := range change.Texts {
			texts = append(texts, text)
		}
		if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
			d.t.Errorf("%s: %v, %v; others must not read it", name, info, err)
		}
	}
	return puts, texts, names
}

// Another machine, which does not see this one's runtime directory, answers the
// question and saves a plan while an answer and a plan are kept there. What it
// wrote stands; the others lie beside the store, readable, and doctor names them.
func TestWhatAnotherMachineContradictsIsKeptBeside(t *testing.T) {
	t.Parallel()
	d := newFullDisk(t)
	session := d.agent.Session("Full")
	call := d.agent.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := d.tm.NewPane(d.home)
	d.tm.Ready(form)
	room := fill(t, d.disk)
	random := make([]byte, 20<<10) // longer than the free pages of the store
	rand.Read(random)
	plan := "# Made here\n" + hex.EncodeToString(random)
	d.saysElsewhere(d.agent.Call("save_plan", map[string]any{"sessionId": session, "plan": plan}))
	d.tm.Text(form, "here")
	d.tm.Keys(form, "C-s")
	if got := call.Reply().Texts[0]; got != `{"name":"here"}` {
		t.Errorf("the agent received %q", got)
	}
	d.tm.Gone(form)
	if err := d.agent.Client.Close(); err != nil {
		t.Fatal(err)
	}

	room()
	there := rig.OpenStore(t, d.disk)
	ask := rig.OnlyAsk(t, d.disk, session)
	if _, err := there.Settle(t.Context(), ask.ID, questions.Outcome{
		State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{"name": questions.TextValue("there")}},
	}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := there.SavePlan(t.Context(), session, "", "# Made there"); err != nil {
		t.Fatal(err)
	}

	if says := d.doctor(); !strings.Contains(says, d.away()[0]+" stands in for it") {
		t.Errorf("with something elsewhere doctor says\n%s", says)
	}
	rig.StartAgent(t, d.disk, []string{"ASK_NO_OPEN=1", "PLANB_RUNTIME_DIR=" + d.run}).Session("Again")
	if left := d.away(); len(left) > 0 {
		t.Errorf("something is still in %s", left)
	}
	if ask, err := there.Ask(t.Context(), ask.ID); err != nil || string(ask.Spec.AnswersJSON(ask.Outcome.Reply)) != `{"name":"there"}` {
		t.Errorf("the store holds %+v, %v", ask.Outcome, err)
	}
	if text, err := there.PlanText(t.Context(), session, 1); err != nil || text.Raw() != "# Made there" {
		t.Errorf("the plan's first version is %.40q, %v", text.Raw(), err)
	}
	puts, texts, names := d.putAside()
	if len(texts) != 1 || texts[0] != plan || !strings.Contains(strings.Join(puts, "\n"), `"answers":{"name":"here"}`) {
		t.Errorf("beside the store lie %.300q, with the texts %.60q", puts, texts)
	}
	if says := d.doctor(); !strings.Contains(says, "that contradicted what another machine wrote, the last in "+names[len(names)-1]) {
		t.Errorf("doctor says\n%s", says)
	}
}
