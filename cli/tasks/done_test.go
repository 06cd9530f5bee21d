package tasks

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	kept "planb/store/tasks"
)

// A task that was done before it was imported was not done when a plan of such tasks was approved.
func TestWhatWasDoneBeforeIsNotListed(t *testing.T) {
	shop := newShop(t)
	shop.approves(t)
	file := filepath.Join(t.TempDir(), "more.md")
	if err := os.WriteFile(file, []byte("# Open the shop\n\n- [x] Sell books\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := shop.bringIn(t.Context(), file, importFlags{}); err != nil {
		t.Fatal(err)
	}
	shop.cancelsFirst(t)
	shop.approves(t) // with which the plan is done
	shop.inStore(t, func(d desk) error {
		list, err := d.done(t.Context(), time.Time{})
		if len(list) > 0 {
			t.Errorf("listed are %+v", list)
		}
		return err
	})
}

// What the person sent back is no summary of what was done later.
func TestSummaryOfWhatWasSentBack(t *testing.T) {
	shop := newShop(t)
	file := filepath.Join(t.TempDir(), "plan.md")
	if err := os.WriteFile(file, []byte("# Open the shop\n\n## Buy books\n\n```contract\nverification: manual\n```\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := shop.edit(t.Context(), []string{shop.id, file}, false); err != nil {
		t.Fatal(err)
	}
	shop.approves(t)
	shop.inStore(t, func(d desk) error {
		c, err := d.Tasks().Connect(t.Context())
		if err != nil {
			return err
		}
		claim := func() kept.Claimed {
			got, err := c.Claim(t.Context(), d.by, kept.ClaimRequest{})
			if err != nil {
				t.Fatal(err)
			}
			return got
		}
		first := claim()
		if _, err := c.Complete(t.Context(), d.by, kept.Completion{Task: first.ID, ClaimID: first.ClaimID, Report: rules.Report{Summary: safe.New("Bought maps")}}); err != nil {
			return err
		}
		if _, err := d.Tasks().SendBack(t.Context(), d.by, first.ID, safe.New("Books, not maps")); err != nil {
			return err
		}
		second := claim()
		if _, err := c.Update(t.Context(), d.by, kept.Progress{Task: second.ID, ClaimID: second.ClaimID, Status: rules.NeedsReview, Note: safe.New("Which books?")}); err != nil {
			return err
		}
		if _, err := d.Tasks().Accept(t.Context(), d.by, second.ID, safe.Text{}); err != nil {
			return err
		}
		list, err := d.done(t.Context(), time.Time{})
		if len(list) != 1 || !list[0].Summary.IsZero() {
			t.Errorf("listed are %+v", list)
		}
		return err
	})
}
