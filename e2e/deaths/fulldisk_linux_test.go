package deaths_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"planb/e2e/rig"
	"planb/questions"
)

// smallDisk mounts a file system of that many bytes in memory.
func smallDisk(t testing.TB, size string) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size="+size+",mode=700"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("mounting a small disk: %v; these tests need it", err)
		}
		t.Skipf("mounting a small disk: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fill leaves no byte on the disk, and room makes some again.
func fill(t testing.TB, disk string) (room func()) {
	t.Helper()
	ballast := filepath.Join(disk, "ballast")
	file, err := os.Create(ballast)
	if err != nil {
		t.Fatal(err)
	}
	for size := 64 << 10; size > 0; size /= 2 {
		for err = nil; err == nil; {
			_, err = file.Write(make([]byte, size))
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := os.Remove(ballast); err != nil {
			t.Fatal(err)
		}
	}
}

// fullDisk is an agent and its tmux on a disk that gets full.
type fullDisk struct {
	t         *testing.T
	disk, run string
	tm        *rig.Tmux
	home      string
	agent     *rig.Agent
}

func newFullDisk(t *testing.T) fullDisk {
	d := fullDisk{t: t, disk: smallDisk(t, "2m"), run: smallDisk(t, "2m"), tm: rig.StartTmux(t, 160, 40)}
	d.home = d.tm.Panes()[0]
	// The log must not be what fills the disk.
	env := append(d.tm.Environment(d.home), "PLANB_RUNTIME_DIR="+d.run, "XDG_STATE_HOME="+t.TempDir())
	d.agent = rig.StartAgent(t, d.disk, env)
	return d
}

// away lists the stores in the runtime directory.
func (d fullDisk) away() []string {
	found, err := filepath.Glob(filepath.Join(d.run, "*.db"))
	if err != nil {
		d.t.Fatal(err)
	}
	return found
}

func (d fullDisk) saysElsewhere(r rig.Reply) {
	d.t.Helper()
	saysElsewhere(d.t, r, d.run, d.disk, "the disk of "+d.disk+" is full")
}

// saysElsewhere looks that the agent is told where it is saved, and why.
func saysElsewhere(t testing.TB, r rig.Reply, run, data, why string) {
	t.Helper()
	last := r.Texts[len(r.Texts)-1]
	if !strings.HasPrefix(last, "This is saved in "+run+"/") || !strings.HasSuffix(last, " because "+why+"; it moves to "+data+" by itself.") {
		t.Errorf("the agent is told %.200q … %q", r.Texts, last)
	}
}

// movesHome waits until nothing is elsewhere, and looks that the answer is in
// the store where it belongs and was delivered.
func (d fullDisk) movesHome(session, answer string) {
	d.t.Helper()
	rig.Until(d.t, "everything has moved home", func() bool { return len(d.away()) == 0 })
	ask, err := rig.OpenStore(d.t, d.disk).Ask(d.t.Context(), rig.OnlyAsk(d.t, d.disk, session).ID)
	if err != nil {
		d.t.Fatal(err)
	}
	if got := string(ask.Spec.AnswersJSON(ask.Outcome.Reply)); ask.Outcome.State != questions.Answered || ask.Delivered.IsZero() || got != answer {
		d.t.Errorf("the store holds %s, %.80s, delivered %v", ask.Outcome.State, got, ask.Delivered)
	}
}

// What the agent asks, the person types and sends while the disk is full is kept
// in the runtime directory; the answer reaches the agent; with room again all of
// it is in the store.
func TestDiskFullWhileAskingLosesNothing(t *testing.T) {
	t.Parallel()
	d := newFullDisk(t)
	room := fill(t, d.disk)
	r := d.agent.Call("init_planb_session", map[string]any{"title": "Full", "projectPath": t.TempDir()})
	d.saysElsewhere(r)
	session := rig.SessionLine.FindStringSubmatch(r.Texts[0] + "\n")[1]
	call := d.agent.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	form := d.tm.NewPane(d.home)
	d.tm.Ready(form)
	d.tm.Text(form, "kept")
	d.tm.Shows(form, "kept")
	d.tm.Keys(form, "C-s")
	got := call.Reply()
	if got.Texts[0] != `{"name":"kept"}` {
		t.Errorf("the agent received %q", got)
	}
	d.saysElsewhere(got)
	room()
	d.agent.Call("init_planb_session", map[string]any{"title": "Again", "projectPath": t.TempDir()})
	d.movesHome(session, `{"name":"kept"}`)
}

// paste gives the form a text longer than the free pages of its store, where a
// short one may still fit on a full disk.
func (d fullDisk) paste(form string) (text string) {
	d.t.Helper()
	random := make([]byte, 20<<10)
	if _, err := rand.Read(random); err != nil {
		d.t.Fatal(err)
	}
	text = hex.EncodeToString(random)
	file := filepath.Join(d.t.TempDir(), "paste")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.tm.Run("load-buffer", "-b", "long", file)
	d.tm.Run("paste-buffer", "-p", "-b", "long", "-t", form)
	d.tm.Shows(form, text[len(text)-8:])
	return text
}

// told is the answer to storySpec as the agent has it when it has fetched what is
// longer than clients pass on.
func (d fullDisk) told(got rig.Reply) string {
	d.t.Helper()
	more := rig.NextPart.FindStringSubmatch(got.String())
	if more == nil {
		return got.Texts[0]
	}
	text := strings.TrimSuffix(got.Texts[0], `…"}`)
	for more != nil {
		var arguments map[string]any
		if err := json.Unmarshal([]byte(more[1]), &arguments); err != nil {
			d.t.Fatal(err)
		}
		part := d.agent.Call("get_answer", arguments)
		text += part.Texts[0]
		more = rig.NextPart.FindStringSubmatch(part.Texts[1])
	}
	return text + `"}`
}

const storySpec = `{"title": "Tell", "questions": [{"id": "story", "kind": "longtext", "label": "What happened?", "required": true}]}`

// ask opens the form of storySpec and has its draft begun before the disk is full.
func (d fullDisk) ask() (session string, call *rig.Pending, form string) {
	d.t.Helper()
	session = d.agent.Session("Full")
	call = d.agent.Start("ask_user", rig.Arguments(d.t, session, storySpec))
	form = d.tm.NewPane(d.home)
	d.tm.Ready(form)
	d.tm.Text(form, "It was ")
	rig.Until(d.t, "the draft is saved", func() bool { return strings.Contains(rig.DraftOf(d.t, d.disk, session), "It was ") })
	return session, call, form
}

func TestDiskFullWhileTypingLosesNothing(t *testing.T) {
	t.Parallel()
	d := newFullDisk(t)
	session, call, form := d.ask()
	room := fill(t, d.disk)
	text := d.paste(form)
	d.tm.SavedIn(form, d.run)
	room()
	rig.Until(t, "the draft has moved home", func() bool {
		return len(d.away()) == 0 && strings.Contains(rig.DraftOf(t, d.disk, session), text)
	})
	rig.Until(t, "the form says so no more", func() bool { return !strings.Contains(d.tm.Screen(form), "This is saved in") })
	d.tm.Keys(form, "C-s")
	want := `{"story":"It was ` + text + `"}`
	if got := d.told(call.Reply()); got != want {
		t.Errorf("the agent received %.80q", got)
	}
	d.movesHome(session, want)
}

// A plan that is saved while the disk is full has its readable copy when there is
// room, also when the server that saved it has ended by then; and whoever asks
// then is not told that anything is elsewhere.
func TestDiskFullWhileSavingAPlanCopiesItLater(t *testing.T) {
	t.Parallel()
	for name, killed := range map[string]bool{"the server lives": false, "the server is killed": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newFullDisk(t)
			session := d.agent.Session("Full")
			room := fill(t, d.disk)
			random := make([]byte, 20<<10) // longer than the free pages of the store
			rand.Read(random)
			plan := hex.EncodeToString(random)
			path := filepath.Join(d.disk, "plans", session, "v1.md")
			got := d.agent.Call("save_plan", map[string]any{"sessionId": session, "plan": plan})
			if !strings.HasPrefix(got.Texts[0], "Saved plan v1 ") || !strings.HasSuffix(got.Texts[0], "and the copy follows by itself, at "+path) {
				t.Errorf("the agent is told %q", got.Texts)
			}
			d.saysElsewhere(got)
			if killed {
				if err := d.agent.Process.Process.Kill(); err != nil {
					t.Fatal(err)
				}
				d.agent = rig.StartAgent(t, d.disk, []string{"ASK_NO_OPEN=1", "PLANB_RUNTIME_DIR=" + d.run})
			}
			room()
			if got := d.agent.Call("get_answer", map[string]any{"sessionId": session, "waitSeconds": 0}); strings.Contains(got.String(), "saved in") {
				t.Errorf("when there is room again the agent is told %q", got)
			}
			if left := d.away(); len(left) > 0 {
				t.Errorf("something is still in %s", left)
			}
			rig.Until(t, "the plan's copy is there", func() bool {
				text, err := os.ReadFile(path)
				return err == nil && string(text) == plan
			})
		})
	}
}

