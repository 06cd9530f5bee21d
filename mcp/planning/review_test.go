package planning_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/mcp/mcptest"
	"planb/plans"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// The words of every outcome of a review; as data, what the person decided.
func TestTheWordsOfEveryOutcomeOfAReview(t *testing.T) {
	t.Parallel()
	digest := plans.Digest(safe.New(mcptest.ReviewedPlan))
	says := func(said review.Review) questions.Outcome { return mcptest.Says(t, mcptest.ReviewedPlan, said) }
	remark := mcptest.Comment(t, mcptest.ReviewedPlan, 3, "Not too deep.")
	var told mcptest.Words
	for _, test := range []struct {
		name     string
		outcome  questions.Outcome
		approved bool
	}{
		{"approved", says(review.Review{Verdict: review.Approve}), true},
		{"approved with notes", says(review.Review{Verdict: review.ApproveWithNotes, Comments: []review.Comment{remark}}), true},
		{"approved with a note on the whole", says(review.Review{Verdict: review.ApproveWithNotes, Note: safe.New("Mind the tide.")}), true},
		{"approved in part", says(review.Review{Verdict: review.Approve, Withheld: []int{1}}), false},
		{"approved in part, with a comment", says(review.Review{Verdict: review.ApproveWithNotes, Withheld: []int{1}, Comments: []review.Comment{remark}}), false},
		{"changes requested", says(review.Review{Verdict: review.RequestChanges}), false},
		{"rejected", says(review.Review{Verdict: review.Reject, Note: safe.New("No <harbour>.")}), false},
		{"in words of a later planb", questions.Outcome{State: questions.Answered, Reply: questions.Reply{
			Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(`{"verdict":["approve"]}`)},
		}}, false},
		{"withdrawn by the user", questions.Outcome{State: questions.Withdrawn}, false},
		{"a message instead", questions.Outcome{State: questions.Discuss, Message: safe.New("Why a harbour?")}, false},
		{"declined", questions.Outcome{State: questions.Declined, Message: safe.New("not now")}, false},
	} {
		w, c, session := mcptest.Planned(t, nil)
		call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
		ask := w.Opened(1)[0]
		if of := ask.Spec.Plan; of == nil || of.Number != 1 || of.Digest != digest || !strings.HasSuffix(of.Path, "/v1.md") || ask.Spec.Title.Raw() != "Harbour" {
			t.Errorf("%s: the ask is %q, of %+v", test.name, ask.Spec.Title.Raw(), of)
		}
		w.Settle(ask.ID, test.outcome)
		got := c.Answer(call)
		told.Add(test.name, ask, got)
		var said struct{ Approved bool }
		if json.Unmarshal([]byte(got.Texts()[0]), &said) != nil && test.approved || said.Approved != test.approved || got.IsError {
			t.Errorf("%s: got %q", test.name, got.Texts())
		}
		of, _ := got.Data["plan"].(map[string]any)
		if got.Data["state"] != string(test.outcome.State) || of["digest"] != digest {
			t.Errorf("%s, as data: %v", test.name, got.Data)
		}
	}
	told.Snapshot(t, "reviews.txt")
}

func TestWhatIsSubmitted(t *testing.T) {
	t.Parallel()
	mcptest.Timed(t, "once and again", testSubmitted)
}

func testSubmitted(t *testing.T) {
	w, c, session := mcptest.Planned(t, nil)
	submit := func(args map[string]any) string {
		args["sessionId"] = session
		return c.StartTool("submit_plan", args)
	}
	first := submit(map[string]any{})
	ask := w.Opened(1)[0]
	again := submit(map[string]any{"version": 1}) // the same version: the same ask
	time.Sleep(time.Second)
	w.Settle(ask.ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.RequestChanges}))
	for _, call := range []string{first, again} {
		if got, _ := c.Later(call); !strings.HasPrefix(got.Text(), `{"approved":false`) {
			t.Errorf("got %q", got.Text())
		}
	}
	mcptest.Until(t, "it is delivered", func() bool { return w.Delivered(ask.ID) })
	c.Tool("save_plan", map[string]any{"sessionId": session, "plan": mcptest.ReviewedPlan + "3. Open.\n"})
	third := submit(map[string]any{})
	next := w.Opened(1)[0]
	if of := next.Spec.Plan; of.Number != 2 || of.Since != ask.ID {
		t.Errorf("the second round is of %+v, want since %s", of, ask.ID)
	}
	w.Settle(next.ID, mcptest.Says(t, mcptest.ReviewedPlan+"3. Open.\n", review.Review{Verdict: review.Approve}))
	if got, _ := c.Later(third); !strings.HasPrefix(got.Text(), `{"approved":true}`) {
		t.Errorf("got %q", got.Text())
	}
	if got := c.Tool("get_answer", map[string]any{"askId": next.ID, "question": "feedback"}); !got.IsError || got.Text() != "The user gave no feedback." {
		t.Errorf("the feedback of a review without any is fetched as %q", got.Text())
	}
	for args, want := range map[string]string{
		`{"sessionId":"` + session + `","version":3}`: "version is 3; the session has versions 1 to 2.",
		`{"version":1}`:                       "planName is missing: ",
		`{"sessionId":"` + c.Session() + `"}`: "Nothing was saved with save_plan in this session yet. Save the plan first, then submit it.",
	} {
		if got := c.Tool("submit_plan", json.RawMessage(args)); !got.IsError || !strings.HasPrefix(got.Text(), want) {
			t.Errorf("%s: got %q", args, got.Text())
		}
	}
}

