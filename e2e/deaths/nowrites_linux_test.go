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
	"syscall"
	"testing"
	"unicode"

	"golang.org/x/sys/unix"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store/storetest"
)

// These tests take the disk away from everything that is kept. Nothing that a
// person typed may be lost by it, and an agent is told at once what was not done.

// outage is a way in which the data directory takes no writes.
type outage string

const (
	full     outage = "the disk is full"
	spent    outage = "the disk is full, and so is the reserve" // another program has taken it
	readOnly outage = "the file system is read-only"
	denied   outage = "the permissions refuse"
)

// reason is what a person and an agent read of it.
func (o outage) reason() string {
	return map[outage]string{full: "its disk is full", spent: "its disk is full", readOnly: "its file system is read-only", denied: "its permissions do not allow it"}[o]
}

// moment is what happens when the data directory takes no writes.
type moment string

const (
	whileTyping     moment = "the person types"
	whileSubmitting moment = "the person submits"
	whileLeaving    moment = "the person leaves the form"
	whileKilled     moment = "server and form are killed by force behind it"
)

const (
	reserveFile  = "planb.db.reserve"
	wholeReserve = 8 << 20
)

var unsentForm = []string{"Not sent yet", "tried again every second", "Copy the answers", "Save the answers to a file", "print the answers"}

func TestNoWritesLoseNothing(t *testing.T) {
	t.Parallel()
	type row struct {
		what    outage
		when    moment
		person  []string // reads on the screen; nothing: no trouble at all
		kept    string   // where what was typed is meanwhile
		reserve int64    // what is left of it
	}
	rows := []row{ // those that differ most
		{full, whileKilled, nil, "the entry is in the store", 0},
		{spent, whileLeaving, []string{"Not saved yet", "If you leave now"}, "all of it is printed", 0},
		{readOnly, whileSubmitting, unsentForm, "all of it is in the form", wholeReserve},
		{denied, whileSubmitting, unsentForm, "all of it is in the form", wholeReserve},
	}
	if storetest.Whole() {
		rows = append(rows,
			row{full, whileSubmitting, nil, "the answer is in the store", 0},
			row{full, whileLeaving, []string{"Kept: Tell"}, "the entry is in the store", 0},
			row{spent, whileSubmitting, unsentForm, "all of it is in the form", 0},
			row{readOnly, whileTyping, []string{"Not saved yet"}, "all of it is in the form", wholeReserve})
	}
	for _, row := range rows {
		t.Run(string(row.what)+" while "+string(row.when), func(t *testing.T) {
			t.Parallel()
			d := newStopped(t, row.what)
			d.refusesTheAgent()
			form := d.ask()
			d.stop()
			d.paste(form)
			d.goesOn(form, row.when, row.person, row.kept)
			if row.reserve == wholeReserve { // else it is made again with the first thing an agent brings
				d.hasReserve(wholeReserve)
			}
			if row.what != denied { // else planb's user no longer has the directory
				d.savesAgain()
			}
		})
	}
}

// stopped is an agent and its tmux on a disk that will take no writes.
type stopped struct {
	t      *testing.T
	what   outage
	data   string
	home   string // of the person
	tm     *rig.Tmux
	beside string // the agent's pane
	user   nobody // who runs planb
	agent  *rig.Agent

	session string
	call    *rig.Pending
	typed   string
	mend    func()
}

func newStopped(t *testing.T, what outage) *stopped {
	t.Helper()
	d := &stopped{t: t, what: what, user: nobody{os.Geteuid()}}
	if what == denied {
		d.user = newNobody()
		d.user.opens(t, filepath.Dir(rig.Planb(t)))
		d.data, d.home = d.user.dir(t), d.user.dir(t)
	} else {
		d.data = smallDisk(t, "20m")
	}
	d.tm = rig.StartTmux(t, 160, 40) // ends before its disk
	if what != denied {
		d.home = d.tm.Home
	}
	d.tm.Run("set-option", "-s", "set-clipboard", "on") // else tmux keeps nothing that a form copies
	d.beside = d.tm.Panes()[0]
	d.start()
	d.session = d.agent.Session("Stopped")
	d.hasReserve(wholeReserve)
	return d
}

