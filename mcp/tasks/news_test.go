package tasks_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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

// reports has an agent of the named client report that many tasks, on which the person is
// to look. A client without a name may send batches.
func reports(t *testing.T, client string, tasks int, change func(*mcp.Config)) *scene {
	t.Helper()
	s := newScene(t, change)
	if s.Client = mcptest.Connect(t, s.Server); client == "" {
		s.InitializeWith("2025-03-26")
	} else {
		s.Initialize(client)
	}
	project(s)
	var list []any
	for n := range tasks {
		list = append(list, args{"title": fmt.Sprintf("Look at %d", n+1), "verificationContract": args{"kind": "manual"}})
	}
	s.plan, _ = s.said("propose_plan", args{"title": "Look", "tasks": list})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	for n := range tasks {
		claim := s.said("claim_task", args{"taskId": s.task(n + 1)})["claimId"]
		s.said("complete_task", args{"taskId": s.task(n + 1), "claimId": claim, "summary": "Looked"})
	}
	return s
}

// sendsBack has the person send a task back with a comment.
func (s *scene) sendsBack(n int, comment string) {
	s.t.Helper()
	_, err := s.Store.Tasks().SendBack(s.t.Context(), tasks.Caller{Actor: rules.User, Name: "you@example"}, s.task(n), safe.New(comment))
	if err != nil {
		s.t.Fatal(err)
	}
}

// longComment is as long as a comment may be, and no two are the same.
func longComment(n int) string {
	return strings.Repeat(fmt.Sprintf("<%d> \"what\" ", n), rules.MaxNoteBytes/10)[:rules.MaxNoteBytes]
}

// What a person writes about a task reaches its agent whole: in the result, or in a file
// of which the result has the path. What has no room comes with the next results.
func TestALongCommentIsNotCut(t *testing.T) {
	t.Parallel()
	rest := regexp.MustCompile(`(?m)\(taskId (\S+)\) back: "(.*)…"\. It may be claimed again\.\n"comment" is longer than clients pass on: 4,096 characters\. All of it: (/.+)\.$`)
	for _, test := range []struct {
		client      string
		tasks, most int // results that it takes
	}{{"codex-mcp-client", 1, 1}, {"codex-mcp-client", 3, 1}, {"codex-mcp-client", 24, 6}, {"claude-code", 9, 1}} {
		t.Run(fmt.Sprintf("%d for %s", test.tasks, test.client), func(t *testing.T) {
			t.Parallel()
			s := reports(t, test.client, test.tasks, nil)
			for n := range test.tasks {
				s.sendsBack(n+1, longComment(n+1))
			}
			told := map[string]string{}
			for result := 1; len(told) < test.tasks; result++ {
				got := s.Tool("list_projects", args{})
				got.Fits(t, test.client)
				object(t, got)
				all := strings.Join(got.Texts(), "\n")
				for n := range test.tasks {
					if comment := longComment(n + 1); strings.Contains(all, "(taskId "+s.task(n+1)+") back: \""+safe.New(comment).Line()+"\".") {
						told[s.task(n+1)] += comment
					}
				}
				for _, match := range rest.FindAllStringSubmatch(all, -1) {
					text, err := os.ReadFile(match[3])
					if err != nil {
						t.Fatal(err)
					}
					if !strings.HasPrefix(string(text), match[2]) {
						t.Errorf("%q is not the beginning of %q", match[2], text)
					}
					told[match[1]] += string(text)
				}
				if result == test.most && len(told) < test.tasks {
					t.Fatalf("%d of %d are told after %d results, of which the last is %q", len(told), test.tasks, result, got.Texts())
				}
			}
			for n := range test.tasks {
				if told[s.task(n+1)] != longComment(n+1) {
					t.Errorf("of %d is told %q", n+1, told[s.task(n+1)])
				}
			}
			if again := s.Tool("list_projects", args{}); len(again.Texts()) != 1 {
				t.Errorf("it is told again: %q", again.Texts())
			}
		})
	}
}

