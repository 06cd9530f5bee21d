package store_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"planb/questions"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
)

// checkAudit compares an audit with the model. The store is in order after any history.
func (m *machine) checkAudit(t *rapid.T, s *store.Store) {
	got, err := s.Audit(m.ctx)
	if err != nil {
		t.Fatal(err)
	}
	want := store.Audit{
		Sessions:    len(m.sessions),
		Asks:        len(m.asks),
		Open:        len(m.pick((*modelAsk).open)),
		Undelivered: len(m.pick((*modelAsk).undelivered)),
		Entries:     len(m.pick(func(a *modelAsk) bool { return a.entry != "" })),
		// These the model does not know.
		Chunks: got.Chunks, OrphanChunks: got.OrphanChunks, OrphanBytes: got.OrphanBytes, Changed: got.Changed,
	}
	for _, session := range m.sessions {
		want.Plans += len(session.plans)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("the audit is %+v, want %+v", got, want)
	}
}

// audited is a store with a record of each kind, over an engine in memory.
type audited struct {
	*store.Store
	engine  *kvtest.Map
	session store.Session
	// An open ask with a place and a long entry, one that was answered at length
	// and not delivered, and one that is over.
	open, told, over store.Ask
}

func newAudited(t *testing.T) audited {
	t.Helper()
	ctx, engine := t.Context(), kvtest.NewMap()
	a := audited{Store: newStore(t, engine), engine: engine}
	a.session = newSession(t, a.Store, "/p")
	a.open = openAsk(t, a.Store, a.session.ID, "open", "here")
	a.told = openAsk(t, a.Store, a.session.ID, "told", "here")
	a.over = openAsk(t, a.Store, a.session.ID, "over", "")
	_, err := a.Settle(ctx, a.told.ID, answered(longText))
	if err == nil {
		_, err = a.Settle(ctx, a.over.ID, answered("short"))
	}
	if err == nil {
		err = a.Deliver(ctx, a.over.ID)
	}
	if err == nil {
		err = a.SaveEntry(ctx, a.open.ID, entryOf(longText))
	}
	if err == nil {
		if _, late := a.Settle(ctx, a.told.ID, answered("late "+longText)); !errors.As(late, new(*questions.SettledError)) {
			t.Fatal(late)
		}
	}
	for i := range 3 {
		if err == nil {
			_, _, err = a.SavePlan(ctx, a.session.ID, "", fmt.Sprint("# Plan ", i))
		}
	}
	if err == nil {
		_, _, err = a.SaveFilePlan(ctx, store.FilePlan{Path: planFile, Name: "a", Text: "# Plan in a file", Session: a.session.ID})
	}
	if err == nil {
		_, err = a.Hold(ctx, store.WaitClaim(a.open.ID, "me"), "")
	}
	if err != nil {
		t.Fatal(err)
	}
	return a
}

const planFile = "/p/docs/a-plan.md"

func (a audited) audit(t *testing.T) store.Audit {
	t.Helper()
	got, err := a.Audit(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func (a audited) delete(t *testing.T, keys ...kv.Key) {
	t.Helper()
	if err := a.engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Deletes: keys}); err != nil {
		t.Fatal(err)
	}
}

func TestAuditCounts(t *testing.T) {
	a := newAudited(t)
	session, err := a.Session(t.Context(), a.session.ID)
	if err != nil {
		t.Fatal(err)
	}
	got := a.audit(t)
	want := store.Audit{
		Sessions: 1, Asks: 3, Open: 1, Undelivered: 1, Plans: 4, Entries: 1, Claims: 1,
		Chunks: 3 + 1 + 1 + 1 + 4, Changed: session.Updated,
	}
	if fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
		t.Errorf("the audit is\n%+v, want\n%+v", got, want)
	}
	before := storetest.Dump(t, a.engine)
	a.audit(t)
	if storetest.Dump(t, a.engine) != before {
		t.Error("an audit wrote something")
	}
}

func TestAuditOfNothing(t *testing.T) {
	engine := kvtest.NewMap()
	got, err := newStore(t, engine).Audit(t.Context())
	if err != nil || fmt.Sprint(got) != fmt.Sprint(store.Audit{}) {
		t.Errorf("an empty store: %+v, %v", got, err)
	}
	if n := count(t, engine, ""); n != 0 {
		t.Errorf("the audit wrote %d records", n)
	}
}