// start starts a server. Its log must not be what fills the disk.
func (d *stopped) start(env ...string) {
	d.t.Helper()
	d.tm.Run("set-environment", "-g", "HOME", d.home) // of the panes that open
	env = append(append(env, "HOME="+d.home, "XDG_STATE_HOME="+d.home), d.tm.Environment(d.beside)...)
	if d.what == denied {
		env = append(env, "ASK_NO_OPEN=1") // the other user cannot reach this tmux
	}
	d.agent = rig.StartAgentAs(d.t, d.data, env, d.user.runs(rig.Planb(d.t), "mcp")...)
}

// stop has the data directory take no writes, until mend.
func (d *stopped) stop() {
	d.t.Helper()
	switch d.what {
	case full:
		d.mend = fill(d.t, d.data)
	case spent:
		chunk := fill(d.t, d.data)
		if err := os.Truncate(filepath.Join(d.data, reserveFile), 0); err != nil {
			d.t.Fatal(err)
		}
		rest := fill(d.t, d.data)
		d.mend = func() { chunk(); rest() }
	case readOnly:
		remount(d.t, d.data, unix.MS_RDONLY)
		d.mend = func() { remount(d.t, d.data, 0) }
	case denied:
		file := filepath.Join(d.data, "planb.db")
		chmod(d.t, 0o400, file)
		chmod(d.t, 0o500, d.data)
		d.mend = func() { chmod(d.t, 0o700, d.data); chmod(d.t, 0o600, file) }
		d.t.Cleanup(func() { chmod(d.t, 0o700, d.data) })
	}
}

// reads waits until the pane shows all the texts, however its lines are broken.
func (d *stopped) reads(pane string, texts ...string) {
	d.t.Helper()
	squeezed := func(text string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsSpace(r) || r == '│' {
				return -1
			}
			return r
		}, text)
	}
	for _, text := range texts {
		shown := ""
		for wait := rig.NewDeadline(); !strings.Contains(squeezed(shown), squeezed(text)); wait.Pause() {
			if wait.Passed() {
				d.t.Fatalf("the pane never showed %q, but\n%s", text, shown)
			}
			shown = d.tm.Screen(pane)
		}
	}
}

func (d *stopped) hasReserve(bytes int64) {
	d.t.Helper()
	info, err := os.Stat(filepath.Join(d.data, reserveFile))
	if err != nil {
		d.t.Fatal(err)
	}
	if taken := info.Sys().(*syscall.Stat_t).Blocks * 512; info.Size() != bytes || taken < bytes || info.Mode().Perm() != 0o600 {
		d.t.Errorf("the reserve has %d bytes (%d on the disk), mode %v; want %d", info.Size(), taken, info.Mode(), bytes)
	}
}

const storySpec = `{"title": "Tell", "questions": [{"id": "story", "kind": "longtext", "label": "What happened?", "required": true}]}`

// ask opens the form of storySpec and has its entry begun.
func (d *stopped) ask() (form string) {
	d.t.Helper()
	d.call = d.agent.Start("ask_user", rig.Arguments(d.t, d.session, storySpec))
	if d.what == denied {
		rig.Until(d.t, "the question waits", func() bool { return strings.HasPrefix(d.runs("status"), "1 waiting") })
		form = d.tm.NewWindow(append([]string{"-e", "PLANB_DATA_DIR=" + d.data,
			"-e", "HOME=" + d.home, "-e", "LC_ALL=C.UTF-8", "--"}, d.user.runs(rig.Planb(d.t), "tui", "ask")...)...)
	} else {
		form = d.tm.NewPane(d.beside)
	}
	d.tm.Ready(form)
	d.tm.Text(form, "It was ")
	d.tm.Shows(form, "It was")
	d.typed = "It was "
	// planb refuses to read a store of another user's, so the test looks into its file. What
	// the form fails to save is then the paste that follows, and it heeds the keys behind it.
	rig.Until(d.t, "the entry is saved", func() bool { return strings.Contains(rig.ReadFile(d.t, filepath.Join(d.data, "planb.db")), "It was ") })
	return form
}

