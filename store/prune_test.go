package store_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
)

// history is a store with an old session and a new one, which share a form and a
// plan's text.
type history struct {
	engine   *kvtest.Map
	now      time.Time
	old, new store.Session
	asks     []store.Ask // of the old one
	cut      time.Time   // between them
}

const sharedPlan = "# Shared\n"

func newHistory(t storetest.Tester) *history {
	t.Helper()
	h := &history{engine: kvtest.NewMap(), now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	s := h.open()
	h.old, h.asks = h.fill(t, s, "old")
	h.now = h.now.Add(24 * time.Hour)
	h.cut = h.now
	h.new, _ = h.fill(t, s, "new")
	return h
}

// open is another process with the store.
func (h *history) open() *store.Store { return h.over(h.engine) }

func (h *history) over(engine kv.Engine) *store.Store {
	return store.New(engine, store.Options{Now: func() time.Time {
		h.now = h.now.Add(time.Second)
		return h.now
	}})
}

// fill makes a session with more asks than one commit sweeps, none of them open.
func (h *history) fill(t storetest.Tester, s *store.Store, title string) (store.Session, []store.Ask) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	session, err := s.CreateSession(ctx, store.Session{Title: safe.New(title), Project: safe.New("/p")})
	must(err)
	var asks []store.Ask
	for i := range 23 {
		spec := form(fmt.Sprint(title, i))
		if i == 0 {
			spec = form("shared")
		}
		ask, _, err := s.OpenAsk(ctx, store.Ask{Session: session.ID, Spec: spec, Place: title})
		must(err)
		outcome := answered(fmt.Sprint(title, longText))
		if i == 1 {
			must(s.SaveEntry(ctx, ask.ID, entryOf(longText)))
			outcome = discussed(title)
		}
		_, err = s.Settle(ctx, ask.ID, outcome)
		must(err)
		must(s.Deliver(ctx, ask.ID))
		asks = append(asks, ask)
	}
	for _, text := range []string{"# " + title, sharedPlan} {
		_, _, err := s.SavePlan(ctx, session.ID, "", text)
		must(err)
	}
	_, _, err = s.SaveFilePlan(ctx, store.FilePlan{Path: h.file(title), Name: "a", Text: "# In a file, " + title, Session: session.ID})
	must(err)
	for _, prefix := range claimsOf(asks[0].ID) {
		storetest.PutRecord(t, h.engine, prefix+"x", store.Claim{Header: ledger.NewHeader(), Owner: "x", TTL: time.Hour})
	}
	return session, asks
}

// claimsOf returns the prefixes of all claims that name an ask.
func claimsOf(ask string) []kv.Key {
	return []kv.Key{store.ShowClaims(ask), store.WaitClaims(ask), store.AskerClaims(ask)}
}

// file is the path of the plan file that a session has.
func (h *history) file(title string) string { return "/p/" + title + "-plan.md" }

// check checks that the store is in order and the new session complete.
func (h *history) check(t storetest.Tester) {
	t.Helper()
	ctx, s := t.Context(), h.open()
	a, err := s.Audit(ctx)
	if err != nil || len(a.Problems) > 0 {
		t.Fatalf("after a prune: %v, %q", err, a.Problems)
	}
	asks, err := s.Asks(ctx, h.new.ID)
	if err != nil || len(asks) != 23 {
		t.Fatalf("the new session has %d asks, %v", len(asks), err)
	}
	for _, ask := range asks {
		whole, err := s.FindAsk(ctx, ask.ID)
		if err != nil || len(whole.Spec.Questions) != 2 {
			t.Fatalf("an ask of the new session: %+v, %v", whole, err)
		}
	}
	if _, ok, err := s.Entry(ctx, asks[1].ID); err != nil || !ok {
		t.Fatalf("the new session's entry: %v, %v", ok, err)
	}
	if file, ok, err := s.PlanFile(ctx, h.file("new")); err != nil || !ok || file.Session != h.new.ID || file.Number != 3 {
		t.Fatalf("the new session's plan file: %+v, %v, %v", file, ok, err)
	}
	if text, err := s.PlanText(ctx, h.new.ID, 2); err != nil || text.Raw() != sharedPlan {
		t.Fatalf("the new session's plan: %q, %v", text.Raw(), err)
	}
}

