package deaths_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store/bolt"
	"planb/store/kv"
)

// An update replaces the program while servers and forms of the old one run.
// The tests here build the planb of some later day from this one's source with
// the changes such a planb will make, and have the two share a store.

// edit is one change of a source file, which holds the old text once. Without an
// old text it is a file more.
type edit struct{ file, old, new string }

// What variedPlanb is other in, as its environment has it.
const (
	// later keeps more with every ask. Beside it every variant knows a kind of
	// question more. Both are additions: the format stays.
	later = "PLANB_TEST_LATER=1"
	// skewed, with a duration behind it, is how much later its clock is; with @ and a path,
	// the duration is what stands in that file now, so that a clock can jump.
	skewed = "PLANB_TEST_SKEW="
	// sleepy takes a process whose claims stand still for two seconds for dead,
	// and not for ten. Its forms look often enough to see that.
	sleepy = "PLANB_TEST_TTL=2s"
	// rebooted runs on the same machine after a reboot: the kernel has another boot id.
	rebooted = "PLANB_TEST_BOOT=another"
)

// variedPlanb is every other planb of these tests in one program: to build one
// takes longer than most tests.
var variedPlanb = sync.OnceValues(func() (string, error) {
	return buildEdited("varied",
		edit{file: "store/varied.go", new: `package store

import "os"

func variedMood(mood string) string {
	if os.Getenv("PLANB_TEST_LATER") == "" {
		return ""
	}
	return mood
}
`},
		edit{file: "store/ledger/varied.go", new: `package ledger

import (
	"os"
	"strings"
	"time"
)

func variedTTL(written time.Duration) time.Duration {
	if ttl, err := time.ParseDuration(os.Getenv("PLANB_TEST_TTL")); err == nil {
		return ttl
	}
	return written
}

func variedNow() time.Time {
	text := os.Getenv("PLANB_TEST_SKEW")
	if file, ok := strings.CutPrefix(text, "@"); ok {
		now, _ := os.ReadFile(file)
		text = string(now)
	}
	skew, _ := time.ParseDuration(text)
	return time.Now().Add(skew)
}
`},
		edit{file: "store/machine/varied_linux.go", new: `package machine

import (
	"cmp"
	"os"
)

func variedBoot(read string) string { return cmp.Or(os.Getenv("PLANB_TEST_BOOT"), read) }
`},
		edit{"store/machine/machine_linux.go", "return strings.TrimSpace(string(boot)) + ", "return variedBoot(strings.TrimSpace(string(boot))) + "},
		edit{"store/records.go", "type Ask struct {", "type Ask struct {\n\tMood string `json:\"mood,omitempty\"`"},
		edit{"store/openask.go", "\t\tCreated: now,", "\t\tCreated: now,\n\t\tMood: variedMood(\"curious\"),"},
		edit{"store/settle.go", "\tif err := o.Set(\"outcome\", kept); err != nil {",
			"\tif mood := variedMood(\"calm\"); mood != \"\" {\n\t\tif err := o.Set(\"mood\", mood); err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n" +
				"\tif err := o.Set(\"outcome\", kept); err != nil {"},
		edit{"questions/kind.go", "\t\tscaleRules{},", "\t\tscaleRules{}, textRules{\"hologram\"},"},
		edit{"store/ledger/ledger.go", "l.now = time.Now\n", "l.now = variedNow\n"},
		edit{"store/ledger/claims.go", "const DefaultTTL = 10 * time.Second", "var DefaultTTL = variedTTL(10 * time.Second)"},
		edit{"store/store.go", "const DefaultTTL =", "var DefaultTTL ="},
		edit{"tui/ask/glance.go", "GlancePause = time.Second", "GlancePause = time.Second / 5"},
	)
})

// buildEdited builds planb from the tree with the edits, which the tree itself
// does not get.
func buildEdited(name string, edits ...edit) (string, error) {
	builds, err := rig.BuildsDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(builds, name+"-source")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", err
	}
	edited := map[string]string{} // text by file
	for _, e := range edits {
		if e.old == "" {
			edited[e.file] = e.new
			continue
		}
		if _, again := edited[e.file]; !again {
			text, err := os.ReadFile(e.file)
			if err != nil {
				return "", err
			}
			edited[e.file] = string(text)
		}
		if n := strings.Count(edited[e.file], e.old); n != 1 {
			return "", fmt.Errorf("%s holds %q %d times, want once", e.file, e.old, n)
		}
		edited[e.file] = strings.Replace(edited[e.file], e.old, e.new, 1)
	}
	replace := map[string]string{}
	for name, text := range edited {
		file := filepath.Join(dir, strings.ReplaceAll(name, "/", "-")) // the same at every run: go build need not compile it again
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return "", err
		}
		path, err := filepath.Abs(name)
		if err != nil {
			return "", err
		}
		replace[path] = file
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		return "", err
	}
	// Nearly every package depends on an edited one. Without optimisation they compile in
	// four fifths of the time, and without debug information the program is linked sooner.
	return rig.BuildOf(name, fmt.Sprintf("%q", edits), "-overlay", file, "-gcflags=planb/...=-N -l", "-ldflags=-w", ".")
}

