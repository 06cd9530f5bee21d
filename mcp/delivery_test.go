package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"planb/mcp"
	"planb/plans/review"
	"planb/questions"
	"planb/store"
)

// waits reports whether a form would tell its person that an agent waits.
func (w *world) waits(askID string) bool {
	w.t.Helper()
	alive, err := w.store.AliveAny(context.Background(), store.WaitClaims(askID))
	if err != nil {
		w.t.Fatal(err)
	}
	return alive
}

// cancelledAsk asks, cancels the call once it waits, and returns the ask.
func cancelledAsk(w *world, c *client, session string) store.Ask {
	w.t.Helper()
	id := c.startTool("ask_user", oneQuestion(session))
	ask := w.opened(1)[0]
	until(w.t, "the agent waits", func() bool { return w.waits(ask.ID) })
	c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(id)})
	until(w.t, "nobody waits any more", func() bool { return !w.waits(ask.ID) })
	return ask
}

func TestAnAnswerNobodyFetchedIsAnnouncedUntilItIsDelivered(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	ask := cancelledAsk(w, c, session)
	w.submit(ask.ID, "harbour")

	announced := `An earlier question was answered (askId ` + ask.ID + `): {"name":"harbour"}`
	got := c.tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan"})
	if texts := got.texts(); len(texts) != 2 || texts[1] != announced {
		t.Errorf("got %q, want %q at the end", texts, announced)
	}
	until(t, "it counts as delivered", func() bool { return w.delivered(ask.ID) })
	if again := c.tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan 2"}); len(again.texts()) != 1 {
		t.Errorf("it is announced again: %q", again.texts())
	}
}

func TestErrorsOfTheSessionAnnounceToo(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	ask := cancelledAsk(w, c, session)
	w.settle(ask.ID, questions.Outcome{State: questions.Declined})
	got := c.tool("save_plan", map[string]any{"sessionId": session})
	want := `An earlier question was declined (askId ` + ask.ID + `): User cancelled.`
	if texts := got.texts(); !got.IsError || !strings.HasPrefix(texts[len(texts)-1], want) {
		t.Errorf("got %q, want %q at the end", texts, want)
	}
}

func TestTheNextSessionOfTheProjectLearnsWhatWasNeverDelivered(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	ask := cancelledAsk(w, c, session)
	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	w.submit(ask.ID, "harbour")

	elsewhere := connect(t, w.Server)
	elsewhere.initialize("test")
	if got := elsewhere.tool("init_planb_session", map[string]any{"projectPath": t.TempDir()}); len(got.texts()) != 1 {
		t.Errorf("another project is told %q", got.texts())
	}
	got := elsewhere.tool("init_planb_session", nil)
	want := `From session ` + session + ` of this project, "One thing": An earlier question was answered (askId ` + ask.ID + `): {"name":"harbour"}`
	if texts := got.texts(); len(texts) != 2 || texts[1] != want {
		t.Errorf("got %q, want %q", texts, want)
	}
	until(t, "it counts as delivered", func() bool { return w.delivered(ask.ID) })
}

// The next session learns of a verdict where the plan is that it may carry out.
func TestTheNextSessionLearnsWhereTheApprovedPlanIs(t *testing.T) {
	a := newAuthor(t, nil)
	earlier := connect(t, a.Server)
	earlier.initialize("test")
	earlier.tool("write_plan", map[string]any{"planName": "harbour", "content": reviewedPlan})
	earlier.startTool("submit_plan", map[string]any{"planName": "harbour"})
	ask := a.opened(1)[0]
	if err := earlier.end(); err != nil {
		t.Fatal(err)
	}
	a.settle(ask.ID, says(t, reviewedPlan, review.Review{Verdict: review.Approve}))
	var got string
	until(t, "the agent that submitted is known to be gone", func() bool {
		got = a.tool("init_planb_session", nil).text()
		return strings.Contains(got, `{"approved":true}`)
	})
	if !strings.HasSuffix(got, "\nThe plan that was reviewed: "+a.file("harbour")) {
		t.Errorf("the session begins with %q", got)
	}
}

