package kvtest

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"planb/store/kv"
)

func watch(t testing.TB, ctx context.Context, e kv.Engine) <-chan struct{} {
	t.Helper()
	c, err := e.Watch(ctx, "")
	if err != nil {
		t.Fatalf("watch: %v", err)
	}
	return c
}

func wantFire(t testing.TB, c <-chan struct{}) {
	t.Helper()
	select {
	case _, open := <-c:
		if !open {
			t.Fatal("the watch ended where it should fire")
		}
	case <-time.After(patience):
		t.Fatal("the watch does not fire")
	}
}

// wantEnd waits for the channel to be closed; it may fire before.
func wantEnd(t testing.TB, c <-chan struct{}) {
	t.Helper()
	end := time.After(patience)
	for {
		select {
		case _, open := <-c:
			if !open {
				return
			}
		case <-end:
			t.Fatal("the watch does not end")
		}
	}
}

// until reads again at every fire, as every user of a watch does, until the
// record holds the value.
func until(t testing.TB, e kv.Engine, c <-chan struct{}, key kv.Key, value string) {
	t.Helper()
	for {
		wantFire(t, c)
		if string(get(t, e, key).Value) == value {
			return
		}
	}
}

func watchStart(t *testing.T, e kv.Engine) {
	wantFire(t, watch(t, t.Context(), e))
	put(t, e, "k", "v")
	c := watch(t, t.Context(), e)
	wantFire(t, c)
	if refused, err := e.Watch(t.Context(), "\n"); err == nil {
		t.Errorf("a prefix that is no key's was taken: %v", refused)
	}
}

func watchCommit(t *testing.T, e kv.Engine) {
	c := watch(t, t.Context(), e)
	wantFire(t, c)
	for _, v := range []string{"1", "2", "3"} {
		put(t, e, "k", v)
		until(t, e, c, "k", v)
	}
	commit(t, e, kv.Batch{Deletes: []kv.Key{"k"}})
	until(t, e, c, "k", "")
}

func watchCoalesces(t *testing.T, e kv.Engine) {
	c := watch(t, t.Context(), e)
	for range 20 {
		put(t, e, "k", "before")
	}
	put(t, e, "k", "last")
	until(t, e, c, "k", "last")
	// No goroutine reads this channel: commits must not wait for it.
	watch(t, t.Context(), e)
	for range 20 {
		put(t, e, "k", "more")
	}
}

func watchAll(t *testing.T, e kv.Engine) {
	var all []<-chan struct{}
	for range 50 {
		all = append(all, watch(t, t.Context(), e))
	}
	put(t, e, "k", "v")
	for _, c := range all {
		until(t, e, c, "k", "v")
	}
}

func watchPart(t *testing.T, e kv.Engine) {
	part, other := "part/", "other/"
	c, err := e.Watch(t.Context(), kv.Key(part))
	if err != nil {
		t.Fatal(err)
	}
	wantFire(t, c)
	for i, key := range []string{"part/1", "part/2"} {
		put(t, e, kv.Key(other+key), "v")
		put(t, e, kv.Key(key), "v")
		until(t, e, c, kv.Key(key), "v")
		commit(t, e, kv.Batch{
			Puts:    []kv.Put{{Key: kv.Key(other + fmt.Sprint(i)), Value: []byte("w")}},
			Deletes: []kv.Key{kv.Key(key)},
		})
		until(t, e, c, kv.Key(key), "")
	}
}

func watchEnds(t *testing.T, e kv.Engine) {
	ctx, cancel := context.WithCancel(t.Context())
	ends, stays := watch(t, ctx, e), watch(t, t.Context(), e)
	cancel()
	wantEnd(t, ends)
	put(t, e, "k", "v")
	until(t, e, stays, "k", "v")
	// All gone, and watched anew.
	again, cancel := context.WithCancel(t.Context())
	c := watch(t, again, e)
	cancel()
	wantEnd(t, c)
	c = watch(t, t.Context(), e)
	put(t, e, "k", "w")
	until(t, e, c, "k", "w")
}

func closeEndsWatch(t *testing.T, e kv.Engine) {
	c := watch(t, t.Context(), e)
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	wantEnd(t, c)
}

// watchAmongQuiet commits quietly right before and after a commit that is told.
func watchAmongQuiet(t *testing.T, e kv.Engine) {
	c := watch(t, t.Context(), e)
	wantFire(t, c)
	quiet := func(v string) {
		commit(t, e, kv.Batch{Puts: []kv.Put{{Key: "quiet", Value: []byte(v)}}, Quiet: true})
	}
	for i := range 10 {
		v := fmt.Sprint(i)
		quiet(v)
		put(t, e, "k", v)
		quiet(v + "again")
		until(t, e, c, "k", v)
	}
}

// quietCrowd commits quietly without a pause from several goroutines while another
// commits and is watched.
func quietCrowd(t *testing.T, e kv.Engine) {
	ctx, end := context.WithCancel(t.Context())
	var crowd sync.WaitGroup
	defer crowd.Wait()
	defer end()
	for i := range 4 {
		crowd.Go(func() {
			key := kv.Key(fmt.Sprint("quiet/", i))
			for ctx.Err() == nil {
				err := e.Commit(ctx, kv.Batch{Puts: []kv.Put{{Key: key}}, Quiet: true})
				if err != nil && ctx.Err() == nil {
					t.Error(err)
					return
				}
			}
		})
	}
	c := watch(t, t.Context(), e)
	wantFire(t, c)
	for i := range 10 {
		v := fmt.Sprint(i)
		soon, cancel := context.WithTimeout(t.Context(), patience)
		if err := e.Commit(soon, kv.Batch{Puts: []kv.Put{{Key: "k", Value: []byte(v)}}}); err != nil {
			t.Fatalf("among quiet commits: %v", err)
		}
		cancel()
		until(t, e, c, "k", v)
	}
}
