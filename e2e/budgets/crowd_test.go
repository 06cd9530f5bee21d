package budgets_test

import (
	"fmt"
	"testing"

	"planb/e2e/rig"
	"planb/store"
)

// measureCrowd measures how long other tools take while 300 calls wait for a
// person. It compares them with a server where one call waits.
func measureCrowd(t testing.TB) []figure {
	const asks, rounds = 300, 60
	crowded, crowdedID := startCrowd(t, asks)
	quiet, quietID := startCrowd(t, 1)
	look := func(w *rig.TimedClient, id string) func() float64 {
		return func() float64 { return w.CallTimed("get_answer", map[string]any{"askId": id, "waitSeconds": 0}) }
	}
	write := func(w *rig.TimedClient) func() float64 {
		return func() float64 { return w.CallTimed("init_planb_session", map[string]any{"title": "Another"}) }
	}
	tell := func(what, metric string, p paired) figure {
		return figure{
			what: fmt.Sprintf("%d asks waiting: %s", asks, what), metric: metric, unit: "ms", most: 20,
			got: p.ours.median(), spread: p.ours.quartiles(),
			floor: fmt.Sprintf("one waiting: %s ms (slowest with %d: %s ms)", digits(p.floor.median()), asks, digits(p.ours.quantile(1))),
		}
	}
	return []figure{
		tell("init_planb_session answers", "write-ms", pairs(rounds, write(crowded), write(quiet))),
		tell("get_answer without waiting", "look-ms", pairs(rounds, look(crowded, crowdedID), look(quiet, quietID))),
	}
}

// startCrowd starts a server with that many calls waiting for a person. It
// returns the id of the oldest ask.
func startCrowd(t testing.TB, asks int) (*rig.TimedClient, string) {
	t.Helper()
	dataDir := t.TempDir()
	w := rig.StartTimedClient(t, serverVariables(dataDir, "ASK_NO_OPEN=1"), rig.Planb(t), "mcp", "--wait", "1h")
	w.Initialize()
	var session string
	for i := range asks {
		if i%store.MaxOpen == 0 {
			session = w.Session("A crowd")
		}
		w.CallTool("ask_user", map[string]any{
			"sessionId": session, "title": fmt.Sprintf("Form %d", i),
			"questions": []any{map[string]any{"id": "q", "kind": "text", "label": "What?"}},
		})
	}
	st := rig.OpenStore(t, dataDir)
	var waiting []store.Ask
	rig.Until(t, "all forms wait", func() bool {
		var err error
		if waiting, err = st.Waiting(t.Context()); err != nil {
			t.Fatal(err)
		}
		return len(waiting) == asks
	})
	// Each call has yet to record in the store that it waits, one after
	// another. This call queues up behind them.
	w.Session("The last in the queue")
	return w, waiting[0].ID
}
