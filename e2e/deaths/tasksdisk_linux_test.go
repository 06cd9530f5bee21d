package deaths_test

import (
	"os"
	"strings"
	"testing"
	"time"

	"planb/e2e/rig"
	"planb/store/storetest"
)

// newWorkedDisk is a plan of so many tasks on a disk that stop takes the writes from.
func newWorkedDisk(t *testing.T, what outage, count int) (*worked, *stopped) {
	t.Helper()
	d := &stopped{t: t, what: what, user: nobody{os.Geteuid()}, data: smallDisk(t, "20m")}
	return newWorkedIn(t, d.data, count), d
}

// The disk takes no writes while agents claim, report and give back. Each is told what was
// not done, keeps what it holds, and goes on once there is room again. No holder counts as
// gone, although none can say that it lives.
func TestNoWritesLoseNoTask(t *testing.T) {
	t.Parallel()
	rows := []outage{full, readOnly}
	if storetest.Whole() {
		rows = append(rows, spent)
	}
	for _, what := range rows {
		t.Run(string(what), func(t *testing.T) {
			t.Parallel()
			w, d := newWorkedDisk(t, what, 5)
			holder, other := w.variedWorker(sleepy), w.variedWorker(sleepy)
			reports, gives, holds := w.claims(holder, 1), w.claims(holder, 2), w.claims(holder, 3)
			d.hasReserve(wholeReserve)
			d.stop()

			// Longer than the free pages of a store, where a short text may still fit.
			var evidence []any
			for range 20 {
				evidence = append(evidence, map[string]any{"text": longText()[:4000]})
			}
			report := map[string]any{"taskId": w.task(1), "claimId": reports, "summary": "Done", "evidence": evidence}
			giveBack := map[string]any{"taskId": w.task(2), "claimId": gives, "status": "ready", "note": longText()[:4000]}
			claim := map[string]any{"taskId": w.task(4)}
			reported, givenBack := holder.Call("complete_task", report), holder.Call("update_task_status", giveBack)
			claimed := other.Call("claim_task", claim)
			for call, got := range map[string]rig.Reply{"report": reported, "give back": givenBack, "claim": claimed} {
				if got.IsError && !strings.Contains(got.String(), d.what.reason()) {
					t.Errorf("%s, without room: %s", call, got)
				}
			}
			switch what {
			case full: // what was done is kept in the room of the reserve, and nothing new begins there
				if reported.IsError || givenBack.IsError || !strings.Contains(claimed.String(), "is kept for what people are answering") {
					t.Errorf("reported: %s\ngiven back: %s\nclaimed: %s", reported, givenBack, claimed)
				}
				d.hasReserve(0)
			case spent:
				if !reported.IsError {
					t.Errorf("reported without room: %s", reported)
				}
			default:
				if !reported.IsError || !givenBack.IsError || !claimed.IsError {
					t.Errorf("reported: %s\ngiven back: %s\nclaimed: %s", reported, givenBack, claimed)
				}
			}
			for range 6 { // longer than a claim's counter may stand still
				if got := other.Call("get_next_actionable", map[string]any{"planId": w.plan}); got.IsError {
					t.Errorf("an agent that only reads: %s", got)
				}
				time.Sleep(time.Second / 2)
			}
			d.mend()
			// On a busy machine a holder may be believed gone until it is renewed.
			if got := other.Call("claim_task", map[string]any{"taskId": w.task(3)}); !got.IsError {
				t.Errorf("claimed, although its holder lives: %s", got)
			}
			if reported.IsError {
				reported = holder.Call("complete_task", report)
			}
			if givenBack.IsError {
				givenBack = holder.Call("update_task_status", giveBack)
			}
			if w.said(reported)["state"] != "done" || w.said(givenBack)["state"] != "ready" {
				t.Errorf("reported: %s\ngiven back: %s", reported, givenBack)
			}
			if claimed.IsError {
				claimed = other.Call("claim_task", claim)
			}
			claimID, _ := w.said(claimed)["claimId"].(string)
			w.isDone(other, 4, claimID)
			w.isDone(other, 2, w.claims(other, 2))
			time.Sleep(time.Second) // the grace
			w.refuses(other, 3, "task.already_claimed", "after the grace of a holder that lives")
			w.isDone(holder, 3, holds)
			w.isDone(holder, 5, w.claims(holder, 5))
			w.ends(5)
		})
	}
}
