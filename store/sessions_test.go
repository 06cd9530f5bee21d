package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

func TestCreateSession(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := newStore(t, open())
		in := store.Session{
			Title: safe.New("t\x1b<&>"), Intent: safe.New("i"), Project: safe.New("/p\n"),
			Client: store.Client{Name: safe.New("claude-code")},
			Asks:   7, Plans: 7,
		}
		made, err := s.CreateSession(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		if made.Asks != 0 || made.Plans != 0 || made.Created.IsZero() || made.Updated != made.Created {
			t.Errorf("made %+v", made)
		}
		// Another process reads the very same.
		read, err := newStore(t, open()).Session(ctx, strings.ToUpper(made.ID))
		if err != nil || read != made {
			t.Errorf("read %+v, %v, made %+v", read, err, made)
		}
		for _, id := range []string{made.ID, "not a uuid"} {
			if _, err := s.CreateSession(ctx, store.Session{ID: id}); err == nil {
				t.Errorf("a second session %q was made", id)
			}
		}
		given, err := s.CreateSession(ctx, store.Session{ID: strings.ToUpper(nobody)})
		if err != nil || given.ID != nobody {
			t.Errorf("a session with a given id is %q, %v", given.ID, err)
		}
	})
}

func TestSessionsNewestChangeFirst(t *testing.T) {
	ctx := t.Context()
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	engine := kvtest.NewMap()
	s := store.New(engine, store.Options{Now: func() time.Time {
		now = now.Add(time.Second)
		return now
	}})
	var made []store.Session
	for range 7 {
		made = append(made, newSession(t, s, ""))
	}
	// Whatever changes in a session moves it to the front.
	ask := openAsk(t, s, made[0].ID, "one", "")
	moves := []struct {
		what string
		at   int
		do   func() error
	}{
		{"an ask", 1, func() error { openAsk(t, s, made[1].ID, "one", ""); return nil }},
		{"an answer", 0, func() error { _, err := s.Settle(ctx, ask.ID, answered("x")); return err }},
		{"a plan", 2, func() error { _, _, err := s.SavePlan(ctx, made[2].ID, "", "x"); return err }},
	}
	var front []string
	for _, m := range moves {
		if err := m.do(); err != nil {
			t.Fatal(err)
		}
		list, _, err := s.Sessions(ctx, "", 1)
		if err != nil || len(list) != 1 || list[0].ID != made[m.at].ID {
			t.Errorf("%s does not move the session to the front: %v", m.what, err)
		}
		front = slices.Insert(front, 0, made[m.at].ID)
	}
	want := slices.Concat(front, []string{made[6].ID, made[5].ID, made[4].ID, made[3].ID})
	for size := 1; size <= 8; size++ {
		var got []string
		for after, pages := "", 0; ; pages++ {
			list, next, err := s.Sessions(ctx, after, size)
			if err != nil {
				t.Fatal(err)
			}
			for _, session := range list {
				got = append(got, session.ID)
			}
			if after = next; after == "" {
				break
			}
			if pages > 10 {
				t.Fatal("the pages have no end")
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d:\n%s\nwant\n%s", size, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
	first, err := s.Session(ctx, made[0].ID)
	if err != nil || first.Asks != 1 || first.Plans != 0 {
		t.Errorf("counts: %d asks, %d plans, %v", first.Asks, first.Plans, err)
	}
	if count(t, engine, store.ChangeKeys) != 7 {
		t.Errorf("%d entries for 7 sessions", count(t, engine, store.ChangeKeys))
	}
}

func TestSessionsOfAnEmptyStore(t *testing.T) {
	engine := &counter{Engine: kvtest.NewMap()}
	s := newStore(t, engine)
	list, next, err := s.Sessions(t.Context(), "", 50)
	if err != nil || len(list) != 0 || next != "" {
		t.Errorf("%v, %q, %v", list, next, err)
	}
	if waiting, err := s.Waiting(t.Context()); err != nil || len(waiting) != 0 {
		t.Errorf("%v, %v", waiting, err)
	}
	if engine.commits != 0 {
		t.Errorf("reading wrote %d times", engine.commits)
	}
}

func TestWatchRingsForAnswersNotForEntries(t *testing.T) {
	ctx := t.Context()
	s := newStore(t, kvtest.NewMap())
	ask := openAsk(t, s, newSession(t, s, "").ID, "one", "")
	bell, err := s.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	rings := func() bool {
		select {
		case <-bell:
			return true
		default:
			return false
		}
	}
	if !rings() {
		t.Error("it does not ring at the start")
	}
	if err := s.SaveEntry(ctx, ask.ID, entryOf("x")); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveEntry(ctx, ask.ID, entryOf(randomText(600<<10))); err != nil {
		t.Fatal(err)
	}
	if rings() {
		t.Error("an entry rings")
	}
	if _, err := s.Settle(ctx, ask.ID, answered("x")); err != nil {
		t.Fatal(err)
	}
	if !rings() {
		t.Error("an answer does not ring")
	}
}

func ExampleShortID() {
	fmt.Println(store.ShortID("0190a8e0-7d3b-7cc3-98c4-dc0c0c07398f"))
	// Output: 0c07398f
}

// Records that are too large to be read at once are read in several steps. So are more
// keys than one read takes.
func TestSessionsLargerThanOneRead(t *testing.T) {
	ctx := t.Context()
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		s := newStore(t, open())
		const large = 6
		var want []string
		for i := range kv.MaxRecordsInGet + 5 {
			size := 10
			if i < large {
				size = kv.MaxGetBytes / (large - 1)
			}
			made, err := s.CreateSession(ctx, store.Session{Intent: safe.New(strings.Repeat("i", size))})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, made.ID)
		}
		list, _, err := s.Sessions(ctx, "", len(want))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, session := range list {
			if session.Err != nil {
				t.Fatal(session.Err)
			}
			got = append(got, session.ID)
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%d sessions are listed, want %d", len(got), len(want))
		}
	})
}

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
	storetest.PutRecord(t, engine, store.SessionKey(first.ID), raw)
	was, err := s.Session(ctx, first.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, archived := range []bool{false, true, true, false, true} {
		before := storetest.Dump(t, engine)
		got, err := s.Archive(ctx, first.ID, archived)
		if err != nil || got.InArchive() != archived {
			t.Fatalf("%+v, %v; want %v", got, err, archived)
		}
		if was.InArchive() == archived && storetest.Dump(t, engine) != before {
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

// An older planb writes a session's record without knowing of archives. It leaves fields
// that it does not know as they are.
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
	storetest.PutRecord(t, engine, store.SessionKey(session.ID), raw)
	if is, err := s.Session(t.Context(), session.ID); err != nil || is.InArchive() {
		t.Errorf("%+v, %v", is, err)
	}
}

func isUnknown(err error) bool {
	_, ok := errors.AsType[*store.UnknownError](err)
	return ok
}

func TestFindSession(t *testing.T) {
	const one, two = "019aa000-1111-7000-8000-0000aaaa0001", "019aa000-2222-7000-8000-0000aaaa0002"
	s := newStore(t, kvtest.NewMap())
	for _, id := range []string{one, two} {
		if _, err := s.CreateSession(t.Context(), store.Session{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		given string
		want  []string // none: unknown; several: they are named
	}{
		{one, []string{one}},
		{strings.ToUpper(two), []string{two}},
		{"aaaa0001", []string{one}},
		{"AAAA0002", []string{two}},
		{"aaaa", []string{one, two}},
		{"019aa000", []string{one, two}},
		{"019aa000-1", []string{one}},
		{"019aa0002", []string{two}},
		{"019aa00", nil}, // the first digits are alike for weeks
		{"aaa", nil},
		{"", nil},
		{"aaaa0003", nil},
		{"planning!", nil},
		{nobody, nil},
	} {
		t.Run(c.given, func(t *testing.T) {
			found, err := s.FindSession(t.Context(), c.given)
			var unknown *store.UnknownError
			var ambiguous *store.AmbiguousError
			switch {
			case len(c.want) == 1 && (err != nil || found.ID != c.want[0]):
				t.Errorf("found %q, %v", found.ID, err)
			case len(c.want) == 0 && !errors.As(err, &unknown):
				t.Errorf("got %q, %v, want it unknown", found.ID, err)
			case len(c.want) > 1 && (!errors.As(err, &ambiguous) || !slices.Equal(ambiguous.Matches, c.want)):
				t.Errorf("got %q, %v, want both named", found.ID, err)
			}
		})
	}
}

func TestFindSessionThatCannotBeRead(t *testing.T) {
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	made := newSession(t, s, "")
	storetest.PutRecord(t, engine, store.SessionKey(made.ID), map[string]any{"v": store.Format + 1})
	found, err := s.FindSession(t.Context(), store.ShortID(made.ID))
	if err != nil || found.ID != made.ID || found.Err == nil {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestAmbiguousNamesNoMoreThanAPersonReads(t *testing.T) {
	err := &store.AmbiguousError{What: "session", ID: "0"}
	for i := range 20 {
		err.Matches = append(err.Matches, fmt.Sprint("id", i))
	}
	if got := err.Error(); !strings.HasPrefix(got, `"0" fits 20 sessions; give more digits, or one of id0, `) || !strings.HasSuffix(got, "id7 and 12 more") {
		t.Error(got)
	}
}
