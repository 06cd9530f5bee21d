package tasks_test

import (
	"strings"
	"testing"

	"planb/plans/tasks"
)

const someUUID = "01890a5d-ac96-774b-bcce-b302993f9a1c"

// A plan's id ends in 0000 and its task's id in the task's number, and people type
// six digits and the number (2.1).
func TestIDs(t *testing.T) {
	plan, err := tasks.PlanID("01890A5D-AC96-774B-BCCE-B3023f9a1c77")
	if err != nil || plan != "01890a5d-ac96-774b-bcce-b3023f9a0000" {
		t.Fatalf("the plan's id is %s, %v", plan, err)
	}
	for n, want := range map[int]string{1: "0001", 12: "000c", tasks.MaxTasks: "2710"} {
		id, err := tasks.TaskID(plan, n)
		if err != nil || id != plan[:32]+want {
			t.Errorf("task %d has the id %s, %v", n, id, err)
		}
		if back, number, ok := tasks.SplitID(id); back != plan || number != n || !ok {
			t.Errorf("%s is task %d of %s", id, number, back)
		}
		digits, number, ok := tasks.ParseShort(tasks.Short(id))
		if digits != "023f9a" || number != n || !ok {
			t.Errorf("%s is read as task %d of %s", tasks.Short(id), number, digits)
		}
	}
	if tasks.Short(plan) != "023f9a" || tasks.Short("schema") != "schema" {
		t.Errorf("short are %s, %s", tasks.Short(plan), tasks.Short("schema"))
	}
	for _, wrong := range []string{"", "schema", "023f9", "023f9a.", "023f9a.0", "023f9a.01", "023f9a.10001", "023f9g.1", "023f9a.1.2", "0é3f9.1"} {
		if _, _, ok := tasks.ParseShort(wrong); ok {
			t.Errorf("%q is a short id", wrong)
		}
	}
	for _, wrong := range []string{"", someUUID[1:], someUUID + "0", "01890a5d-ac96-774b-bcce-b302993fzz1c", "01890a5dxac96-774b-bcce-b302993f9a1c", plan[:32] + "ffff"} {
		if _, _, ok := tasks.SplitID(wrong); ok {
			t.Errorf("%q is an id", wrong)
		}
	}
	for _, n := range []int{-1, tasks.MaxTasks + 1} {
		if _, err := tasks.TaskID(plan, n); err == nil {
			t.Errorf("there is a task %d", n)
		}
	}
	if _, err := tasks.PlanID("plan"); err == nil {
		t.Error("plan is a UUID")
	}
}

func TestClaimIDs(t *testing.T) {
	id := tasks.ClaimID(3, 0x9ac0f2d1)
	if attempt, ok := tasks.AttemptOf(id); id != "3-9ac0f2d1" || attempt != 3 || !ok {
		t.Errorf("%s is of attempt %d, %v", id, attempt, ok)
	}
	for _, wrong := range []string{"", "3", "3-", "-9ac0f2d1", "0-9ac0f2d1", "3-9ac0f2d", "3-9ac0f2dg", "x-9ac0f2d1"} {
		if _, ok := tasks.AttemptOf(wrong); ok {
			t.Errorf("%q is a claim's id", wrong)
		}
	}
}

// T8: names are the same in any letter case, and a slug that is taken gets a number.
func TestT8SlugsAndNames(t *testing.T) {
	taken := map[string]bool{"shop": true, "shop-2": true}
	if got := tasks.FreeSlug("shop", func(s string) bool { return taken[s] }); got != "shop-3" {
		t.Errorf("the free slug is %s", got)
	}
	if got := tasks.FreeSlug(strings.Repeat("é", 20), func(s string) bool { return s == strings.Repeat("é", 20) }); got != strings.Repeat("é", 19)+"-2" {
		t.Errorf("the free slug is %s", got)
	}
	if a, b := tasks.FoldName(" My  SHOP ſ"), tasks.FoldName("my shop S"); a != b || a == tasks.FoldName("my shop") {
		t.Errorf("%q, %q", a, b)
	}
}
