package store_test

import (
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// Whichever single record is lost, every list finds the records that are left, and
// nothing leads to the lost one.
func TestReindexFindsWhatIsLeft(t *testing.T) {
	t.Parallel()
	keys := []kv.Key{}
	for _, r := range storetest.All(t, newAudited(t).engine, "") {
		keys = append(keys, r.Key)
	}
	if len(keys) < 40 {
		t.Fatalf("only %d records to lose", len(keys))
	}
	gaps := map[string]string{ // what no index can close, by what is lost
		"x": "missing", "p": "is missing", "d": "is missing",
	}
	for at := range keys {
		a := newAudited(t) // other ids, but as many of them in the same order
		records := storetest.All(t, a.engine, "")
		lost := records[at].Key
		a.delete(t, lost)
		if err := a.Reindex(t.Context()); err != nil {
			t.Fatalf("without %s: %v", lost, err)
		}
		family, _, _ := cut(lost)
		gap, left := gaps[family]
		for _, problem := range a.audit(t).Problems {
			if !left || !strings.Contains(problem, gap) {
				t.Errorf("without %s: %s", lost, problem)
			}
		}
		wantListed(t, a, family, lost)
	}
}

// wantListed checks that all asks and versions are listed, except a lost one.
func wantListed(t *testing.T, a audited, family string, lost kv.Key) {
	t.Helper()
	sessions, _, err := a.Sessions(t.Context(), "", 10)
	if err != nil || len(sessions) != 1 {
		t.Fatalf("without %s: %d sessions, %v", lost, len(sessions), err)
	}
	asks, versions := 0, 0
	for _, session := range sessions {
		list, err := a.Asks(t.Context(), session.ID)
		if err != nil {
			t.Fatal(err)
		}
		asks += len(list)
		plans, err := a.Plans(t.Context(), session.ID)
		if err != nil {
			t.Fatal(err)
		}
		versions += len(plans)
		if session.Asks != len(list) {
			t.Errorf("without %s: session %s counts %d asks of %d", lost, session.ID, session.Asks, len(list))
		}
	}
	wantAsks, wantVersions := 3, 4
	switch family {
	case "a":
		wantAsks--
	case "p":
		wantVersions--
	}
	if asks != wantAsks || versions != wantVersions {
		t.Errorf("without %s: %d asks and %d versions are listed, want %d and %d", lost, asks, versions, wantAsks, wantVersions)
	}
	for _, ask := range []store.Ask{a.open, a.told, a.over} {
		found, err := a.FindAsk(t.Context(), store.ShortID(ask.ID))
		if lost != store.AskKey(ask.ID) && family != "x" && (err != nil || found.ID != ask.ID) {
			t.Errorf("without %s: ask %s is not found: %v", lost, ask.ID, err)
		}
	}
}

// The records that a repair writes fit into its commits, however long they are.
func TestReindexOfManyLongSessions(t *testing.T) {
	t.Parallel()
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	const sessions = 80
	for range sessions {
		session, err := s.CreateSession(t.Context(), store.Session{
			Title: safe.New("long"), Intent: safe.New(strings.Repeat("i", 30<<10)), Project: safe.New("/p"),
		})
		if err != nil {
			t.Fatal(err)
		}
		record := rawRecord(t, engine, store.SessionKey(session.ID))
		record["asks"] = 7 // they are lost
		storetest.PutRecord(t, engine, store.SessionKey(session.ID), record)
	}
	if err := s.Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
	sound(t, s)
}

// Reindex changes nothing in a store that is in order.
func TestReindexLeavesOrderAlone(t *testing.T) {
	t.Parallel()
	a := newAudited(t)
	before := storetest.Dump(t, a.engine)
	if err := a.Reindex(t.Context()); err != nil {
		t.Fatal(err)
	}
	if after := storetest.Dump(t, a.engine); after != before {
		t.Error("it changed something")
	}
	if err := newStore(t, kvtest.NewMap()).Reindex(t.Context()); err != nil {
		t.Errorf("of nothing: %v", err)
	}
}
