package budgets_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"planb/e2e/rig"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
)

// measureInbox measures with 300 waiting forms: how long a commit takes
// until the inbox's screen shows it, how much inboxes slow a writer, and
// how long `planb status` takes.
func measureInbox(t testing.TB) []figure {
	const asks, rounds, inboxes = 300, 300, 3
	quietDir, dir := t.TempDir(), t.TempDir()
	quiet, st := startInbox(t, quietDir, asks), startInbox(t, dir, asks)
	shown := measureShown(t, dir, st, asks)
	status := pairs(20, running(t, dir, "status"), running(t, dir, "version"))
	for range inboxes - 1 {
		startOnTerminal(t, dir, "tui").sees("Waiting for you")
	}
	both := pairs(rounds, snoozing(t, st), snoozing(t, quiet))
	tell := func(what, metric string, q float64) figure {
		with, without := both.ours.quantile(q), both.floor.quantile(q)
		return figure{
			what: fmt.Sprintf("%d inboxes: a writer is delayed, %s", inboxes, what), metric: metric, unit: "ms", most: 5,
			got: with - without, floor: fmt.Sprintf("%s ms with, %s ms without them", digits(with), digits(without)),
		}
	}
	// The slowest commit of many depends on what else the machine does.
	slowest := tell("the slowest", "delaymax-ms", 1)
	slowest.bare = true
	return []figure{
		{what: fmt.Sprintf("%d asks waiting: commit to the inbox's screen", asks), metric: "shown-ms", unit: "ms", most: 50,
			got: shown.median(), spread: shown.quartiles(), floor: fmt.Sprintf("slowest: %s ms", digits(shown.quantile(1)))},
		tell("median", "delay-ms", 0.5), tell("p99", "delay99-ms", 0.99), slowest,
		{what: fmt.Sprintf("%d asks waiting: planb status, beside planb version", asks), metric: "status×floor", unit: "×", most: 1.5,
			got: status.ratio.median(), spread: status.ratio.quartiles(),
			floor: fmt.Sprintf("planb version: %s ms", digits(status.floor.median()))},
	}
}

// running returns a function that runs a command of planb and returns how long
// that took, in milliseconds.
func running(t testing.TB, dir string, command string) func() float64 {
	t.Helper()
	return func() float64 {
		cmd := exec.Command(rig.Planb(t), command)
		cmd.Env = serverVariables(dir)
		begun := time.Now()
		if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
			t.Fatalf("planb %s: %v %s", command, err, out)
		}
		return rig.Milliseconds(time.Since(begun))
	}
}

// startInbox fills a store with waiting forms.
func startInbox(t testing.TB, dir string, asks int) *store.Store {
	t.Helper()
	engine, err := bolt.Open(t.Context(), filepath.Join(dir, "planb.db"), bolt.Options{}) // creates the store
	if err != nil {
		t.Fatal(err)
	}
	if err := engine.Close(); err != nil {
		t.Fatal(err)
	}
	st := rig.OpenStore(t, dir)
	for i, session := range sessionsFor(t, st, asks) {
		openForm(t, st, session, i)
	}
	return st
}

// sessionsFor creates the sessions for that many open forms, and returns the
// session of each form.
func sessionsFor(t testing.TB, st *store.Store, asks int) []string {
	t.Helper()
	sessions := make([]string, asks)
	for i := range sessions {
		if i%store.MaxOpen > 0 {
			sessions[i] = sessions[i-1]
			continue
		}
		session, err := st.CreateSession(t.Context(), store.Session{Title: safe.New("Measured")})
		if err != nil {
			t.Fatal(err)
		}
		sessions[i] = session.ID
	}
	return sessions
}

func openForm(t testing.TB, st *store.Store, session string, n int) store.Ask {
	t.Helper()
	ask, _, err := st.OpenAsk(t.Context(), store.Ask{Session: session, Spec: questions.Spec{
		Title:     safe.New(fmt.Sprintf("Form %d", n)),
		Questions: []questions.Question{{ID: "q", Kind: questions.Text, Label: safe.New("What?"), Tab: safe.New(questions.DefaultTab)}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	return ask
}

// measureShown opens one form after another. It measures the time until a
// inbox's terminal is sent the new count.
func measureShown(t testing.TB, dir string, st *store.Store, asks int) sample {
	t.Helper()
	screen := startOnTerminal(t, dir, "tui")
	screen.sees("Waiting for you")
	var took sample
	for i, session := range sessionsFor(t, st, 30) {
		screen.quiet()
		openForm(t, st, session, asks+i)
		committed := time.Now()
		title := fmt.Appendf(nil, "planb · %d waiting", asks+i+1)
		rig.Until(t, "the new count is on the screen", func() bool { return screen.wasSent(title) })
		_, last := screen.size()
		took = append(took, rig.Milliseconds(last.Sub(committed)))
	}
	return took
}

// wasSent reports whether the terminal was sent these bytes.
func (y *typist) wasSent(text []byte) bool {
	y.mu.Lock()
	defer y.mu.Unlock()
	return bytes.Contains(y.received, text)
}

// snoozing returns a function that makes one commit and returns how long it
// took, in milliseconds. Every inbox is told of the commit.
func snoozing(t testing.TB, st *store.Store) func() float64 {
	t.Helper()
	waiting, err := st.Waiting(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ask, until := waiting[0], time.Now().Add(24*time.Hour)
	return func() float64 {
		until = until.Add(time.Second)
		begun := time.Now()
		if err := st.Snooze(t.Context(), ask.ID, until); err != nil {
			t.Fatal(err)
		}
		return rig.Milliseconds(time.Since(begun))
	}
}
