package wait_test

import (
	"testing"

	"planb/mcp/mcptest"
	"planb/plans/review"
	"planb/store"
)

// A review that gave way to a newer one has no outcome that its agent could learn: the server
// claims no longer that the agent is to learn it.
func TestAReviewThatGaveWayIsClaimedNoMore(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Planned(t, nil)
	claimed := func(ask store.Ask) bool {
		alive, err := w.Store.AliveAny(t.Context(), store.AskerClaims(ask.ID))
		if err != nil {
			t.Fatal(err)
		}
		return alive
	}
	call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
	first := w.Opened(1)[0]
	mcptest.Until(t, "the first review is claimed", func() bool { return claimed(first) })
	c.Cancel(call)
	mcptest.Until(t, "the call waits no more", func() bool { return !w.Waits(first.ID) })

	c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# Another plan"})
	call = c.StartTool("submit_plan", map[string]any{"sessionId": session})
	mcptest.Until(t, "the second review is open", func() bool { open := w.WaitingNow(); return len(open) == 1 && open[0].ID != first.ID })
	second := w.Ask(w.WaitingNow()[0].ID)
	mcptest.Until(t, "the second review is claimed", func() bool { return claimed(second) })
	mcptest.Until(t, "the first review is claimed no more", func() bool { return !claimed(first) })
	w.Settle(second.ID, mcptest.Says(t, "# Another plan", review.Review{Verdict: review.Approve}))
	c.Answer(call)
	mcptest.Until(t, "the second is claimed no more", func() bool { return !claimed(second) })
}