// longText is longer than the free pages of a store, where a short one may still
// fit on a full disk.
func longText() string {
	random := make([]byte, 60<<10)
	rand.Read(random)
	return hex.EncodeToString(random)
}

// paste gives the form a long text.
func (d *stopped) paste(form string) {
	d.t.Helper()
	text := longText()[:60<<10] // longer ones become an attachment
	d.typed += text
	file := filepath.Join(d.t.TempDir(), "paste")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		d.t.Fatal(err)
	}
	d.tm.Run("load-buffer", "-b", "long", file)
	d.tm.Run("paste-buffer", "-p", "-b", "long", "-t", form)
	d.tm.Shows(form, text[len(text)-8:])
}

// refusesTheAgent has the agent ask, and save a plan, while there are no writes.
func (d *stopped) refusesTheAgent() {
	d.t.Helper()
	d.stop()
	d.refusesToAsk()
	if panes := d.tm.Panes(); len(panes) != 1 {
		d.t.Errorf("there are the panes %q; none may open for what was not asked", panes)
	}
	d.refusesToSave()
	d.mend()
}

// savesAgain has the agent save a plan once there is room again.
func (d *stopped) savesAgain() {
	d.t.Helper()
	plan := longText()
	got := d.agent.Call("save_plan", map[string]any{"sessionId": d.session, "plan": plan})
	path := filepath.Join(d.data, "plans", d.session, "v1.md")
	if !strings.HasPrefix(got.Texts[0], "Saved plan v1 for session "+d.session+"\npath: "+path) {
		d.t.Errorf("when there is room again the agent is told %.300q", got)
	}
	if text := rig.ReadFile(d.t, path); text != plan {
		d.t.Errorf("the copy is %.40q", text)
	}
	d.hasReserve(wholeReserve)
}

func (d *stopped) refusesToAsk() {
	d.t.Helper()
	long := rig.Arguments(d.t, d.session, rig.NameForm)
	long["intro"] = longText()
	got := d.agent.Call("ask_user", long)
	want := "NOT ASKED: planb cannot write to " + d.data + " ("
	end := "), so nothing was asked. Tell your user exactly that; ask in the conversation what you must know."
	if !got.IsError || !strings.HasPrefix(got.String(), want) || !strings.Contains(got.String(), d.what.reason()) || !strings.Contains(got.String(), end) {
		d.t.Errorf("the agent is told %.600q, an error: %v", got, got.IsError)
	}
}

func (d *stopped) refusesToSave() {
	d.t.Helper()
	got := d.agent.Call("save_plan", map[string]any{"sessionId": d.session, "plan": longText()})
	if !got.IsError || !strings.HasPrefix(got.String(), "The plan could not be saved: ") || !strings.Contains(got.String(), d.what.reason()) {
		d.t.Errorf("the agent is told %.600q, an error: %v", got, got.IsError)
	}
}

// goesOn is what becomes of what was typed.
func (d *stopped) goesOn(form string, when moment, person []string, kept string) {
	d.t.Helper()
	stored := strings.HasSuffix(kept, "in the store")
	if stored {
		rig.Until(d.t, "the entry is saved", func() bool { return strings.Contains(rig.EntryOf(d.t, d.data, d.session), d.typed) })
		d.tm.Lacks(form, "Not saved")
		d.agentCannotEatIt()
	} else {
		d.reads(form, "Not saved yet, keep this form open:", d.what.reason())
	}
	switch when {
	case whileTyping:
		d.reads(form, person...)
		d.mend()
		d.tm.Lacks(form, "Not saved")
		d.tm.Keys(form, "C-s")
	case whileSubmitting:
		d.tm.Keys(form, "C-s")
		if stored {
			d.answered()
			d.hasReserve(0)
			d.mend()
			return
		}
		d.reads(form, append(person, d.what.reason())...)
		d.takesItAlong(form)
		if early := d.call.Early(); early != nil {
			d.t.Fatalf("the call returned %.80q", early)
		}
		d.mend() // it sends by itself
	case whileLeaving:
		d.leaves(form, person, stored)
		return
	case whileKilled:
		d.killedAndOpenedAgain()
		return
	}
	d.answered()
}

