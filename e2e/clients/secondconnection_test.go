package clients_test

import (
	"fmt"
	"strings"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/e2e/rig"
	"planb/questions"
	"planb/store"
)

// A server of another project, in another process on the same store, can
// neither read nor write nor forge anything of an agent, even if it knows the
// whole ids. It may only read the answer to an ask whose whole id it has.
func TestASecondProcessReachesNothing(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"}, "--wait", "1h")
	session := a.Session("Kept apart")
	a.Call("save_plan", map[string]any{"sessionId": session, "plan": "# Secret\n"})
	review := a.Start("submit_plan", map[string]any{"sessionId": session})
	look := rig.OpenStore(t, data)
	var asks []store.Ask
	asked := func(n int) {
		rig.Until(t, "the agent waits", func() bool {
			var err error
			if asks, err = look.Asks(t.Context(), session); err != nil {
				t.Fatal(err)
			}
			return len(asks) == n
		})
	}
	asked(1)
	asking := a.Start("ask_user", rig.Arguments(t, session, rig.NameForm))
	asked(2)

	b := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1", "CLAUDE_PROJECT_DIR=" + t.TempDir()}, "--wait", "200ms")
	for tool, args := range map[string]map[string]any{
		"ask_user":    rig.Arguments(t, session, rig.NameForm),
		"save_plan":   {"sessionId": session, "plan": "# Forged\n"},
		"write_plan":  {"sessionId": session, "planName": "forged", "content": "# Forged\n"},
		"submit_plan": {"sessionId": session, "version": 1},
	} {
		want := "Unknown sessionId \"" + session + "\". Call init_planb_session first, then pass the returned id to " + tool + "."
		if got := b.Call(tool, args); !got.IsError || got.String() != want {
			t.Errorf("%s says %q", tool, got)
		}
	}
	for _, ask := range asks {
		for _, id := range []string{ask.ID, store.ShortID(ask.ID)} {
			if got := b.Call("get_answer", map[string]any{"askId": id, "withdraw": true}); !got.IsError {
				t.Errorf("withdrawing %s says %q", id, got)
			}
		}
		b.ForgeReply(ask.ID)
	}
	resource := sdk.ReadResourceRequest{}
	resource.Params.URI = "planb://sessions/" + session
	if read, err := b.Client.ReadResource(t.Context(), resource); err == nil {
		t.Errorf("the session is read: %v", read)
	}
	for _, ask := range asks {
		now, err := look.Ask(t.Context(), ask.ID)
		if err != nil || now.Outcome.State != questions.Pending || len(now.TooLate) > 0 {
			t.Errorf("the ask is %s with %d late, %v", now.Outcome.State, len(now.TooLate), err)
		}
	}
	if plans, err := look.Plans(t.Context(), session); err != nil || len(plans) != 1 {
		t.Errorf("the session has %d versions, %v", len(plans), err)
	}
	if review.Early() != nil || asking.Early() != nil {
		t.Error("the agent does not wait any more")
	}

	if _, err := look.Settle(t.Context(), asks[1].ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{"name": questions.TextValue("Aurora")},
	}}); err != nil {
		t.Fatal(err)
	}
	for who, got := range map[string]string{
		"the agent that asked": asking.Reply().String(), "who has the whole id": b.Call("get_answer", map[string]any{"askId": asks[1].ID}).String(),
	} {
		if !strings.HasPrefix(got, `{"name":"Aurora"}`) {
			t.Errorf("%s is told %q", who, got)
		}
	}
}

// With --all-projects a server shows its agent the sessions of all projects.
func TestAServerOfAllProjectsShowsThem(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	a := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1"})
	session := a.Session("Elsewhere")
	a.Call("save_plan", map[string]any{"sessionId": session, "plan": "# Seen from afar\n"})
	resource := sdk.ReadResourceRequest{}
	resource.Params.URI = "planb://sessions/" + session
	for _, test := range []struct {
		flags []string
		shown bool
	}{{nil, false}, {[]string{"--all-projects"}, true}} {
		b := rig.StartAgent(t, data, []string{"ASK_NO_OPEN=1", "CLAUDE_PROJECT_DIR=" + t.TempDir()}, test.flags...)
		read, err := b.Client.ReadResource(t.Context(), resource)
		shown := err == nil && strings.Contains(fmt.Sprint(read.Contents), "Elsewhere")
		if shown != test.shown {
			t.Errorf("with the flags %q the session is read as %v, %v", test.flags, read, err)
		}
	}
}
