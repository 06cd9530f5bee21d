package budgets_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store"
)

// manyServers are servers on one store, each with calls that wait for a person.
type manyServers struct {
	t       testing.TB
	store   *store.Store // the person's
	servers []*rig.TimedClient
	asks    []manyAsk // in turns: one of each server, then the next of each
}

type manyAsk struct {
	id       string
	response <-chan rig.Arrival
}

// startMany starts the servers and asks that many forms, spread over the
// servers.
func startMany(t testing.TB, servers, asks int) *manyServers {
	t.Helper()
	dataDir := t.TempDir()
	m := &manyServers{t: t, asks: make([]manyAsk, asks)}
	sessions := make([]string, servers)
	for i := range servers {
		w := rig.StartTimedClient(t, serverVariables(dataDir, "ASK_NO_OPEN=1"), rig.Planb(t), "mcp", "--wait", "1h")
		m.servers = append(m.servers, w)
		w.Initialize()
		sessions[i] = w.Session(fmt.Sprint("Server ", i))
	}
	m.store = rig.OpenStore(t, dataDir)
	titled := map[string]<-chan rig.Arrival{}
	for i := range asks {
		title := fmt.Sprint("Form ", i)
		titled[title] = m.servers[i%servers].CallTool("ask_user", map[string]any{
			"sessionId": sessions[i%servers], "title": title,
			"questions": []any{map[string]any{"id": "q", "kind": "text", "label": "What?"}},
		})
	}
	var waiting []store.Ask
	rig.Until(t, "all forms wait", func() bool {
		var err error
		if waiting, err = m.store.Waiting(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(waiting) == asks
	})
	for _, ask := range waiting {
		rig.Until(t, "every server waits", func() bool {
			alive, err := m.store.AliveAny(t.Context(), store.WaitClaims(ask.ID))
			if err != nil {
				t.Fatal(err)
			}
			return alive
		})
	}
	for i, ask := range waiting {
		m.asks[i] = manyAsk{ask.ID, titled[ask.Spec.Title.Raw()]}
	}
	return m
}

// submit answers one form and returns how long its result took to arrive at the
// waiting client, in milliseconds.
func (m *manyServers) submit(i int) float64 {
	m.t.Helper()
	begun := time.Now()
	if _, err := m.store.Settle(m.t.Context(), m.asks[i].id, typed(m.asks[i].id)); err != nil {
		m.t.Fatal(err)
	}
	got := m.servers[0].Result(m.asks[i].response)
	if text := got.Text(); text != fmt.Sprintf(`{"q":"typed for %s"}`, m.asks[i].id) {
		m.t.Errorf("ask %s was answered %q", m.asks[i].id, text)
	}
	return rig.Milliseconds(got.At.Sub(begun))
}

func typed(askID string) questions.Outcome {
	return questions.Outcome{State: questions.Answered, By: "a person", Reply: questions.Reply{
		Answers: map[string]questions.Value{"q": questions.TextValue("typed for " + askID)},
	}}
}

// delivered waits until every answer is marked as delivered in the store.
func (m *manyServers) delivered() {
	m.t.Helper()
	ids := make([]string, len(m.asks))
	for i, ask := range m.asks {
		ids[i] = ask.id
	}
	rig.Until(m.t, "every answer counts as delivered", func() bool {
		asks, err := m.store.AsksNow(m.t.Context(), ids...)
		if err != nil {
			m.t.Fatal(err)
		}
		for _, ask := range asks {
			if ask.Delivered.IsZero() {
				return false
			}
		}
		return true
	})
}

func (m *manyServers) stop() {
	var all sync.WaitGroup
	for _, w := range m.servers {
		all.Go(w.Stop)
	}
	all.Wait()
}

// Many answers arrive at once at many servers on one store. Each comes to the
// call that waits for it, and no server waits for ever.
func TestManyServersOnOneStore(t *testing.T) {
	t.Parallel()
	m := startMany(t, 5, 20)
	var all sync.WaitGroup
	for person := range 4 {
		all.Go(func() {
			for i := person; i < len(m.asks); i += 4 {
				if _, err := m.store.Settle(t.Context(), m.asks[i].id, typed(m.asks[i].id)); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	for _, ask := range m.asks {
		// After the answer, the result tells of other forms of the same
		// session.
		got := m.servers[0].Result(ask.response)
		if text, want := got.Text(), fmt.Sprintf(`{"q":"typed for %s"}`, ask.id); len(text) < len(want) || text[:len(want)] != want {
			t.Errorf("ask %s was answered %q", ask.id, text)
		}
	}
	m.delivered()
	m.stop()
}

// measureManyServers measures how long answers take, one after another, while
// fifty servers wait for three hundred of them on one store. It also measures
// how long the tools of one server take meanwhile.
func measureManyServers(t testing.TB) []figure {
	const servers, asks, looks, slowest = 50, 300, 60, 20
	m := startMany(t, servers, asks)
	commit := commits(t, t.TempDir())
	var look, write sample
	for i := range looks {
		w := m.servers[i%servers]
		look = append(look, w.CallTimed("get_answer", map[string]any{"askId": m.asks[i].id, "waitSeconds": 0}))
		write = append(write, w.CallTimed("init_planb_session", map[string]any{"title": "Another"}))
	}
	var took, alone sample
	for i := range m.asks {
		took, alone = append(took, m.submit(i)), append(alone, commit())
	}
	m.delivered()
	m.stop()
	where := fmt.Sprintf("%d servers, %d asks waiting: ", servers, asks)
	beside := fmt.Sprintf("one commit on this disk: %s ms", digits(alone.median()))
	return []figure{
		{what: where + "get_answer", metric: "look-ms", unit: "ms", most: 20, got: look.median(), spread: look.quartiles(), floor: "slowest: " + digits(look.quantile(1)) + " ms"},
		{what: where + "init", metric: "write-ms", unit: "ms", most: 20, got: write.median(), spread: write.quartiles(), floor: "slowest: " + digits(write.quantile(1)) + " ms"},
		{what: where + "an answer", metric: "answer-ms", unit: "ms", bare: true, got: took.median(), spread: took.quartiles(), floor: beside},
		{what: "  the slowest answer beside the median", metric: "slowest-ratio", unit: "×", most: slowest, got: took.quantile(1) / took.median(), floor: "slowest: " + digits(took.quantile(1)) + " ms"},
	}
}