func TestDiskFullWhileSubmittingLosesNothing(t *testing.T) {
	t.Parallel()
	d := newFullDisk(t)
	session, call, form := d.ask()
	room := fill(t, d.disk)
	text := d.paste(form)
	d.tm.SavedIn(form, d.run) // right behind a paste keys do not count
	d.tm.Keys(form, "C-s")
	want := `{"story":"It was ` + text + `"}`
	got := call.Reply()
	d.saysElsewhere(got)
	if text := d.told(got); text != want {
		t.Errorf("the agent received %.80q", text)
	}
	room()
	d.agent.Call("init_planb_session", map[string]any{"title": "Again", "projectPath": t.TempDir()})
	d.movesHome(session, want)
}

// With both full the agent is told so, and the form stays, with everything in it
// and with the ways out, and sends by itself when there is room.
func TestBothDisksFullKeepsTheFormAndWhatWasTyped(t *testing.T) {
	t.Parallel()
	d := newFullDisk(t)
	d.tm.Run("set-option", "-s", "set-clipboard", "on") // else tmux keeps nothing that a form copies
	session, call, form := d.ask()
	room, _ := fill(t, d.disk), fill(t, d.run)
	text := d.paste(form)
	d.tm.Shows(form, "Not saved")
	long := rig.Arguments(t, session, rig.NameForm)
	long["intro"] = text
	asked := d.agent.Call("ask_user", long)
	if !asked.IsError || !strings.Contains(asked.String(), "its disk is full, and it can't be kept elsewhere meanwhile either") {
		t.Errorf("the agent is told %.400q, an error: %v", asked, asked.IsError)
	}
	d.tm.Keys(form, "C-s")
	d.tm.Shows(form, "Not sent yet", "disk is full", "Try again", "Copy the answers", "print the answers", "Everything you wrote is still here.")
	d.tm.Enter(form)
	if early := call.Early(); early != nil {
		t.Fatalf("the call returned %.80q", early)
	}
	d.tm.Text(form, "c")
	d.tm.Shows(form, "Copied: ", "Not sent yet")
	want := `{"story":"It was ` + text + `"}`
	if copied := d.tm.Run("show-buffer"); copied != want {
		t.Errorf("the person's clipboard has %.80q", copied)
	}
	room()
	if got := d.told(call.Reply()); got != want {
		t.Errorf("the agent received %.80q", got)
	}
	d.movesHome(session, want)
}

