package store_test

import (
	"errors"
	"testing"
	"time"

	"planb/store"
	"planb/store/kv/kvtest"
)

func TestArchive(t *testing.T) {
	ctx := t.Context()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	engine := kvtest.NewMap()
	s := store.New(engine, store.Options{Now: func() time.Time {
		now = now.Add(time.Second)
		return now
	}})
	first, second := newSession(t, s, "/p"), newSession(t, s, "/q")
	ask := openAsk(t, s, first.ID, "one", "")
	// What a newer planb wrote must survive.
	raw := rawRecord(t, engine, store.SessionKey(first.ID))
	raw["colour"] = "green"
	putRecord(t, engine, store.SessionKey(first.ID), raw)
	was, err := s.Session(ctx, first.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, archived := range []bool{false, true, true, false, true} {
		before := dump(t, engine)
		got, err := s.Archive(ctx, first.ID, archived)
		if err != nil || got.InArchive() != archived {
			t.Fatalf("%+v, %v; want %v", got, err, archived)
		}
		if was.InArchive() == archived && dump(t, engine) != before {
			t.Errorf("archived %v again: something was written", archived)
		}
		read, err := s.Session(ctx, first.ID)
		if err != nil || read != got || !read.Updated.Equal(was.Updated) {
			t.Errorf("read %+v, %v; want %+v", read, err, got)
		}
		was = read
	}
	if raw := rawRecord(t, engine, store.SessionKey(first.ID)); raw["colour"] != "green" {
		t.Errorf("the record is %v", raw)
	}
	if list, _, err := s.Sessions(ctx, "", 2); err != nil || list[0].ID != first.ID || list[1].ID != second.ID || list[1].InArchive() {
		t.Errorf("the list is %+v, %v", list, err)
	}
	if _, err := s.Settle(ctx, ask.ID, answered("x")); err != nil {
		t.Fatal(err)
	}
	if back, err := s.Session(ctx, first.ID); err != nil || back.InArchive() || !back.Archived.IsZero() {
		t.Errorf("after a change: %+v, %v", back, err)
	}
	if _, err := s.Archive(ctx, nobody, true); !isUnknown(err) {
		t.Errorf("a session that never was: %v", err)
	}
}

// An older planb writes a session's record without knowing of archives: what it
// does not know it leaves as it is.
func TestAChangeOfAnOlderPlanbTakesBackFromTheArchive(t *testing.T) {
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	session := newSession(t, s, "/p")
	archived, err := s.Archive(t.Context(), session.ID, true)
	if err != nil {
		t.Fatal(err)
	}
	raw := rawRecord(t, engine, store.SessionKey(session.ID))
	raw["updated"] = archived.Updated.Add(time.Second)
	putRecord(t, engine, store.SessionKey(session.ID), raw)
	if is, err := s.Session(t.Context(), session.ID); err != nil || is.InArchive() {
		t.Errorf("%+v, %v", is, err)
	}
}

func isUnknown(err error) bool {
	_, ok := errors.AsType[*store.UnknownError](err)
	return ok
}
