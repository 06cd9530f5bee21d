package tasks

import (
	"os"
	"path/filepath"
	"testing"
	"time"
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
	shop.inStore(t, func(d desk) error {
		w, err := d.Tasks().Plan(t.Context(), d.by, shop.id)
		if err != nil {
			return err
		}
		_, err = d.Tasks().Cancel(t.Context(), d.by, w.TaskID(1))
		return err
	})
	shop.approves(t) // with which the plan is done
	shop.inStore(t, func(d desk) error {
		list, err := d.done(t.Context(), time.Time{})
		if len(list) > 0 {
			t.Errorf("listed are %+v", list)
		}
		return err
	})
}
