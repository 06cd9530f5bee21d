package planning_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
)

// A plan that is submitted again while its review waits has one review. The older review is
// withdrawn and names the newer one to every caller; the verdict goes to the calls that wait
// for the newer one.
func TestAPlanSubmittedAgainHasOneReview(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": mcptest.ReviewedPlan})
	older := a.StartTool("submit_plan", map[string]any{"planName": "harbour"})
	first := a.Opened(1)[0]
	wrote := a.Does(t, "edit_plan", map[string]any{"planName": "harbour", "oldString": "Dig.", "newString": "Dig deep."})
	if want := "Version 1 waits for the user's review (askId " + first.ID + "), and that is what they read. They read version 2 only when you submit it with submit_plan."; wrote.Note != want {
		t.Errorf("the edit's note is %q", wrote.Note)
	}
	newer := a.StartTool("submit_plan", map[string]any{"planName": "harbour"})
	got := a.Answer(older)
	second := a.Opened(1)[0]
	want := "The review of version 1 was withdrawn: the plan was submitted again, and the user reviews what was submitted last, with all that they had said. " +
		`Call get_answer {"askId":"` + second.ID + `"}; it waits for the verdict.`
	if got.Text() != want || got.IsError {
		t.Errorf("who waited for the older one received %q", got.Text())
	}
	if got := a.Tool("get_answer", map[string]any{"askId": first.ID}); got.Text() != want {
		t.Errorf("get_answer says %q", got.Text())
	}
	if again := a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": strings.Replace(mcptest.ReviewedPlan, "Dig.", "Dig deep.", 1)}); again.Note != "" {
		t.Errorf("writing what they read is told as %q", again.Note)
	}
	a.Settle(second.ID, mcptest.Says(t, strings.Replace(mcptest.ReviewedPlan, "Dig.", "Dig deep.", 1), review.Review{Verdict: review.Approve}))
	if got := a.Answer(newer); got.Texts()[0] != `{"approved":true}` {
		t.Errorf("who waited for the newer one received %q", got.Text())
	}
	if wrote := a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": mcptest.ReviewedPlan + "\n3. Swim.\n"}); strings.Contains(wrote.Note, "waits for the user's review") {
		t.Errorf("with no review open the note is %q", wrote.Note)
	}
}

// A verdict that was quicker than the next submission counts, and is told.
func TestAVerdictBeforeTheNextSubmissionCounts(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	session := a.Session()
	a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": mcptest.ReviewedPlan, "sessionId": session})
	call := a.StartTool("submit_plan", map[string]any{"planName": "harbour"})
	first := a.Opened(1)[0]
	mcptest.Until(t, "the agent waits", func() bool { return a.Waits(first.ID) })
	a.Notify("notifications/cancelled", map[string]any{"requestId": json.RawMessage(call)})
	mcptest.Until(t, "nobody waits any more", func() bool { return !a.Waits(first.ID) })
	a.Settle(first.ID, mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.Reject}))
	got := a.Tool("edit_plan", map[string]any{"planName": "harbour", "oldString": "Dig.", "newString": "Dig deep.", "sessionId": session})
	if !strings.Contains(got.Text(), "An earlier question was answered (askId "+first.ID+")") || !strings.Contains(got.Text(), "Plan review: rejected") {
		t.Errorf("the next result says %q", got.Text())
	}
}

// A plan written without a session belongs to the only one of the project that the
// connection has begun; where there are several, or none, to one of its own.
func TestWhereAPlanWithoutASessionBelongs(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	write := func(name string) string {
		t.Helper()
		session, _ := a.Tool("write_plan", map[string]any{"planName": name, "content": "# " + name}).Data["sessionId"].(string)
		return session
	}
	alone, other := write("a"), write("b")
	if alone == other {
		t.Error("two plans without a session share one")
	}
	a.Tool("init_planb_session", map[string]any{"projectPath": t.TempDir()}) // another project's
	begun := a.Session()
	if got := write("c"); got != begun {
		t.Errorf("it is in %s, want that which was begun, %s", got, begun)
	}
	if got := write("a"); got != alone {
		t.Errorf("a plan left its session %s for %s", alone, got)
	}
	third := a.Session()
	if got := write("d"); got == third || got == begun || got == alone || got == other {
		t.Errorf("with two to choose from it is in %s", got)
	}
	if got := write("c"); got != begun {
		t.Errorf("a plan left its session for %s", got)
	}
}