// varied returns the command line of that variant of planb, which a shell
// understands too when its words are joined.
func varied(t *testing.T, variant string, args ...string) []string {
	t.Helper()
	program, err := variedPlanb()
	if err != nil {
		t.Fatal(err)
	}
	return append([]string{"env", variant, program}, args...)
}

// variedServer is the command that serves MCP as that variant.
func variedServer(t *testing.T, variant string) *exec.Cmd {
	t.Helper()
	command := varied(t, variant, "mcp")
	return exec.Command(command[0], command[1:]...)
}

func TestAnOldFormAnswersANewServersQuestion(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	w := rig.WireTo(t, variedServer(t, later), data, "ASK_NO_OPEN=1")
	session := w.ShakeHands()
	w.Send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":{"sessionId":"` + session + `","title":"T","questions":[` +
		`{"id":"name","kind":"text","label":"What shall it be called?"},{"id":"look","kind":"hologram","label":"How shall it look?"}]}}}`)
	st := rig.OpenStore(t, data)
	rig.Until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	form := tm.Open(data, "tui", "ask")
	tm.Shows(form, "What shall it be called?", "needs a newer planb to be answered")
	// What the old form writes has to keep what it knows nothing of.
	if err := w.Cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	tm.Shows(form, "1 of 2 answered, 1 open")
	tm.Keys(form, "C-s")
	tm.Gone(form)
	ask := rig.OnlyAsk(t, data, session)
	if ask.Outcome.State != questions.Answered {
		t.Fatalf("the store holds %s", ask.Outcome.State)
	}
	if mood := rawField(t, data, ask.ID, "mood"); mood != `"curious"` {
		t.Errorf("the old form left %s of the new field", mood)
	}

	w = rig.WireTo(t, variedServer(t, later), data, "ASK_NO_OPEN=1")
	w.Send(rig.LegacyHello)
	w.Receive()
	w.Send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"get_answer","arguments":{"sessionId":"` + session + `"}}}`)
	if got := rig.WireText(t, w.Receive()); got != "{\"name\":\"Aurora\"}\nThe user left open: look. That is no default; ask again only what you cannot go on without." {
		t.Errorf("the new server gave %q", got)
	}
}

func TestANewFormAnswersAnOldServersQuestion(t *testing.T) {
	t.Parallel()
	opens := varied(t, later, "tui", "ask") // built before a call waits: that may take longer than the call
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.Session("Updated meanwhile")
	call := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	st := rig.OpenStore(t, data)
	rig.Until(t, "the question is kept", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
	form := tm.OpenCommand(data, opens)
	tm.Shows(form, "What shall it be called?")
	tm.Text(form, "Aurora")
	tm.Keys(form, "C-s")
	if got := call.Reply().String(); got != `{"name":"Aurora"}` {
		t.Errorf("the agent received %q", got)
	}
	ask := rig.Delivered(t, data, session)
	if mood := rawField(t, data, ask.ID, "mood"); mood != `"calm"` {
		t.Errorf("the old server left %s of the new field", mood)
	}
}

// A planb that cannot understand a store says so and leaves it as it is. It does not
// call it damaged, and does not repair it.
func TestAStoreOfALaterFormatIsLeftAlone(t *testing.T) {
	t.Parallel()
	data, tm := t.TempDir(), rig.StartTmux(t, 160, 40)
	old := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := old.Session("Written by a newer planb")
	if err := old.Client.Close(); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(data, "planb.db")
	engine, err := bolt.Open(t.Context(), path, bolt.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	err = engine.Commit(t.Context(), kv.Batch{Puts: []kv.Put{{Key: "format", Value: []byte(`{"v":2}`)}}})
	if err := errors.Join(err, engine.Close()); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}

	const sentence = "was written by a newer planb"
	a := rig.StartAgent(t, data, nil)
	got := a.Call("ask_user", rig.Arguments(t, session, rig.NameForm))
	if !got.IsError || !strings.Contains(got.String(), sentence) {
		t.Errorf("the agent was told %q", got)
	}
	shell := tm.OpenShell(data, true)
	tm.Text(shell, rig.Planb(t)+" tui ask")
	tm.Keys(shell, "Enter")
	tm.Shows(shell, sentence)
	for _, does := range []string{"doctor --repair", "doctor", "backup"} {
		tm.Text(shell, "clear; "+rig.Planb(t)+" "+does+"; echo exit $? of "+does)
		tm.Keys(shell, "Enter")
		tm.Shows(shell, "update planb", "exit 1 of "+does)
		if screen := tm.Screen(shell); strings.Contains(screen, "damaged") {
			t.Errorf("planb %s calls it damaged:\n%s", does, screen)
		}
	}

	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file was changed (%v)", err)
	}
}

// rawField is one field of an ask's record as it lies in the store.
func rawField(t *testing.T, data, ask, field string) string {
	t.Helper()
	engine, err := bolt.Open(t.Context(), filepath.Join(data, "planb.db"), bolt.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	records, err := engine.Get(t.Context(), kv.Key("a/"+ask))
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(records[0].Value, &fields); err != nil {
		t.Fatal(err)
	}
	return string(fields[field])
}
