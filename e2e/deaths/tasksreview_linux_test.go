package deaths_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"planb/e2e/rig"
	rules "planb/plans/tasks"
	"planb/store/storetest"
	"planb/store/tasks"
)

// inReview is a plan of three tasks whose review is about to open.
type inReview struct {
	*worked
	tm *rig.Tmux
}

// newInReview has an agent, which then leaves, propose the plan.
func newInReview(t *testing.T, data string) *inReview {
	t.Helper()
	r := &inReview{worked: proposedIn(t, data, 3)}
	r.tm = rig.StartTmux(t, 160, 40)
	return r
}

// asks has an agent call approve_plan, which waits for the person.
func (r *inReview) asks(a *rig.Agent) *rig.Pending {
	r.t.Helper()
	return a.Start("approve_plan", map[string]any{"planId": r.plan})
}

// waits waits until the review can be answered.
func (r *inReview) waits() {
	r.t.Helper()
	rig.Asked(r.t, r.data)
}

// opened waits until the form shows the tasks and takes keys.
func (r *inReview) opened(form string) {
	r.t.Helper()
	r.tm.Shows(form, "Open the shop", "Task 3")
	r.tm.Ready(form)
}

// approves has the person approve what the form shows.
func (r *inReview) approves(form string) {
	r.t.Helper()
	r.tm.Keys(form, "a")
	r.tm.ReadyDialog(form, "Approve v1")
	r.tm.Keys(form, "Enter")
}

// sealed checks that nothing of the plan is approved, and that no agent gets a task.
func (r *inReview) sealed(a *rig.Agent, when string) {
	r.t.Helper()
	if got := a.Call("claim_task", map[string]any{"planId": r.plan}); r.code(got) != "task.not_actionable" {
		r.t.Errorf("a task is claimed %s: %s", when, got)
	}
	r.refuses(a, 1, "task.not_actionable", when)
	if approvals := r.approvals(); approvals != 0 {
		r.t.Errorf("the plan is approved %d times %s", approvals, when)
	}
}

// approvals counts how often the plan was approved.
func (r *inReview) approvals() (count int) {
	r.t.Helper()
	err := rig.OpenStoreAsUser(r.t, r.data).Tasks().Events(r.t.Context(), tasks.Caller{Actor: rules.User}, time.Time{}, false, func(e tasks.Event) error {
		if e.Action == tasks.PlanApproved {
			count++
		}
		return nil
	})
	if err != nil {
		r.t.Fatal(err)
	}
	return count
}

// active checks what the agent is told of the approval, that there is one, and that the tasks
// are worked off.
func (r *inReview) active(a *rig.Agent, got rig.Reply) {
	r.t.Helper()
	if said := r.said(got); said["status"] != "active" || said["approved"] != true || said["tasksReadied"] != 3.0 {
		r.t.Errorf("the agent is told %s", got)
	}
	if approvals := r.approvals(); approvals != 1 {
		r.t.Errorf("the plan is approved %d times", approvals)
	}
	for n := 1; n <= 3; n++ {
		r.isDone(a, n, r.claims(a, n))
	}
	r.ends(3)
}

// A server and the form's pane end while the review of tasks is open. The plan stays sealed;
// the next server joins the review, and the person approves in the next form.
func TestAReviewOfTasksWhoseServerAndPaneAreKilled(t *testing.T) {
	t.Parallel()
	r := newInReview(t, t.TempDir())
	home := r.tm.FirstPane()
	agent := func() *rig.Agent { return rig.StartAgent(t, r.data, r.tm.Environment(home), "--toolsets", "tasks") }
	first := agent()
	r.asks(first)
	form := r.tm.NewPane(home)
	r.opened(form)
	if err := first.Process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	next := agent()
	r.sealed(next, "when the server was killed")
	r.tm.Run("kill-pane", "-t", form)
	r.tm.Gone(form)
	r.sealed(next, "when the pane was killed")
	form = r.tm.Open(r.data, "tui", "ask")
	r.opened(form)
	call := r.asks(next)
	r.approves(form)
	r.active(next, call.Reply())
}

// The server is killed, and the person approves while none runs: the next one tells it.
func TestAReviewOfTasksIsApprovedWhileNoServerRuns(t *testing.T) {
	t.Parallel()
	r := newInReview(t, t.TempDir())
	home := r.tm.FirstPane()
	first := rig.StartAgent(t, r.data, r.tm.Environment(home), "--toolsets", "tasks")
	r.asks(first)
	form := r.tm.NewPane(home)
	r.opened(form)
	if err := first.Process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	r.approves(form)
	r.tm.Gone(form)
	next := rig.StartAgent(t, r.data, nil, "--toolsets", "tasks")
	r.active(next, next.Call("approve_plan", map[string]any{"planId": r.plan}))
}

// The machine reboots while the review is open: the plan stays sealed until the person
// approves it.
func TestAReviewOfTasksOutlivesAReboot(t *testing.T) {
	t.Parallel()
	r := newInReview(t, t.TempDir())
	agent := func(variant string) *rig.Agent {
		return rig.StartAgentAs(t, r.data, []string{"ASK_NO_OPEN=1"}, varied(t, variant, "mcp", "--toolsets", "tasks")...)
	}
	first := agent(sleepy)
	r.asks(first)
	r.waits()
	form := r.tm.OpenCommand(r.data, varied(t, sleepy, "tui", "ask"))
	r.opened(form)
	if err := first.Process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	rig.Kill(t, r.tm.Format(form, "#{pane_pid}"))
	r.tm.Gone(form)

	next := agent(rebooted)
	r.sealed(next, "after the reboot")
	call := r.asks(next)
	form = r.tm.OpenCommand(r.data, varied(t, rebooted, "tui", "ask"))
	r.opened(form)
	r.approves(form)
	r.active(next, call.Reply())
}

// The disk takes no writes when the person approves. A verdict that fits nowhere waits in the
// form, and approves nothing until it is written; then it approves once.
func TestAVerdictOnTasksWithoutWrites(t *testing.T) {
	t.Parallel()
	rows := []outage{readOnly}
	if storetest.Whole() {
		rows = append(rows, full, spent)
	}
	for _, what := range rows {
		t.Run(string(what), func(t *testing.T) {
			t.Parallel()
			d := &stopped{t: t, what: what, user: nobody{os.Geteuid()}, data: smallDisk(t, "20m")}
			r := newInReview(t, d.data)
			d.tm = r.tm
			home := r.tm.FirstPane()
			r.tm.Run("set-environment", "-g", "HOME", r.tm.Home) // of the form, whose log must not be what fills the disk
			a := rig.StartAgent(t, r.data, append(r.apart(), r.tm.Environment(home)...), "--toolsets", "tasks")
			call := r.asks(a)
			form := r.tm.NewPane(home)
			r.opened(form)
			d.stop()
			r.approves(form)
			if what == readOnly { // where the disk is full, a short text may fit into the store's free pages
				d.reads(form, "Not sent yet", d.what.reason())
				if early := call.Early(); early != nil {
					t.Fatalf("the call returned %s", early)
				}
				got := a.Call("get_next_actionable", map[string]any{"planId": r.plan})
				if !strings.Contains(got.String(), `"tasks":[]`) {
					t.Errorf("before the verdict is written: %s", got)
				}
			}
			if what == full {
				got := call.Reply() // in the room of the reserve, if it needs any
				d.mend()
				r.active(a, got)
				return
			}
			d.mend()
			r.active(a, call.Reply())
		})
	}
}