// agentCannotEatIt has the agent bring more and more while a person lives on the
// reserve.
func (d *stopped) agentCannotEatIt() {
	d.t.Helper()
	d.hasReserve(0)
	d.refusesToAsk()
	var before, after unix.Statfs_t
	if err := unix.Statfs(d.data, &before); err != nil {
		d.t.Fatal(err)
	}
	for range 5 {
		got := d.agent.Call("save_plan", map[string]any{"sessionId": d.session, "plan": "# Small\n" + rand.Text()})
		if !got.IsError || !strings.Contains(got.String(), "is kept for what people are answering") {
			d.t.Fatalf("the agent is told %.300q", got)
		}
	}
	if err := unix.Statfs(d.data, &after); err != nil {
		d.t.Fatal(err)
	}
	if eaten := int64(before.Bfree-after.Bfree) * before.Bsize; before.Bfree > after.Bfree && eaten > 256<<10 {
		d.t.Errorf("the agent has eaten %d bytes of the reserve", eaten)
	}
	if says := d.doctor(); !strings.Contains(says, "reserve") || !strings.Contains(says, "used up") {
		d.t.Errorf("doctor says\n%s", says)
	}
}

// takesItAlong copies and saves what could not be sent.
func (d *stopped) takesItAlong(form string) {
	d.t.Helper()
	d.tm.Enter(form)
	want := `{"story":"` + d.typed + `"}`
	d.tm.Text(form, "c")
	d.tm.Shows(form, "Copied: ", "Not sent yet")
	rig.Until(d.t, "tmux has what the form copied, which it reads after the screen", func() bool { return d.tm.Run("show-buffer") == want })
	d.tm.Text(form, "s")
	d.tm.Shows(form, "Saved: ", "Not sent yet")
	files, err := filepath.Glob(filepath.Join(d.home, "planb-answers-*.txt"))
	if err != nil || len(files) != 1 {
		d.t.Fatalf("in the home directory are %q, %v", files, err)
	}
	if text := rig.ReadFile(d.t, files[0]); text != want+"\n" {
		d.t.Errorf("the file holds %.80q", text)
	}
	if info, err := os.Stat(files[0]); err != nil || info.Mode().Perm() != 0o600 {
		d.t.Errorf("%s: %v, %v; others must not read it", files[0], info, err)
	}
}

// leaves leaves the form for later. What is not kept is printed.
func (d *stopped) leaves(form string, person []string, stored bool) {
	d.t.Helper()
	d.tm.Keys(form, "Escape")
	d.tm.Shows(form, "Save for later")
	d.tm.Text(form, "l")
	if stored {
		d.tm.Gone(form)
		d.mend()
		return
	}
	d.reads(form, append(person, d.what.reason(), "Copy the answers", "Save the answers to a file")...)
	d.tm.Enter(form)
	d.tm.Text(form, "p")
	d.tm.Shows(form, "Press Enter to close this pane.")
	printed := strings.ReplaceAll(d.tm.Run("capture-pane", "-p", "-J", "-S", "-", "-t", form), "\n", "")
	if !strings.Contains(printed, `{"story":"`+d.typed+`"}`) {
		d.t.Errorf("the pane shows %.300q … %q", printed, printed[max(0, len(printed)-300):])
	}
	d.mend()
}

// killedAndOpenedAgain kills server and form while the disk is still full.
func (d *stopped) killedAndOpenedAgain() {
	d.t.Helper()
	if err := d.agent.Process.Process.Signal(syscall.SIGKILL); err != nil {
		d.t.Fatal(err)
	}
	for _, pane := range d.tm.Panes() {
		if pane != d.beside {
			rig.Kill(d.t, d.tm.Run("display-message", "-p", "-t", pane, "#{pane_pid}"))
			d.tm.Gone(pane)
		}
	}
	d.start("ASK_NO_OPEN=1")
	form := d.tm.Open(d.data, "tui", "ask")
	d.tm.Shows(form, d.typed[len(d.typed)-8:])
	d.tm.Keys(form, "C-s")
	d.call = d.agent.Start("get_answer", map[string]any{"sessionId": d.session})
	d.answered()
	d.mend()
}

