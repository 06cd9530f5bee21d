package drafts_test

import (
	"strings"
	"testing"

	"planb/drafts"
	"planb/drafts/draftstest"
	"planb/mcp/mcptest"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/runs"
)

// submit hands in a step as the fixture has it, and wants no next one.
func (p writtenByMany) submit(c *mcptest.Client, step string) {
	p.t.Helper()
	if got := p.call(c, "step_submit", "step", step, "output", string(draftstest.File(p.t, step+".json")), "next", false); got.IsError {
		p.t.Fatal(got.Text())
	}
}

// openGate opens the form of the gate that is ready, as the screen of drafts does.
func (p writtenByMany) openGate() store.Ask {
	p.t.Helper()
	w := p.read()
	for _, step := range w.Draft.ReadySteps() {
		if step.Author != drafts.Person {
			continue
		}
		form, err := w.Form(step)
		if err != nil {
			p.t.Fatal(err)
		}
		ask, _, err := p.w.Store.OpenAsk(p.t.Context(), store.Ask{
			Session: w.Session, Spec: form, Subject: store.Subject{Kind: runs.SubjectKind, ID: w.Gate(step).Subject()},
			Client: store.Client{Name: safe.New("planb-draft")},
		})
		if err != nil {
			p.t.Fatal(err)
		}
		return ask
	}
	p.t.Fatal("no gate is ready")
	return store.Ask{}
}

// asksAgain fails unless the agent's next call for a step opens the form and waits for it.
func (p writtenByMany) asksAgain(c *mcptest.Client, before string) {
	p.t.Helper()
	call := c.StartTool("step_next", map[string]any{"plan_id": p.plan})
	again := p.w.Opened(1)[0]
	if again.ID == before {
		p.t.Errorf("the form %s is open again", before)
	}
	answer(p.t, p.w, again)
	if got := c.Answer(call).Text(); !strings.Contains(got, "The user answered ") || !stepLine.MatchString(got) {
		p.t.Errorf("after the answer is told %.300s", got)
	}
}

const closesAGate = "None of these. Is there a cheaper one?"

// Who works on a draft is told what became of its gate, once, whoever asked: a person at their
// screen, an agent of another client that lives, or one that is gone.
func TestWhoGoesOnIsToldOnceWhatBecameOfAGate(t *testing.T) {
	t.Parallel()
	for name, asked := range map[string]func(p writtenByMany, agents []*mcptest.Client) store.Ask{
		"a person": func(p writtenByMany, _ []*mcptest.Client) store.Ask { return p.openGate() },
		"an agent that lives": func(p writtenByMany, agents []*mcptest.Client) store.Ask {
			call := agents[0].StartTool("step_next", map[string]any{"plan_id": p.plan})
			ask := p.w.Opened(1)[0]
			agents[0].Cancel(call)
			return ask
		},
		"an agent that is gone": func(p writtenByMany, agents []*mcptest.Client) store.Ask {
			agents[0].StartTool("step_next", map[string]any{"plan_id": p.plan})
			ask := p.w.Opened(1)[0]
			if err := agents[0].End(); err != nil {
				p.t.Fatal(err)
			}
			return ask
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atGate := func(t *testing.T) (p writtenByMany, two *mcptest.Client, ask store.Ask) {
				w, agents := servers(t, 2)
				p = writtenByMany{t, w, create(t, agents[0])}
				for _, step := range []string{"brief", "scenarios.1", "scenarios"} {
					p.submit(agents[0], step)
				}
				return p, agents[1], asked(p, agents)
			}
			t.Run("a reply", func(t *testing.T) {
				t.Parallel()
				p, two, ask := atGate(t)
				p.w.Settle(ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New(closesAGate)})
				if got := two.Tool("get_answer", map[string]any{"askId": ask.ID}).Text(); !strings.Contains(got, closesAGate) {
					t.Errorf("get_answer tells %s", got)
				}
				if name == "an agent that lives" && p.w.Delivered(ask.ID) {
					t.Error("who only looks took the reply of an agent that lives")
				}
				if got := p.call(two, "step_next").Text(); !strings.HasPrefix(got, "NOT FINISHED. The user writes: \""+closesAGate) || !strings.Contains(got, " have scenarios written again (step_edit with regenerate and guidance; plan_file_info with the artifact scenarios tells its sha256). ") {
					t.Errorf("told is %.600s", got)
				}
				p.asksAgain(two, ask.ID)
			})
			t.Run("a long reply", func(t *testing.T) {
				t.Parallel()
				p, two, ask := atGate(t)
				long := strings.Repeat("None of these will do. ", 500)
				p.w.Settle(ask.ID, questions.Outcome{State: questions.Discuss, Message: safe.New(long)})
				told := p.call(two, "step_next")
				rests := told.Rests(t)
				if !strings.HasPrefix(told.Text(), "NOT FINISHED. ") || len(rests) != 1 {
					t.Fatalf("told is %.300s, and %v", told.Text(), rests)
				}
				two.Fetch("codex-mcp-client", rests[0].Call)
				p.asksAgain(two, ask.ID)
			})
			t.Run("a refusal", func(t *testing.T) {
				t.Parallel()
				p, two, ask := atGate(t)
				p.w.Settle(ask.ID, questions.Outcome{State: questions.Declined, Message: safe.New("Not this year.")})
				if got := p.call(two, "step_next").Text(); !strings.HasPrefix(got, "STOPPED by ") || !strings.Contains(got, "Not this year.") {
					t.Errorf("told is %.300s", got)
				}
				p.call(two, "plan_resume")
				p.asksAgain(two, ask.ID)
			})
			t.Run("a refusal of which nobody was told", func(t *testing.T) {
				t.Parallel()
				p, two, ask := atGate(t)
				p.w.Settle(ask.ID, questions.Outcome{State: questions.Declined, Message: safe.New("Not this year.")})
				p.call(two, "plan_resume")
				if got := p.call(two, "step_next").Text(); got != "The user declined the form \""+ask.Spec.Title.Raw()+"\" (\"Not this year.\"), and the draft was resumed since. Call step_next {\"plan_id\":\""+p.plan+"\"}, which asks the user again." {
					t.Errorf("told is %.300s", got)
				}
				p.asksAgain(two, ask.ID)
			})
		})
	}
}

