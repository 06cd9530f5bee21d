package tasks

import (
	"context"
	"os"
	"testing"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// approves has the person approve the plan.
func (s *shop) approves(t *testing.T) {
	t.Helper()
	s.Drawable = func() error { return nil }
	s.Review = func(ctx context.Context, st *store.Store, id string) (store.Ask, error) {
		open, err := st.Ask(ctx, id)
		if err != nil {
			return store.Ask{}, err
		}
		said, err := review.Brief(open.Spec.Plan.Digest, review.Approve, safe.Text{}).JSON()
		if err != nil {
			return store.Ask{}, err
		}
		return st.Settle(ctx, id, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
			Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(said))},
		}})
	}
	if err := s.approve(t.Context(), s.id, desk.find, false); err != nil {
		t.Fatal(err)
	}
}

// A task that was cancelled is not done in what is exported: it is left out, and no task waits
// for it. Of a plan that was cancelled as a whole, all that was not done is still to be done.
func TestExportingWhatWasCancelled(t *testing.T) {
	shop := newShop(t)
	file := t.TempDir() + "/plan.md"
	const plan = "# Open the shop\n\n## Buy books {#buy}\n\n## Sell books {#sell}\n\nafter: buy\n"
	if err := os.WriteFile(file, []byte(plan), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := shop.edit(t.Context(), []string{shop.id, file}, false); err != nil {
		t.Fatal(err)
	}
	shop.approves(t)
	exported := func() (text string) {
		shop.inStore(t, func(d desk) error {
			raw, err := d.exported(t.Context(), shop.id, false)
			text = string(raw)
			return err
		})
		return text
	}
	shop.cancelsFirst(t)
	if got, want := exported(), "# Open the shop\n\n## Sell books {#sell}\n"; got != want {
		t.Errorf("with a cancelled task it is\n%s", got)
	}
	shop.inStore(t, func(d desk) error { return d.Tasks().CancelPlan(t.Context(), d.by, shop.id) })
	if got := exported(); got != plan {
		t.Errorf("of a cancelled plan it is\n%s", got)
	}
}
