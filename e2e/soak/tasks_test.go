package soak_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os/user"
	"path/filepath"
	"slices"
	"strings"

	"planb/e2e/rig"
	"planb/plans/review"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
	"planb/store/home"
	"planb/store/tasks"
)

// soakTasks is how many tasks the plan has: more than the agents of a script claim.
const soakTasks = 80

// approveTasks has an agent propose a plan of tasks, and a person approve it.
func (w *soak) approveTasks() {
	w.t.Helper()
	server, list := w.servers[0], make([]any, soakTasks)
	for i := range list {
		list[i] = map[string]any{"nodeKey": fmt.Sprintf("t%d", i+1), "title": "A task"}
	}
	project := w.send(server, "create_project", map[string]any{"name": "Soak"})
	rig.Until(w.t, "the project is there", project.over)
	proposed := w.send(server, "propose_plan", map[string]any{"title": "Soak", "tasks": list})
	rig.Until(w.t, "the plan is proposed", proposed.over)
	w.plan = taskIn(proposed).Plan
	who, err := user.Current()
	if err != nil {
		w.t.Fatal(err)
	}
	engine, err := bolt.Open(w.t.Context(), filepath.Join(w.data, "planb.db"), bolt.Options{MustExist: true})
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		if err := engine.Close(); err != nil {
			w.t.Error(err)
		}
	})
	st := store.New(engine, store.Options{By: who.Username + "@localhost", Tasks: tasks.Options{Verdict: home.Verdict}})
	w.tasks = st.Tasks()
	session, err := st.CreateSession(w.t.Context(), store.Session{}) // of the person alone: no agent is to be told
	if err != nil {
		w.t.Fatal(err)
	}
	w.owner = tasks.Caller{Actor: rules.User, Name: who.Username + "@localhost"}
	w.approve = func() error { return approveWaiting(w.t.Context(), st, w.owner, session.ID, w.plan) }
	if err := w.approve(); err != nil {
		w.t.Fatal(err)
	}
	w.noteApproved()
}

// approveWaiting has the person approve all of a plan that waits for it.
func approveWaiting(ctx context.Context, st *store.Store, by tasks.Caller, session, plan string) error {
	ask, err := st.ReviewTasks(ctx, by, plan, store.TaskReview{Session: session})
	if err == nil {
		ask.Own = true
		ask, _, err = st.OpenAsk(ctx, ask)
	}
	if err != nil {
		return err
	}
	said, err := review.Brief(ask.Spec.Plan.Digest, review.Approve, safe.Text{}).JSON()
	if err != nil {
		return err
	}
	_, err = st.Settle(ctx, ask.ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(said))},
	}})
	return err
}

// noteApproved notes which tasks a person has approved: all that there are. It may note one
// that came right behind the approval, too.
func (w *soak) noteApproved() {
	w.t.Helper()
	plan, err := w.tasks.Plan(w.t.Context(), tasks.Caller{}, w.plan)
	if err != nil {
		w.t.Fatal(err)
	}
	w.approved = plan.Graph.Len()
}

// approveMore has the person approve what agents have added and changed. Somebody may change
// the plan meanwhile: then nothing is approved.
func (w *soak) approveMore() {
	w.t.Helper()
	err := w.approve()
	w.note("the person approves what was added and changed: %v", err)
	overtaken := err != nil && strings.Contains(err.Error(), "open the new review")
	if code := rules.CodeOf(err); err != nil && code != rules.CodeConflict && !overtaken {
		w.t.Errorf("the approval of what was added: %v", err)
	}
	if err == nil {
		w.noteApproved()
	}
}

// key is the nodeKey of one of the tasks that were proposed first.
func (w *soak) key(from, to int) string { return fmt.Sprintf("t%d", from+w.random.IntN(to-from+1)) }

func (w *soak) addTask() {
	w.tokens++
	w.send(w.anyServer(), "add_task", map[string]any{
		"planId": w.plan, "title": fmt.Sprintf("A task that was found, %d", w.tokens), "dependsOn": []string{w.key(1, soakTasks)},
	})
}

