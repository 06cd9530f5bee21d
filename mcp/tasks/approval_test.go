package tasks_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/store/tasks"
)

func textOf(text string) safe.Text { return safe.New(text) }

// The words of every outcome of an approval.
func TestT22T23TheWordsOfEveryOutcomeOfAnApproval(t *testing.T) {
	t.Parallel()
	var told strings.Builder
	for _, test := range []struct {
		name   string
		said   *review.Review // nil: outcome
		ended  questions.Outcome
		status string
	}{
		{"approved", &review.Review{Verdict: review.Approve}, questions.Outcome{}, "active"},
		{"approved with a note", &review.Review{Verdict: review.ApproveWithNotes, Note: safe.New("Mind the <tide>.")}, questions.Outcome{}, "active"},
		{"approved without two tasks", &review.Review{Verdict: review.Approve, Withheld: []int{0, 0}}, questions.Outcome{}, "active"},
		{"changes requested", &review.Review{Verdict: review.RequestChanges, Note: safe.New("Sell books.")}, questions.Outcome{}, "proposed"},
		{"rejected", &review.Review{Verdict: review.Reject}, questions.Outcome{}, "proposed"},
		{"a message instead", nil, questions.Outcome{State: questions.Discuss, Message: safe.New("Why a shop?")}, "proposed"},
		{"declined", nil, questions.Outcome{State: questions.Declined, Message: safe.New("not now")}, "proposed"},
		{"withdrawn", nil, questions.Outcome{State: questions.Withdrawn}, "proposed"},
	} {
		s := newScene(t, nil)
		proposed(s)
		call := s.StartTool("approve_plan", args{"planId": s.plan})
		if test.said != nil {
			s.approves(*test.said)
		} else {
			s.Settle(s.Opened(1)[0].ID, test.ended)
		}
		got := s.Answer(call)
		told.WriteString("== " + test.name + "\n" + s.words(got) + "\n")
		if now := s.said("propose_plan", args{"title": "x", "tasks": []any{"y"}}); now["planId"] == s.plan {
			t.Errorf("%s: a proposal without planId changes the plan", test.name)
		}
		if plan := s.whole(); string(plan.Status) != test.status {
			t.Errorf("%s: the plan is %s, want %s", test.name, plan.Status, test.status)
		}
	}
	mcptest.Snapshot(t, "words/approvals.txt", []byte(told.String()))
}

// An ask that waits: the words for the agent, and no dialog of its client.
func TestT20AnApprovalIsNeverADialog(t *testing.T) {
	t.Parallel()
	w := mcptest.Paneless(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"tasks"} })
	s := &scene{t: t, World: w}
	s.Client = mcptest.WithDialogs(t, w)
	proposed(s)
	got := s.Tool("approve_plan", args{"planId": s.plan})
	ask := s.Opened(1)[0]
	if !got.Nowhere(ask.ID, mcptest.NoPane) {
		t.Errorf("got %q", got.Text())
	}
	if looked := s.Tool("get_answer", args{"askId": ask.ID, "waitSeconds": 0}); !looked.Nowhere(ask.ID, "it failed when the question was asked") {
		t.Errorf("get_answer: %q", looked.Text())
	}
	select {
	case m := <-s.Asks:
		t.Errorf("the client was asked %s", m.Params)
	default:
	}
	if s.whole().Approval != nil {
		t.Error("the plan is approved")
	}
}

