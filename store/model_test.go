package store_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// longText is kept beside its record, in one chunk. Other tests are about texts of
// several chunks.
var longText = randomText(2 * store.MaxInline)

// maxSessions is small, so that the steps of a run meet in the same sessions.
const maxSessions = 3

var errDisk = errors.New("the test's disk is broken")

// model is what a store must hold, in the plainest form.
type model struct {
	sessions []*modelSession // oldest change first
	asks     []*modelAsk     // oldest first
	settled  []*modelAsk     // in the order in which they were; those of deleted sessions, too
	files    map[string]modelFile
}

// modelFile is what a plan file was last known to hold.
type modelFile struct {
	session *modelSession
	number  int
	text    string
}

type modelSession struct {
	id, project string
	plans       []string
	inFile      bool // the last of them
	archived    bool
}

type modelAsk struct {
	id, title, place string
	session          *modelSession
	state            questions.State
	text             string   // of the answer
	late             []string // those of the losers
	shown, delivered bool
	entry            string
}

func (a *modelAsk) open() bool { return !a.state.Final() }

func (a *modelAsk) undelivered() bool {
	return a.state.Final() && a.state != questions.Withdrawn && !a.delivered
}

func (m *model) touch(session *modelSession) {
	m.sessions = slices.DeleteFunc(m.sessions, func(s *modelSession) bool { return s == session })
	m.sessions = append(m.sessions, session)
	session.archived = false
}

func (m *model) pick(keep func(*modelAsk) bool) []string {
	var ids []string
	for _, a := range m.asks {
		if keep(a) {
			ids = append(ids, a.id)
		}
	}
	return ids
}

// machine drives two stores over the same data and the model beside them.
type machine struct {
	model
	ctx    context.Context
	stores []*store.Store
	faults *kvtest.Map // nil if the engine cannot be told to fail
	engine kv.Engine
	now    time.Time
	texts  int
	steps  int
}

func newMachine(t *testing.T, r *rapid.T, runs int) *machine {
	m := &machine{model: model{files: map[string]modelFile{}}, ctx: t.Context(), now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)}
	engines := make([]kv.Engine, 2)
	if rapid.IntRange(0, 9).Draw(r, "engine") == 9 {
		path := filepath.Join(t.TempDir(), fmt.Sprint(runs), "planb.db")
		engines[0], engines[1] = storetest.OpenBolt(t, path), storetest.OpenBolt(t, path)
	} else {
		m.faults = kvtest.NewMap()
		engines[0], engines[1] = m.faults, m.faults
	}
	for _, engine := range engines {
		m.stores = append(m.stores, store.New(engine, store.Options{Now: func() time.Time {
			m.now = m.now.Add(time.Millisecond)
			return m.now
		}}))
	}
	m.engine = engines[0]
	return m
}

func (m *machine) store(t *rapid.T) *store.Store { return rapid.SampledFrom(m.stores).Draw(t, "store") }

func (m *machine) session(t *rapid.T) *modelSession {
	if len(m.sessions) == 0 {
		t.Skip("no session yet")
	}
	return rapid.SampledFrom(m.sessions).Draw(t, "session")
}

func (m *machine) ask(t *rapid.T) *modelAsk {
	if len(m.asks) == 0 {
		t.Skip("no ask yet")
	}
	return rapid.SampledFrom(m.asks).Draw(t, "ask")
}

// text returns a text that is new, short or long.
func (m *machine) text(t *rapid.T) string {
	m.texts++
	if rapid.Bool().Draw(t, "long") {
		return fmt.Sprint(m.texts, " ", longText)
	}
	return fmt.Sprint(m.texts)
}

// failed reports whether a change failed as the test made it fail. Then nothing may have
// changed, even if the disk failed so often that the store gave up.
func failed(t *rapid.T, err error) bool {
	if err != nil && !errors.Is(err, errDisk) && !errors.Is(err, kv.ErrUnclear) {
		t.Fatal(err)
	}
	return err != nil
}

func (m *machine) BreakDisk(t *rapid.T) {
	if m.faults == nil {
		t.Skip("a real disk")
	}
	switch rapid.IntRange(0, 3).Draw(t, "how") {
	case 0:
		m.faults.FailNextCommit(errDisk)
	case 1:
		m.faults.FailNextCommit(kv.ErrConflict)
	case 2:
		m.faults.UnclearNextCommit(true)
	case 3:
		m.faults.UnclearNextCommit(false)
	}
}

