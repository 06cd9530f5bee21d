package panes_test

import (
	"strings"
	"testing"

	"planb/e2e/rig"
	"planb/questions/safe"
	"planb/store"
)

// Two versions of a plan. A section has moved, a cell and some words have
// changed, and much is the same.
const (
	planStays = "## Steps\n\n1. Take the lock.\n2. Read what is due.\n3. Send it.\n4. Note what came back.\n5. Give the lock back.\n6. Sleep.\n7. Begin anew.\n\n"
	planMoves = "## Storage\n\nOne table, partitioned by day.\nA partition is dropped after thirty days.\nNothing else is stored.\n\n"
	planRest  = "## Retries\n\n| try | wait |\n|---|---|\n| 1 | 1 s |\n| 2 | 5 s |\n\nThe rest waits.\n\n"
)

// The changes of a plan are shown side by side, or in a narrow terminal one
// below the other, as Markdown and as formatted text.
func TestChangesInATerminal(t *testing.T) {
	t.Parallel()
	tm, data, _ := openHistory(t, 130, 40)
	st := rig.OpenStore(t, data)
	session, err := st.CreateSession(t.Context(), store.Session{Title: safe.New("Deliver again")})
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		"# Delivery\n\nUntil a day has passed.\n\n" + planMoves + planStays + planRest,
		"# Delivery\n\nUntil three days have passed.\n\n" + planStays + strings.Replace(planRest, "5 s", "10 s", 1) + planMoves,
		"# Delivery\n\nNothing is left of it.\n",
	} {
		if _, _, err := st.SavePlan(t.Context(), session.ID, "Delivery, again", text); err != nil {
			t.Fatal(err)
		}
	}
	pane := tm.Open(data, "tui", "retro", session.ID+"@v2")
	tm.Shows(pane, "Delivery, again · v2")
	tm.Keys(pane, "d")
	tm.Shows(pane, "v1 → v2", "+2 −2 · 1 moved · change 1 of 4", "▌ 3 − Until a day has passed.", "│  3 + Until three days have passed.",
		"⇅ “Storage” moved down, to line 24", "⋯ 6 lines, moved unchanged · enter opens", "⋯ 9 lines unchanged · Retries")
	tm.Keys(pane, "n", "n", "n")
	tm.Shows(pane, "change 4 of 4", "▌⇅ “Storage” moved here from above, line 5")
	tm.Keys(pane, "Home", "Enter")
	tm.Shows(pane, "⇅ A partition is dropped after thirty days.")
	tm.Keys(pane, "m")
	tm.Shows(pane, "~ Until a day has three days have passed.", "⇅ “Storage” moved down, after “Retries”", "− 2   │ 5 s", "+ 2   │ 10 s")
	tm.Keys(pane, "m", "u")
	tm.Shows(pane, "5. Give the lock back.")
	tm.Run("resize-window", "-t", pane, "-x", "70", "-y", "24")
	tm.Shows(pane, "change 1 of 4", " 3    − Until a day has passed.", "  3 + Until three days have passed.")
	tm.Keys(pane, "c")
	tm.Shows(pane, "Compare v2 with", "▌ v1", "v3")
	tm.Keys(pane, "Up", "Enter")
	tm.Shows(pane, "v2 → v3", "+1 −27", "− Until three days have passed.")
	tm.Keys(pane, "Escape")
	tm.Shows(pane, "Delivery, again · v2")
}
