package soak_test

import (
	"encoding/json"
	"os/user"
	"path/filepath"

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
		list[i] = map[string]any{"title": "A task"}
	}
	project := w.send(server, "create_project", map[string]any{"name": "Soak"})
	rig.Until(w.t, "the project is there", project.over)
	proposed := w.send(server, "propose_plan", map[string]any{"title": "Soak", "tasks": list})
	rig.Until(w.t, "the plan is proposed", proposed.over)
	w.plan = taskIn(proposed).Plan
	owner, err := user.Current()
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
	st := store.New(engine, store.Options{By: owner.Username + "@localhost", Tasks: tasks.Options{Verdict: home.Verdict}})
	w.tasks = st.Tasks()
	session, err := st.CreateSession(w.t.Context(), store.Session{}) // of the person alone: no agent is to be told
	if err != nil {
		w.t.Fatal(err)
	}
	ask, err := st.ReviewTasks(w.t.Context(), tasks.Caller{Actor: rules.User}, w.plan, store.TaskReview{Session: session.ID})
	if err == nil {
		ask.Own = true
		ask, _, err = st.OpenAsk(w.t.Context(), ask)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	said, err := review.Brief(ask.Spec.Plan.Digest, review.Approve, safe.Text{}).JSON()
	if err != nil {
		w.t.Fatal(err)
	}
	_, err = st.Settle(w.t.Context(), ask.ID, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
		Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(said))},
	}})
	if err != nil {
		w.t.Fatal(err)
	}
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

// completeTask has some server report a task that was claimed, perhaps of an agent whose
// server has ended, and perhaps once more.
func (w *soak) completeTask() {
	var claims []tasked
	for _, call := range w.calls {
		if call.tool == "claim_task" && taskIn(call).Claim != "" {
			claims = append(claims, taskIn(call))
		}
	}
	if len(claims) == 0 {
		w.claimTask()
		return
	}
	claim := claims[w.random.IntN(len(claims))]
	w.send(w.anyServer(), "complete_task", map[string]any{"taskId": claim.Task, "claimId": claim.Claim, "summary": "Done"})
}

// judgeTasks checks that no task was given to two agents, and that each report that was
// taken is kept. The grace is longer than a script, so no claim lapses.
func (w *soak) judgeTasks() {
	claims, done := map[string]string{}, map[string]bool{}
	for _, call := range w.calls {
		said := taskIn(call)
		switch {
		case call.tool == "claim_task" && said.Claim != "":
			if other := claims[said.Task]; other != "" {
				w.t.Errorf("%v: task %s is given as %s, and was given as %s", call, said.Task, said.Claim, other)
			}
			claims[said.Task] = said.Claim
		case call.tool == "complete_task" && said.State == rules.Done:
			done[said.Task] = true
		}
	}
	plan, err := w.tasks.Plan(w.t.Context(), tasks.Caller{}, w.plan)
	if err != nil {
		w.t.Fatal(err)
	}
	kept := 0
	for n := 1; n <= plan.Marks.Len(); n++ {
		if plan.Marks.State(n) == rules.Done {
			kept++
		} else if done[plan.TaskID(n)] {
			w.t.Errorf("a report on task %d was taken and is not kept", n)
		}
	}
	w.t.Logf("claimed %d tasks, %d are done", len(claims), kept)
}
