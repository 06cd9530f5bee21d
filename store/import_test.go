package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// foreign is a session that was kept elsewhere. It has so many asks with long texts that
// they need several commits.
func foreign(asks, versions int) store.Import {
	const session = "00000000-0000-4000-8000-0000000000ff"
	at := time.Date(2026, 11, 20, 21, 29, 41, 930e6, time.UTC)
	in := store.Import{
		Session: store.Session{ID: session, Title: safe.New("From elsewhere"), Project: safe.New("/p"), Created: at, Updated: at.Add(time.Hour)},
	}
	for i := range asks {
		long := strings.Repeat(fmt.Sprintf("long %d ", i), 400*(i%3))
		in.Asks = append(in.Asks, store.Ask{
			ID: fmt.Sprintf("00000000-0000-4000-8000-%012x", i), Session: session, Spec: form(fmt.Sprint("Ask ", i)),
			Created: at.Add(time.Duration(i) * time.Minute), Asked: at.Add(time.Duration(i) * time.Minute), Delivered: at.Add(time.Hour),
			Outcome: questions.Outcome{State: questions.Declined, Message: safe.New(long + "no"), At: at.Add(time.Hour)},
			TooLate: []questions.Outcome{{State: questions.Declined, Message: safe.New("late " + long), At: at.Add(2 * time.Hour)}},
		})
	}
	for i := range versions {
		in.Plans = append(in.Plans, store.WholePlan{
			Plan: store.Plan{Session: session, Version: plans.Version{Number: i + 1, Title: safe.New("Plan"), Created: at}},
			Text: safe.New(fmt.Sprintf("# Plan %d\n\xff", i)),
		})
	}
	return in
}

func TestImportKeepsIDsTimesAndTexts(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	engine := kvtest.NewMap()
	s := store.New(engine, store.Options{})
	in := foreign(40, 3)
	would, err := s.Importable(ctx, in)
	if err != nil || !would.New || would.Asks != 40 || would.Plans != 3 {
		t.Fatalf("would import %+v, %v", would, err)
	}
	if list, _, err := s.Sessions(ctx, "", 10); err != nil || len(list) != 0 {
		t.Fatalf("asking what would be imported wrote %v, %v", list, err)
	}
	done, err := s.Import(ctx, in)
	if err != nil || fmt.Sprint(done) != fmt.Sprint(would) {
		t.Fatalf("imported %+v, %v", done, err)
	}
	session, err := s.Session(ctx, in.Session.ID)
	if err != nil || session.Asks != 40 || session.Plans != 3 || !session.Created.Equal(in.Session.Created) || !session.Updated.Equal(in.Session.Updated) {
		t.Fatalf("%+v, %v", session, err)
	}
	i := 0
	for ask, err := range s.WholeAsks(ctx, session.ID) {
		want := in.Asks[i]
		want.Digest = want.Spec.Digest()
		if err != nil || tellAny(t, ask) != tellAny(t, want) {
			t.Fatalf("ask %d: %v\n%s\n%s", i, err, tellAny(t, ask), tellAny(t, want))
		}
		i++
	}
	for n, plan := range in.Plans {
		if text, err := s.PlanText(ctx, session.ID, n+1); err != nil || text != plan.Text {
			t.Fatalf("version %d is %q, %v", n+1, text.Raw(), err)
		}
	}
	nobodyWaits(t, s)
	sound(t, s)

	before := storetest.Dump(t, engine)
	again, err := s.Import(ctx, in)
	if err != nil || !again.Nothing() || len(again.Kept) != 0 {
		t.Fatalf("again: %+v, %v", again, err)
	}
	if after := storetest.Dump(t, engine); after != before {
		t.Fatalf("importing twice changed\n%s\nto\n%s", before, after)
	}
}

