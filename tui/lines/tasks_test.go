package lines

import (
	"context"
	"strings"
	"testing"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/questions/safe/safetest"
	"planb/store"
	kept "planb/store/tasks"
	"planb/tui/screen"
	"planb/tui/tasks"
	"planb/tui/tuitest"
)

const authPlan = `{"title":"Auth rewrite","tasks":[
	{"nodeKey":"schema","title":"Write the schema","verificationContract":{"kind":"manual","criteria":["nobody is signed out"]}},
	{"nodeKey":"api","title":"Write the API","dependsOn":["schema"]},
	{"nodeKey":"bank","title":"Ask the bank","executionContract":{"kind":"human"}}]}`

// proposed is a plan of tasks that an agent proposed.
func (w *world) proposed(proposal string) kept.Proposed {
	w.T.Helper()
	agent := kept.Caller{Actor: rules.Agent, Name: "Claude Code"}
	tuitest.Must(w.Store.Tasks().CreateProject(w.T.Context(), agent, "Shop", ""))
	session := w.Session("Auth", "/home/you/shop")
	return tuitest.Must(w.Store.Tasks().Propose(w.T.Context(), agent, kept.Proposal{Proposal: tuitest.Must(rules.ReadProposal([]byte(proposal), nil)), Session: session.ID}))
}

func (w *world) desk() tasks.Deps {
	room, by := w.Store.Tasks(), kept.Caller{Actor: rules.User, Name: "you@desk"}
	return tasks.Deps{Store: room, Decide: room, Watcher: w.Store, By: by.Name, Now: w.Clock, Review: func(ctx context.Context, id string) (store.Ask, error) {
		plan, err := room.Plan(ctx, by, id)
		if err != nil {
			return store.Ask{}, err
		}
		ask, err := w.Store.ReviewTasks(ctx, by, id, store.TaskReview{Session: plan.Session})
		if err != nil {
			return store.Ask{}, err
		}
		opened, _, err := w.Store.OpenAsk(ctx, ask)
		return opened, err
	}}
}

// tasksInLines reads a plan of tasks out; typed is what the person types.
func (w *world) tasksInLines(plan string, typed ...string) string {
	w.T.Helper()
	return w.talked(typed, func(ctx context.Context, terminal screen.Terminal) error {
		return Tasks(ctx, TasksOptions{Desk: w.desk(), Store: w.Store, Plan: plan, By: "you@desk", Now: w.Clock, Terminal: terminal})
	})
}

// The keys of tasks take no word away: whoever wants such a task types its number.
func TestAWordIsNoKeyOfATask(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plan := w.proposed(`{"title":"Words","tasks":[{"nodeKey":"approve","title":"Approve the budget"},{"nodeKey":"leave","title":"Leave"}]}`)
	prints(t, w.tasksInLines(plan.ID, "approve", "later", "1", "leave"), "asks for a review", "Approve the budget")
	if out := w.tasksInLines(plan.ID, "leave", "all"); strings.Count(out, "Approve the budget") > 1 {
		t.Errorf("it was not left:\n%s", out)
	}
}