// The person may delete the session of a plan: the next change is reviewed in a new one.
func TestAChangeIsApprovedAfterItsSessionWasDeleted(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	active(s)
	before, err := s.Store.Session(t.Context(), s.whole().Session)
	if err == nil {
		err = s.Store.Delete(t.Context(), before, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	s.said("add_task", args{"planId": s.plan, "title": "Sell"})
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	if got := object(t, s.Answer(call)); got["approved"] != true {
		t.Errorf("it says %v", got)
	}
}

// Another connection joins a review, is told the same, and decides nothing.
func TestTwoConnectionsWaitForOneApproval(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	proposed(s)
	other := s.another("other")
	first, second := s.StartTool("approve_plan", args{"planId": s.plan}), other.StartTool("approve_plan", args{"planId": s.plan})
	ask := s.Opened(1)[0]
	mcptest.Until(t, "both wait", func() bool {
		now := s.Ask(ask.ID)
		return s.Waits(ask.ID) && now.Asked.After(now.Created) // the second has joined
	})
	s.approves(review.Review{Verdict: review.Approve})
	for _, got := range []mcptest.Answer{s.Answer(first), other.Answer(second)} {
		if object(t, got)["status"] != "active" && code(t, got) != "conflict" {
			t.Errorf("got %q", got.Text())
		}
	}
}

// Where an agent's own command opened the screen of the approval, the result says so.
func TestT21AnApprovalSaysWhoStartedItsTerminal(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		above []string
		want  string
	}{
		"an agent":  {[]string{"bash", "claude", "tmux"}, "Approved exactly as it is, in a terminal that Claude Code started ("},
		"a person":  {[]string{"bash", "tmux"}, "Approved exactly as it is ("},
		"not known": {nil, "Approved exactly as it is ("},
	} {
		s := newScene(t, limited(tasks.Options{Given: func() tasks.Given { return tasks.Given{Above: test.above} }}))
		proposed(s)
		call := s.StartTool("approve_plan", args{"planId": s.plan})
		s.approves(review.Review{Verdict: review.Approve})
		if got := s.Answer(call); !strings.Contains(got.Text(), test.want) {
			t.Errorf("%s: %q", name, got.Text())
		}
	}
}

// T17: the result of an amendment is of the plan as it would be. Its roots have no task that it cancels,
// and its hash is the one that an approval of just that names.
func TestT17AnAmendmentTellsThePlanAsItWouldBe(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	s.said("create_project", args{"name": "Shop"})
	s.plan, _ = s.said("propose_plan", args{"title": "Shop", "tasks": []any{args{"nodeKey": "a", "title": "A"}, args{"nodeKey": "b", "title": "B"}}})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	change := args{"planId": s.plan, "tasks": []any{
		args{"nodeKey": "a", "cancel": true}, args{"nodeKey": "b", "title": "B, and well"}, args{"nodeKey": "c", "title": "C"}, args{"nodeKey": "d", "title": "D", "dependsOn": []any{"c"}}}}
	said := s.said("propose_plan", change)
	if roots := fmt.Sprint(said["roots"]); roots != "[b c]" || said["tasks"] != 3.0 || said["status"] != "active" {
		t.Errorf("the amendment tells %v", said)
	}
	if again := s.said("propose_plan", change); again["hash"] != said["hash"] || again["unchanged"] != true {
		t.Errorf("the same again tells %v", again)
	}
	call = s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	if got := s.Answer(call).Text(); !strings.Contains(got, fmt.Sprintf("(%s…)", said["hash"])) || s.whole().Approval.Hash.String()[:12] != said["hash"] {
		t.Errorf("approved as %s, and proposed as %v", got, said["hash"])
	}
}

// The session's latest plan stands above its tasks: one reading, and one verdict on both.
func TestT20APlanAndItsTasksAreReadTogether(t *testing.T) {
	t.Parallel()
	s := newScene(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"session", "review", "tasks"} })
	project(s)
	session := s.Session()
	s.Tool("save_plan", args{"sessionId": session, "plan": mcptest.ReviewedPlan})
	s.plan, _ = s.said("propose_plan", args{"title": "Open the shop", "tasks": shop(), "sessionId": session})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan, "withPlan": true})
	ask := s.Opened(1)[0]
	text, err := s.Store.PlanText(t.Context(), session, ask.Spec.Plan.Number)
	if err != nil || !strings.HasPrefix(text.Raw(), mcptest.ReviewedPlan) || !strings.Contains(text.Raw(), "## Write the API {#api}") {
		t.Errorf("the person reads %q, %v", text.Raw(), err)
	}
	s.approves(review.Review{Verdict: review.Approve})
	if got := object(t, s.Answer(call)); got["status"] != "active" || got["tasksReadied"] != 1.0 {
		t.Errorf("approved: %v", got)
	}
	// What was read of the tasks is no plan to be submitted.
	if got := s.Tool("submit_plan", args{"sessionId": session, "version": ask.Spec.Plan.Number}); !got.IsError || !strings.HasSuffix(got.Text(), "call approve_plan.") {
		t.Errorf("submitted: %q", got.Text())
	}
}