// Where no pane opens, the client's dialog is the one that Aether's plan server
// shows.
func TestA15A16AReviewInADialog(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, reply, want string }{
		{"approve", `{"action":"accept","content":{"decision":"approve"}}`, `{"approved":true}`},
		{"approve with words", `{"action":"accept","content":{"decision":"approve","feedback":" Mind the tide. "}}`, `{"approved":true,"feedback":"Mind the tide."}`},
		{"deny", `{"action":"accept","content":{"decision":"deny"}}`, `{"approved":false}`},
		{"deny with words", `{"action":"accept","content":{"decision":"deny","feedback":"Too deep."}}`, `{"approved":false,"feedback":"Too deep."}`},
		{"decline", `{"action":"decline"}`, "The user closed the review without a verdict: the plan is NOT approved, carry out none of it."},
		{"words alone", `{"action":"accept","content":{"feedback":"Hm."}}`, "nowhere"},
		{"cancel", `{"action":"cancel"}`, "nowhere"},
	} {
		mcptest.Timed(t, test.name, func(t *testing.T) {
			w := mcptest.Paneless(t, mcptest.WithReviews)
			c := mcptest.WithDialogs(t, w)
			session := c.Session()
			c.Tool("save_plan", map[string]any{"sessionId": session, "plan": mcptest.ReviewedPlan})
			call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
			id, message, schema := c.DialogAsked()
			ask := w.Opened(1)[0]
			if want := fmt.Sprintf("Approve plan %s? Review the markdown and choose approve or deny.\n", ask.Spec.Plan.Path); !strings.HasPrefix(message, want) ||
				!strings.HasSuffix(message, "planb tui ask "+store.ShortID(ask.ID)) {
				t.Errorf("it says %q", message)
			}
			if !strings.Contains(schema, `"enum":["approve","deny"]`) || !strings.Contains(schema, `"required":["decision"]`) {
				t.Errorf("it asks for %s", schema)
			}
			time.Sleep(10 * time.Second)
			c.Respond(id, test.reply)
			got, _ := c.Later(call)
			if !strings.HasPrefix(got.Text(), test.want) && (test.want != "nowhere" || !got.Nowhere(ask.ID, mcptest.NoPane)) {
				t.Errorf("got %q, want %q", got.Text(), test.want)
			}
		})
	}
}

// The notes of an approval stay open until the person has seen them done.
func TestAPlanThatChangesDuringItsReview(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		verdict review.Verdict
		more    string
	}{
		{review.RequestChanges, ""},
		{review.Approve, " Version 2 is NOT approved: submit it before you carry it out."},
	} {
		w, c, session := mcptest.Planned(t, nil)
		call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
		ask := w.Opened(1)[0]
		c.Tool("save_plan", map[string]any{"sessionId": session, "plan": "# Harbour\n\nElsewhere.\n"})
		w.Settle(ask.ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: test.verdict, Comments: []review.Comment{mcptest.Comment(t, mcptest.ReviewedPlan, 3, "Not too deep.")}}))
		want := "You changed the plan while it was reviewed: version 2 is the latest, and the line numbers are those of version 1." + test.more
		if got := c.Answer(call); !strings.HasSuffix(got.Text(), want) {
			t.Errorf("%s: got %q, want it to end in %q", test.verdict, got.Text(), want)
		}
	}
}

// An agent that reads an older approval again is not told that the latest version lacks one, where
// a later review has approved it.
func TestAnOlderApprovalIsReadAgain(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Planned(t, nil)
	const later = "# Harbour\n\nElsewhere.\n"
	var asks []string
	for _, text := range []string{mcptest.ReviewedPlan, later} {
		c.Tool("save_plan", map[string]any{"sessionId": session, "plan": text})
		call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
		asks = append(asks, w.Opened(1)[0].ID)
		w.Settle(asks[len(asks)-1], mcptest.Says(t, text, review.Review{Verdict: review.Approve}))
		c.Answer(call)
	}
	if got := c.Tool("get_answer", map[string]any{"askId": asks[0]}).Text(); !strings.HasPrefix(got, `{"approved":true}`) || strings.Contains(got, "NOT approved") {
		t.Errorf("got %q", got)
	}
}

