package mcp_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

// answerUnheard has the agent ask, cancel, and the person answer after that.
func answerUnheard(w *world, c *client, session, name string) string {
	w.t.Helper()
	ask := cancelledAsk(w, c, session)
	until(w.t, "its process says that it lives", func() bool {
		alive, err := w.store.AliveAny(w.t.Context(), store.AskerClaims(ask.ID))
		return alive && err == nil
	})
	w.submit(ask.ID, name)
	return ask.ID
}

// Agents of any client begin other work in the directory of one that lives. They are
// told that there is an answer, and the one that asked gets it.
func TestAnAnswerGoesToTheAgentThatAsked(t *testing.T) {
	engine := kvtest.NewMap()
	server := func() *world { return worldOver(t, store.New(engine, store.Options{}), nil) }
	w := server()
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	ask := answerUnheard(w, c, session, "harbour")
	for _, name := range []string{"test", "another"} {
		other := connect(t, server().Server)
		other.initialize(name)
		got := other.tool("init_planb_session", nil)
		want := fmt.Sprintf(`The user answered "One thing" (session %s). The answer is for the agent that asked; to read it, call get_answer {"askId":%q}.`, session, ask)
		if texts := got.texts(); len(texts) != 2 || texts[1] != want || fmt.Sprint(got.data["unread"]) != "["+ask+"]" {
			t.Errorf("%s is told %q", name, texts)
		}
		if got := other.tool("get_answer", map[string]any{"askId": ask}); got.texts()[0] != `{"name":"harbour"}` {
			t.Errorf("%s fetches %q", name, got.text())
		}
		if w.delivered(ask) {
			t.Fatalf("it counts as delivered to %s", name)
		}
	}
	// Another session of the very agent is another piece of work, too.
	if got := c.tool("init_planb_session", nil); strings.Contains(got.text(), "harbour") {
		t.Errorf("another session of the agent is told %q", got.text())
	}
	got := c.tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan"})
	if !strings.Contains(got.text(), `(askId `+ask+`): {"name":"harbour"}`) {
		t.Errorf("the agent that asked is told %q", got.text())
	}
	until(t, "it counts as delivered", func() bool { return w.delivered(ask) })
}

// Once the process that asked is gone, its answer goes to the person's next agent of
// the same client, and to no other.
func TestAnAnswerIsInheritedByTheSameClient(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	ask := answerUnheard(w, c, c.session(), "harbour")
	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	other := connect(t, w.Server)
	other.initialize("another")
	if got := other.tool("init_planb_session", nil); strings.Contains(got.text(), "harbour") || !strings.Contains(got.text(), ask) {
		t.Errorf("another client is told %q", got.text())
	}
	if got := other.tool("get_answer", map[string]any{"askId": ask}); got.texts()[0] != `{"name":"harbour"}` || w.delivered(ask) {
		t.Errorf("another client fetches %q; delivered: %v", got.text(), w.delivered(ask))
	}
	next := connect(t, w.Server)
	next.initialize("test")
	if got := next.tool("init_planb_session", nil); !strings.Contains(got.text(), `{"name":"harbour"}`) {
		t.Errorf("the same client is told %q", got.text())
	}
	until(t, "it counts as delivered", func() bool { return w.delivered(ask) })
}

// The server names what it itself has asked before and nobody answered.
func TestANewSessionIsToldOfItsServersOpenQuestions(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	waits := c.startTool("ask_user", oneQuestion(c.session()))
	ask := w.opened(1)[0]
	until(t, "the agent waits", func() bool { return w.waits(ask.ID) })
	if got := c.tool("init_planb_session", nil); !strings.Contains(got.text(), ask.ID) || !strings.Contains(got.text(), "leave it to that one") {
		t.Errorf("while a call waits: %q", got.text())
	}
	c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(waits)})
	until(t, "nobody waits any more", func() bool { return !w.waits(ask.ID) })
	if got := c.tool("init_planb_session", nil); !strings.Contains(got.text(), `call get_answer {"askId":"`+ask.ID+`"}`) {
		t.Errorf("afterwards: %q", got.text())
	}
}

// The old container was killed, and nobody can look into it from the new one: its
// answer is delivered once its claims are seen to stand still.
func TestAKilledContainersAnswerIsDeliveredToTheNext(t *testing.T) {
	engine := kvtest.NewMap()
	const ttl = 200 * time.Millisecond
	look := &world{t: t, store: store.New(engine, store.Options{})}
	next := worldOver(t, store.New(engine, store.Options{Machine: "shop", TTL: ttl}), nil)
	w := worldOver(t, store.New(engine, store.Options{Machine: "shop"}), nil)
	c := connect(t, w.Server)
	c.initialize("test")
	ask := answerUnheard(w, c, c.session(), "harbour")
	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	claimFromAnotherContainer(t, engine, ask, ttl)
	rebuilt := connect(t, next.Server)
	rebuilt.initialize("test")
	if got := rebuilt.tool("init_planb_session", nil); !strings.Contains(got.text(), ask) {
		t.Errorf("it is told %q", got.text())
	}
	if got := rebuilt.tool("get_answer", map[string]any{"askId": ask}); got.texts()[0] != `{"name":"harbour"}` {
		t.Errorf("it fetches %q", got.text())
	}
	until(t, "it counts as delivered", func() bool { return look.delivered(ask) })
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

// The next agent has an answer only when it was told all of it.
func TestAKilledContainersLongAnswerIsDeliveredWithItsEnd(t *testing.T) {
	timed(t, "in two parts", func(t *testing.T) {
		engine := kvtest.NewMap()
		server := func() *world { return worldOver(t, store.New(engine, store.Options{Machine: "shop"}), nil) }
		w := server()
		c := connect(t, w.Server)
		c.initialize("test")
		ask := answerUnheard(w, c, c.session(), strings.Repeat("harbour ", 2000))
		if err := c.end(); err != nil {
			t.Fatal(err)
		}
		claimFromAnotherContainer(t, engine, ask, store.DefaultTTL)
		part := func(c *client, offset int) answer {
			got := c.tool("get_answer", map[string]any{"askId": ask, "question": "name", "offset": offset})
			time.Sleep(4 * store.DefaultTTL)
			return got
		}
		next := connect(t, server().Server)
		next.initialize("test")
		begun := part(next, 0).texts()
		if len(begun) < 2 || w.delivered(ask) {
			t.Fatalf("after %d characters of it, delivered: %v", len(begun[0]), w.delivered(ask))
		}
		if got := part(next, len(begun[0])); !strings.Contains(got.text(), "That is the end") || !w.delivered(ask) {
			t.Errorf("after %q, delivered: %v", got.texts()[1:], w.delivered(ask))
		}
	})
}
