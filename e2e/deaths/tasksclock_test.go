package deaths_test

import (
	"os"
	"path/filepath"
	"testing"

	"planb/e2e/rig"
)

// jumpingClock is the clock of some servers, which the test sets.
type jumpingClock struct {
	t    *testing.T
	file string
}

func newJumpingClock(t *testing.T) jumpingClock {
	t.Helper()
	c := jumpingClock{t, filepath.Join(t.TempDir(), "skew")}
	c.jumps("0h")
	return c
}

// jumps sets how much the clock is ahead of the machine's.
func (c jumpingClock) jumps(ahead string) {
	c.t.Helper()
	if err := os.WriteFile(c.file+".new", []byte(ahead), 0o600); err != nil {
		c.t.Fatal(err)
	}
	if err := os.Rename(c.file+".new", c.file); err != nil { // a server never reads half of it
		c.t.Fatal(err)
	}
}

// The clock jumps a day, forward and back, while agents hold tasks. Who lives keeps its task,
// unless its lease is over by the clock; who is gone or silent keeps it no longer than
// without the jump.
func TestAClockThatJumpsFreesNoTaskAndLocksNone(t *testing.T) {
	t.Parallel()
	w, clock := newWorked(t, 6), newJumpingClock(t)
	holder, gone, other := w.variedWorker(skewed+"@"+clock.file), w.variedWorker(skewed+"@"+clock.file), w.variedWorker(skewed+"@"+clock.file)

	// A live holder without a lease.
	claim := w.claims(holder, 1)
	for _, ahead := range []string{"24h", "-24h", "0h"} {
		clock.jumps(ahead)
		w.refuses(other, 1, "task.already_claimed", "at "+ahead+" while its holder lives")
	}
	clock.jumps("-24h")
	w.isDone(holder, 1, claim)

	// A lease and a jump forward: by the clock the lease is over. A report counts as long as
	// nobody else has the task, and else is too late.
	clock.jumps("0h")
	counts, late := w.leases(holder, 2, 60), w.leases(holder, 3, 60)
	w.refuses(other, 2, "task.already_claimed", "within its lease")
	clock.jumps("24h")
	w.isDone(holder, 2, counts)
	second := w.claims(other, 3)
	w.tooLate(holder, 3, late)
	w.isDone(other, 3, second)

	// A lease and a jump back: the lease ends all the same, and who calls within it keeps its
	// task.
	first := w.leases(holder, 4, 60)
	clock.jumps("0h")
	holder.Call("update_task_status", map[string]any{"taskId": w.task(4), "claimId": first, "status": "in_progress"})
	clock.jumps("30s")
	w.refuses(other, 4, "task.already_claimed", "within its lease")
	clock.jumps("61s")
	second = w.claims(other, 4)
	w.tooLate(holder, 4, first)
	w.isDone(other, 4, second)

	// The holder is gone, and the clock jumps back before the grace is over: another agent
	// gets the task all the same.
	clock.jumps("24h")
	first, resumed := w.claims(gone, 5), w.claims(gone, 6)
	if err := gone.Process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	rig.Until(t, "it is noticed that the holder is gone", func() bool {
		return w.code(other.Call("claim_task", map[string]any{"taskId": w.task(5)})) == "task.not_actionable"
	})
	clock.jumps("0h")
	second = w.claimedAgain(other, 5)
	w.tooLate(holder, 5, first)
	w.isDone(other, 5, second)
	w.isDone(holder, 6, resumed)
	w.ends(6)
}