func TestAuditFindsWhatIsWrong(t *testing.T) {
	t.Parallel()
	other := "00000000-0000-7000-8000-00000000abcd"
	mark := map[string]any{}
	index := func(session string) map[string]any { return map[string]any{"v": 1, "session": session} }
	tests := map[string]struct {
		hurt func(t *testing.T, a audited)
		want []string // parts of the sentences, in their order
	}{
		"no format": {func(t *testing.T, a audited) { a.delete(t, "format") }, []string{"format is missing"}},
		"a damaged session": {func(t *testing.T, a audited) {
			storetest.PutBytes(t, a.engine, store.SessionKey(a.session.ID), []byte("{"))
		}, []string{"is damaged"}},
		"a missing session": {func(t *testing.T, a audited) { a.delete(t, store.SessionKey(a.session.ID)) }, []string{
			"part of the session", "part of the session", "part of the session",
			"part of a session", "part of a session", "part of a session", "part of a session", "points to a session that is missing",
		}},
		"a newer ask": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, store.AskKey(a.open.ID), map[string]any{"v": 2})
		}, []string{"newer planb (format 2"}},
		"a missing ask": {func(t *testing.T, a audited) { a.delete(t, store.AskKey(a.over.ID)) }, []string{
			"sa/", "i/", "g/",
		}},
		"an ask under another's key": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, store.AskKey(a.over.ID), rawRecord(t, a.engine, store.AskKey(a.told.ID)))
		}, []string{"is that of another ask", "g/", "late replies under w/", "u/", "e/"}},
		"a missing form": {func(t *testing.T, a audited) { a.delete(t, store.ChunkKey(a.open.Digest)) }, []string{"the form of ask " + a0 + " is missing"}},
		"a damaged form": {func(t *testing.T, a audited) {
			storetest.PutBytes(t, a.engine, store.ChunkKey(a.open.Digest), []byte("x"))
		}, []string{"the form of ask " + a0 + " is damaged"}},
		"another's form":  {func(t *testing.T, a audited) { a.copy(t, store.ChunkKey(a.told.Digest), store.ChunkKey(a.open.Digest)) }, []string{"not the one that was written"}},
		"a missing reply": {func(t *testing.T, a audited) { a.delete(t, a.chunkOf(t, store.AskKey(a.told.ID), "outcome", "body")) }, []string{"the reply to ask"}},
		"a missing text":  {func(t *testing.T, a audited) { a.delete(t, a.chunkOf(t, store.PlanKey(a.session.ID, 2), "text")) }, []string{"the text of plan"}},
		"a gap":           {func(t *testing.T, a audited) { a.delete(t, store.PlanKey(a.session.ID, 2)) }, []string{"the plan version 2 of session"}},
		"a wide gap": {func(t *testing.T, a audited) {
			a.delete(t, store.PlanKey(a.session.ID, 1), store.PlanKey(a.session.ID, 2))
		}, []string{"the plan versions 1 to 2"}},
		"no latest plan": {func(t *testing.T, a audited) { a.delete(t, store.PlanKey(a.session.ID, 4)) }, []string{
			"points to a plan version that is missing", "says it has 4 plan versions, but the last one is 3",
		}},
		"a damaged plan": {func(t *testing.T, a audited) {
			storetest.PutBytes(t, a.engine, store.PlanKey(a.session.ID, 2), []byte("[]"))
		}, []string{"is damaged"}},
		"a moved plan": {func(t *testing.T, a audited) {
			a.copy(t, store.PlanKey(a.session.ID, 1), store.PlanKey(a.session.ID, 2))
		}, []string{"another plan version"}},
		"an entry's chunk": {func(t *testing.T, a audited) { a.delete(t, a.under(t, store.EntryKey(a.open.ID)+"/")) }, []string{"is damaged: its chunk"}},
		"a torn entry": {func(t *testing.T, a audited) {
			storetest.PutBytes(t, a.engine, a.under(t, store.EntryKey(a.open.ID)+"/"), []byte("x"))
		}, []string{"can't be read"}},
		"a damaged entry": {func(t *testing.T, a audited) { storetest.PutBytes(t, a.engine, store.EntryKey(a.open.ID), []byte("x")) }, []string{"is damaged"}},
		"an entry of none": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, store.EntryKey(other), map[string]any{"v": 1})
		}, []string{"belongs to an ask that is missing"}},
		"a file's missing plan": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, store.FileKey("", planFile), map[string]any{"v": 1, "path": planFile, "session": a.session.ID, "number": 5})
		}, []string{"points to a plan version that is missing"}},
		"a file's other plan": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, store.FileKey("", planFile), map[string]any{"v": 1, "path": planFile, "session": a.session.ID, "number": 4})
		}, []string{"the entry n/"}},
		"a lost late reply": {func(t *testing.T, a audited) { a.delete(t, store.LateKey(a.told.ID, 1)) }, []string{"counts 1 of its late replies under w/"}},
		"a damaged late reply": {func(t *testing.T, a audited) {
			storetest.PutBytes(t, a.engine, store.LateKey(a.told.ID, 1), []byte("x"))
		}, []string{"is damaged"}},
		"a stray late reply":  {func(t *testing.T, a audited) { a.copy(t, store.LateKey(a.told.ID, 1), store.LateKey(other, 1)) }, []string{"belongs to an ask that is missing"}},
		"a late reply's text": {func(t *testing.T, a audited) { a.delete(t, a.chunkOf(t, store.LateKey(a.told.ID, 1), "body")) }, []string{"is missing: there is no chunk"}},
		"another's file":      {func(t *testing.T, a audited) { a.copy(t, store.FileKey("", planFile), store.FileKey("", "/other")) }, []string{"another plan file"}},
		"a damaged file": {func(t *testing.T, a audited) {
			storetest.PutBytes(t, a.engine, store.FileKey("", planFile), []byte("x"))
		}, []string{"is damaged"}},
		"a damaged claim": {func(t *testing.T, a audited) {
			storetest.PutBytes(t, a.engine, store.WaitClaim(other, "x"), []byte("x"))
		}, []string{"is damaged"}},
		"not listed": {func(t *testing.T, a audited) { a.delete(t, a.under(t, "t/")) }, []string{"t/"}},
		"listed wrongly": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, "t/0000000000000000/"+kv.Key(a.session.ID), mark)
		}, []string{"says another time"}},
		"listed, missing": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, "t/0000000000000000/"+kv.Key(other), mark)
		}, []string{"points to a session"}},
		"no part":         {func(t *testing.T, a audited) { a.delete(t, a.key("sa", a.open)) }, []string{"says it has 3 asks", "the entry sa/"}},
		"not open":        {func(t *testing.T, a audited) { a.delete(t, a.key("o", a.open)) }, []string{"the entry o/"}},
		"open again":      {func(t *testing.T, a audited) { storetest.PutRecord(t, a.engine, a.key("o", a.told), mark) }, []string{"the entry o/"}},
		"not undelivered": {func(t *testing.T, a audited) { a.delete(t, a.key("u", a.told)) }, []string{"the entry u/"}},
		"undelivered": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, a.key("u", a.over), index(a.session.ID))
		}, []string{"the entry u/"}},
		"another's":    {func(t *testing.T, a audited) { storetest.PutRecord(t, a.engine, a.key("u", a.told), index(other)) }, []string{"the entry u/"}},
		"no short id":  {func(t *testing.T, a audited) { a.delete(t, "i/"+kv.Key(store.ShortID(a.over.ID)+"/"+a.over.ID)) }, []string{"the entry i/"}},
		"a short id":   {func(t *testing.T, a audited) { storetest.PutRecord(t, a.engine, "i/12345678/"+kv.Key(other), mark) }, []string{"the entry i/"}},
		"not the same": {func(t *testing.T, a audited) { a.delete(t, store.SameKey(a.session.ID, a.open.Digest)) }, []string{"the entry e/"}},
		"the same": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, store.SameKey(a.session.ID, a.over.Digest), map[string]any{"v": 1, "ask": a.over.ID})
		}, []string{"the entry e/"}},
		"the same, gone": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, store.SameKey(a.session.ID, a.over.Digest), map[string]any{"v": 1, "ask": other})
		}, []string{"the entry e/"}},
		"no digest": {func(t *testing.T, a audited) { a.delete(t, "g/"+kv.Key(a.over.Digest+"/"+a.over.ID)) }, []string{"the entry g/"}},
		"a digest": {func(t *testing.T, a audited) {
			storetest.PutRecord(t, a.engine, "g/"+kv.Key(a.open.Digest+"/"+a.over.ID), index(a.session.ID))
		}, []string{"the entry g/"}},
		"no queue":        {func(t *testing.T, a audited) { a.delete(t, store.QueueKey("here")) }, []string{"the queue q/"}},
		"a settled queue": {func(t *testing.T, a audited) { a.queue(t, "here", "here", a.open.ID, a.told.ID) }, []string{"is not open at that place"}},
		"a missing one":   {func(t *testing.T, a audited) { a.queue(t, "here", "here", a.open.ID, other) }, []string{"which is missing"}},
		"another queue":   {func(t *testing.T, a audited) { a.queue(t, "there", "here", a.open.ID) }, []string{"another place", "not open at that place"}},
		"a damaged queue": {func(t *testing.T, a audited) { storetest.PutBytes(t, a.engine, store.QueueKey("here"), []byte("x")) }, []string{"is damaged"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			a := newAudited(t)
			test.hurt(t, a)
			got := a.audit(t).Problems
			if len(got) != len(test.want) {
				t.Fatalf("problems %q, want %q", got, test.want)
			}
			for i, want := range test.want {
				if !strings.Contains(got[i], strings.ReplaceAll(want, a0, a.open.ID)) {
					t.Errorf("the problem is %q, want %q", got[i], want)
				}
			}
		})
	}
}