// amend proposes another wording of a task, or a task more.
func (w *soak) amend() {
	w.tokens++
	task := map[string]any{"nodeKey": w.key(1, soakTasks), "title": fmt.Sprintf("A task, in other words, %d", w.tokens)}
	if w.chance(3) {
		task["nodeKey"] = fmt.Sprintf("more-%d", w.tokens)
	}
	w.send(w.anyServer(), "propose_plan", map[string]any{"planId": w.plan, "title": "Soak", "tasks": []any{task}})
}

// depend has a task of the second half wait for one of the first, so that no cycle comes of it.
func (w *soak) depend() {
	w.send(w.anyServer(), "set_dependency", map[string]any{
		"taskId": w.taskID(soakTasks/2 + 1 + w.random.IntN(soakTasks/2)), "dependsOn": w.taskID(1 + w.random.IntN(soakTasks/2)),
		"remove": w.chance(4),
	})
}

func (w *soak) taskID(n int) string { return fmt.Sprintf("%s%04x", w.plan[:32], n) }

// giveBack has some server give back a task that was claimed, perhaps once more, or after it
// was reported.
func (w *soak) giveBack() {
	if claim, ok := w.someClaim(); ok {
		status := []string{"ready", "ready", "in_progress"}[w.random.IntN(3)]
		w.send(w.anyServer(), "update_task_status", map[string]any{"taskId": claim.Task, "claimId": claim.Claim, "status": status})
	}
}

// release has the person take a task from its holder.
func (w *soak) release() {
	w.t.Helper()
	claim, ok := w.someClaim()
	if !ok {
		return
	}
	_, err := w.tasks.Release(w.t.Context(), w.owner, claim.Task)
	w.note("the person releases %s: %v", claim.Task, err)
	if code := rules.CodeOf(err); err != nil && code != rules.CodeConflict {
		w.t.Errorf("releasing %s: %v", claim.Task, err)
	}
}

// someClaim is a claim that an agent was given.
func (w *soak) someClaim() (tasked, bool) {
	var claims []tasked
	for _, call := range w.calls {
		if call.tool == "claim_task" && taskIn(call).Claim != "" {
			claims = append(claims, taskIn(call))
		}
	}
	if len(claims) == 0 {
		w.claimTask()
		return tasked{}, false
	}
	return claims[w.random.IntN(len(claims))], true
}

// refusedByContract reports whether the call is one about a task, and its refusal one that the
// contract names for it: its claim has ended, or a task cannot be claimed now or changed any
// more.
func refusedByContract(call *soakCall) bool {
	named := map[string][]rules.Code{
		"claim_task":         {rules.CodeTaskNotActionable, rules.CodeTaskAlreadyClaimed},
		"complete_task":      {rules.CodeTaskLeaseExpired, rules.CodeConflict},
		"update_task_status": {rules.CodeTaskLeaseExpired, rules.CodeConflict},
		"propose_plan":       {rules.CodeConflict, rules.CodeValidationInvalidInput},
		"set_dependency":     {rules.CodeConflict},
	}[call.tool]
	content := call.response.Result.Content
	if len(content) == 0 {
		return false
	}
	var said struct{ Error struct{ Code rules.Code } }
	return json.Unmarshal([]byte(content[0].Text), &said) == nil && slices.Contains(named, said.Error.Code)
}

// tasked is what a result says of a task.
type tasked struct {
	Plan  string      `json:"planId"`
	Task  string      `json:"taskId"`
	Claim string      `json:"claimId"`
	State rules.State `json:"state"`
}

// taskIn reads the object in a result; zero if there is none.
func taskIn(call *soakCall) (said tasked) {
	if !call.answered() { // before that another goroutine writes the response
		return said
	}
	if content := call.response.Result.Content; len(content) > 0 && !call.response.Result.IsError {
		_ = json.Unmarshal([]byte(content[0].Text), &said) // a result without an object says nothing of a task
	}
	return said
}

func (w *soak) claimTask() *soakCall {
	return w.send(w.anyServer(), "claim_task", map[string]any{"planId": w.plan})
}

// claimNamed has some server claim a task that was added, or that an agent had before.
func (w *soak) claimNamed() {
	var named []string
	for _, call := range w.calls {
		if said := taskIn(call); said.Task != "" && (call.tool == "add_task" || call.tool == "update_task_status") {
			named = append(named, said.Task)
		}
	}
	if len(named) > 0 {
		w.send(w.anyServer(), "claim_task", map[string]any{"taskId": named[w.random.IntN(len(named))]})
	}
}