// A plan that is again as it was submitted has not changed.
func TestAPlanThatChangesBackDuringItsReview(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Planned(t, nil)
	call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
	ask := w.Opened(1)[0]
	for _, text := range []string{"# Harbour\n\nElsewhere.\n", mcptest.ReviewedPlan} {
		c.Tool("save_plan", map[string]any{"sessionId": session, "plan": text})
	}
	w.Settle(ask.ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.Approve}))
	if got := c.Answer(call); !strings.HasPrefix(got.Text(), `{"approved":true}`) || strings.Contains(got.Text(), "NOT approved") {
		t.Errorf("got %q", got.Text())
	}
}

func TestNotesOfAnApproval(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Planned(t, nil)
	call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
	w.Settle(w.Opened(1)[0].ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{
		Verdict: review.ApproveWithNotes, Comments: []review.Comment{mcptest.Comment(t, mcptest.ReviewedPlan, 3, "Not too deep.")},
	}))
	c.Answer(call)
	const open = "Notes of the approval that are still open: c1 (line 3). When they are carried out, submit the plan again, with their ids in done."
	got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": mcptest.ReviewedPlan + "3. Open.\n"})
	if want := "\nThe user approved version 1 of this plan; version 2 is NOT approved: submit it before you carry it out. " + open; !strings.HasSuffix(got.Text(), want) {
		t.Errorf("got %q", got.Text())
	}
	refused := c.Tool("submit_plan", map[string]any{"sessionId": session, "done": []string{"c1", "c2"}})
	if want := `done names "c2", which is no comment of the user's last review of this plan; those are c1 (line 3).`; refused.Text() != want || !refused.IsError {
		t.Errorf("got %q", refused.Text())
	}
	other := c.Session()
	c.Tool("save_plan", map[string]any{"sessionId": other, "plan": mcptest.ReviewedPlan})
	refused = c.Tool("submit_plan", map[string]any{"sessionId": other, "done": []string{"c1"}})
	if want := `done names "c1", but the user has not finished a review of this plan yet.`; refused.Text() != want || !refused.IsError {
		t.Errorf("before any review it says %q", refused.Text())
	}
	refused = c.Tool("submit_plan", map[string]any{"sessionId": other, "version": 9})
	if want := "version is 9; the session has only version 1."; refused.Text() != want || !refused.IsError {
		t.Errorf("of a version that is not there it says %q", refused.Text())
	}
	for _, done := range []any{[]string{"c1"}, "c1", `["c1"]`} {
		call = c.StartTool("submit_plan", map[string]any{"sessionId": session, "done": done})
		ask := w.Opened(1)[0]
		if of := ask.Spec.Plan; len(of.Done) != 1 || of.Done[0] != "c1" || of.Since == "" {
			t.Errorf("submitted as %+v", of)
		}
		w.Settle(ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Go on.")})
		c.Answer(call)
		mcptest.Until(t, "it is delivered", func() bool { return w.Delivered(ask.ID) })
	}
	call = c.StartTool("submit_plan", map[string]any{"sessionId": session, "done": []string{"c1"}})
	w.Settle(w.Opened(1)[0].ID, mcptest.Says(t, mcptest.ReviewedPlan+"3. Open.\n", review.Review{Verdict: review.Approve}))
	c.Answer(call)
	if got := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": mcptest.ReviewedPlan + "3. Open.\n", "title": "Same text"}); strings.Contains(got.Text(), "approv") {
		t.Errorf("got %q", got.Text())
	}
}

// A review that the agent takes back is told of as one without an approval, too.
func TestAReviewThatTheAgentTakesBack(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Planned(t, nil)
	call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
	const want = "The review was withdrawn without a verdict: the plan is NOT approved, carry out none of it."
	if got := c.Tool("get_answer", map[string]any{"askId": w.Opened(1)[0].ID, "withdraw": true}); got.Text() != want || got.IsError {
		t.Errorf("got %q", got.Text())
	}
	if got := c.Answer(call); got.Text() != want {
		t.Errorf("who waits received %q", got.Text())
	}
}