// A person approves a plan, and decides about its tasks, line by line.
func TestTasksInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plan := w.proposed(authPlan)
	prints(t, w.inboxInLines(InboxOptions{Tasks: w.desk()}, "leave"), "Tasks that need you, in 1 plan:\nAuth rewrite, Shop: 3 tasks to approve. Open it with  planb tui tasks "+rules.Short(plan.ID))
	out := w.tasksInLines(plan.ID, "why api", "approve", "a", "yes", "", "path", "all", "help", "nonsense", "leave")
	prints(t, out, "Auth rewrite: proposed, 0 of 3 done", "It waits for your approval", "Once approved, it waits for “Write the schema”", "Auth rewrite: active, 0 of 3 done",
		"Ready: 1.\n1. Write the schema", "Needs you: 1.\n3. Ask the bank, for you to do", "The critical path", "Blocked: 1.\n2. Write the API, after Write the schema", "accept, and a task: accepts its report", "There is no such word or task here.")

	agent := kept.Caller{Actor: rules.Agent, Name: "Claude Code"}
	work := tuitest.Must(w.Store.Tasks().Connect(t.Context()))
	claimed := tuitest.Must(work.Claim(t.Context(), agent, kept.ClaimRequest{Task: plan.TaskID(1)}))
	report := rules.Report{Summary: safe.New("Three tables."), Evidence: []rules.Proof{{Criterion: "1", Text: safe.New("a test walks 500 sessions")}}}
	tuitest.Must(work.Complete(t.Context(), agent, kept.Completion{Task: claimed.ID, ClaimID: claimed.ClaimID, Report: report}))

	out = w.tasksInLines(plan.TaskID(1), "accept schema", "no", "back 1 which sessions?", "priority schema 0", "priority 1", "accept 3", "yes", "cancel api", "yes", "release 1", "yes", "leave")
	prints(t, out, "Task 1, schema: Write the schema.", "It reported, and planb verified none of it: Three tables.", "For nobody is signed out: a test walks 500 sessions", "Accept “Write the schema”? This makes ready: “Write the API”.",
		"Sent back.", "P0: “Write the schema”.", "Type the task and a number from 0 to 4", "Have you done “Ask the bank”?", "Done.", "Cancel “Write the API”?", "This cannot be undone.", "Cancelled.", "That could not be done: cannot-release")
	now := tuitest.Must(w.Store.Tasks().Plan(t.Context(), agent, plan.ID))
	past := tuitest.Must(w.Store.Tasks().Past(t.Context(), agent, plan.TaskID(1)))
	if now.Marks.State(1) != rules.Open || now.Marks.Priority(1) != 0 || now.Marks.State(2) != rules.Cancelled || now.Marks.State(3) != rules.Done || past.Attempts[0].Comment.Raw() != "which sessions?" {
		t.Errorf("the tasks stand at %s, the report was sent back with %q", now.Marks, past.Attempts[0].Comment.Raw())
	}
	prints(t, w.tasksInLines("", "help", "9", "1", "leave", "q"), "Plans of tasks: 1.\n1. Auth rewrite, active, 1 of 2 done", "leave, or q: ends this.", "Nothing has that number.",
		"Auth rewrite: active", "help of the rest: \nPlans of tasks: 1.")
	prints(t, newWorld(t).tasksInLines(""), "There are no plans of tasks yet.")
}

// Line by line, too, an agent that is stuck is answered, and what nobody reported is called done only
// on purpose.
func TestAStuckAgentInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plan := w.proposed(authPlan)
	w.tasksInLines(plan.ID, "approve", "a", "yes", "", "leave")
	agent := kept.Caller{Actor: rules.Agent, Name: "Claude Code"}
	asks := func() {
		work := tuitest.Must(w.Store.Tasks().Connect(t.Context()))
		claimed := tuitest.Must(work.Claim(t.Context(), agent, kept.ClaimRequest{Task: plan.TaskID(1)}))
		tuitest.Must(work.Update(t.Context(), agent, kept.Progress{Task: claimed.ID, ClaimID: claimed.ClaimID, Status: rules.NeedsReview, Note: safe.New("Which database?")}))
	}
	stands := func(want rules.State, comment string) {
		t.Helper()
		now := tuitest.Must(w.Store.Tasks().Plan(t.Context(), agent, plan.ID))
		past := tuitest.Must(w.Store.Tasks().Past(t.Context(), agent, plan.TaskID(1)))
		if got, said := now.Marks.State(1), past.Attempts[len(past.Attempts)-1].Comment.Raw(); got != want || said != comment {
			t.Errorf("the task is %s with %q, want %s with %q", got, said, want, comment)
		}
	}
	asks()
	prints(t, w.inboxInLines(InboxOptions{Tasks: w.desk()}, "leave"), "Auth rewrite, Shop: 1 to answer, 1 for you to do.")
	out := w.tasksInLines(plan.TaskID(1), "accept 1", "yes", "accept 1", "done", "no", "leave")
	prints(t, out, "Task 1, schema: Write the schema.", "It said: Which database?", "Claude Code says “Which database?” and cannot go on without you. No agent has reported that it is done. Type answer to answer it, done if it is done all the same", "Is “Write the schema” done, although nobody reported that?")
	stands(rules.NeedsReview, "")
	prints(t, w.tasksInLines(plan.ID, "accept 1", "answer", "SQLite", "leave"), "Write the schema, asks you", "“Which database?” and cannot go on without you. No agent has reported that it is done. What do you answer?", "Answered and sent back.")
	stands(rules.Open, "SQLite")
	asks()
	prints(t, w.tasksInLines(plan.ID, "answer 1 Postgres", "leave"), "Answered and sent back.")
	stands(rules.Open, "Postgres")
	asks()
	prints(t, w.tasksInLines(plan.ID, "accept 1", "done", "yes", "leave"), "Done without a report.")
	stands(rules.Done, "")
}

