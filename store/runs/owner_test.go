package runs_test

import (
	"testing"

	"planb/store/ledger"
	"planb/store/runs"
)

// V20: the plans of another user are not found, not listed and not written.
func TestV20PlansOfAnotherOwner(t *testing.T) {
	ctx := t.Context()
	w := newWorld()
	p := w.create(t, nil)
	l := ledger.New(w.engine, ledger.Options{Now: w.clock.Now})
	other := runs.New(l, ledger.NewClaims(l, ledger.ClaimOptions{By: "berta@home"}), runs.Options{Owner: "berta"})
	_, err := other.Plan(ctx, p.ID)
	wantCode(t, err, runs.PlanNotFound)
	_, _, err = other.Stop(ctx, codex, p.ID, "mine now")
	wantCode(t, err, runs.PlanNotFound)
	if list, err := other.List(ctx, nil, 10); err != nil || len(list) != 0 {
		t.Errorf("listed are %v, %v", list, err)
	}
	if got := w.read(t, p.ID); got.State != runs.Pending {
		t.Errorf("the plan is %s", got.State)
	}
}