// However the verdict reaches the agent, a plan that is approved in part is not
// approved.
func TestAnApprovalInPartIsNone(t *testing.T) {
	t.Parallel()
	const text = "# Harbour\n\n## Dig\n\nDeep.\n\n## Build\n\nHigh.\n"
	const want = `{"approved":false,"feedback":"Approved in part: sections \"Build\" (line 7) may be carried out exactly as they are; not: \"Dig\" (line 3).\n"}`
	submit := func(c *mcptest.Client, session string) map[string]any {
		c.Tool("save_plan", map[string]any{"sessionId": session, "plan": text})
		return map[string]any{"sessionId": session}
	}
	decide := func(t *testing.T, w *mcptest.World) string {
		ask := w.Opened(1)[0]
		w.Settle(ask.ID, mcptest.Says(t, text, review.Review{Verdict: review.Approve, Withheld: []int{3}}))
		return ask.ID
	}
	for name, way := range map[string]func(*testing.T, *mcptest.World) mcptest.Answer{
		"submit_plan waits": func(t *testing.T, _ *mcptest.World) mcptest.Answer {
			w := mcptest.NewWorld(t, mcptest.WithReviews)
			c := mcptest.Connect(t, w.Server)
			c.Initialize("test")
			call := c.StartTool("submit_plan", submit(c, c.Session()))
			decide(t, w)
			return c.Answer(call)
		},
		"get_answer and the next result": func(t *testing.T, w *mcptest.World) mcptest.Answer {
			c := mcptest.Connect(t, w.Server)
			c.Initialize("test")
			session := c.Session()
			call := c.StartTool("submit_plan", submit(c, session))
			w.Opened(1)
			c.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
			id := decide(t, w)
			if next := c.Tool("save_plan", map[string]any{"sessionId": session, "plan": text}); !strings.Contains(next.Text(), want) {
				t.Errorf("the next result says %q", next.Text())
			}
			return c.Tool("get_answer", map[string]any{"askId": id})
		},
		"a dialog is open": func(t *testing.T, w *mcptest.World) mcptest.Answer {
			c := mcptest.WithDialogs(t, w)
			call := c.StartTool("submit_plan", submit(c, c.Session()))
			c.DialogAsked()
			decide(t, w)
			return c.Answer(call)
		},
		"a dialog of 2026-07-28 is answered too late": func(t *testing.T, w *mcptest.World) mcptest.Answer {
			c := mcptest.Connect(t, w.Server)
			session := c.ModernSession()
			c.Answer(c.ModernTool("save_plan", map[string]any{"sessionId": session, "plan": text}, nil))
			asked := c.InputWanted(c.ModernTool("submit_plan", map[string]any{"sessionId": session}, nil))
			id := decide(t, w)
			got, _ := c.Later(c.ModernTool("get_answer", map[string]any{"askId": id}, asked.With(`{"action":"accept","content":{"decision":"approve"}}`)))
			return got
		},
	} {
		mcptest.Timed(t, name, func(t *testing.T) {
			if got := way(t, mcptest.Paneless(t, mcptest.WithReviews)); !strings.HasPrefix(got.Text(), want+"\n") || !strings.Contains(got.Text(), "The plan is NOT approved, only a part of version 1") || strings.Contains(got.Text(), "Change the plan") {
				t.Errorf("got %q", got.Texts())
			}
		})
	}
}

// An approval in part is never told of as one of the whole.
func TestAnApprovalInPartStaysOne(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": mcptest.ReviewedPlan})
	call := a.StartTool("submit_plan", map[string]any{"planName": "harbour"})
	a.Settle(a.Opened(1)[0].ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.Approve, Withheld: []int{1}}))
	a.Answer(call)
	for _, test := range []struct{ content, want string }{
		{mcptest.ReviewedPlan + "3. Swim.\n", "The user approved version 1 of this plan in part only; version 2 is NOT approved: submit it before you carry it out."},
		{mcptest.ReviewedPlan, "The user approved version 1 of this plan in part only: carry out none of the sections that begin in lines 1."},
	} {
		if wrote := a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": test.content}); wrote.Note != test.want {
			t.Errorf("the note is %q", wrote.Note)
		}
	}
}

// The server says who it is and how it is used; it also asks by the client's own
// dialog where it can do nothing else.
func TestA21WhatTheServerIsCalled(t *testing.T) {
	t.Parallel()
	c := mcptest.Connect(t, mcptest.NewWorld(t, mcptest.WithReviews).Server)
	var said struct {
		ServerInfo   struct{ Name, Version string }
		Instructions string
	}
	if err := json.Unmarshal(c.Initialize("test").Result, &said); err != nil {
		t.Fatal(err)
	}
	if said.ServerInfo.Name != "planb" || said.ServerInfo.Version == "" || !strings.Contains(said.Instructions, "submit_plan") {
		t.Errorf("it says %+v", said)
	}
	mcptest.Timed(t, "and it asks by a dialog", func(t *testing.T) {
		w := mcptest.Paneless(t, mcptest.WithReviews)
		c := mcptest.WithDialogs(t, w)
		call := c.StartTool("ask_user", mcptest.OneQuestion(c.Session()))
		id, _, _ := c.DialogAsked()
		time.Sleep(10 * time.Second)
		c.Respond(id, `{"action":"accept","content":{"question1":"harbour"}}`)
		if got, _ := c.Later(call); got.Text() != `{"name":"harbour"}` {
			t.Errorf("got %q", got.Text())
		}
	})
}