// A citation of a question that was never asked is told once, with the version that brings
// it in.
func TestCitationsThatLeadNowhere(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	session := a.Session()
	form := a.StartTool("ask_user", map[string]any{"sessionId": session, "title": "Depth", "questions": []any{map[string]any{"id": "depth", "kind": "text", "label": "How deep?"}}})
	a.Settle(a.Opened(1)[0].ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{"depth": questions.TextValue("9")}}})
	a.Answer(form)
	const plan = "# Harbour\n\n1. Dig. [q:depth]\n2. Swim. [q:swim]\n"
	const says = "This session has no such question: [q:swim] (line 4). Cite by the id that the question had in ask_user."
	if got := a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": plan}); got.Note != says {
		t.Errorf("write_plan says %q", got.Note)
	}
	if got := a.Does(t, "edit_plan", map[string]any{"planName": "harbour", "oldString": "Dig.", "newString": "Dig deep."}); got.Note != "" {
		t.Errorf("it is told again: %q", got.Note)
	}
	if got := a.Does(t, "edit_plan", map[string]any{"planName": "harbour", "oldString": "deep.", "newString": "[q:a] [q:b] [q:c] [q:a] [q:d]"}); !strings.Contains(got.Note, "[q:a] (line 3), [q:b] (line 3), [q:c] (line 3), 1 more.") {
		t.Errorf("of many it says %q", got.Note)
	}
	for i, want := range []string{says, "unchanged", ""} {
		text := plan
		if i == 2 {
			text += "3. Rest.\n"
		}
		got := a.Tool("save_plan", map[string]any{"sessionId": session, "plan": text}).Texts()[0]
		if lines := strings.Split(got, "\n"); len(lines) > 2 != (want != "") || want != "" && lines[2] != want {
			t.Errorf("save_plan says %q, want %q", got, want)
		}
	}
}

// A reply without a verdict brings what was said of the plan by then, as unfinished.
func TestAReplyWithoutAVerdictBringsTheComments(t *testing.T) {
	t.Parallel()
	w, c, session := mcptest.Planned(t, nil)
	call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
	ask := w.Opened(1)[0]
	begun := review.Review{Digest: ask.Spec.Plan.Digest, Note: safe.New("So far so good."), Comments: []review.Comment{mcptest.Comment(t, mcptest.ReviewedPlan, 3, "How deep?")}}
	text, err := begun.JSON()
	if err != nil {
		t.Fatal(err)
	}
	w.Settle(ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Wait."), Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(text))},
	}})
	got := c.Answer(call).Texts()
	want := []string{
		"NOT FINISHED. The user writes: \"Wait.\"\nAnswer that first. The plan is not approved: carry out none of it, and submit it again when that is settled.",
		"What they have said of the plan so far. It is UNFINISHED and may change: take it as a direction.\n\nSo far so good.\n\n### Line 3: comment\n\n> 1. Dig.\n\nHow deep?",
	}
	if len(got) != 2 || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("the agent received %q", got)
	}
}

// A plan file's older version does not take the place of a newer one that waits for
// the user's review. Its agent is told whose verdict it reads.
func TestAnOlderVersionIsToldWhoseReviewItGets(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, func(cfg *mcp.Config) { cfg.Wait = 100 * time.Millisecond })
	session := a.Session()
	for _, text := range []string{mcptest.ReviewedPlan + "Older.\n", mcptest.ReviewedPlan} {
		a.Does(t, "write_plan", map[string]any{"planName": "harbour", "content": text, "sessionId": session})
	}
	if got := a.Tool("submit_plan", map[string]any{"planName": "harbour"}); len(got.Texts()) != 1 {
		t.Errorf("the newer one's agent is told %q", got.Texts())
	}
	ask := a.Opened(1)[0]
	got := a.Tool("submit_plan", map[string]any{"sessionId": session, "version": 1})
	const note = "You submitted version 1, which is older than version 2: the user does not read it, and the review is that of version 2. " +
		"To have the older text reviewed, write it into the plan again, and submit that."
	if texts := got.Texts(); len(texts) != 2 || texts[1] != note || got.Data["askId"] != ask.ID {
		t.Errorf("the older one's agent is told %q", texts)
	}
}