// The earlier verdict comes first. What was added since is not in it, and the words say so: the
// agent that asks again gets the review of that.
func TestT24AnEarlierVerdictSaysWhatStillWaits(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	proposed(s)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.Opened(1)
	s.Cancel(call)
	s.approves(review.Review{Verdict: review.Approve})
	approved := s.whole().Graph.Hash()
	other := s.another("other") // which no answer of this session is told
	other.Tool("add_task", args{"planId": s.plan, "title": "Fix the lock"})
	other.Tool("propose_plan", args{"planId": s.plan, "tasks": []any{args{"nodeKey": "docs", "cancel": true}}})
	got := s.Tool("approve_plan", args{"planId": s.plan})
	want := fmt.Sprintf("Approved exactly as it is (%.12s…). What you change in it is locked until your user approves that. "+
		"What came later is not in it and still waits for your user: fix-the-lock, and changes that were proposed. Call approve_plan again to open the review of that. ", approved)
	if !strings.HasPrefix(got.Texts()[1], want) {
		t.Errorf("got  %s\nwant %s", got.Texts()[1], want)
	}
	again := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	if got := s.Answer(again); strings.Contains(got.Text(), "still waits") {
		t.Errorf("when all is approved: %s", got.Text())
	}
}

// A call that is refused, because the session has no plan to be read with the tasks, changes
// nothing: the right call after it finds the plan of tasks as it was.
func TestT20ARefusedApprovalChangesNothing(t *testing.T) {
	t.Parallel()
	s := newScene(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"session", "review", "tasks"} })
	proposed(s)
	planless, session := s.Session(), s.Session()
	s.Tool("save_plan", args{"sessionId": session, "plan": mcptest.ReviewedPlan})
	sessions := func() int {
		list, _, err := s.Store.Sessions(t.Context(), "", 100)
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	before := sessions()
	for why, given := range map[string]args{
		"the plan has no session yet": {"planId": s.plan, "withPlan": true},
		"that session has no plan":    {"planId": s.plan, "withPlan": true, "sessionId": planless},
	} {
		got := s.Tool("approve_plan", given)
		if code(t, got) != "validation.invalid_input" || !strings.Contains(got.Text(), why) {
			t.Errorf("%v: %s, want %s", given, got.Text(), why)
		}
		if now := s.whole().Session; now != "" || sessions() != before {
			t.Errorf("%v: the plan is of session %q, and there are %d sessions, were %d", given, now, sessions(), before)
		}
	}
	call := s.StartTool("approve_plan", args{"planId": s.plan, "withPlan": true, "sessionId": session})
	s.approves(review.Review{Verdict: review.Approve})
	if got := object(t, s.Answer(call)); got["status"] != "active" {
		t.Errorf("approved: %v", got)
	}
}

// overtaken is a store in which something happens once, after a review was prepared and
// before it opens.
type overtaken struct {
	*store.Store
	meanwhile func()
}

func (o *overtaken) ReviewTasks(ctx context.Context, by tasks.Caller, id string, r store.TaskReview) (store.Ask, error) {
	ask, err := o.Store.ReviewTasks(ctx, by, id, r)
	if happens := o.meanwhile; happens != nil {
		o.meanwhile = nil
		happens()
	}
	return ask, err
}

