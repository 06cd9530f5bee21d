package ledger_test

import (
	"errors"
	"testing"
	"time"

	"planb/store/kv"
	"planb/store/ledger"
	"planb/store/storetest"
)

// A claim is given up and another one got in one commit of the caller's own.
func TestClaimsInACommitOfAnother(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		engine := open()
		l := ledger.New(engine, ledger.Options{})
		claims := ledger.NewClaims(l, ledger.ClaimOptions{By: "person@desk", TTL: time.Hour})
		other, _ := claiming(t, open(), time.Hour)
		first, second, third := showClaim("a", "1"), showClaim("a", "2"), showClaim("a", "3")
		held, err := claims.Hold(ctx, first, "one")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Hold(ctx, second, "another"); err != nil {
			t.Fatal(err)
		}
		next := claims.Claiming("one")
		err = l.Commit(ctx, func(c *ledger.Change) error {
			if err := next.Put(ctx, c, second); !errors.As(err, new(*ledger.HeldError)) {
				t.Errorf("a claim of another was got: %v", err)
			}
			return errors.Join(held.Delete(ctx, c), next.Put(ctx, c, third))
		})
		if err != nil {
			t.Fatal(err)
		}
		held.Stop()
		now := next.Held(ctx)
		live, err := other.Live(ctx, showClaims("a"))
		if _, gone := live[first]; err != nil || gone || len(live) != 2 || now.Key() != third {
			t.Errorf("live are %v, %v", live, err)
		}
		if _, err := other.Hold(ctx, third, "another"); !errors.As(err, new(*ledger.HeldError)) {
			t.Errorf("the claim is got twice: %v", err)
		}
		dropped := claims.Claiming("one")
		dropped.Cancel()
		if _, err := other.Hold(ctx, first, "another"); err != nil {
			t.Errorf("after a cancel: %v", err)
		}
	})
}