// The changes of an approved plan are compared with what was approved, and not with the whole
// plan that was read then.
func TestChangesOfTasksInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plan := w.proposed(authPlan)
	prints(t, w.tasksInLines(plan.ID, "approve", "a", "yes", "", "leave"), "Type yes to send it: 3 approved, 1 ready, kept for the agent")
	agent := kept.Caller{Actor: rules.Agent, Name: "Claude Code"}
	now := tuitest.Must(w.Store.Tasks().Plan(t.Context(), agent, plan.ID))
	change := tuitest.Must(rules.ReadProposal([]byte(`{"title":"Auth rewrite","tasks":[{"nodeKey":"api","title":"Write the API twice","dependsOn":["schema"]}]}`), now.Graph))
	tuitest.Must(w.Store.Tasks().Propose(t.Context(), agent, kept.Proposal{Proposal: change, Replaces: plan.ID}))
	out := w.tasksInLines(plan.ID, "approve", "changes", "a", "yes", "", "leave")
	prints(t, out, "Since your approval: +1 −1", "What changed in v2 since your approval:\n1 new line, 1 gone line.", "was:\n## Write the API {#api}\nNow:\n## Write the API twice {#api}", "All changes have 5 lines and 2 headings.")
	if strings.Contains(out, "Write the schema {#schema}") {
		t.Errorf("what did not change is read out:\n%s", out)
	}
}

// T22: line by line a plan is approved without some tasks in the same words as on the screen, and a
// change that is held back leaves its task as it was approved.
func TestT22TasksHeldBackInPlainLines(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	plan := w.proposed(authPlan)
	out := w.tasksInLines(plan.ID, "approve", "hold 3", "approve", "yes", "", "leave")
	prints(t, out, "Approve v1 without 1 task. The plan becomes active. The task that you hold back stays locked, and what waits for it keeps waiting.", "Approved without 1 task: 2 approved, 1 ready, kept for")
	agent := kept.Caller{Actor: rules.Agent, Name: "Claude Code"}
	now := tuitest.Must(w.Store.Tasks().Plan(t.Context(), agent, plan.ID))
	if len(now.Held) != 1 || now.Graph.Key(now.Held[0]) != "api" {
		t.Errorf("held back are %v", now.Held)
	}
	change := tuitest.Must(rules.ReadProposal([]byte(`{"title":"Auth rewrite","tasks":[{"nodeKey":"schema","title":"Write the tables"},{"nodeKey":"docs","title":"Write the docs"}]}`), now.Graph))
	tuitest.Must(w.Store.Tasks().Propose(t.Context(), agent, kept.Proposal{Proposal: change, Replaces: plan.ID}))
	out = w.tasksInLines(plan.ID, "approve", "hold 2", "approve", "yes", "", "leave")
	prints(t, out, "2 changes to approve", "Approve v2 without 1 task. The other changes are approved, exactly as they are.", "Approved without 1 task: 4 approved, 2 ready, kept for")
	now = tuitest.Must(w.Store.Tasks().Plan(t.Context(), agent, plan.ID))
	if now.Graph.Len() != 4 || len(now.Held) > 1 {
		t.Errorf("%d tasks, held back are %v", now.Graph.Len(), now.Held)
	}
}

// What agents send is printed clean.
func TestHostileTasksInPlainLines(t *testing.T) {
	t.Parallel()
	tried := 0
	for name, hostile := range safetest.Hostile() {
		if strings.TrimSpace(hostile) == "" || len(hostile) > rules.MaxTitleBytes-10 { // no proposal has such a title
			continue
		}
		w := newWorld(t)
		agent := kept.Caller{Actor: rules.Agent, Name: hostile}
		tuitest.Must(w.Store.Tasks().CreateProject(t.Context(), agent, "Shop", ""))
		line := strings.Join(strings.Fields(hostile), " ") // as every reader of a plan leaves it
		item := rules.Item{Seed: rules.Seed{Key: "a", Title: safe.New("T " + line), Description: safe.New("D " + line), Minutes: 30, Priority: 2,
			Execution: rules.Execution{Kind: rules.Unblocked}, Verification: rules.Verification{Kind: rules.Evidence, Criteria: []safe.Text{safe.New(hostile)}}}}
		plan, err := w.Store.Tasks().Propose(t.Context(), agent, kept.Proposal{Proposal: rules.Proposal{Title: safe.New("P " + line), Items: []rules.Item{item}}})
		switch {
		case rules.CodeOf(err) == rules.CodeValidationInvalidInput: // the store keeps no such text
			continue
		case err != nil:
			t.Fatalf("%s: %v", name, err)
		}
		tried++
		out := w.tasksInLines(plan.ID, "1", "all", "path", "leave") + w.tasksInLines("", "leave") + w.inboxInLines(InboxOptions{Tasks: w.desk()}, "leave")
		for _, c := range out {
			if c < ' ' && c != '\n' || c >= 0x7f && c < 0xa0 || c >= 0x202a && c <= 0x202e {
				t.Errorf("%s: U+%04X is printed", name, c)
				break
			}
		}
	}
	if tried < 5 {
		t.Errorf("the store kept only %d hostile texts", tried)
	}
}