// A call that is about to open the review of what was just decided or changed opens none:
// its agent reads what became of the plan.
func TestAnApprovalThatIsOvertakenIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		meanwhile func(s *scene, other *mcptest.Client)
		want      string
	}{
		"approved": {func(s *scene, other *mcptest.Client) {
			call := other.StartTool("approve_plan", args{"planId": s.plan})
			s.approves(review.Review{Verdict: review.Approve})
			other.Answer(call)
		}, "Approved exactly as it is ("},
		"changes requested": {func(s *scene, other *mcptest.Client) {
			call := other.StartTool("approve_plan", args{"planId": s.plan})
			s.approves(review.Review{Verdict: review.RequestChanges, Note: safe.New("Sell books.")})
			other.Answer(call)
		}, "The plan is NOT approved: carry out none of it. "},
		"changed": {func(s *scene, other *mcptest.Client) {
			other.Tool("propose_plan", args{"planId": s.plan, "title": "Close the shop", "tasks": []any{"Sweep"}})
		}, "was changed meanwhile, so its review did not open."},
		"cancelled": {func(s *scene, _ *mcptest.Client) {
			if err := s.Store.Tasks().CancelPlan(s.t.Context(), tasks.Caller{Actor: rules.User, Name: "you"}, s.plan); err != nil {
				s.t.Error(err)
			}
		}, "was decided meanwhile and is cancelled now: nothing of it waits for an approval"},
	} {
		between := &overtaken{Store: store.New(kvtest.NewMap(), mcptest.StoreOptions())}
		w := mcptest.WorldOver(t, between.Store, func(cfg *mcp.Config) { cfg.Store, cfg.Toolsets = between, []string{"tasks"} })
		s := &scene{t: t, World: w}
		s.Client = s.another("test")
		proposed(s)
		between.meanwhile = func() { test.meanwhile(s, s.another("other")) }
		if got := s.Tool("approve_plan", args{"planId": s.plan}); !strings.Contains(got.Text(), test.want) {
			t.Errorf("%s: %q", name, got.Text())
		}
		s.Opened(0)
	}
}

// TestT17ARewordingKeepsWhatTheAgentLeavesOut rewords a task by its title alone.
func TestT17ARewordingKeepsWhatTheAgentLeavesOut(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	done(s) // the first task
	s.said("propose_plan", args{"title": "Open the shop", "planId": s.plan, "tasks": []any{args{"nodeKey": "api", "title": "Write the whole API"}}})
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	got := s.said("claim_task", args{"taskId": s.task(2)})
	contract, _ := got["verificationContract"].(map[string]any)
	if before, _ := got["done"].([]any); got["title"] != "Write the whole API" || contract["kind"] != "evidence" || len(before) != 1 {
		t.Errorf("the reworded task is %v", got)
	}
}

// A review gives way to a newer one of the same plan, and not only where the tasks were proposed
// again: the person opened another one, or it shows the plan's text, too.
func TestT17AReviewThatGaveWay(t *testing.T) {
	t.Parallel()
	s := newScene(t, func(cfg *mcp.Config) { cfg.Toolsets = []string{"session", "tasks"} })
	session, _, _ := strings.Cut(strings.TrimPrefix(s.Tool("init_planb_session", args{}).Text(), "sessionId: "), "\n")
	s.Tool("save_plan", args{"sessionId": session, "plan": "# The shop\n\nIt sells books.\n"})
	s.said("create_project", args{"name": "Shop"})
	plan := s.said("propose_plan", args{"sessionId": session, "title": "Open the shop", "tasks": []any{"Sell"}})["planId"]
	call := s.StartTool("approve_plan", args{"planId": plan})
	first := s.Opened(1)[0]
	s.Cancel(call)
	call = s.StartTool("approve_plan", args{"planId": plan, "withPlan": true})
	var second store.Ask
	mcptest.Until(t, "the other review", func() bool { second = s.Opened(1)[0]; return second.ID != first.ID })
	want := fmt.Sprintf("This review gave way to a newer one of the same plan, which has all that the user had said. Call get_answer {\"askId\":%q}; it waits for the verdict.", second.ID)
	if got := s.Tool("get_answer", args{"askId": first.ID}).Texts()[0]; got != want {
		t.Errorf("told was %q", got)
	}
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
}