// workOnTasks does several things to the plan, most of them while the one before is under way.
func (w *soak) workOnTasks() {
	acts := []func(){
		func() { w.claimTask() }, w.claimNamed, w.claimNamed, w.completeTask, w.giveBack, w.giveBack, w.release,
		w.addTask, w.amend, w.amend, w.depend, w.approveMore,
	}
	for range 4 + w.random.IntN(5) {
		acts[w.random.IntN(len(acts))]()
		w.pause(6)
	}
}

// completeTask has some server report a task that was claimed, perhaps of an agent whose
// server has ended, and perhaps once more.
func (w *soak) completeTask() {
	claim, ok := w.someClaim()
	if !ok {
		return
	}
	w.send(w.anyServer(), "complete_task", map[string]any{"taskId": claim.Task, "claimId": claim.Claim, "summary": "Done"})
}

// judgeTasks checks that no claim was given twice, that no task had two holders at once and
// none was done twice, that each report and each addition that was taken is kept, and that no
// agent got what no person has approved. The grace is longer than a script, so no claim lapses:
// a task is given again only after it was given back or released.
func (w *soak) judgeTasks() {
	claims, done, added := map[string]string{}, map[string]string{}, 0
	plan, err := w.tasks.Plan(w.t.Context(), tasks.Caller{}, w.plan)
	if err != nil {
		w.t.Fatal(err)
	}
	reports := map[string]string{} // the claimId of the report, by task
	for _, call := range w.calls {
		said := taskIn(call)
		switch {
		case call.tool == "claim_task" && said.Claim != "":
			if other := claims[said.Claim+said.Task]; other != "" {
				w.t.Errorf("%v: task %s is given as %s, and was given by %s", call, said.Task, said.Claim, other)
			}
			claims[said.Claim+said.Task] = call.String()
		case call.tool == "complete_task" && said.State == rules.Done:
			reports[said.Task] = call.claim
		case call.tool == "add_task" && said.Task != "":
			added++
			if _, n, ok := rules.SplitID(said.Task); !ok || n > plan.Graph.Len() {
				w.t.Errorf("%v: task %s was added and is not in the plan", call, said.Task)
			}
		}
	}
	kept, again := 0, 0
	for n := 1; n <= plan.Graph.Len(); n++ {
		id := plan.TaskID(n)
		past, err := w.tasks.Past(w.t.Context(), tasks.Caller{}, id)
		if err != nil {
			w.t.Fatal(err)
		}
		known := map[string]bool{}
		for i, attempt := range past.Attempts {
			known[attempt.ClaimID] = true
			if attempt.End == tasks.EndedDone {
				done[id] += attempt.ClaimID
			}
			switch attempt.End {
			case tasks.EndedByExit, tasks.EndedByLease, tasks.EndedUnreadable:
				w.t.Errorf("task %d was taken from %s, which did not give it back: %s", n, attempt.ClaimID, attempt.End)
			case "":
				if i < len(past.Attempts)-1 {
					w.t.Errorf("task %d is given to %s while %s has it", n, past.Attempts[i+1].ClaimID, attempt.ClaimID)
				}
			}
		}
		for claim := range claims {
			if of, ok := strings.CutSuffix(claim, id); ok && !known[of] && past.Count == len(past.Attempts) {
				w.t.Errorf("%s was given for task %d and is not kept", of, n)
			}
		}
		again += max(0, past.Count-1)
		if plan.Marks.State(n) == rules.Done {
			kept++
		}
		if reported := reports[id]; reported != done[id] && reported != "" {
			w.t.Errorf("the report of %s on task %d was taken, and %q is kept as done", reported, n, done[id])
		}
		if (plan.Marks.State(n) == rules.Done) != (done[id] != "") {
			w.t.Errorf("task %d is %s, and done by %q", n, plan.Marks.State(n), done[id])
		}
		if past.Count > 0 && n > w.approved {
			w.t.Errorf("task %d was given to an agent, and no person has approved it", n)
		}
	}
	rig.IsSound(w.t, w.data)
	w.t.Logf("claimed %d tasks, %d more than once, %d are done, %d were added, %d of them approved", len(claims), again, kept, added, w.approved-soakTasks)
}