// A review that ends without a verdict takes nothing from an approval of that very text.
func TestAnApprovalStandsWhileItsTextIsReviewedAgain(t *testing.T) {
	t.Parallel()
	for _, again := range []struct {
		name   string
		said   review.Review
		stands bool
	}{
		{"approved", review.Review{Verdict: review.Approve}, true},
		{"approved with notes", review.Review{Verdict: review.ApproveWithNotes, Note: safe.New("Hurry.")}, true},
		{"approved in part", review.Review{Verdict: review.Approve, Withheld: []int{1}}, false},
		{"not approved", review.Review{Verdict: review.RequestChanges}, false},
	} {
		t.Run(again.name, func(t *testing.T) {
			w, c, session := mcptest.Planned(t, nil)
			first := c.StartTool("submit_plan", map[string]any{"sessionId": session})
			approved := w.Opened(1)[0]
			w.Settle(approved.ID, mcptest.Says(t, mcptest.ReviewedPlan, again.said))
			c.Answer(first)
			mcptest.Until(t, "it is delivered", func() bool { return w.Delivered(approved.ID) })

			c.StartTool("submit_plan", map[string]any{"sessionId": session})
			open := w.Opened(1)[0]
			look := map[string]any{"askId": open.ID, "waitSeconds": 0}
			stands := "user's approval of exactly this text (askId " + approved.ID + ") stands."
			check := func(what, got, without, with string) {
				t.Helper()
				if !again.stands {
					with = without
				}
				if !strings.Contains(got, with) || again.stands && strings.Contains(got, without) {
					t.Errorf("%s says %q, want %q", what, got, with)
				}
			}
			check("the open review", c.Tool("get_answer", look).Text(), "Carry out none of it.", "The "+stands)
			withdrawn := c.Tool("get_answer", map[string]any{"askId": open.ID, "withdraw": true}).Text()
			check("withdrawing", withdrawn, "the plan is NOT approved, carry out none of it.", "without a verdict: the "+stands)
			check("the withdrawn review", c.Tool("get_answer", look).Text(), "the plan is NOT approved, carry out none of it.", "without a verdict: the "+stands)
		})
	}
}

// An agent that has an approved text reviewed again is told of the approval only where the user
// did not say otherwise meanwhile.
func TestAnEarlierApprovalIsNotToldBesideARefusal(t *testing.T) {
	t.Parallel()
	for name, again := range map[string]struct {
		outcome questions.Outcome
		told    bool
	}{
		"approved again": {mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.Approve}), true},
		"rejected":       {mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.Reject}), false},
		"in part":        {mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.Approve, Withheld: []int{1}}), false},
		"a reply":        {questions.Outcome{State: questions.Discuss, Message: safe.New("Why again?")}, false},
		"declined":       {questions.Outcome{State: questions.Declined}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w, c, session := mcptest.Planned(t, nil)
			for i, outcome := range []questions.Outcome{mcptest.Says(t, mcptest.ReviewedPlan, review.Review{Verdict: review.Approve}), again.outcome} {
				call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
				ask := w.Opened(1)[0]
				w.Settle(ask.ID, outcome)
				got := c.Answer(call).Text()
				if told := strings.Contains(got, "The user had approved exactly this text before"); told != (i == 1 && again.told) {
					t.Errorf("the agent is told %q", got)
				}
				mcptest.Until(t, "it is delivered", func() bool { return w.Delivered(ask.ID) })
			}
		})
	}
}

// An agent may cite an answer of another session that it was told. An answer in an
// unfinished form may change.
func TestCitationsOfWhatTheAgentWasTold(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	earlier := mcptest.Connect(t, a.Server)
	earlier.Initialize("test")
	earlier.StartTool("ask_user", mcptest.OneQuestion(earlier.Session()))
	told := a.Opened(1)[0]
	untilClaimed := func(want bool) {
		t.Helper()
		for _, claims := range []kv.Key{store.WaitClaims(told.ID), store.AskerClaims(told.ID)} {
			mcptest.Until(t, "the claims of the agent that asked", func() bool {
				alive, err := a.Store.AliveAny(t.Context(), claims)
				return alive == want && err == nil
			})
		}
	}
	untilClaimed(true)
	if err := earlier.End(); err != nil {
		t.Fatal(err)
	}
	untilClaimed(false)
	a.Submit(told.ID, "harbour")

	stranger := mcptest.Connect(t, a.Server)
	stranger.Initialize("another client")
	plan := map[string]any{"sessionId": stranger.Session(), "plan": "# Plan [q:name]\n"}
	if got := stranger.Tool("save_plan", plan).Text(); !strings.Contains(got, "no such question: [q:name]") {
		t.Errorf("who was told nothing reads %q", got)
	}
	started := a.Tool("init_planb_session", nil)
	if !strings.Contains(started.Text(), `{"name":"harbour"}`) {
		t.Fatalf("the session begins with %q", started.Text())
	}
	session := started.Data["sessionId"]
	plan = map[string]any{"sessionId": session, "plan": "# Plan [q:name]\n"}
	if got := a.Tool("save_plan", plan); len(strings.Split(got.Texts()[0], "\n")) != 2 {
		t.Errorf("who was told the answer reads %q", got.Text())
	}

	form := a.StartTool("ask_user", map[string]any{"sessionId": session, "title": "Depth", "questions": []any{
		map[string]any{"id": "depth", "kind": "text", "label": "How deep?"}, map[string]any{"id": "width", "kind": "text", "label": "How wide?"}}})
	a.Settle(a.Opened(1)[0].ID, questions.Outcome{State: questions.Discuss, Message: safe.New("Why?"), Reply: questions.Reply{
		Answers: map[string]questions.Value{"depth": questions.TextValue("9")}}})
	a.Answer(form)
	plan["plan"] = "# Plan [q:name]\n[q:depth]\n[q:width]\n"
	want := "Answered for now, and may change: [q:depth] (line 2). Ask again before you rely on it. " +
		"The user gave no answer to: [q:width] (line 3). Those lines follow from no answer."
	if got := a.Tool("save_plan", plan).Texts()[0]; !strings.HasSuffix(got, "\n"+want) {
		t.Errorf("save_plan says %q", got)
	}
}