// A comment of which the agent has only the beginning, because there is no room for a file,
// is told again.
func TestACommentWithoutAFileIsToldAgain(t *testing.T) {
	t.Parallel()
	answers := ""
	s := reports(t, "codex-mcp-client", 3, func(cfg *mcp.Config) { answers = filepath.Join(cfg.DataDir, "answers") })
	if err := os.WriteFile(answers, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for n := range 3 {
		s.sendsBack(n+1, longComment(n+1))
	}
	for range 2 {
		got := s.Tool("list_projects", args{})
		got.Fits(t, "codex-mcp-client")
		if all := strings.Join(got.Texts(), "\n"); strings.Count(all, "nowhere, as it could not be written to a file; call any tool of planb to have it told anew.") != 3 {
			t.Fatalf("told %q", got.Texts())
		}
	}
	if err := os.Remove(answers); err != nil {
		t.Fatal(err)
	}
	if got := s.Tool("list_projects", args{}); strings.Count(strings.Join(got.Texts(), "\n"), "All of it: /") != 3 {
		t.Errorf("told %q", got.Texts())
	}
	if again := s.Tool("list_projects", args{}); len(again.Texts()) != 1 {
		t.Errorf("it is told again: %q", again.Texts())
	}
}

// What happened to a task counts as told when a result with it is written, not when it was
// read for one: another call may overtake that one, and the client may cancel it.
func TestNewsIsToldByTheResultThatIsWritten(t *testing.T) {
	t.Parallel()
	answers := ""
	s := reports(t, "", 3, func(cfg *mcp.Config) { answers = filepath.Join(cfg.DataDir, "answers") })
	if got := s.another("other").Tool("propose_plan", args{"planId": s.plan, "title": "Look", "tasks": []any{args{"title": "Look again"}}}); got.IsError {
		t.Fatal(got.Text())
	}
	for n := range 3 {
		s.sendsBack(n+1, longComment(n+1))
	}
	told := func(got mcptest.Answer) int {
		return strings.Count(strings.Join(got.Texts(), "\n"), "It may be claimed again.")
	}
	call := func(id int, tool string, given args) string {
		raw, err := json.Marshal(args{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": args{"name": tool, "arguments": given}})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	// A batch is answered as a whole: the result of the first call waits for the second,
	// and that for the person. The files of the long comments show that there is a result.
	s.Write("[" + call(901, "list_projects", args{}) + "," + call(902, "approve_plan", args{"planId": s.plan}) + "]\n")
	s.Opened(1)
	mcptest.Until(t, "the first call has a result", func() bool {
		files, err := filepath.Glob(filepath.Join(answers, "task-*", "comment.md"))
		return err == nil && len(files) == 3
	})
	if got := s.Tool("list_projects", args{}); told(got) != 3 {
		t.Errorf("a call that overtakes another tells %q", got.Texts())
	}
	if again := s.Tool("list_projects", args{}); told(again) > 0 {
		t.Errorf("it is told again: %q", again.Texts())
	}
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

// An agent that lost its connection and all that it knew hears of the task that it had, beside
// those that are ready: it has begun that one.
func TestATaskThatIsKeptForAGoneAgentIsNamed(t *testing.T) {
	t.Parallel()
	s := newScene(t, nil)
	s.said("create_project", args{"name": "Shop"})
	s.plan, _ = s.said("propose_plan", args{"title": "Open the shop", "tasks": []any{"Sell", "Buy"}})["planId"].(string)
	call := s.StartTool("approve_plan", args{"planId": s.plan})
	s.approves(review.Review{Verdict: review.Approve})
	s.Answer(call)
	s.said("claim_task", args{"taskId": s.task(1)})
	living := s.another("living")
	if got := living.Tool("get_next_actionable", args{}).Text(); strings.Contains(got, "is gone") {
		t.Errorf("while its agent works another hears %q", got)
	}
	if err := s.End(); err != nil {
		t.Fatal(err)
	}
	got := s.another("later").Tool("get_next_actionable", args{}).Text()
	if want := `"Sell" (taskId ` + s.task(1) + ") was in work; its agent is gone; planb keeps the task for it for another "; !strings.Contains(got, want) ||
		!strings.HasSuffix(got, " If that agent was you, go on with it first: claim_task with its taskId after that time, or now with your claimId, too.") {
		t.Errorf("told was %q", got)
	}
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