func tellAny(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func nobodyWaits(t *testing.T, s *store.Store) {
	t.Helper()
	waiting, err := s.Waiting(t.Context())
	if err != nil || len(waiting) != 0 {
		t.Fatalf("%d asks wait, %v", len(waiting), err)
	}
	audit, err := s.Audit(t.Context())
	if err != nil || audit.Open != 0 || audit.Undelivered != 0 {
		t.Fatalf("%+v, %v", audit, err)
	}
}

func sound(t *testing.T, s *store.Store) {
	t.Helper()
	audit, err := s.Audit(context.WithoutCancel(t.Context()))
	if err != nil || len(audit.Problems) > 0 || audit.OrphanChunks > 0 {
		t.Fatalf("%+v, %v", audit, err)
	}
}

// contents is what people see of a store.
func contents(t *testing.T, s *store.Store) string {
	t.Helper()
	ctx := t.Context()
	var out strings.Builder
	list, _, err := s.Sessions(ctx, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range list {
		fmt.Fprintln(&out, tellAny(t, session))
		for ask, err := range s.WholeAsks(ctx, session.ID) {
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintln(&out, tellAny(t, ask), string(ask.Spec.Canonical()))
		}
		for n := range session.Plans {
			text, err := s.PlanText(ctx, session.ID, n+1)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%q\n", text.Raw())
		}
	}
	return out.String()
}

func TestImportCutOffAnywhere(t *testing.T) {
	t.Parallel()
	in := foreign(30, 2)
	whole := store.New(kvtest.NewMap(), store.Options{})
	if _, err := whole.Import(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	want := contents(t, whole)
	for left := 0; ; left++ {
		engine := kvtest.NewMap()
		first, err := store.New(&cutOff{engine, left}, store.Options{}).Import(t.Context(), in)
		if err != nil && !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		s := store.New(engine, store.Options{})
		if audit, err := s.Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
			t.Fatalf("cut off after %d commits: %+v, %v", left, audit, err)
		}
		nobodyWaits(t, s)
		second, errSecond := s.Import(t.Context(), in)
		if errSecond != nil || first.Asks+second.Asks != 30 || first.Plans+second.Plans != 2 || len(second.Kept) > 0 {
			t.Fatalf("cut off after %d commits: %+v, then %+v, %v", left, first, second, errSecond)
		}
		if got := contents(t, s); got != want {
			t.Fatalf("cut off after %d commits:\n%s\nwant\n%s", left, got, want)
		}
		sound(t, s)
		if err == nil {
			if left < 7 {
				t.Fatalf("only %d commits", left)
			}
			return
		}
	}
}

func TestImportNotHeardOf(t *testing.T) {
	t.Parallel()
	in := foreign(25, 2)
	for _, applied := range []bool{true, false} {
		for nth := 1; nth < 8; nth++ {
			engine := kvtest.NewMap()
			done, err := store.New(&nthUnclear{Map: engine, left: nth, applied: applied}, store.Options{}).Import(t.Context(), in)
			if err != nil || !done.New || done.Asks != 25 || done.Plans != 2 || len(done.Kept) > 0 {
				t.Fatalf("commit %d, applied %v: %+v, %v", nth, applied, done, err)
			}
			sound(t, store.New(engine, store.Options{}))
		}
	}
}

// nthUnclear is an engine whose nth commit returns kv.ErrUnclear.
type nthUnclear struct {
	*kvtest.Map
	left    int
	applied bool
}

func (n *nthUnclear) Commit(ctx context.Context, batch kv.Batch) error {
	if n.left--; n.left == 0 {
		n.UnclearNextCommit(n.applied)
	}
	return n.Map.Commit(ctx, batch)
}

func TestImportKeepsWhatIsThere(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s := store.New(engine, store.Options{})
	in := foreign(3, 2)
	if _, err := s.Import(ctx, in); err != nil {
		t.Fatal(err)
	}
	// The session goes on here, and differently in the other store.
	if _, _, err := s.OpenAsk(ctx, store.Ask{Session: in.Session.ID, Spec: form("here")}); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.SavePlan(ctx, in.Session.ID, "", "# Here"); err != nil {
		t.Fatal(err)
	}
	on := foreign(5, 4)
	on.Asks[0].Outcome.Message = safe.New("yes, after all")
	on.Asks[1].Spec = form("another form")
	on.Asks[2].TooLate = nil
	on.Plans[1].Text = safe.New("another text")
	before := contents(t, s)
	would, err := s.Importable(ctx, on)
	if err != nil || contents(t, s) != before {
		t.Fatalf("%v, or it was written", err)
	}
	done, err := s.Import(ctx, on)
	if err != nil || fmt.Sprint(done) != fmt.Sprint(would) {
		t.Fatalf("%+v, %v, and would %+v", done, err, would)
	}
	if done.New || done.Asks != 2 || done.Plans != 1 {
		t.Errorf("%+v", done)
	}
	kept := strings.Join(done.Kept, "\n")
	for _, want := range []string{
		"ask " + on.Asks[0].ID + " is there as declined, and in the import as declined with other words; it stays as it is",
		"ask " + on.Asks[1].ID + " is there with another form; it stays as it is",
		"ask " + on.Asks[2].ID + " is there with other late words; it stays as it is",
		"plan version 2 is there with another text, title or name; it stays as it is",
		"plan version 3 is there with another text, title or name; it stays as it is",
	} {
		if !strings.Contains(kept, want) {
			t.Errorf("%s\nlacks %s", kept, want)
		}
	}
	if audit, err := s.Audit(ctx); err != nil || len(audit.Problems) > 0 || audit.OrphanChunks != 0 {
		t.Errorf("%+v, %v", audit, err)
	}
	if waiting, err := s.Waiting(ctx); err != nil || len(waiting) != 1 {
		t.Errorf("%d wait, %v", len(waiting), err)
	}
	other := foreign(1, 0)
	other.Session.ID = "00000000-0000-4000-8000-0000000000fe"
	other.Asks[0].Session = other.Session.ID
	if done, err := s.Import(ctx, other); err != nil || done.Asks != 0 || len(done.Kept) != 1 || !strings.Contains(done.Kept[0], "part of another session, "+in.Session.ID) {
		t.Errorf("%+v, %v", done, err)
	}
}

func TestImportRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*store.Import)
		want   string
	}{
		"no uuid":         {func(in *store.Import) { in.Session.ID = "../x" }, `a session's id must be a UUID, got "../x"`},
		"ask's no uuid":   {func(in *store.Import) { in.Asks[1].ID = "x" }, "its id is no UUID"},
		"another session": {func(in *store.Import) { in.Asks[1].Session = in.Asks[1].ID }, "it is of another session"},
		"open":            {func(in *store.Import) { in.Asks[1].Outcome.State = questions.Expired }, "it is expired, and an agent may be waiting"},
		"untold":          {func(in *store.Import) { in.Asks[1].Delivered = time.Time{} }, "it is declined, and an agent may be waiting"},
		"twice":           {func(in *store.Import) { in.Asks[1].ID = in.Asks[0].ID }, "it is there twice"},
		"timeout":         {func(in *store.Import) { in.Asks[0].Timeout = -1 }, "its timeout is -1ns; it must not be negative"},
		"gap":             {func(in *store.Import) { in.Plans[1].Number = 3 }, "the plan version after 1 is 3; versions have no gaps"},
		"before 1970":     {func(in *store.Import) { in.Session.Updated = time.Unix(-1, 0) }, "allowed are 1970 to 2262"},
		"after 2262":      {func(in *store.Import) { in.Plans[0].Created = time.Unix(1<<40, 0) }, "allowed are 1970 to 2262"},
	} {
		t.Run(name, func(t *testing.T) {
			engine := kvtest.NewMap()
			in := foreign(2, 2)
			c.change(&in)
			_, err := store.New(engine, store.Options{}).Import(t.Context(), in)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			if d := storetest.Dump(t, engine); d != "" {
				t.Errorf("it wrote %s", d)
			}
		})
	}
}