// Who leaves a form that cannot be stored anywhere finds the answers on the
// terminal, which stays for them to be taken from there.
func TestBothDisksFullPrintsTheAnswers(t *testing.T) {
	t.Parallel()
	d := newFullDisk(t)
	_, call, form := d.ask()
	fill(t, d.disk)
	fill(t, d.run)
	text := d.paste(form)
	d.tm.Shows(form, "Not saved")
	d.tm.Keys(form, "C-s")
	d.tm.Shows(form, "Not sent yet")
	d.tm.Enter(form)
	d.tm.Text(form, "p")
	d.tm.Shows(form, "Press Enter to close this pane.")
	printed := strings.ReplaceAll(d.tm.Run("capture-pane", "-p", "-J", "-S", "-", "-t", form), "\n", "")
	if !strings.Contains(printed, `your answers: {"story":"It was `+text+`"}`) {
		t.Errorf("the pane shows %.300q … %q", printed, printed[max(0, len(printed)-300):])
	}
	if early := call.Early(); early != nil {
		t.Errorf("the call returned %.80q", early)
	}
}

// What the form says is kept elsewhere survives its form and its server, killed by
// force: the next server brings it home.
func TestDiskFullAndEverythingKilledLosesNothing(t *testing.T) {
	t.Parallel()
	d := newFullDisk(t)
	session := d.agent.Session("Full")
	d.agent.Start("ask_user", rig.Arguments(t, session, storySpec))
	form := d.tm.NewPane(d.home)
	d.tm.Ready(form)
	room := fill(t, d.disk)
	text := d.paste(form)
	// That there is a store elsewhere would not do: claims go there as well.
	d.tm.SavedIn(form, d.run)
	if err := d.agent.Process.Process.Signal(syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	rig.Kill(t, d.tm.Run("display-message", "-p", "-t", form, "#{pane_pid}"))
	room()
	again := rig.StartAgent(t, d.disk, []string{"ASK_NO_OPEN=1", "PLANB_RUNTIME_DIR=" + d.run})
	again.Call("init_planb_session", map[string]any{"title": "Again", "projectPath": t.TempDir()})
	rig.Until(t, "everything has moved home", func() bool { return len(d.away()) == 0 })
	if draft := rig.DraftOf(t, d.disk, session); !strings.Contains(draft, text) {
		t.Errorf("the draft is %.80s", draft)
	}
}