// unknown checks that no method knows the old session.
func (h *history) unknown(t storetest.Tester) {
	t.Helper()
	ctx, s := t.Context(), h.open()
	is := func(what string, err error) {
		t.Helper()
		if _, ok := errors.AsType[*store.UnknownError](err); !ok {
			t.Fatalf("%s of a pruned session: %v", what, err)
		}
	}
	id := h.old.ID
	_, err := s.Session(ctx, id)
	is("Session", err)
	_, err = s.Asks(ctx, id)
	is("Asks", err)
	_, err = s.Due(ctx, id)
	is("Due", err)
	_, err = s.Plans(ctx, id)
	is("Plans", err)
	_, err = s.PlanText(ctx, id, 1)
	is("PlanText", err)
	_, _, err = s.SavePlan(ctx, id, "", "x")
	is("SavePlan", err)
	_, _, err = s.SaveFilePlan(ctx, store.FilePlan{Path: h.file("old"), Name: "a", Text: "x", Session: id})
	is("SaveFilePlan", err)
	if file, ok, err := s.PlanFile(ctx, h.file("old")); err != nil || ok {
		t.Fatalf("the plan file of a pruned session: %+v, %v", file, err)
	}
	_, _, err = s.OpenAsk(ctx, store.Ask{Session: id, Spec: form("shared")})
	is("OpenAsk", err)
	for _, ask := range h.asks {
		_, err = s.Ask(ctx, ask.ID)
		is("Ask", err)
		_, err = s.FindAsk(ctx, store.ShortID(ask.ID))
		is("FindAsk", err)
	}
	ask := h.asks[1].ID
	_, err = s.Settle(ctx, ask, answered("late"))
	is("Settle", err)
	_, err = s.Expire(ctx, ask, h.now)
	is("Expire", err)
	is("Deliver", s.Deliver(ctx, ask))
	is("MarkShown", s.MarkShown(ctx, ask))
	is("Snooze", s.Snooze(ctx, ask, h.now))
	is("SaveEntry", s.SaveEntry(ctx, ask, entryOf("x")))
	_, ok, err := s.Entry(ctx, ask)
	if err != nil || ok {
		t.Fatalf("a pruned session's entry: %v, %v", ok, err)
	}
	now, err := s.AsksNow(ctx, ask)
	if err != nil || now[0].ID != "" {
		t.Fatalf("AsksNow: %+v, %v", now, err)
	}
	list, _, err := s.Sessions(ctx, "", 10)
	if err != nil || len(list) != 1 {
		t.Fatalf("%d sessions, %v", len(list), err)
	}
	// The new session answered the shared form, too. Only the old session answered old5.
	for title, want := range map[string]bool{"shared": true, "old5": false} {
		prior, ok, err := s.EarlierForm(ctx, store.Ask{Session: h.new.ID, Spec: form(title), Created: h.now.Add(time.Hour)})
		if err != nil || ok && prior.Session != h.new.ID || want && !ok {
			t.Fatalf("the answer before for %s: %v, %s, %v", title, ok, prior.Session, err)
		}
	}
	told, err := undeliveredIn(ctx, s, "/p")
	if err != nil || len(told) > 0 {
		t.Fatalf("%d undelivered, %v", len(told), err)
	}
}