// An agent that has lost everything, the session's id too, finds its question.
func TestTheNextSessionOfTheProjectLearnsWhatIsOpen(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	ask := cancelledAsk(w, c, session)
	if err := c.end(); err != nil {
		t.Fatal(err)
	}

	again := connect(t, w.Server)
	again.initialize("test")
	if got := again.tool("get_answer", nil); !got.IsError || !strings.Contains(got.text(), "call init_planb_session") {
		t.Errorf("without any id: %q", got.text())
	}
	if got := again.tool("init_planb_session", map[string]any{"projectPath": t.TempDir()}); len(got.texts()) != 1 {
		t.Errorf("another project is told %q", got.texts())
	}
	got := again.tool("init_planb_session", nil)
	want := `Session ` + session + ` of this project has a question open, "One thing", that the user has not answered yet. ` +
		`If you still need the answer, call get_answer {"askId":"` + ask.ID + `"}; else leave it to the user.`
	if texts := got.texts(); len(texts) != 2 || texts[1] != want || fmt.Sprint(got.data["stillOpen"]) != "["+ask.ID+"]" {
		t.Fatalf("got %q, want %q", texts, want)
	}
	call := again.startTool("get_answer", map[string]any{"askId": ask.ID})
	until(t, "the agent waits", func() bool { return w.waits(ask.ID) })
	if other := again.tool("init_planb_session", nil); len(other.texts()) != 2 || !strings.HasSuffix(other.texts()[1], "leave it to that one.") {
		t.Errorf("of what an agent waits for another is told %q", other.texts())
	}
	w.submit(ask.ID, "harbour")
	if got := again.answer(call); got.texts()[0] != `{"name":"harbour"}` {
		t.Errorf("got %q", got.text())
	}
}

// However many are open, a few are named, the newest first.
func TestNotEveryOpenQuestionIsNamed(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	for i := range 8 {
		args := oneQuestion(session)
		args["title"] = fmt.Sprint("Question ", i)
		c.startTool("ask_user", args)
		w.opened(i + 1)
	}
	asks := w.opened(8)
	wait := func(waits bool) func() bool {
		return func() bool {
			return !slices.ContainsFunc(asks, func(ask store.Ask) bool { return w.waits(ask.ID) != waits })
		}
	}
	until(t, "every call says that it waits", wait(true))
	if err := c.end(); err != nil {
		t.Fatal(err)
	}
	until(t, "none waits any more", wait(false))
	again := connect(t, w.Server)
	again.initialize("test")
	got := again.tool("init_planb_session", nil)
	if named := fmt.Sprint(got.data["stillOpen"]); len(got.texts()) != 6 || !strings.HasPrefix(named, "["+asks[7].ID+" "+asks[6].ID) {
		t.Errorf("got %q", got.texts())
	}
}

func TestTheSameAskAttaches(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()

	// While it is open: both calls get the answer.
	first := c.startTool("ask_user", oneQuestion(session))
	ask := w.opened(1)[0]
	second := c.startTool("ask_user", oneQuestion(session))
	until(t, "the second call attached", func() bool { return w.ask(ask.ID).Asked.After(ask.Asked) })
	w.submit(ask.ID, "harbour")
	for _, call := range []string{first, second} {
		if got := c.answer(call); got.text() != `{"name":"harbour"}` {
			t.Errorf("got %q", got.text())
		}
	}

	// Once delivered: a new form.
	third := c.startTool("ask_user", oneQuestion(session))
	fresh := w.opened(1)[0]
	if fresh.ID == ask.ID {
		t.Fatal("a delivered answer was asked for again and the same ask came back")
	}
	c.notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(third)})
	c.request("ping", nil) // lines are taken in order, so the cancellation is

	// Answered but never delivered: that answer.
	w.submit(fresh.ID, "lighthouse")
	if got := c.tool("ask_user", oneQuestion(session)); got.texts()[0] != `{"name":"lighthouse"}` {
		t.Errorf("got %q", got.text())
	}
}

