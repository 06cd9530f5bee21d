package wait_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
	"planb/questions"
	"planb/store"
)

func TestAnAnswerNobodyFetchedIsAnnouncedUntilItIsDelivered(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Started(t)
	ask := mcptest.CancelledAsk(w, c, session)
	w.Submit(ask.ID, "harbour")

	announced := `An earlier question was answered (askId ` + ask.ID + `): {"name":"harbour"}`
	got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan"})
	if texts := got.Texts(); len(texts) != 2 || texts[1] != announced {
		t.Errorf("got %q, want %q at the end", texts, announced)
	}
	mcptest.Until(t, "it counts as delivered", func() bool { return w.Delivered(ask.ID) })
	if again := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# Plan 2"}); len(again.Texts()) != 1 {
		t.Errorf("it is announced again: %q", again.Texts())
	}
}

func TestErrorsOfTheSessionAnnounceToo(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Started(t)
	ask := mcptest.CancelledAsk(w, c, session)
	w.Settle(ask.ID, questions.Outcome{State: questions.Declined})
	got := c.Tool("save_plan", map[string]any{"sessionId": session})
	want := `An earlier question was declined (askId ` + ask.ID + `): User cancelled.`
	if texts := got.Texts(); !got.IsError || !strings.HasPrefix(texts[len(texts)-1], want) {
		t.Errorf("got %q, want %q at the end", texts, want)
	}
}

func TestTheNextSessionOfTheProjectLearnsWhatWasNeverDelivered(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Started(t)
	ask := mcptest.CancelledAsk(w, c, session)
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	w.Submit(ask.ID, "harbour")

	elsewhere := mcptest.Connect(t, w.Server)
	elsewhere.Initialize("test")
	if got := elsewhere.Tool("init_planb_session", map[string]any{"projectPath": t.TempDir()}); len(got.Texts()) != 1 {
		t.Errorf("another project is told %q", got.Texts())
	}
	got := elsewhere.Tool("init_planb_session", nil)
	want := `From session ` + session + ` of this project, "One thing": An earlier question was answered (askId ` + ask.ID + `): {"name":"harbour"}`
	if texts := got.Texts(); len(texts) != 2 || texts[1] != want {
		t.Errorf("got %q, want %q", texts, want)
	}
	mcptest.Until(t, "it counts as delivered", func() bool { return w.Delivered(ask.ID) })
}

// The next session learns of a verdict where the plan is that it may carry out.
func TestTheNextSessionLearnsWhereTheApprovedPlanIs(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	earlier := mcptest.Connect(t, a.Server)
	earlier.Initialize("test")
	earlier.Tool("write_plan", map[string]any{"planName": "harbour", "content": mcptest.ReviewedPlan})
	earlier.StartTool("submit_plan", map[string]any{"planName": "harbour"})
	ask := a.Opened(1)[0]
	if err := earlier.End(); err != nil {
		t.Fatal(err)
	}
	a.Settle(ask.ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.Approve}))
	var got string
	mcptest.Until(t, "the agent that submitted is known to be gone", func() bool {
		got = a.Tool("init_planb_session", nil).Text()
		return strings.Contains(got, `{"approved":true}`)
	})
	if !strings.HasSuffix(got, "\nThe plan that was reviewed: "+a.File("harbour")) {
		t.Errorf("the session begins with %q", got)
	}
}

// An agent that has lost everything, the session's id too, finds its question.
func TestTheNextSessionOfTheProjectLearnsWhatIsOpen(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Started(t)
	ask := mcptest.CancelledAsk(w, c, session)
	if err := c.End(); err != nil {
		t.Fatal(err)
	}

	again := mcptest.Connect(t, w.Server)
	again.Initialize("test")
	if got := again.Tool("get_answer", nil); !got.IsError || !strings.Contains(got.Text(), "call init_planb_session") {
		t.Errorf("without any id: %q", got.Text())
	}
	if got := again.Tool("init_planb_session", map[string]any{"projectPath": t.TempDir()}); len(got.Texts()) != 1 {
		t.Errorf("another project is told %q", got.Texts())
	}
	got := again.Tool("init_planb_session", nil)
	want := `Session ` + session + ` of this project has a question open, "One thing", that the user has not answered yet. ` +
		`If you still need the answer, call get_answer {"askId":"` + ask.ID + `"}; else leave it to the user.`
	if texts := got.Texts(); len(texts) != 2 || texts[1] != want || fmt.Sprint(got.Data["stillOpen"]) != "["+ask.ID+"]" {
		t.Fatalf("got %q, want %q", texts, want)
	}
	call := again.StartTool("get_answer", map[string]any{"askId": ask.ID})
	mcptest.Until(t, "the agent waits", func() bool { return w.Waits(ask.ID) })
	if other := again.Tool("init_planb_session", nil); len(other.Texts()) != 2 || !strings.HasSuffix(other.Texts()[1], "leave it to that one.") {
		t.Errorf("of what an agent waits for another is told %q", other.Texts())
	}
	w.Submit(ask.ID, "harbour")
	if got := again.Answer(call); got.Texts()[0] != `{"name":"harbour"}` {
		t.Errorf("got %q", got.Text())
	}
}

