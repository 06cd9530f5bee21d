package tasks_test

import (
	"strings"
	"testing"

	"planb/mcp/mcptest"
	"planb/plans/review"
	"planb/questions/safe"
)

// A verdict that an agent was not told, because it gave its call up, keeps no other agent of the
// plan from asking the user: about an amendment of what was approved, or again after a refusal.
func TestAVerdictThatAnotherAgentHasNotHeardBlocksNoReview(t *testing.T) {
	t.Parallel()
	for _, client := range []string{"test", "other"} {
		for name, said := range map[string]review.Review{
			"approved": {Verdict: review.Approve},
			"refused":  {Verdict: review.RequestChanges, Note: safe.New("Sell books.")},
		} {
			t.Run(client+" "+name, func(t *testing.T) {
				t.Parallel()
				s := newScene(t, nil)
				proposed(s)
				call := s.StartTool("approve_plan", args{"planId": s.plan})
				first := s.Opened(1)[0]
				s.Cancel(call)
				mcptest.Until(t, "the call waits no more", func() bool { return !s.Waits(first.ID) })
				s.approves(said)

				other := s.another(client)
				if got := other.Tool("propose_plan", args{"planId": s.plan, "title": "Open the shop", "tasks": []any{args{"nodeKey": "sell", "title": "Sell books"}}}); got.IsError {
					t.Fatal(got.Text())
				}
				got := other.Tool("approve_plan", args{"planId": s.plan})
				if object(t, got)["approved"] != (name == "approved") {
					t.Errorf("the first call tells %q", got.Texts())
				}
				call = other.StartTool("approve_plan", args{"planId": s.plan})
				s.approves(review.Review{Verdict: review.Approve})
				if got := other.Answer(call); !strings.Contains(got.Text(), `"sell"`) && object(t, got)["approved"] != true {
					t.Errorf("the verdict on the proposal is told as %q", got.Texts())
				}
			})
		}
	}
}
