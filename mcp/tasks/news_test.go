package tasks_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"planb/mcp"
	"planb/mcp/mcptest"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/store/tasks"
)

// What the person does to a task reaches its holder with the next result, once.
func TestT27TheHolderIsToldWhatThePersonDid(t *testing.T) {
	t.Parallel()
	person := tasks.Caller{Actor: rules.User, Name: "you@example"}
	reported := func(s *scene) {
		done(s)
		claim := s.said("claim_task", args{"taskId": s.task(3)})["claimId"]
		s.said("complete_task", args{"taskId": s.task(3), "claimId": claim, "summary": "Described"})
	}
	var told strings.Builder
	for _, test := range []struct {
		name   string
		before func(*scene)
		does   func(*scene) error
	}{
		{"released", claimed, func(s *scene) error {
			_, err := s.Store.Tasks().Release(t.Context(), person, s.task(1))
			return err
		}},
		{"cancelled", claimed, func(s *scene) error {
			_, err := s.Store.Tasks().Cancel(t.Context(), person, s.task(1))
			return err
		}},
		{"the plan was cancelled", claimed, func(s *scene) error { return s.Store.Tasks().CancelPlan(t.Context(), person, s.plan) }},
		{"paused", claimed, func(s *scene) error { return s.Store.Tasks().Pause(t.Context(), person, s.plan, true) }},
		{"accepted", reported, func(s *scene) error {
			_, err := s.Store.Tasks().Accept(t.Context(), person, s.task(3), safe.New("Well said"))
			return err
		}},
		{"sent back", reported, func(s *scene) error {
			_, err := s.Store.Tasks().SendBack(t.Context(), person, s.task(3), safe.New("Name the <limits>"))
			return err
		}},
		{"reworded", claimed, func(s *scene) error {
			changed := shop()
			changed[0].(args)["title"] = "Write the schema of books"
			s.said("propose_plan", args{"planId": s.plan, "title": "Open the shop", "tasks": changed})
			call := s.StartTool("approve_plan", args{"planId": s.plan})
			s.approves(review.Review{Verdict: review.Approve})
			told.WriteString("== an amendment was approved\n" + s.words(s.Answer(call)) + "\n")
			return nil
		}},
	} {
		s := newScene(t, nil)
		test.before(s)
		if err := test.does(s); err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		got := s.Tool("list_projects", args{})
		told.WriteString("== " + test.name + "\n" + s.words(got) + "\n")
		if again := s.Tool("list_projects", args{}); len(again.Texts()) != 1 {
			t.Errorf("%s: it is told again: %q", test.name, again.Texts())
		}
	}
	mcptest.Snapshot(t, "words/tasknews.txt", []byte(told.String()))
}

// A holder that makes no call about its task for half an hour is asked for it with its
// next result, of whichever tool; other connections are not.
func TestT32AQuietHolderIsAskedForItsTask(t *testing.T) {
	t.Parallel()
	var late atomic.Int64
	s := newScene(t, func(cfg *mcp.Config) {
		options := mcptest.StoreOptions()
		options.Now = func() time.Time { return time.Now().Add(time.Duration(late.Load())) }
		cfg.Store = store.New(kvtest.NewMap(), options)
	})
	claimed(s)
	other := s.another("other")
	asked := func(c *mcptest.Client) bool {
		t.Helper()
		return strings.Contains(strings.Join(c.Tool("list_projects", args{}).Texts(), "\n"), "Nothing was heard about \"Write the schema\" (taskId "+s.task(1)+")")
	}
	if asked(s.Client) {
		t.Error("it is asked at once")
	}
	late.Add(int64(tasks.QuietAfter))
	if !asked(s.Client) {
		t.Error("it is not asked")
	}
	if asked(s.Client) || asked(other) {
		t.Error("it is asked twice, or somebody else is")
	}
	s.said("update_task_status", args{"taskId": s.task(1), "claimId": s.claim, "status": "in_progress"})
	late.Add(int64(tasks.QuietAfter / 2))
	if asked(s.Client) {
		t.Error("it is asked although it was heard of")
	}
	late.Add(int64(tasks.QuietAfter))
	if !asked(s.Client) {
		t.Error("it is not asked again")
	}
	s.said("complete_task", s.report())
	late.Add(int64(tasks.QuietAfter))
	if asked(s.Client) {
		t.Error("it is asked for a task that is done")
	}
}

// Changes that wait for the person are replaced by others neither without a word to the
// agent that proposes those nor to the one whose they were.
func TestT17BothAgentsAreToldThatAnAmendmentIsReplaced(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	active(s)
	other := s.another("other")
	plan := func(title string) args {
		return args{"planId": s.plan, "title": "Open the shop", "tasks": []any{args{"title": title}, args{"nodeKey": "docs", "cancel": true}}}
	}
	var told strings.Builder
	for _, call := range []struct {
		what  string
		by    *mcptest.Client
		tool  string
		given args
	}{
		{"the first", s.Client, "propose_plan", plan("Sell books")},
		{"its second", s.Client, "propose_plan", plan("Sell maps")},
		{"another's", other, "propose_plan", plan("Sell globes")},
		{"the first is told", s.Client, "list_projects", args{}},
		{"once", s.Client, "list_projects", args{}},
	} {
		told.WriteString("== " + call.what + "\n" + s.words(call.by.Tool(call.tool, call.given)) + "\n")
	}
	mcptest.Snapshot(t, "words/replacedtasks.txt", []byte(told.String()))
}

// A claim outlives nothing but its connection: another one resumes it by its claimId.
func TestAClaimIsResumedByAnotherConnection(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	claimed(s)
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	s.Client = s.another("later")
	if got := code(t, s.Tool("claim_task", args{"taskId": s.task(1)})); got != "task.not_actionable" && got != "task.already_claimed" {
		t.Errorf("within the grace another claims it: %q", got)
	}
	if got := s.said("claim_task", args{"taskId": s.task(1), "claimId": s.claim}); got["claimId"] != s.claim || got["attempt"] != 1.0 {
		t.Errorf("resumed: %v", got)
	}
	s.said("complete_task", s.report())
}