// A client that asks again the moment it has read the answer must not be given
// the same answer for its new question.
func TestAYesIsNeverReplayed(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	seen := map[string]bool{}
	for i := range 20 {
		call := c.startTool("ask_user", oneQuestion(session))
		ask := w.opened(1)[0]
		if seen[ask.ID] {
			t.Fatalf("round %d attached to an ask that was answered", i)
		}
		seen[ask.ID] = true
		w.submit(ask.ID, fmt.Sprint(i))
		if got, want := c.answer(call).text(), fmt.Sprintf(`{"name":"%d"}`, i); got != want {
			t.Fatalf("round %d got %q, want %q", i, got, want)
		}
	}
}

// slowToDeliver marks nothing as delivered until it may, and tells when what is
// due was looked up.
type slowToDeliver struct {
	mcp.Store
	may    chan struct{}
	looked chan struct{}
}

func (s slowToDeliver) Deliver(ctx context.Context, askIDs ...string) error {
	select {
	case <-s.may:
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Store.Deliver(ctx, askIDs...)
}

func (s slowToDeliver) Due(ctx context.Context, session string) ([]store.Ask, error) {
	due, err := s.Store.Due(ctx, session)
	s.looked <- struct{}{}
	return due, err
}

// An answer that was just written is still due in the store for a moment.
func TestAnAnswerOnItsWayIsNotToldAgain(t *testing.T) {
	slow := slowToDeliver{may: make(chan struct{}), looked: make(chan struct{}, 1)}
	w := newWorld(t, func(cfg *mcp.Config) {
		slow.Store = cfg.Store
		cfg.Store = slow
	})
	c := connect(t, w.Server)
	c.initialize("test")
	session := c.session()
	call := c.startTool("ask_user", oneQuestion(session))
	ask := w.opened(1)[0]
	w.submit(ask.ID, "harbour")
	if got := c.answer(call).text(); got != `{"name":"harbour"}` {
		t.Fatalf("got %q", got)
	}
	again := c.startTool("get_answer", map[string]any{"sessionId": session})
	<-slow.looked
	close(slow.may)
	if got := c.answer(again).text(); !strings.HasPrefix(got, "Nothing waits in this session") {
		t.Errorf("the same answer was told again: %q", got)
	}
}

func TestCancelLeavesTheAskOpenAndSaysSo(t *testing.T) {
	w := newWorld(t, nil)
	c := connect(t, w.Server)
	c.initialize("test")
	ask := cancelledAsk(w, c, c.session())
	if !w.ask(ask.ID).Open() {
		t.Error("the ask did not stay open")
	}
}

func TestAnAnswerThatCouldNotBeWrittenIsNotDelivered(t *testing.T) {
	w := newWorld(t, nil)
	in := &lines{}
	out := &failingWriter{failAfter: 2}
	served := make(chan error, 1)
	go func() { served <- w.Serve(t.Context(), in, out) }()
	in.add(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"},"capabilities":{}}}`)
	in.add(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session"}}`)
	until(t, "a session", func() bool { return out.count() == 2 })
	sessions, _, err := w.store.Sessions(t.Context(), "", 10)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%v, %v", sessions, err)
	}
	args, err := json.Marshal(oneQuestion(sessions[0].ID))
	if err != nil {
		t.Fatal(err)
	}
	in.add(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":` + string(args) + `}}`)
	ask := w.opened(1)[0]
	w.submit(ask.ID, "harbour")
	until(t, "the write has failed", func() bool { return out.count() > 2 })
	in.close()
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	if w.delivered(ask.ID) {
		t.Error("an answer that never left counts as delivered")
	}
}
