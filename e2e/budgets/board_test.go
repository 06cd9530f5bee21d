package budgets_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"planb/e2e/rig"
	rules "planb/plans/tasks"
	"planb/store"
	"planb/store/tasks"
)

// plansBytes is what a moved highlight in the list of plans may send: four lines of two rows,
// and once a preview that names a dozen tasks in place of three. A frame that comes before the
// plan is read draws its preview without tasks, for 600 bytes more.
const plansBytes = 2_560

// planRowsBytes is what the four lines may send alone, in a window without a preview. Half of
// it is their text, which comes anew because its ground changes.
const planRowsBytes = 400

// toApproveBytes is what a moved highlight in the list of a proposed plan may send, and
// boardBytes what one on the board of an approved plan may: two cards of three lines, and what
// is said of the task below.
const (
	toApproveBytes = 450
	boardBytes     = 500
)

// On the board of a plan of 500 tasks the first paint and a moved highlight send few bytes.
func TestTheBoardSendsFewBytes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a := rig.StartAgent(t, dir, []string{"ASK_NO_OPEN=1"}, "--toolsets", "tasks")
	a.Call("create_project", map[string]any{"name": "Shop"})
	var tasks []any
	for i := range 500 {
		task := map[string]any{"nodeKey": fmt.Sprint("t", i), "title": fmt.Sprintf("Move page %d of the old handbook to the new site", i), "priority": i % 5}
		if i > 40 {
			task["dependsOn"] = []string{fmt.Sprint("t", i/3)}
		}
		tasks = append(tasks, task)
	}
	proposed := a.Call("propose_plan", map[string]any{"title": "Handbook", "tasks": tasks})
	var handbook struct {
		Plan string `json:"planId"`
	}
	if err := json.Unmarshal([]byte(proposed.Texts[0]), &handbook); err != nil {
		t.Fatalf("%v: %s", err, proposed)
	}
	if got := a.Call("propose_plan", map[string]any{"title": "Shelves", "tasks": tasks[:3]}); got.IsError {
		t.Fatal(got)
	}
	y := startOnTerminal(t, dir, "tui", "tasks")
	y.sees("Waiting for your approval")
	y.quiet()
	listed := 0
	for _, key := range []string{"down", "up", "down"} {
		bytes, _ := y.press(rig.KeyBytes[key])
		listed = max(listed, bytes)
	}
	if listed > plansBytes {
		t.Errorf("a moved highlight in the list of plans sent %d bytes, want at most %d", listed, plansBytes)
	}
	y.resize(90, 21)
	rows := 0
	for _, key := range []string{"up", "down"} {
		bytes, _ := y.press(rig.KeyBytes[key])
		rows = max(rows, bytes)
	}
	if rows > planRowsBytes {
		t.Errorf("its rows alone sent %d bytes, want at most %d", rows, planRowsBytes)
	}
	y.resize(120, 40)
	before, _ := y.size()
	y.press("\r")
	y.sees("Critical path")
	y.quiet()
	painted, _ := y.size()
	if painted -= before; painted > firstPaint {
		t.Errorf("the graph sent %d bytes, want at most %d", painted, firstPaint)
	}
	graph := painted
	before, _ = y.size()
	y.press("\t")
	y.sees("To approve")
	y.quiet()
	painted, _ = y.size()
	if painted -= before; painted > firstPaint {
		t.Errorf("the list to approve sent %d bytes, want at most %d", painted, firstPaint)
	}
	toApprove, moved := painted, 0
	for _, key := range []string{"down", "down", "up"} {
		bytes, _ := y.press(rig.KeyBytes[key])
		moved = max(moved, bytes)
	}
	if moved > toApproveBytes {
		t.Errorf("a moved highlight in the list to approve sent %d bytes, want at most %d", moved, toApproveBytes)
	}
	before, _ = y.size()
	approve(t, dir, handbook.Plan)
	y.sees("Blocked")
	y.quiet()
	painted, _ = y.size()
	if painted -= before; painted > firstPaint {
		t.Errorf("the board sent %d bytes, want at most %d", painted, firstPaint)
	}
	most := 0
	for _, key := range []string{"down", "down", "down", "up", "up", "up"} {
		bytes, _ := y.press(rig.KeyBytes[key])
		most = max(most, bytes)
	}
	if most > boardBytes {
		t.Errorf("a moved highlight sent %d bytes, want at most %d", most, boardBytes)
	}
	t.Logf("a move in the list sent %d bytes, %d without a preview, the graph %d, the list to approve %d and a move there %d, the board %d, the dearest move there %d", listed, rows, graph, toApprove, moved, painted, most)
}

// approve approves a plan of tasks, as the person does on their screen.
func approve(t *testing.T, dir, plan string) {
	t.Helper()
	st := rig.OpenStoreAsUser(t, dir)
	session, err := st.CreateSession(t.Context(), store.Session{})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := st.Tasks().Plan(t.Context(), tasks.Caller{Actor: rules.User}, plan)
	if err == nil {
		err = rig.ApproveTasks(t.Context(), st, session.ID, whole)
	}
	if err != nil {
		t.Fatal(err)
	}
}
