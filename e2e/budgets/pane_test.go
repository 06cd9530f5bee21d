package budgets_test

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store"
	"planb/store/bolt"
	"planb/store/kv"
)

// bench is an agent whose forms open in a pane beside it, and a client that
// sees what tmux draws.
type bench struct {
	t       testing.TB
	tmux    *rig.Tmux
	control *rig.Control
	agent   *rig.TimedClient
	dataDir string
	home    string // the agent's pane
	session string
	asked   int
}

func startBench(t testing.TB) *bench {
	t.Helper()
	b := &bench{t: t, tmux: rig.StartTmux(t, 200, 50), dataDir: t.TempDir()}
	b.home = b.tmux.FirstPane()
	b.control = b.tmux.Control()
	b.agent = rig.StartTimedClient(t, serverVariables(b.dataDir, b.tmux.Environment(b.home)...), rig.Planb(t), "mcp", "--wait", "1h")
	b.agent.Initialize()
	b.session = b.agent.Session("Measured")
	return b
}

// asking is a form that was asked for and is painted.
type asking struct {
	answer <-chan rig.Arrival
	pane   string
	took   time.Duration // from the call to the form's words on the screen
}

// ask asks one text question. Its label has a word never used before.
func (b *bench) ask() asking {
	b.t.Helper()
	b.asked++
	word := fmt.Sprintf("Form%dOfMany", b.asked)
	arguments := map[string]any{
		"sessionId": b.session, "title": "Measured",
		"questions": []any{map[string]any{"id": "q", "kind": "text", "label": word}},
	}
	seen := b.control.Await(word)
	sent := time.Now()
	answer := b.agent.CallTool("ask_user", arguments)
	p := b.control.Painted(seen)
	return asking{answer, p.Pane, p.At.Sub(sent)}
}

// submit answers a form by keys. It returns how long the result took after the
// key that sends it, in milliseconds.
func (b *bench) submit(form asking) float64 {
	b.t.Helper()
	b.tmux.Ready(form.pane)
	b.tmux.Text(form.pane, "typed")
	b.tmux.Shows(form.pane, "typed")
	pressed := time.Now()
	b.tmux.Keys(form.pane, "C-s")
	took := rig.Milliseconds(b.agent.Result(form.answer).At.Sub(pressed))
	b.tmux.Gone(form.pane)
	return took
}

// split runs the smallest Bubble Tea program where forms open. It returns how
// long it took until its word was on the screen, in milliseconds.
func (b *bench) split(program, width string) float64 {
	b.t.Helper()
	b.asked++
	word := fmt.Sprintf("Form%dOfMany", b.asked)
	seen := b.control.Await(word)
	sent := time.Now()
	cmd := exec.Command("tmux", "-S", b.tmux.Socket, "split-window", "-h", "-l", width, "-t", b.home, "--", program, word)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.t.Fatalf("tmux split-window: %v\n%s", err, out)
	}
	p := b.control.Painted(seen)
	b.tmux.Keys(p.Pane, "q")
	b.tmux.Gone(p.Pane)
	return rig.Milliseconds(p.At.Sub(sent))
}

// measurePaint measures the time from a call of ask_user until the form's words
// are in its tmux pane. The floor is the time from a split-window until the
// word of the smallest Bubble Tea program, in a pane of the same size and
// place.
func measurePaint(t testing.TB) []figure {
	const rounds = 20
	b, floor := startBench(t), floorProgram(t, "tea")
	first := b.ask()
	width := b.tmux.Format(first.pane, "#{pane_width}")
	b.submit(first)
	p := pairs(rounds,
		func() float64 {
			form := b.ask()
			b.submit(form)
			return rig.Milliseconds(form.took)
		},
		func() float64 { return b.split(floor, width) })
	return []figure{
		{what: "call to form painted in a tmux pane, beside Bubble Tea with the same libraries", metric: "×floor", unit: "×", most: 1.3,
			got: p.ratio.median(), spread: p.ratio.quartiles(),
			floor: fmt.Sprintf("the least Bubble Tea program: %s ms", digits(p.floor.median()))},
		{what: "  the time itself", metric: "ms", unit: "ms", bare: true, got: p.ours.median(), spread: p.ours.quartiles()},
	}
}

// measureSubmit measures the time from Ctrl+S in a form's pane until the result
// is at the client, in turns with one commit on the same disk.
func measureSubmit(t testing.TB) []figure {
	const rounds, allowance = 20, 5 // allowance: milliseconds beyond a commit
	b := startBench(t)
	commit := commits(t, b.dataDir)
	p := pairs(rounds, func() float64 { return b.submit(b.ask()) }, commit)
	settled := pairs(rounds, settling(t), commit)
	beside := func(p paired) string { return fmt.Sprintf("one commit on this disk: %s ms", digits(p.floor.median())) }
	return []figure{
		{what: "Ctrl+S to the result at the client: a commit and 5 ms", metric: "ms", unit: "ms", most: p.floor.median() + allowance,
			got: p.ours.median(), spread: p.ours.quartiles(), floor: beside(p)},
		{what: "  from the answer's commit, without the form", metric: "settled-ms", unit: "ms", bare: true,
			got: settled.ours.median(), spread: settled.ours.quartiles(), floor: beside(settled)},
	}
}

// commits returns a function that commits one small record to a store file in
// that directory. It returns how long that took, in milliseconds.
func commits(t testing.TB, dir string) func() float64 {
	t.Helper()
	engine, err := bolt.Open(t.Context(), filepath.Join(dir, "commits", "planb.db"), bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	})
	n := 0
	return func() float64 {
		n++
		begun := time.Now()
		err := engine.Commit(t.Context(), kv.Batch{Puts: []kv.Put{{Key: kv.Key("n/" + strconv.Itoa(n)), Value: make([]byte, 1024)}}})
		if err != nil {
			t.Fatal(err)
		}
		return rig.Milliseconds(time.Since(begun))
	}
}

// settling returns a function that answers a form from this process, without a
// screen. It returns how long the result took to arrive, in milliseconds.
func settling(t testing.TB) func() float64 {
	t.Helper()
	dataDir := t.TempDir()
	agent := rig.StartTimedClient(t, serverVariables(dataDir, "ASK_NO_OPEN=1"), rig.Planb(t), "mcp", "--wait", "1h")
	agent.Initialize()
	session, st, asked := agent.Session("Measured"), rig.OpenStore(t, dataDir), 0
	answer := questions.Outcome{State: questions.Answered, By: "a person", Reply: questions.Reply{
		Answers: map[string]questions.Value{"q": questions.TextValue("typed")},
	}}
	return func() float64 {
		asked++
		response := agent.CallTool("ask_user", map[string]any{
			"sessionId": session, "title": fmt.Sprintf("Form %d", asked),
			"questions": []any{map[string]any{"id": "q", "kind": "text", "label": "What?"}},
		})
		var waiting []store.Ask
		rig.Until(t, "the form waits", func() bool {
			var err error
			if waiting, err = st.Waiting(t.Context()); err != nil {
				t.Fatal(err)
			}
			return len(waiting) == 1
		})
		begun := time.Now()
		if _, err := st.Settle(t.Context(), waiting[0].ID, answer); err != nil {
			t.Fatal(err)
		}
		return rig.Milliseconds(agent.Result(response).At.Sub(begun))
	}
}