func (h *history) prune(t storetest.Tester, s *store.Store) (store.Pruning, store.Pruned) {
	t.Helper()
	p, err := s.Prunable(t.Context(), h.cut)
	if err != nil {
		t.Fatal(err)
	}
	done, err := s.Prune(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return p, done
}

func TestPrune(t *testing.T) {
	h := newHistory(t)
	before := storetest.Dump(t, h.engine)
	s := h.open()
	var called []string
	p, err := s.Prunable(t.Context(), h.cut)
	if err != nil {
		t.Fatal(err)
	}
	if storetest.Dump(t, h.engine) != before {
		t.Error("Prunable wrote something")
	}
	if len(p.Sessions) != 1 || p.Sessions[0].ID != h.old.ID || p.Asks != 23 || p.Plans != 3 || p.Remains != 0 ||
		p.Chunks != 22+1+1+1 || p.Bytes == 0 || p.OrphanChunks != 0 || p.Claims != 0 || p.Empty() {
		t.Errorf("prunable is %+v", p)
	}
	done, err := s.Prune(t.Context(), p, func(gone store.Gone) error {
		called = append(called, gone.Session)
		if digest := fmt.Sprintf("%x", sha256.Sum256([]byte(sharedPlan))); len(gone.Plans) != 3 || gone.Plans[2] != digest {
			t.Errorf("its plans are %v", gone.Plans)
		}
		return nil
	})
	if err != nil || done != (store.Pruned{Sessions: 1, Chunks: p.Chunks, Bytes: done.Bytes}) || done.Bytes < p.Bytes {
		t.Errorf("pruned %+v, %v", done, err)
	}
	if !slices.Equal(called, []string{h.old.ID}) {
		t.Errorf("called for %q", called)
	}
	h.unknown(t)
	h.check(t)
	h.nothingLeft(t, before)
	if p, done := h.prune(t, s); !p.Empty() || done != (store.Pruned{}) {
		t.Errorf("a second time: %+v, %+v", p, done)
	}
}

// nothingLeft checks that nothing of the old session is there and that everything else is
// as it was.
func (h *history) nothingLeft(t storetest.Tester, before string) {
	t.Helper()
	was := map[string]bool{}
	for line := range strings.Lines(before) {
		was[line] = true
	}
	ids := []string{h.old.ID}
	for _, ask := range h.asks {
		ids = append(ids, ask.ID)
	}
	claim := func(key string) bool {
		return slices.ContainsFunc(claimsOf(h.asks[0].ID), func(prefix kv.Key) bool { return strings.HasPrefix(key, string(prefix)) })
	}
	for line := range strings.Lines(storetest.Dump(t, h.engine)) {
		key, _, _ := strings.Cut(line, " ")
		if claim(key) {
			t.Fatalf("the claim %s is left", key)
		}
		for _, id := range ids {
			if strings.Contains(line, id) {
				t.Fatalf("%s is left", key)
			}
		}
		// A condemned chunk that came into use again is the same text.
		if !was[line] && !isChunk(key) {
			t.Fatalf("%s was changed", key)
		}
		delete(was, line)
	}
	for line := range was {
		key, _, _ := strings.Cut(line, " ")
		mine := slices.ContainsFunc(ids, func(id string) bool { return strings.Contains(line, id) })
		if !mine && !claim(key) && !isChunk(key) {
			t.Fatalf("%s was removed", key)
		}
	}
}

// cutOff is an engine that makes some commits and then fails, as if the machine were
// gone.
type cutOff struct {
	kv.Engine
	left int
}

func (c *cutOff) Commit(ctx context.Context, batch kv.Batch) error {
	if c.left--; c.left < 0 {
		return errDisk
	}
	return c.Engine.Commit(ctx, batch)
}

func TestPruneCutOffAnywhere(t *testing.T) {
	t.Parallel()
	for left := 0; ; left++ {
		h := newHistory(t)
		before := storetest.Dump(t, h.engine)
		p, err := h.open().Prunable(t.Context(), h.cut)
		if err != nil {
			t.Fatal(err)
		}
		called := 0
		count := func(store.Gone) error { called++; return nil }
		_, err = h.over(&cutOff{h.engine, left}).Prune(t.Context(), p, count)
		if err != nil && !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		whole := err == nil
		h.check(t)
		if left > 0 {
			h.unknown(t)
			_, err := h.open().CreateSession(t.Context(), store.Session{ID: h.old.ID})
			if there := strings.Contains(storetest.Dump(t, h.engine), "gone "); there && err == nil {
				t.Fatal("a session was made under the id of one that is being swept away")
			} else if !there && err != nil {
				t.Fatal(err)
			} else if !there {
				return
			}
		}
		rest, err := h.open().Prunable(t.Context(), h.cut)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.open().Prune(t.Context(), rest, count); err != nil {
			t.Fatal(err)
		}
		h.check(t)
		h.unknown(t)
		h.nothingLeft(t, before)
		if called == 0 || called > 2 {
			t.Fatalf("called %d times", called)
		}
		if whole {
			return
		}
	}
}

// The asks of a pruned session no longer make a short id ambiguous.
func TestFindAskAmongPrunedOnes(t *testing.T) {
	h := newHistory(t)
	asks, err := h.open().Asks(t.Context(), h.new.ID)
	if err != nil {
		t.Fatal(err)
	}
	// This ask's id ends like that of another ask, so they share a short id.
	short := store.ShortID(asks[0].ID)
	storetest.PutRecord(t, h.engine, kv.Key("i/"+short+"/"+h.asks[0].ID), map[string]any{})
	if _, err := h.open().FindAsk(t.Context(), short); err == nil {
		t.Fatal("the short id is of two asks")
	}
	p, err := h.open().Prunable(t.Context(), h.cut)
	if err != nil {
		t.Fatal(err)
	}
	// Only the commit that deletes the session happens.
	if _, err := h.over(&cutOff{h.engine, 1}).Prune(t.Context(), p, nil); !errors.Is(err, errDisk) {
		t.Fatal(err)
	}
	if got, err := h.open().FindAsk(t.Context(), short); err != nil || got.ID != asks[0].ID {
		t.Errorf("found %s, %v", got.ID, err)
	}
}

// What lies outside the store is removed before the session is forgotten.
func TestPruneGoesOnWithWhatLiesOutside(t *testing.T) {
	h := newHistory(t)
	s := h.open()
	p, err := s.Prunable(t.Context(), h.cut)
	if err != nil {
		t.Fatal(err)
	}
	done, err := s.Prune(t.Context(), p, func(store.Gone) error { return errDisk })
	if !errors.Is(err, errDisk) || done.Sessions != 0 || done.Chunks == 0 {
		t.Errorf("%+v, %v", done, err)
	}
	h.unknown(t)
	if p, done := h.prune(t, s); p.Remains != 1 || done.Sessions != 1 {
		t.Errorf("then %+v, %+v", p, done)
	}
}

// A damaged index names an ask of another session.
func TestPruneLeavesAnothersAsk(t *testing.T) {
	h := newHistory(t)
	asks, err := h.open().Asks(t.Context(), h.new.ID)
	if err != nil {
		t.Fatal(err)
	}
	storetest.PutRecord(t, h.engine, kv.Key("sa/"+h.old.ID+"/"+asks[0].ID), map[string]any{})
	h.prune(t, h.open())
	h.check(t)
	h.unknown(t)
}

func TestPruneRemovesStrayEntriesAndDeadClaims(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	s := h.open()
	stray := store.EntryKey(h.old.ID) + "/" + kv.Key(strings.Repeat("ab", 32))
	storetest.PutBytes(t, h.engine, stray, []byte("123"))
	storetest.PutRecord(t, h.engine, store.PlaceClaim("x"), endedClaim(t, s))
	p, done := h.prune(t, s)
	if p.OrphanChunks != 1 || p.OrphanBytes != 3 {
		t.Errorf("%+v", p)
	}
	if p.Claims != 1 || done.Claims != 1 {
		t.Errorf("%+v, %+v", p, done)
	}
	h.check(t)
}

// Prune notices what happens between looking and deleting.
func TestPruneLeavesWhatIsUsedMeanwhile(t *testing.T) {
	t.Parallel()
	uses := map[string]func(t *testing.T, s *store.Store, h *history){
		"a new ask":    func(t *testing.T, s *store.Store, h *history) { openAsk(t, s, h.old.ID, "fresh", "") },
		"the same ask": func(t *testing.T, s *store.Store, h *history) { openAsk(t, s, h.old.ID, "shared", "") },
		"a plan": func(t *testing.T, s *store.Store, h *history) {
			if _, _, err := s.SavePlan(t.Context(), h.old.ID, "", "# Fresh"); err != nil {
				t.Fatal(err)
			}
		},
	}
	for name, use := range uses {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t)
			engine := &meddler{Engine: h.engine}
			p, err := h.open().Prunable(t.Context(), h.cut)
			if err != nil {
				t.Fatal(err)
			}
			// Right before the commit that would delete the session.
			engine.beforeCommit(func() { use(t, h.open(), h) })
			done, err := h.over(engine).Prune(t.Context(), p, nil)
			if err != nil || done.Sessions != 0 || done.Stayed != 1 {
				t.Errorf("pruned %+v, %v", done, err)
			}
			h.check(t)
			if asks, err := h.open().Asks(t.Context(), h.old.ID); err != nil || len(asks) < 23 {
				t.Errorf("%d asks, %v", len(asks), err)
			}
		})
	}
}