// However many are open, a few are named, the newest first.
func TestNotEveryOpenQuestionIsNamed(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Started(t)
	for i := range 8 {
		args := mcptest.OneQuestion(session)
		args["title"] = fmt.Sprint("Question ", i)
		c.StartTool("ask_user", args)
		w.Opened(i + 1)
	}
	asks := w.Opened(8)
	wait := func(waits bool) func() bool {
		return func() bool {
			return !slices.ContainsFunc(asks, func(ask store.Ask) bool { return w.Waits(ask.ID) != waits })
		}
	}
	mcptest.Until(t, "every call says that it waits", wait(true))
	if err := c.End(); err != nil {
		t.Fatal(err)
	}
	mcptest.Until(t, "none waits any more", wait(false))
	again := mcptest.Connect(t, w.Server)
	again.Initialize("test")
	got := again.Tool("init_planb_session", nil)
	if named := fmt.Sprint(got.Data["stillOpen"]); len(got.Texts()) != 6 || !strings.HasPrefix(named, "["+asks[7].ID+" "+asks[6].ID) {
		t.Errorf("got %q", got.Texts())
	}
}

func TestTheSameAskAttaches(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Started(t)

	// While it is open: both calls get the answer.
	first := c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	second := c.StartTool("ask_user", mcptest.OneQuestion(session))
	mcptest.Until(t, "the second call attached", func() bool { return w.Ask(ask.ID).Asked.After(ask.Asked) })
	w.Submit(ask.ID, "harbour")
	for _, call := range []string{first, second} {
		if got := c.Answer(call); got.Text() != `{"name":"harbour"}` {
			t.Errorf("got %q", got.Text())
		}
	}

	// Once delivered: a new form.
	third := c.StartTool("ask_user", mcptest.OneQuestion(session))
	fresh := w.Opened(1)[0]
	if fresh.ID == ask.ID {
		t.Fatal("a delivered answer was asked for again and the same ask came back")
	}
	c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(third)})
	c.Request("ping", nil) // lines are taken in order, so the cancellation is

	// Answered but never delivered: that answer.
	w.Submit(fresh.ID, "lighthouse")
	if got := c.Tool("ask_user", mcptest.OneQuestion(session)); got.Texts()[0] != `{"name":"lighthouse"}` {
		t.Errorf("got %q", got.Text())
	}
}

// A client that asks again the moment it has read the answer must not be given
// the same answer for its new question.
func TestAYesIsNeverReplayed(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Started(t)
	seen := map[string]bool{}
	for i := range 20 {
		call := c.StartTool("ask_user", mcptest.OneQuestion(session))
		ask := w.Opened(1)[0]
		if seen[ask.ID] {
			t.Fatalf("round %d attached to an ask that was answered", i)
		}
		seen[ask.ID] = true
		w.Submit(ask.ID, fmt.Sprint(i))
		if got, want := c.Answer(call).Text(), fmt.Sprintf(`{"name":"%d"}`, i); got != want {
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
	t.Parallel()
	slow := slowToDeliver{may: make(chan struct{}), looked: make(chan struct{}, 1)}
	w := mcptest.NewWorld(t, func(cfg *mcp.Config) {
		slow.Store = cfg.Store
		cfg.Store = slow
	})
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	session := c.Session()
	call := c.StartTool("ask_user", mcptest.OneQuestion(session))
	ask := w.Opened(1)[0]
	w.Submit(ask.ID, "harbour")
	if got := c.Answer(call).Text(); got != `{"name":"harbour"}` {
		t.Fatalf("got %q", got)
	}
	again := c.StartTool("get_answer", map[string]any{"sessionId": session})
	<-slow.looked
	close(slow.may)
	if got := c.Answer(again).Text(); !strings.HasPrefix(got, "Nothing waits in this session") {
		t.Errorf("the same answer was told again: %q", got)
	}
}

func TestCancelLeavesTheAskOpenAndSaysSo(t *testing.T) {
	t.Parallel()
	w := mcptest.NewWorld(t, nil)
	c := mcptest.Connect(t, w.Server)
	c.Initialize("test")
	ask := mcptest.CancelledAsk(w, c, c.Session())
	if !w.Ask(ask.ID).Open() {
		t.Error("the ask did not stay open")
	}
}

func TestAnAnswerThatCouldNotBeWrittenIsNotDelivered(t *testing.T) {
	t.Parallel()
	w := mcptest.NewWorld(t, nil)
	in := &mcptest.Lines{}
	out := &mcptest.FailingWriter{FailAfter: 2}
	served := make(chan error, 1)
	go func() { served <- w.Serve(t.Context(), in, out) }()
	in.Add(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"},"capabilities":{}}}`)
	in.Add(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"init_planb_session"}}`)
	mcptest.Until(t, "a session", func() bool { return out.Count() == 2 })
	sessions, _, err := w.Store.Sessions(t.Context(), "", 10)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("%v, %v", sessions, err)
	}
	args, err := json.Marshal(mcptest.OneQuestion(sessions[0].ID))
	if err != nil {
		t.Fatal(err)
	}
	in.Add(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ask_user","arguments":` + string(args) + `}}`)
	ask := w.Opened(1)[0]
	w.Submit(ask.ID, "harbour")
	mcptest.Until(t, "the write has failed", func() bool { return out.Count() > 2 })
	in.Close()
	if err := <-served; err != nil {
		t.Fatal(err)
	}
	if w.Delivered(ask.ID) {
		t.Error("an answer that never left counts as delivered")
	}
}