// answered looks that the agent has received all that was typed, and that the
// store says so.
func (d *stopped) answered() {
	d.t.Helper()
	want := `{"story":"` + d.typed + `"}`
	if got := d.told(d.call.Reply()); got != want {
		d.t.Errorf("the agent received %.80q", got)
	}
	if d.what == denied {
		// After the change of the owner the server can write nothing any more.
		rig.Until(d.t, "the server has marked the answer as delivered", d.showsDelivered)
		if err := os.Chown(d.data, os.Geteuid(), -1); err != nil { // planb reads only its user's directory
			d.t.Fatal(err)
		}
	}
	ask := rig.OnlyAsk(d.t, d.data, d.session)
	rig.Until(d.t, "the answer is stored as delivered", func() bool {
		now, err := rig.OpenStore(d.t, d.data).Ask(d.t.Context(), ask.ID)
		return err == nil && now.Outcome.State == questions.Answered && !now.Delivered.IsZero() && string(now.Spec.AnswersJSON(now.Outcome.Reply)) == want
	})
}

// showsDelivered reports whether planb, run by the other user, shows that an answer
// was delivered.
func (d *stopped) showsDelivered() bool {
	d.t.Helper()
	command := d.user.runs(rig.Planb(d.t), "show", d.session, "--json")
	cmd := exec.CommandContext(d.t.Context(), command[0], command[1:]...)
	cmd.Env = []string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH"), "PLANB_DATA_DIR=" + d.data}
	out, err := cmd.CombinedOutput()
	if err != nil {
		d.t.Fatalf("planb show: %v\n%s", err, out)
	}
	return strings.Contains(string(out), `"delivered"`)
}

// told is the answer to storySpec as the agent has it when it has fetched what is
// longer than clients pass on.
func (d *stopped) told(got rig.Reply) string {
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

// doctor is what planb doctor says of the store on the disk, which may be a problem.
func (d *stopped) doctor() string {
	d.t.Helper()
	return d.runs("doctor")
}

// runs runs a command of planb as the user of the store, and returns what it prints.
func (d *stopped) runs(command ...string) string {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), rig.Patience)
	defer cancel()
	argv := d.user.runs(append([]string{rig.Planb(d.t)}, command...)...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = []string{"HOME=" + d.home, "PATH=" + os.Getenv("PATH"), "PLANB_DATA_DIR=" + d.data}
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 1 {
		d.t.Fatalf("planb %v: %v\n%s", command, err, out)
	}
	return string(out)
}

// Who answers line by line has the same: it is tried again by itself, and until
// then the answers can be taken along.
func TestNoWritesLineByLine(t *testing.T) {
	t.Parallel()
	d := &stopped{t: t, what: readOnly, user: nobody{os.Geteuid()}, data: smallDisk(t, "20m")}
	d.tm = rig.StartTmux(t, 160, 40)
	d.home = d.tm.Home
	d.beside = d.tm.Panes()[0]
	d.start("ACCESSIBLE=1")
	d.session = d.agent.Session("Line by line")
	d.call = d.agent.Start("ask_user", rig.Arguments(t, d.session, storySpec))
	form := d.tm.NewPane(d.beside)
	line := func(see, text string) {
		t.Helper()
		d.tm.Shows(form, see)
		d.tm.Text(form, text)
		d.tm.Keys(form, "Enter")
	}
	line("Type answer to begin", "answer")
	d.tm.Shows(form, "Question 1 of 1")
	d.stop()
	d.typed = "It was late"
	line("Question 1 of 1", d.typed)
	line("ends it", ".")
	d.reads(form, "could not be saved yet", d.what.reason())
	line("Your answers: 1 of 1 question", "send")
	line("Not sent yet", "file")
	d.tm.Shows(form, "Saved: ")
	files, err := filepath.Glob(filepath.Join(d.home, "planb-answers-*.txt"))
	if err != nil || len(files) != 1 || rig.ReadFile(t, files[0]) != `{"story":"`+d.typed+`"}`+"\n" {
		t.Errorf("in the home directory are %q, %v", files, err)
	}
	if early := d.call.Early(); early != nil {
		t.Fatalf("the call returned %.80q", early)
	}
	d.mend()
	d.answered()
	d.tm.Gone(form)
}