func (m *machine) CreateSession(t *rapid.T) {
	if len(m.sessions) == maxSessions {
		t.Skip("enough sessions")
	}
	project := rapid.SampledFrom([]string{"", "/p", "/q"}).Draw(t, "project")
	got, err := m.store(t).CreateSession(m.ctx, store.Session{Project: safe.New(project)})
	if failed(t, err) {
		return
	}
	m.sessions = append(m.sessions, &modelSession{id: got.ID, project: project})
}

func (m *machine) OpenAsk(t *rapid.T) {
	session := m.session(t)
	title := rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "title")
	place := rapid.SampledFrom([]string{"", "here", "there"}).Draw(t, "place")
	got, attached, err := m.store(t).OpenAsk(m.ctx, store.Ask{Session: session.id, Spec: form(title), Place: place})
	if failed(t, err) {
		return
	}
	same := slices.IndexFunc(m.asks, func(a *modelAsk) bool {
		return a.session == session && a.title == title && (a.open() || a.undelivered())
	})
	switch {
	case attached != (same >= 0):
		t.Fatalf("attached: %v, the same ask: %d", attached, same)
	case !attached:
		m.asks = append(m.asks, &modelAsk{id: got.ID, title: title, place: place, session: session, state: questions.Pending})
		m.touch(session)
	case m.asks[same].id != got.ID:
		t.Fatalf("attached to %s, not to %s", got.ID, m.asks[same].id)
	case m.asks[same].open():
		m.asks[same].state = questions.Pending
		if place != "" {
			m.asks[same].place = place
		}
		m.touch(session)
	}
}

func (m *machine) Settle(t *rapid.T) {
	ask := m.ask(t)
	outcome := questions.Outcome{State: rapid.SampledFrom([]questions.State{
		questions.Answered, questions.Discuss, questions.Declined, questions.Withdrawn,
	}).Draw(t, "state")}
	text := ""
	switch outcome.State {
	case questions.Answered:
		text = m.text(t)
		outcome = answered(text)
	case questions.Discuss, questions.Declined:
		text = m.text(t)
		outcome.Message = safe.New(text)
	}
	got, err := m.store(t).Settle(m.ctx, ask.id, outcome)
	if late, full := errors.AsType[*store.TooLateError](err); full {
		if text == "" || len(ask.late) != store.MaxTooLate || late.Winner.State != ask.state {
			t.Fatalf("refused after %d late replies: %v", len(ask.late), err)
		}
		return
	}
	var settled *questions.SettledError
	if errors.As(err, &settled) {
		if ask.open() || settled.Winner.State != ask.state || said(settled.Winner) != ask.text {
			t.Fatalf("the %s ask was settled before: %v", ask.state, err)
		}
		if text != "" {
			ask.late = append(ask.late, text)
		}
		return
	}
	if failed(t, err) {
		return
	}
	if !ask.open() || got.Outcome.State != outcome.State {
		t.Fatalf("the %s ask became %s", ask.state, got.Outcome.State)
	}
	ask.state, ask.text = outcome.State, text
	m.settled = append(m.settled, ask)
	if ask.state == questions.Answered {
		ask.entry = ""
	}
	m.touch(ask.session)
}

// said is the one text that the test's outcomes carry.
func said(o questions.Outcome) string {
	if text, ok := o.Reply.Answers["why"].Text(); ok {
		return text
	}
	return o.Message.Raw()
}

func (m *machine) Expire(t *rapid.T) {
	ask := m.ask(t)
	latest := time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC) // however often it was asked again
	got, err := m.store(t).Expire(m.ctx, ask.id, latest)
	if failed(t, err) {
		return
	}
	if ask.state == questions.Pending {
		ask.state = questions.Expired
		m.touch(ask.session)
	}
	if got.Outcome.State != ask.state {
		t.Fatalf("expired, the %s ask is %s", ask.state, got.Outcome.State)
	}
}

func (m *machine) Deliver(t *rapid.T) {
	asks := rapid.SliceOfN(rapid.Custom(m.ask), 1, 3).Draw(t, "asks")
	var ids []string
	for _, a := range asks {
		ids = append(ids, a.id)
	}
	if failed(t, m.store(t).Deliver(m.ctx, ids...)) {
		return
	}
	for _, a := range asks {
		a.delivered = a.delivered || a.state.Final()
	}
}