// A citation of a question without an answer is told, too.
func TestCitationsOfWhatWasNotAnswered(t *testing.T) {
	t.Parallel()
	a := mcptest.NewAuthor(t, nil)
	session := a.Session()
	ask := func(title string, ids ...string) (call, id string) {
		var list []any
		for _, id := range ids {
			list = append(list, map[string]any{"id": id, "kind": "text", "label": "?"})
		}
		before := len(a.WaitingNow())
		call = a.StartTool("ask_user", map[string]any{"sessionId": session, "title": title, "questions": list})
		asks := a.Opened(before + 1)
		return call, asks[before].ID
	}
	answered, id := ask("First", "depth", "width")
	a.Settle(id, questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{"depth": questions.TextValue("9")}}})
	a.Answer(answered)
	declined, id := ask("Second", "price")
	a.Settle(id, questions.Outcome{State: questions.Declined})
	a.Answer(declined)
	ask("Third", "name", "width")
	got := a.Does(t, "write_plan", map[string]any{"planName": "harbour", "sessionId": session, "content": "# Harbour\n[q:depth]\n[q:width]\n[q:price]\n[q:name]\n[q:swim]\n"})
	want := "This session has no such question: [q:swim] (line 6). Cite by the id that the question had in ask_user. " +
		"Not answered yet: [q:width] (line 3), [q:name] (line 5). Those lines follow from no answer. " +
		"The user gave no answer to: [q:price] (line 4). Those lines follow from no answer."
	if got.Note != want {
		t.Errorf("the note is\n%s\nwant\n%s", got.Note, want)
	}
}

// An agent that submits again exactly the approved text is told so.
func TestSubmittingWhatWasApprovedSaysSo(t *testing.T) {
	t.Parallel()
	const approvedBefore = "The user had approved exactly this text before (askId "
	for _, test := range []struct {
		name   string
		before review.Review
		change bool
		again  bool
	}{
		{"approved", review.Review{Verdict: review.Approve}, false, true},
		{"approved, and changed since", review.Review{Verdict: review.Approve}, true, false},
		{"approved with notes", review.Review{Verdict: review.ApproveWithNotes, Note: safe.New("Hurry.")}, false, false},
		{"approved in part", review.Review{Verdict: review.Approve, Withheld: []int{1}}, false, false},
		{"not approved", review.Review{Verdict: review.RequestChanges}, false, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			w, c, session := mcptest.Planned(t, nil)
			submit := func(said review.Review) mcptest.Answer {
				call := c.StartTool("submit_plan", map[string]any{"sessionId": session})
				ask := w.Opened(1)[0]
				text, err := w.Store.PlanText(t.Context(), session, ask.Spec.Plan.Number)
				if err != nil {
					t.Fatal(err)
				}
				w.Settle(ask.ID, mcptest.Says(t, text.Raw(), said))
				return c.Answer(call)
			}
			if got := submit(test.before); strings.Contains(got.Text(), approvedBefore) {
				t.Errorf("the first time it says %q", got.Text())
			}
			if test.change {
				c.Tool("save_plan", map[string]any{"sessionId": session, "plan": mcptest.ReviewedPlan + "2. Rest.\n"})
			}
			if got := submit(review.Review{Verdict: review.Approve}); strings.Contains(got.Text(), approvedBefore) != test.again {
				t.Errorf("again it says %q", got.Text())
			}
		})
	}
}