// An agent is told who took a form back: an agent, the user, or planb.
func TestWhoWithdrewAGate(t *testing.T) {
	t.Parallel()
	w, agents := servers(t, 1)
	c := agents[0]
	p := writtenByMany{t, w, create(t, c)}
	for _, step := range []string{"brief", "scenarios.1", "scenarios"} {
		p.submit(c, step)
	}
	again := " The draft still waits for the user: step_next {\"plan_id\":\"" + p.plan + "\"} asks them again."
	for _, test := range []struct {
		who      string
		withdraw func(ask string)
		want     string
	}{
		{"the agent", func(ask string) {
			if got := c.Tool("get_answer", map[string]any{"askId": ask, "withdraw": true}).Text(); !strings.HasSuffix(got, " was withdrawn by the agent."+again) {
				t.Errorf("who withdraws it is told %s", got)
			}
		}, "was withdrawn by the agent." + again},
		{"the user", func(ask string) {
			p.w.Settle(ask, questions.Outcome{State: questions.Withdrawn, Message: safe.New("Withdrawn by the person who was asked.")})
		}, "was withdrawn by the user." + again},
		{"planb", func(string) { p.call(c, "plan_stop") }, "was withdrawn by planb: what it asked about has changed, or the draft was stopped."},
	} {
		ask := p.openGate()
		test.withdraw(ask.ID)
		if got, want := c.Tool("get_answer", map[string]any{"askId": ask.ID}).Text(), "The form \""+ask.Spec.Title.Raw()+"\" "+test.want; got != want {
			t.Errorf("by %s: told is %s\nwant %s", test.who, got, want)
		}
	}
}

// While other steps can be written, whoever works on the draft hears with the next result what the
// person said at its gate, whoever asked.
func TestAReplyAtAGateIsHeardWhileThereIsWork(t *testing.T) {
	t.Parallel()
	answered := questions.Outcome{State: questions.Answered, Reply: questions.Reply{Answers: map[string]questions.Value{"scenario": questions.TextValue("S1")}}}
	discuss := questions.Outcome{State: questions.Discuss, Message: safe.New(closesAGate)}
	for name, test := range map[string]struct {
		outcome questions.Outcome
		want    string
		next    func(p writtenByMany, c *mcptest.Client) mcptest.Answer
	}{
		"a message, with the next step": {discuss, "NOT FINISHED. The user writes: \"" + closesAGate, func(p writtenByMany, c *mcptest.Client) mcptest.Answer {
			return p.call(c, "step_next")
		}},
		"a message, with a step by its id": {discuss, "NOT FINISHED. The user writes: \"" + closesAGate, func(p writtenByMany, c *mcptest.Client) mcptest.Answer {
			return p.call(c, "step_next", "step", "premise")
		}},
		"a message, with a step handed in": {discuss, "NOT FINISHED. The user writes: \"" + closesAGate, func(p writtenByMany, c *mcptest.Client) mcptest.Answer {
			return p.call(c, "step_submit", "step", "premise", "output", string(draftstest.File(p.t, "premise.json")), "next", false)
		}},
		"an answer, with the next step": {answered, "The user answered the form", func(p writtenByMany, c *mcptest.Client) mcptest.Answer {
			return p.call(c, "step_next")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, agents := servers(t, 2)
			one, two := agents[0], agents[1]
			made := one.Tool("plan_create", map[string]any{"prompt": prompt(t), "start_date": "2026-12-01", "speed_vs_detail": "all"})
			p := writtenByMany{t, w, made.Data["plan_id"].(string)}
			for _, step := range []string{"brief", "scenarios.1", "scenarios"} {
				p.submit(one, step)
			}
			wantCode(t, p.call(one, "step_next", "step", "choose"), "STEP_NOT_READY") // opens the form
			ask := w.Opened(1)[0]
			p.w.Settle(ask.ID, test.outcome)
			got := test.next(p, two)
			if text := got.Text(); !strings.Contains(text, test.want) || !strings.Contains(text, ask.ID) {
				t.Errorf("another agent is told %s", text)
			}
			if text := got.Text(); test.outcome.State == questions.Answered && (!stepLine.MatchString(text) || strings.Contains(text, "Go on with step_next")) {
				t.Errorf("beside its step the agent is told to call step_next: %s", text)
			}
			mcptest.Until(t, "the outcome counts as told", func() bool { return w.Delivered(ask.ID) })
			if got := p.call(one, "plan_status").Text(); strings.Contains(got, ask.ID) {
				t.Errorf("the agent that asked is told a second time: %s", got)
			}
		})
	}
}