func (m *machine) MarkShown(t *rapid.T) {
	ask := m.ask(t)
	if !failed(t, m.store(t).MarkShown(m.ctx, ask.id)) {
		ask.shown = true
	}
}

func (m *machine) SaveEntry(t *rapid.T) {
	ask := m.ask(t)
	text := m.text(t)
	err := m.store(t).SaveEntry(m.ctx, ask.id, entryOf(text))
	if errors.As(err, new(*questions.SettledError)) {
		if ask.open() {
			t.Fatalf("the %s ask: %v", ask.state, err)
		}
		return
	}
	if failed(t, err) {
		return
	}
	if !ask.open() {
		t.Fatalf("the %s ask took an entry", ask.state)
	}
	ask.entry = text
}

func (m *machine) SavePlan(t *rapid.T) {
	session := m.session(t)
	text := m.text(t)
	if len(session.plans) > 0 && rapid.Bool().Draw(t, "again") {
		text = session.plans[len(session.plans)-1]
	}
	got, unchanged, err := m.store(t).SavePlan(m.ctx, session.id, "", text)
	if failed(t, err) {
		return
	}
	again := len(session.plans) > 0 && text == session.plans[len(session.plans)-1] && !session.inFile
	if !again {
		session.plans, session.inFile = append(session.plans, text), false
		m.touch(session)
	}
	if unchanged != again || got.Number != len(session.plans) {
		t.Fatalf("saved as version %d, unchanged %v; want %d, %v", got.Number, unchanged, len(session.plans), again)
	}
}

// SavePlanEdit is a person's edit of the latest version.
func (m *machine) SavePlanEdit(t *rapid.T) {
	session := m.session(t)
	if len(session.plans) == 0 {
		t.Skip("no plan yet")
	}
	text := m.text(t)
	got, unchanged, err := m.store(t).SavePlanEdit(m.ctx, store.PlanID{Session: session.id, Number: len(session.plans)}, text)
	if failed(t, err) {
		return
	}
	session.plans = append(session.plans, text)
	m.touch(session)
	if unchanged || got.Number != len(session.plans) || (got.Name != "") != session.inFile {
		t.Fatalf("saved as %+v, unchanged %v; want version %d", got, unchanged, len(session.plans))
	}
}

func (m *machine) SaveFilePlan(t *rapid.T) {
	path := rapid.SampledFrom([]string{"/p/a-plan.md", "/p/b-plan.md"}).Draw(t, "path")
	was, known := m.files[path]
	session, given := was.session, ""
	if len(m.sessions) > 0 && rapid.Bool().Draw(t, "given") || !known && len(m.sessions) == maxSessions {
		session = m.session(t)
		given = session.id
	}
	text := m.text(t)
	if known && rapid.Bool().Draw(t, "again") {
		text = was.text
	}
	if session != nil && len(session.plans) > 0 && rapid.Bool().Draw(t, "as the latest") {
		text = session.plans[len(session.plans)-1]
	}
	got, unchanged, err := m.store(t).SaveFilePlan(m.ctx, store.FilePlan{
		Path: path, Name: "a", Text: text, Session: given, New: store.Session{Project: safe.New("/q")},
	})
	if failed(t, err) {
		return
	}
	if session == nil {
		session = &modelSession{id: got.Session, project: "/q"}
		m.sessions = append(m.sessions, session)
	}
	again := known && was.session == session && was.text == text
	number := was.number
	if !again && len(session.plans) > 0 && session.inFile && text == session.plans[len(session.plans)-1] {
		again, number = true, len(session.plans)
		m.files[path] = modelFile{session, number, text}
	}
	if !again {
		session.plans, session.inFile = append(session.plans, text), true
		m.touch(session)
		number = len(session.plans)
		m.files[path] = modelFile{session, number, text}
	}
	if unchanged != again || got.Number != number || got.Session != session.id || got.Name != "a" {
		t.Fatalf("saved as %+v, unchanged %v; want version %d of %s, %v", got, unchanged, number, session.id, again)
	}
}

func (m *machine) Archive(t *rapid.T) {
	session := m.session(t)
	archived := rapid.Bool().Draw(t, "archived")
	got, err := m.store(t).Archive(m.ctx, session.id, archived)
	if failed(t, err) {
		return
	}
	session.archived = archived
	if got.ID != session.id || got.InArchive() != archived {
		t.Fatalf("archived: %+v, want %v", got, archived)
	}
}

