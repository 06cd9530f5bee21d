package mcptest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"planb/mcp"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/store/tasks"
)

// AnswerUnheard has the agent ask, cancel, and the person answer after that.
func AnswerUnheard(w *World, c *Client, session, name string) string {
	w.T.Helper()
	ask := CancelledAsk(w, c, session)
	Until(w.T, "its process says that it lives", func() bool {
		alive, err := w.Store.AliveAny(w.T.Context(), store.AskerClaims(ask.ID))
		return alive && err == nil
	})
	w.Submit(ask.ID, name)
	return ask.ID
}

// World is a server over a store that tests look into.
type World struct {
	T     testing.TB
	Store *store.Store
	*mcp.Server
}

// NewWorld returns a server that opens nothing unless the change says otherwise.
func NewWorld(t testing.TB, change func(*mcp.Config)) *World {
	t.Helper()
	s := store.New(kvtest.NewMap(), StoreOptions())
	return WorldOver(t, s, change)
}

// StoreOptions are those of a store that can read the review that approves tasks.
func StoreOptions() store.Options {
	return store.Options{By: "you@example", Tasks: tasks.Options{Verdict: func(answer string) (tasks.Verdict, error) {
		said, err := review.Parse([]byte(answer))
		return tasks.Verdict{Digest: said.Digest, Approves: said.Verdict.Approves(), Withheld: said.Withheld, Edited: said.Edited}, err
	}}}
}

// WorldOver is NewWorld over a store.
func WorldOver(t testing.TB, s *store.Store, change func(*mcp.Config)) *World {
	t.Helper()
	cfg := mcp.Config{
		Store: s, DataDir: t.TempDir(), NoOpen: true, Version: "1.2.3",
		WorkingDir: "/srv/project", Executable: "/opt/planb", AnswerTimeout: 24 * time.Hour, DraftDedup: 10 * time.Minute,
	}
	if change != nil {
		change(&cfg)
	}
	return &World{T: t, Store: s, Server: mcp.New(cfg)}
}

// Until polls until what is expected is there.
func Until(t testing.TB, what string, there func() bool) {
	t.Helper()
	deadline := time.Now().Add(Patience)
	for !there() {
		if time.Now().After(deadline) {
			t.Fatalf("waited in vain: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// Opened waits until that many asks are open, and returns them, oldest first.
func (w *World) Opened(n int) []store.Ask {
	w.T.Helper()
	var asks []store.Ask
	Until(w.T, fmt.Sprintf("%d open asks", n), func() bool {
		var err error
		asks, err = w.Store.Waiting(context.Background())
		if err != nil {
			w.T.Fatal(err)
		}
		return len(asks) == n
	})
	return asks
}

// Ask is the ask as it is now.
func (w *World) Ask(id string) store.Ask {
	w.T.Helper()
	ask, err := w.Store.Ask(context.Background(), id)
	if err != nil {
		w.T.Fatal(err)
	}
	return ask
}

// Settle gives the ask an outcome.
func (w *World) Settle(id string, outcome questions.Outcome) {
	w.T.Helper()
	if _, err := w.Store.Settle(context.Background(), id, outcome); err != nil {
		w.T.Fatal(err)
	}
}

// Submit answers the one question of the ask.
func (w *World) Submit(id, name string) {
	w.T.Helper()
	w.Settle(id, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{"name": questions.TextValue(name)},
	}})
}

// Delivered reports whether the agent has the ask's outcome.
func (w *World) Delivered(id string) bool { return !w.Ask(id).Delivered.IsZero() }

// Waits reports whether a form would tell its person that an agent waits.
func (w *World) Waits(askID string) bool {
	w.T.Helper()
	alive, err := w.Store.AliveAny(context.Background(), store.WaitClaims(askID))
	if err != nil {
		w.T.Fatal(err)
	}
	return alive
}

// CancelledAsk asks, cancels the call once it waits, and returns the ask.
func CancelledAsk(w *World, c *Client, session string) store.Ask {
	w.T.Helper()
	id := c.StartTool("ask_user", OneQuestion(session))
	ask := w.Opened(1)[0]
	Until(w.T, "the agent waits", func() bool { return w.Waits(ask.ID) })
	c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
	Until(w.T, "nobody waits any more", func() bool { return !w.Waits(ask.ID) })
	return ask
}

// WaitingNow are the open asks.
func (w *World) WaitingNow() []store.Ask {
	w.T.Helper()
	asks, err := w.Store.Waiting(w.T.Context())
	if err != nil {
		w.T.Fatal(err)
	}
	return asks
}

// Answers is a reply: ids of questions, each with its value.
func Answers(pairs ...any) questions.Reply {
	reply := questions.Reply{Answers: map[string]questions.Value{}}
	for i := 0; i < len(pairs); i += 2 {
		reply.Answers[pairs[i].(string)] = pairs[i+1].(questions.Value)
	}
	return reply
}

// EntryOf is the entry of a form that a person has begun to fill in.
func EntryOf(name string) questions.Entry {
	return questions.Entry{Fields: map[string]questions.Field{"name": {Text: safe.New(name)}}}
}

// Titled is OneQuestion with another title.
func Titled(session, title string) map[string]any {
	args := OneQuestion(session)
	args["title"] = title
	return args
}
