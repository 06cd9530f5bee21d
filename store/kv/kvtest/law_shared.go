package kvtest

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"planb/store/kv"
)

// shared holds two engines over the same data to what kv.Engine promises of them.
func shared(t *testing.T, open func(t *testing.T) (one, other kv.Engine)) {
	for _, law := range []struct {
		name string
		test func(t *testing.T, one, other kv.Engine)
	}{
		{"one reads what the other has committed", readsOther},
		{"one's check sees the other's commit", checksOther},
		{"no update is lost between engines", countingBoth},
		{"watch fires after the other's commit", watchOther},
		{"a context that ends beside the other's commits leaves no doubt unsaid", endsBesideOther},
		{"closing one leaves the other", closeOther},
	} {
		t.Run(law.name, func(t *testing.T) {
			one, other := open(t)
			law.test(t, one, other)
		})
	}
}

// readsOther commits in turn; each revision is above the ones before.
func readsOther(t *testing.T, one, other kv.Engine) {
	last := int64(0)
	for i := range 10 {
		writer, reader := one, other
		if i%2 == 1 {
			writer, reader = other, one
		}
		put(t, writer, "k", fmt.Sprint(i))
		wantValue(t, reader, "k", fmt.Sprint(i))
		if rev := get(t, reader, "k").Rev; rev <= last {
			t.Errorf("revision %d after %d", rev, last)
		} else {
			last = rev
		}
	}
	commit(t, one, kv.Batch{Deletes: []kv.Key{"k"}})
	wantMissing(t, other, "k")
	put(t, other, "k", "again")
	if rev := get(t, one, "k").Rev; rev <= last {
		t.Errorf("revision %d after %d, with a deletion between them", rev, last)
	}
}

func checksOther(t *testing.T, one, other kv.Engine) {
	put(t, one, "k", "first")
	seen := get(t, other, "k")
	put(t, one, "k", "second")
	err := other.Commit(t.Context(), kv.Batch{
		Checks: []kv.Check{{Key: "k", Rev: seen.Rev}},
		Puts:   []kv.Put{{Key: "k", Value: []byte("lost")}, {Key: "beside", Value: []byte("lost")}},
	})
	if !errors.Is(err, kv.ErrConflict) {
		t.Errorf("a check of what the other changed: %v", err)
	}
	wantValue(t, other, "k", "second")
	wantMissing(t, one, "beside")
}

func countingBoth(t *testing.T, one, other kv.Engine) {
	const each = 20
	var group sync.WaitGroup
	for _, e := range []kv.Engine{one, other} {
		group.Go(func() {
			for range each {
				if err := increment(t.Context(), e, "n"); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	wantValue(t, one, "n", fmt.Sprint(2*each))
	wantValue(t, other, "n", fmt.Sprint(2*each))
}

func watchOther(t *testing.T, one, other kv.Engine) {
	c := watch(t, t.Context(), one)
	wantFire(t, c)
	for _, v := range []string{"1", "2", "3"} {
		put(t, other, "k", v)
		until(t, one, c, "k", v)
	}
}

// endsBesideOther ends contexts while a commit waits for the other's, and while it is
// under way.
func endsBesideOther(t *testing.T, one, other kv.Engine) {
	put(t, one, "k", "first")
	ctx, end := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	defer busy.Wait()
	defer end()
	busy.Go(func() {
		for ctx.Err() == nil {
			err := other.Commit(ctx, kv.Batch{Puts: []kv.Put{{Key: "other"}}, Quiet: true})
			if err != nil && ctx.Err() == nil {
				t.Error(err)
				return
			}
		}
	})
	endsDuringCommit(t, one)
}

func closeOther(t *testing.T, one, other kv.Engine) {
	put(t, other, "k", "kept")
	c := watch(t, t.Context(), one)
	wantFire(t, c)
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	wantValue(t, one, "k", "kept")
	put(t, one, "k", "more")
	until(t, one, c, "k", "more")
}