// A session with an open or undelivered ask is not old.
func TestPrunableLeavesWhatWaits(t *testing.T) {
	for _, open := range []bool{true, false} {
		h := newHistory(t)
		s := h.open()
		ask := openAsk(t, s, h.old.ID, "waits", "")
		if !open {
			if _, err := s.Settle(t.Context(), ask.ID, answered("x")); err != nil {
				t.Fatal(err)
			}
		}
		p, err := s.Prunable(t.Context(), h.now.Add(time.Hour))
		if err != nil || len(p.Sessions) != 1 || p.Sessions[0].ID != h.new.ID {
			t.Errorf("open %v: %+v, %v", open, p.Sessions, err)
		}
		p.Sessions = append(p.Sessions, h.old)
		done, err := s.Prune(t.Context(), p, nil)
		if err != nil || done.Sessions != 1 || done.Stayed != 1 {
			t.Errorf("%+v, %v", done, err)
		}
	}
}

func discussed(text string) questions.Outcome {
	return questions.Outcome{State: questions.Discuss, Message: safe.New(text)}
}

// isChunk reports whether a key is that of a chunk or of its size.
func isChunk(key string) bool {
	family := ledger.Family(kv.Key(key))
	return family == ledger.ChunkKeys || family == ledger.SizeKeys
}
