package wait_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/mcp/mcptest"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// Agents of any client begin other work in the directory of one that lives. They are
// told that there is an answer, and the one that asked gets it.
func TestAnAnswerGoesToTheAgentThatAsked(t *testing.T) {
	t.Parallel()
	engine := kvtest.NewMap()
	server := func() *mcptest.World { return mcptest.WorldOver(t, store.New(engine, store.Options{}), nil) }
	w := server()
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	ask := mcptest.AnswerUnheard(w, c, session, "harbour")
	for _, name := range []string{"test", "another"} {
		other := mcptest.Connect(t, server().Server)
		other.Initialize(name)
		got := other.Tool("init_planb_session", nil)
		want := fmt.Sprintf(`The user answered "One thing" (session %s). The answer is for the agent that asked; to read it, call get_answer {"askId":%q}.`, session, ask)
		if texts := got.Texts(); len(texts) != 2 || texts[1] != want || fmt.Sprint(got.Data["unread"]) != "["+ask+"]" {
			t.Errorf("%s is told %q", name, texts)
		}
		if got := other.Tool("get_answer", map[string]any{"askId": ask}); got.Texts()[0] != `{"name":"harbour"}` {
			t.Errorf("%s fetches %q", name, got.Text())
		}
		if w.Delivered(ask) {
			t.Fatalf("it counts as delivered to %s", name)
		}
	}
	// Another session of the very agent is another piece of work, too.
	if got := c.Tool("init_planb_session", nil); strings.Contains(got.Text(), "harbour") {
		t.Errorf("another session of the agent is told %q", got.Text())
	}
	got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan"})
	if !strings.Contains(got.Text(), `(askId `+ask+`): {"name":"harbour"}`) {
		t.Errorf("the agent that asked is told %q", got.Text())
	}
	mcptest.Until(t, "it counts as delivered", func() bool { return w.Delivered(ask) })
}

// Once the process that asked is gone, its answer goes to the person's next agent of
// the same client, and to no other.
func TestAnAnswerIsInheritedByTheSameClient(t *testing.T) {
	t.Parallel()
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	ask := mcptest.AnswerUnheard(w, c, c.Session(), "harbour")
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	other := mcptest.Connect(t, w.Server)
	other.Initialize("another")
	if got := other.Tool("init_planb_session", nil); strings.Contains(got.Text(), "harbour") || !strings.Contains(got.Text(), ask) {
		t.Errorf("another client is told %q", got.Text())
	}
	if got := other.Tool("get_answer", map[string]any{"askId": ask}); got.Texts()[0] != `{"name":"harbour"}` || w.Delivered(ask) {
		t.Errorf("another client fetches %q; delivered: %v", got.Text(), w.Delivered(ask))
	}
	next := mcptest.Connect(t, w.Server)
	next.Initialize("test")
	if got := next.Tool("init_planb_session", nil); !strings.Contains(got.Text(), `{"name":"harbour"}`) {
		t.Errorf("the same client is told %q", got.Text())
	}
	mcptest.Until(t, "it counts as delivered", func() bool { return w.Delivered(ask) })
}

// The server also names open questions that it asked itself.
func TestANewSessionIsToldOfItsServersOpenQuestions(t *testing.T) {
	t.Parallel()
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	waits := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
	ask := w.Opened(1)[0]
	mcptest.Until(t, "the agent waits", func() bool { return w.Waits(ask.ID) })
	if got := c.Tool("init_planb_session", nil); !strings.Contains(got.Text(), ask.ID) || !strings.Contains(got.Text(), "leave it to that one") {
		t.Errorf("while a call waits: %q", got.Text())
	}
	c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(waits)})
	mcptest.Until(t, "nobody waits any more", func() bool { return !w.Waits(ask.ID) })
	if got := c.Tool("init_planb_session", nil); !strings.Contains(got.Text(), `call get_answer {"askId":"`+ask.ID+`"}`) {
		t.Errorf("afterwards: %q", got.Text())
	}
}

// The old container was killed, and the new one cannot look into it. Its answer is
// delivered once its claims stand still.
func TestAKilledContainersAnswerIsDeliveredToTheNext(t *testing.T) {
	t.Parallel()
	engine := kvtest.NewMap()
	const ttl = 200 * time.Millisecond
	look := &mcptest.World{T: t, Store: store.New(engine, store.Options{})}
	next := mcptest.WorldOver(t, store.New(engine, store.Options{Machine: "shop", TTL: ttl}), nil)
	w := mcptest.WorldOver(t, store.New(engine, store.Options{Machine: "shop"}), nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	ask := mcptest.AnswerUnheard(w, c, c.Session(), "harbour")
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	claimFromAnotherContainer(t, engine, ask, ttl)
	rebuilt := mcptest.Connect(t, next.Server)
	rebuilt.Initialize("test")
	if got := rebuilt.Tool("init_planb_session", nil); !strings.Contains(got.Text(), ask) {
		t.Errorf("it is told %q", got.Text())
	}
	if got := rebuilt.Tool("get_answer", map[string]any{"askId": ask}); got.Texts()[0] != `{"name":"harbour"}` {
		t.Errorf("it fetches %q", got.Text())
	}
	mcptest.Until(t, "it counts as delivered", func() bool { return look.Delivered(ask) })
}

// claimFromAnotherContainer leaves the claim that a killed container has on the ask.
func claimFromAnotherContainer(t *testing.T, engine kv.Engine, ask string, ttl time.Duration) {
	t.Helper()
	claim, err := json.Marshal(map[string]any{"v": 1, "owner": "killed", "counter": 7, "ttl": ttl, "pid": 1, "boot": "another pid:[1]", "host": "shop"})
	if err != nil {
		t.Fatal(err)
	}
	err = engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: store.AskerClaim(ask, "killed"), Value: claim}}})
	if err != nil {
		t.Fatal(err)
	}
}

// An answer counts as delivered to the next agent only when that was told all of it.
func TestAKilledContainersLongAnswerIsDeliveredWithItsEnd(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "in two parts", func(t *testing.T) {
		engine := kvtest.NewMap()
		server := func() *mcptest.World {
			return mcptest.WorldOver(t, store.New(engine, store.Options{Machine: "shop"}), nil)
		}
		w := server()
		c := mcptest.Connect(t, w.Server)
		c.Initialize("test")
		ask := mcptest.AnswerUnheard(w, c, c.Session(), strings.Repeat("harbour ", 2000))
		if err := c.End(); err != nil {
			t.Fatal(err)
		}
		claimFromAnotherContainer(t, engine, ask, store.DefaultTTL)
		part := func(c *mcptest.Client, offset int) mcptest.Answer {
			got := c.Tool("get_answer", map[string]any{"askId": ask, "question": "name", "offset": offset})
			time.Sleep(4 * store.DefaultTTL)
			return got
		}
		next := mcptest.Connect(t, server().Server)
		next.Initialize("test")
		begun := part(next, 0).Texts()
		if len(begun) < 2 || w.Delivered(ask) {
			t.Fatalf("after %d characters of it, delivered: %v", len(begun[0]), w.Delivered(ask))
		}
		if got := part(next, len(begun[0])); !strings.Contains(got.Text(), "That is the end") || !w.Delivered(ask) {
			t.Errorf("after %q, delivered: %v", got.Texts()[1:], w.Delivered(ask))
		}
	})
}
