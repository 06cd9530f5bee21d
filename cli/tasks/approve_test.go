package tasks

import (
	"context"
	"errors"
	"testing"

	"planb/cli/frame"
	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// A verdict counts as delivered once it was printed. If it cannot be, the command fails, and the
// verdict is kept for the next call.
func TestVerdictThatCannotBePrinted(t *testing.T) {
	for name, verdict := range map[string]review.Verdict{"approved": review.Approve, "sent back": review.RequestChanges} {
		t.Run(name, func(t *testing.T) {
			shop := newShop(t)
			var ask string
			shop.Drawable = func() error { return nil }
			shop.Review = func(ctx context.Context, st *store.Store, id string) (store.Ask, error) {
				open, err := st.Ask(ctx, id)
				if err != nil {
					return store.Ask{}, err
				}
				said, err := review.Brief(open.Spec.Plan.Digest, verdict, safe.New("So.")).JSON()
				if err != nil {
					return store.Ask{}, err
				}
				ask = id
				return st.Settle(ctx, id, questions.Outcome{State: questions.Answered, Reply: questions.Reply{
					Answers: map[string]questions.Value{questions.ReviewID: questions.TextValue(string(said))},
				}})
			}
			if err := shop.Stdout.Close(); err != nil {
				t.Fatal(err)
			}
			err := shop.approve(t.Context(), shop.id, desk.find, false)
			if err == nil {
				t.Fatal("nothing is said")
			}
			if exit, ok := errors.AsType[frame.Exit](err); ok {
				t.Errorf("the exit code is %d", exit.Code)
			}
			shop.inStore(t, func(d desk) error {
				kept, err := d.Ask(t.Context(), ask)
				if !kept.Undelivered() {
					t.Error("it counts as delivered")
				}
				return err
			})
		})
	}
}