// a0 stands for the id of the open ask.
const a0 = "<open>"

func (a audited) key(family string, ask store.Ask) kv.Key {
	return kv.Key(family + "/" + ask.Session + "/" + ask.ID)
}

func (a audited) copy(t *testing.T, from, to kv.Key) {
	t.Helper()
	records, err := a.engine.Get(t.Context(), from)
	if err != nil || !records[0].Exists() {
		t.Fatal(from, err)
	}
	storetest.PutBytes(t, a.engine, to, records[0].Value)
}

// under is the only key under the prefix.
func (a audited) under(t *testing.T, prefix kv.Key) kv.Key {
	t.Helper()
	records := storetest.All(t, a.engine, prefix)
	if len(records) != 1 {
		t.Fatalf("%d records under %s", len(records), prefix)
	}
	return records[0].Key
}

// chunkOf is the key of the chunk that a record's field refers to.
func (a audited) chunkOf(t *testing.T, key kv.Key, fields ...string) kv.Key {
	t.Helper()
	o := rawRecord(t, a.engine, key)
	for _, f := range fields {
		o = o[f].(map[string]any)
	}
	return store.ChunkKey(o["sha256"].(string))
}

func (a audited) queue(t *testing.T, at, place string, asks ...string) {
	t.Helper()
	storetest.PutRecord(t, a.engine, store.QueueKey(at), map[string]any{"v": 1, "place": place, "asks": asks})
}