// Delete is one of the things that happen to a session. Whatever makes it end early, the
// next prune finishes it.
func (m *machine) Delete(t *rapid.T) {
	session := m.session(t)
	s := m.store(t)
	d, err := s.Deletable(m.ctx, session.id)
	if err != nil {
		t.Fatal(err)
	}
	own := func(pass func(*modelAsk) bool) int {
		return len(m.pick(func(a *modelAsk) bool { return a.session == session && pass(a) }))
	}
	if d.Open != own((*modelAsk).open) || d.Undelivered != own((*modelAsk).undelivered) {
		t.Fatalf("deletable: %+v", d)
	}
	err = s.Delete(m.ctx, d.Session, nil)
	if d.Open > 0 {
		if err == nil {
			t.Fatalf("a session was deleted in which %d asks are open", d.Open)
		}
		return
	}
	for range 100 {
		if err == nil {
			break
		}
		failed(t, err)
		if a, err := s.Audit(m.ctx); err != nil || len(a.Problems) > 0 {
			t.Fatalf("cut off: %v, %q", err, a.Problems)
		}
		if s = m.store(t); !m.unknown(t, s, session) {
			err = s.Delete(m.ctx, d.Session, nil)
			continue
		}
		_, err = s.Prune(m.ctx, store.Pruning{}, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	m.sessions = slices.DeleteFunc(m.sessions, func(s *modelSession) bool { return s == session })
	m.asks = slices.DeleteFunc(m.asks, func(a *modelAsk) bool { return a.session == session })
	maps.DeleteFunc(m.files, func(_ string, f modelFile) bool { return f.session == session })
}

func (m *machine) unknown(t *rapid.T, s *store.Store, session *modelSession) bool {
	_, err := s.Session(m.ctx, session.id)
	if err != nil && !isUnknown(err) {
		t.Fatal(err)
	}
	return err != nil
}

// Check compares all that the store holds with the model. Each of its many reads opens a
// store on a disk anew, so there it compares after every fifth step only, unless all cases
// are asked for. The wrong that a step did is still there then.
func (m *machine) Check(t *rapid.T) {
	m.steps++
	if m.faults == nil && m.steps%5 != 0 && !storetest.Whole() {
		return
	}
	s := m.store(t)
	compare := func(what string, want []string, list func() ([]store.Ask, error)) {
		t.Helper()
		asks, err := list()
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		var got []string
		for _, a := range asks {
			got = append(got, a.ID)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %q, want %q", what, got, want)
		}
	}
	compare("waiting", m.pick((*modelAsk).open), func() ([]store.Ask, error) { return s.Waiting(m.ctx) })
	for _, place := range []string{"here", "there"} {
		in := func(state questions.State) []string {
			return m.pick(func(a *modelAsk) bool { return a.place == place && a.state == state })
		}
		want := slices.Concat(in(questions.Pending), in(questions.Expired))
		compare("queue", want, func() ([]store.Ask, error) { return s.Queue(m.ctx, place) })
	}
	for _, project := range []string{"/p", "/q"} {
		want := m.pick(func(a *modelAsk) bool { return a.undelivered() && a.session.project == project })
		compare("undelivered in", want, func() ([]store.Ask, error) { return undeliveredIn(m.ctx, s, project) })
	}
	m.checkSessions(t, s, compare)
	m.checkAsks(t, s)
	m.checkFiles(t, s)
	m.checkMemory(t, s)
	m.checkIndexes(t)
	m.checkAudit(t, s)
}

func (m *machine) checkSessions(t *rapid.T, s *store.Store, compare func(string, []string, func() ([]store.Ask, error))) {
	var front []string
	for _, session := range slices.Backward(m.sessions) {
		front = append(front, session.id)
	}
	var got []string
	for after := ""; ; {
		page, next, err := s.Sessions(m.ctx, after, 3)
		if err != nil {
			t.Fatal(err)
		}
		for _, session := range page {
			got = append(got, session.ID)
		}
		if after = next; after == "" {
			break
		}
	}
	if !slices.Equal(got, front) {
		t.Fatalf("sessions: %q, want %q", got, front)
	}
	for _, session := range m.sessions {
		own := func(pass func(*modelAsk) bool) []string {
			return m.pick(func(a *modelAsk) bool { return a.session == session && pass(a) })
		}
		asks := own(func(*modelAsk) bool { return true })
		compare("asks", asks, func() ([]store.Ask, error) { return s.Asks(m.ctx, session.id) })
		compare("due", own(func(a *modelAsk) bool { return a.open() || a.undelivered() }),
			func() ([]store.Ask, error) { return s.Due(m.ctx, session.id) })
		compare("undelivered", own((*modelAsk).undelivered),
			func() ([]store.Ask, error) { return s.Undelivered(m.ctx, session.id) })
		read, err := s.Session(m.ctx, session.id)
		if read.InArchive() != session.archived {
			t.Fatalf("in the archive: %v, want %v", read.InArchive(), session.archived)
		}
		if err != nil || read.Asks != len(asks) || read.Plans != len(session.plans) {
			t.Fatalf("the session has %d asks and %d plans, want %d and %d, %v", read.Asks, read.Plans, len(asks), len(session.plans), err)
		}
		if n := len(session.plans); n > 0 {
			text, err := s.PlanText(m.ctx, session.id, n)
			if err != nil || text.Raw() != session.plans[n-1] {
				t.Fatalf("version %d is another text, %v", n, err)
			}
		}
	}
}

func (m *machine) checkAsks(t *rapid.T, s *store.Store) {
	for _, want := range m.asks {
		got, err := s.FindAsk(m.ctx, want.id)
		if err != nil {
			t.Fatal(err)
		}
		var late []string
		for _, o := range got.TooLate {
			late = append(late, said(o))
		}
		if got.Outcome.State != want.state || said(got.Outcome) != want.text || !slices.Equal(late, want.late) ||
			got.Place != want.place || got.Shown.IsZero() == want.shown || got.Delivered.IsZero() == want.delivered {
			t.Fatalf("ask %+v, want %+v", got, want)
		}
		entry, has, err := s.Entry(m.ctx, want.id)
		if err != nil || has != (want.entry != "") || entry.Fields["why"].Text.Raw() != want.entry {
			t.Fatalf("the entry has %d bytes (%v), want %d, %v", len(entry.Fields["why"].Text.Raw()), has, len(want.entry), err)
		}
	}
}

func (m *machine) checkFiles(t *rapid.T, s *store.Store) {
	for _, path := range []string{"/p/a-plan.md", "/p/b-plan.md"} {
		want, known := m.files[path]
		got, ok, err := s.PlanFile(m.ctx, path)
		if err != nil || ok != known {
			t.Fatalf("the file %s is known: %v, want %v, %v", path, ok, known, err)
		}
		if known && (got.Path != path || got.Session != want.session.id || got.Number != want.number || got.Digest != plans.Digest(safe.New(want.text))) {
			t.Fatalf("the file holds %+v, want version %d of %s", got, want.number, want.session.id)
		}
	}
}

// checkIndexes finds index entries that were left behind, which no list would show.
func (m *machine) checkIndexes(t *rapid.T) {
	counts := map[string]int{}
	for _, r := range storetest.All(rapidTester{t, m.ctx}, m.engine, "") {
		family, _, _ := cut(r.Key)
		counts[family]++
	}
	if counts["x"] != counts["z"] {
		t.Fatalf("%d chunks have %d sizes", counts["x"], counts["z"])
	}
	delete(counts, "x") // chunks may be left over from failed commits
	delete(counts, "z")
	delete(counts, "d") // so may those of entries
	delete(counts, "format")
	open, told := len(m.pick((*modelAsk).open)), len(m.pick((*modelAsk).undelivered))
	versions, lates, queues := 0, 0, map[string]bool{}
	for _, s := range m.sessions {
		versions += len(s.plans)
	}
	for _, a := range m.asks {
		lates += len(a.late)
		if a.open() && a.place != "" {
			queues[a.place] = true
		}
	}
	want := map[string]int{
		"s": len(m.sessions), "t": len(m.sessions), "p": versions, "n": len(m.files),
		"a": len(m.asks), "sa": len(m.asks), "g": len(m.asks), "i": len(m.asks),
		"w": lates, "o": open, "u": told, "e": open + told, "q": len(queues), "m": m.memories(),
	}
	maps.DeleteFunc(want, func(_ string, n int) bool { return n == 0 })
	if !maps.Equal(counts, want) {
		t.Fatalf("records by family: %v, want %v", counts, want)
	}
}

func TestTheStoreIsItsModel(t *testing.T) {
	t.Parallel()
	runs := 0
	rapid.Check(t, func(r *rapid.T) {
		runs++
		m := newMachine(t, r, runs)
		r.Repeat(rapid.StateMachineActions(m))
	})
}
