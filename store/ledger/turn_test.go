package ledger_test

import (
	"context"
	"testing"

	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
)

// queue counts its turns.
type queue struct {
	kv.Engine
	taken, ended int
}

func (q *queue) TakeTurn(context.Context) (end func(), err error) {
	q.taken++
	return func() { q.ended++ }, nil
}

// TestTurnAfterAConflict checks that a change that met another is tried again in a turn, in
// which nobody else writes.
func TestTurnAfterAConflict(t *testing.T) {
	testTurns(t, 2, (*ledger.Ledger).Commit)
}

// TestCommitInTurn checks that CommitInTurn takes a turn for each try.
func TestCommitInTurn(t *testing.T) {
	testTurns(t, 1, (*ledger.Ledger).CommitInTurn)
}

// testTurns checks that commit takes a turn for each try from that number on.
func testTurns(t *testing.T, first int, commit func(*ledger.Ledger, context.Context, func(*ledger.Change) error) error) {
	t.Helper()
	ctx := t.Context()
	q := &queue{Engine: kvtest.NewMap()}
	l := ledger.New(q, ledger.Options{})
	for _, conflicts := range []int{0, 1} {
		q.taken, q.ended = 0, 0
		tries := 0
		turns := 2 + conflicts - first
		err := commit(l, ctx, func(c *ledger.Change) error {
			records, err := l.Get(ctx, "t/x")
			if err != nil {
				return err
			}
			if tries++; tries <= conflicts {
				if err := q.Commit(ctx, kv.Batch{Puts: []kv.Put{{Key: "t/x", Value: []byte("{}")}}}); err != nil {
					return err
				}
			} else if q.taken != turns || q.ended != max(0, turns-1) {
				t.Errorf("at the last of %d tries %d turns were taken and %d ended", tries, q.taken, q.ended)
			}
			c.Check(records[0])
			return c.Put("t/x", ledger.NewHeader())
		})
		if err != nil || tries != 1+conflicts || q.ended != turns {
			t.Errorf("after %d conflicts: %d tries, %d turns, %v", conflicts, tries, q.ended, err)
		}
	}
}
