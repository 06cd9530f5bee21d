package fakestore_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"planb/e2e/rig/fakestore"
	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

func smallSize() fakestore.Size {
	return fakestore.Size{Sessions: 60, Asks: 500, Versions: 120, VersionBytes: 1000, Longest: 25}
}

func generated(t testing.TB, size fakestore.Size) *kvtest.Map {
	t.Helper()
	engine := kvtest.NewMap()
	if err := fakestore.Generate(t.Context(), engine, size); err != nil {
		t.Fatal(err)
	}
	return engine
}

// allRecords returns what the engine holds, as a line each.
func allRecords(t *testing.T, engine kv.Engine) string {
	t.Helper()
	var all strings.Builder
	for after := kv.Key(""); ; {
		page, err := engine.Scan(t.Context(), "", after, kv.MaxPageRecords)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page.Records {
			all.WriteString(string(r.Key) + " " + string(r.Value) + "\n")
			after = r.Key
		}
		if !page.More {
			return all.String()
		}
	}
}

func TestGenerateMakesTheSameAgain(t *testing.T) {
	size := smallSize().Share(0.2)
	first := allRecords(t, generated(t, size))
	if allRecords(t, generated(t, size)) != first {
		t.Error("the same size made another store")
	}
}

func TestGenerateMakesWhatWasWanted(t *testing.T) {
	size := smallSize()
	s := store.New(generated(t, size), store.Options{})
	audit, err := s.Audit(t.Context())
	if err != nil || len(audit.Problems) > 0 {
		t.Fatalf("%v, %q", err, audit.Problems)
	}
	if audit.Sessions != size.Sessions || audit.Asks != size.Asks || audit.Plans != size.Versions {
		t.Errorf("%d sessions, %d asks, %d versions; wanted are %s", audit.Sessions, audit.Asks, audit.Plans, size)
	}
	if audit.OrphanChunks != 0 || audit.Open == 0 {
		t.Errorf("%d texts belong to nothing, %d asks are open", audit.OrphanChunks, audit.Open)
	}
	sessions, next, err := s.Sessions(t.Context(), "", size.Sessions)
	if err != nil || next != "" {
		t.Fatal(err, next)
	}
	longest := slices.MaxFunc(sessions, func(a, b store.Session) int { return a.Plans - b.Plans })
	if longest.Plans != size.Longest {
		t.Errorf("the longest session has %d versions, want %d", longest.Plans, size.Longest)
	}
	states, kinds, bytes := map[questions.State]bool{}, map[questions.Kind]bool{}, 0
	for _, session := range sessions {
		for ask, err := range s.WholeAsks(t.Context(), session.ID) {
			if err != nil || ask.Err != nil {
				t.Fatal(err, ask.Err)
			}
			states[ask.Outcome.State] = true
			for _, q := range ask.Spec.Questions {
				kinds[q.Kind] = true
			}
		}
		for n := range session.Plans {
			text, err := s.PlanText(t.Context(), session.ID, n+1)
			if err != nil {
				t.Fatal(err)
			}
			bytes += len(text.Raw())
		}
	}
	for _, state := range []questions.State{
		questions.Pending, questions.Answered, questions.Discuss, questions.Declined, questions.Withdrawn,
	} {
		if !states[state] {
			t.Errorf("no ask is %s", state)
		}
	}
	if len(kinds) != len(questions.Kinds()) {
		t.Errorf("there are questions of the kinds %v only", kinds)
	}
	if mean := bytes / size.Versions; mean < size.VersionBytes*8/10 || mean > size.VersionBytes*12/10 {
		t.Errorf("a version has %d bytes, wanted are about %d", mean, size.VersionBytes)
	}
}

func TestGenerateRefuses(t *testing.T) {
	full := generated(t, fakestore.Size{Sessions: 1})
	if err := fakestore.Generate(t.Context(), full, smallSize()); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("a store that holds something: %v", err)
	}
	for _, size := range []fakestore.Size{{}, {Sessions: 1, Asks: -1}, {Sessions: 1, Versions: 1, VersionBytes: 10}} {
		engine := kvtest.NewMap()
		if err := fakestore.Generate(t.Context(), engine, size); err == nil {
			t.Errorf("%s was made", size)
		}
		if allRecords(t, engine) != "" {
			t.Errorf("something was written for %s", size)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := fakestore.Generate(ctx, kvtest.NewMap(), smallSize()); err == nil {
		t.Error("it goes on after its context has ended")
	}
}

func TestShareOfASize(t *testing.T) {
	part := fakestore.FullSize().Share(0.001)
	if part.Sessions != 10 || part.Asks != 100 || part.Versions != 50 || part.Longest != 0 || part.VersionBytes != 20_000 {
		t.Errorf("a thousandth is %s", part)
	}
}