func TestAuditTellsTheFirstProblems(t *testing.T) {
	a := newAudited(t)
	for i := range 50 {
		storetest.PutBytes(t, a.engine, store.SessionKey(fmt.Sprintf("00000000-0000-7000-8000-%012d", i)), []byte("x"))
	}
	got := a.audit(t)
	if len(got.Problems) != store.MaxProblems || got.More != 30 {
		t.Errorf("%d problems and %d more", len(got.Problems), got.More)
	}
	text, err := json.Marshal(got)
	if err != nil || !strings.Contains(string(text), `"problems":["the record s/`) {
		t.Errorf("%s, %v", text, err)
	}
}

func TestAuditOfANewerStore(t *testing.T) {
	a := newAudited(t)
	storetest.PutRecord(t, a.engine, store.FormatKey, map[string]any{"v": store.Format + 1})
	if _, err := newStore(t, a.engine).Audit(t.Context()); err == nil || !strings.Contains(err.Error(), "newer planb") {
		t.Errorf("a newer store: %v", err)
	}
}

// A damaged record is named by its key, and the rest is looked through.
func TestAuditOfDamagedRecords(t *testing.T) {
	for name, with := range damages() {
		t.Run(name, func(t *testing.T) {
			with(t, func(open func() kv.Engine, hurt func(key kv.Key)) {
				s := newStore(t, open())
				session := newSession(t, s, "/p")
				ask := openAsk(t, s, session.ID, "one", "here")
				for _, key := range []kv.Key{
					store.SessionKey(session.ID), store.AskKey(ask.ID), store.QueueKey("here"),
					store.SameKey(session.ID, ask.Digest), store.ChunkKey(ask.Digest),
				} {
					hurt(key)
				}
				got, err := newStore(t, open()).Audit(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if len(got.Problems) != 4 || got.Sessions != 1 || got.Asks != 1 {
					t.Errorf("%+v", got)
				}
			})
		})
	}
}

func TestAuditCountsOrphans(t *testing.T) {
	a := newAudited(t)
	stray := strings.Repeat("ab", 32)
	storetest.PutBytes(t, a.engine, store.ChunkKey(stray), []byte("12345"))
	storetest.PutRecord(t, a.engine, ledger.SizeKeys+kv.Key(stray), map[string]any{"v": 1, "bytes": 5})
	storetest.PutBytes(t, a.engine, store.EntryKey(a.open.ID)+"/"+kv.Key(stray), []byte("123"))
	got := a.audit(t)
	if got.OrphanChunks != 2 || got.OrphanBytes != 8 || len(got.Problems) != 0 {
		t.Errorf("%+v", got)
	}
	// A newer planb may refer to it from where this one does not look.
	storetest.PutRecord(t, a.engine, "zz/1", map[string]any{"v": 9, "picture": stray})
	if got := a.audit(t); got.OrphanChunks != 1 {
		t.Errorf("%+v", got)
	}
}

// Changed is that of the newest session.
func TestAuditTellsTheLastChange(t *testing.T) {
	now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	s := store.New(kvtest.NewMap(), store.Options{Now: func() time.Time { return now }})
	for range 3 {
		newSession(t, s, "")
		now = now.Add(time.Hour)
	}
	got, err := s.Audit(t.Context())
	if err != nil || !got.Changed.Equal(now.Add(-time.Hour)) {
		t.Errorf("changed %v, %v", got.Changed, err)
	}
}