// A session that was imported is pruned with all its texts.
func TestPruneTakesAnImportedSession(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s := store.New(engine, store.Options{})
	if _, err := s.Import(ctx, foreign(4, 2)); err != nil {
		t.Fatal(err)
	}
	sound(t, s) // nothing of it is an orphan
	p, err := s.Prunable(ctx, time.Now().AddDate(1, 0, 0))
	if err != nil || p.Chunks != count(t, engine, store.ChunkKeys) || p.OrphanChunks != 0 {
		t.Fatalf("%+v, %v", p, err)
	}
	if _, err := s.Prune(ctx, p, nil); err != nil {
		t.Fatal(err)
	}
	if n := count(t, engine, store.ChunkKeys); n != 0 {
		t.Errorf("%d chunks stayed", n)
	}
	if done, err := s.Import(ctx, foreign(4, 2)); err != nil || !done.New {
		t.Errorf("%+v, %v", done, err)
	}
	sound(t, s)
}

// The chunks of long texts have commits of their own, and an ask has no more chunks than
// one commit can check.
func TestImportOfLongTexts(t *testing.T) {
	t.Parallel()
	s := store.New(kvtest.NewMap(), store.Options{})
	in := foreign(2, 1)
	for i := range in.Asks {
		in.Asks[i].TooLate = nil
		for n := range 15 {
			in.Asks[i].TooLate = append(in.Asks[i].TooLate, questions.Outcome{
				State: questions.Declined, Message: safe.New(strings.Repeat(fmt.Sprint("x", i, n), 200_000)), At: in.Asks[i].Created,
			})
		}
	}
	for n := range 90 {
		in.Asks[1].TooLate = append(in.Asks[1].TooLate, questions.Outcome{
			State: questions.Declined, Message: safe.New(strings.Repeat(fmt.Sprint("y", n), 1000)), At: in.Asks[1].Created,
		})
	}
	done, err := s.Import(t.Context(), in)
	if err != nil || done.Asks != 1 || len(done.Kept) != 1 || !strings.Contains(done.Kept[0], "was left out: its texts are") {
		t.Fatalf("%+v, %v", done, err)
	}
	sound(t, s)
}

// TestImportOfManyLongTexts imports a deleted session again. Its texts are still there, and together
// they are more chunks than one commit can check.
func TestImportOfManyLongTexts(t *testing.T) {
	t.Parallel()
	in := foreign(3, 0)
	for i := range in.Asks {
		late := in.Asks[i].TooLate[0]
		in.Asks[i].TooLate = nil
		for n := range 45 + 10*i {
			late.Message = safe.New(strings.Repeat(fmt.Sprintf("late %d %d ", i, n), 200))
			in.Asks[i].TooLate = append(in.Asks[i].TooLate, late)
		}
	}
	ctx, s := t.Context(), store.New(kvtest.NewMap(), store.Options{})
	if _, err := s.Import(ctx, in); err != nil {
		t.Fatal(err)
	}
	session, err := s.Session(ctx, in.Session.ID)
	if err == nil {
		err = s.Delete(ctx, session, nil) // its texts stay until the next Prune
	}
	if err != nil {
		t.Fatal(err)
	}
	done, err := s.Import(ctx, in)
	if err != nil || done.Asks != 3 || len(done.Kept) > 0 {
		t.Errorf("imported %+v, %v", done, err)
	}
}
