package store_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"planb/plans"
	rules "planb/plans/tasks"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/bolt"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
	"planb/store/tasks"
)

// writing is any mix of calls that write. For each method of *store.Store that writes, it
// has a method of the same name. It does not know what the calls do, only that the deep
// check finds no fault after them.
type writing struct {
	*store.Store
	ctx      context.Context
	engine   kv.Engine
	file     *bolt.Engine // the engine, if it is a file; else it is in memory
	dir      string
	now      time.Time
	calls    int
	sessions []store.Session
	asks     []string
	places   map[string]*store.Held
	unswept  bool // a prune was cut off; until the next one its sessions cannot be imported
}

func newWriting(t *testing.T, r *rapid.T, run int) *writing {
	w := &writing{
		ctx: t.Context(), dir: filepath.Join(t.TempDir(), fmt.Sprint(run)),
		now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC), places: map[string]*store.Held{},
	}
	// What is wrong with records shows in memory, too, where a call costs no disk.
	if w.engine = kvtest.NewMap(); rapid.IntRange(0, 9).Draw(r, "engine") == 9 {
		w.file = storetest.OpenBolt(t, filepath.Join(w.dir, "planb.db"))
		w.engine = w.file
	}
	w.Store = store.New(w.engine, store.Options{By: "person@desk", Machine: "one", Tasks: tasks.Options{Verdict: taskVerdict}, Now: func() time.Time {
		w.now = w.now.Add(time.Millisecond)
		return w.now
	}})
	return w
}

// sample draws one of the list, which may be empty.
func sample[T any](t *rapid.T, list []T) T {
	if len(list) == 0 {
		t.Skip("nothing to draw from")
	}
	return rapid.SampledFrom(list).Draw(t, "which")
}

func (w *writing) session(t *rapid.T) string { return sample(t, w.sessions).ID }

// text is sometimes one that was used before, and sometimes too long for a record.
func (w *writing) text(t *rapid.T) string {
	text := rapid.SampledFrom([]string{"one", "two", longText}).Draw(t, "text")
	if rapid.Bool().Draw(t, "new") {
		w.calls++
		text = fmt.Sprint(text, w.calls)
	}
	return text
}

// refused accepts the errors with which the store refuses a call that does not fit the
// state of its session or ask.
func refused(t *rapid.T, err error) bool {
	_, settled := errors.AsType[*questions.SettledError](err)
	_, held := errors.AsType[*store.HeldError](err)
	_, full := errors.AsType[*store.TooManyError](err)
	pane := errors.Is(err, store.ErrPutOff) || errors.Is(err, store.ErrTooManyPanes)
	if err != nil && !settled && !held && !full && !pane && !isUnknown(err) && !errors.Is(err, store.ErrChanged) {
		t.Fatal(err)
	}
	return err != nil
}

func (w *writing) CreateSession(t *rapid.T) {
	project := rapid.SampledFrom([]string{"", "/p", "/q"}).Draw(t, "project")
	made, err := w.Store.CreateSession(w.ctx, store.Session{Project: safe.New(project), Title: safe.New("x")})
	if !refused(t, err) {
		w.sessions = append(w.sessions, made)
	}
}

func (w *writing) Import(t *rapid.T) {
	in := foreign(rapid.IntRange(0, 3).Draw(t, "asks"), rapid.IntRange(0, 3).Draw(t, "versions"))
	_, err := w.Store.Import(w.ctx, in)
	if err != nil && w.unswept {
		return
	}
	if !refused(t, err) {
		session, err := w.Session(w.ctx, in.Session.ID)
		if err != nil {
			t.Fatal(err)
		}
		w.sessions = append(w.sessions, session)
	}
}

func (w *writing) Archive(t *rapid.T) {
	_, err := w.Store.Archive(w.ctx, w.session(t), rapid.Bool().Draw(t, "archived"))
	refused(t, err)
}

func (w *writing) Delete(t *rapid.T) {
	d, err := w.Deletable(w.ctx, w.session(t))
	if !refused(t, err) && d.Open == 0 {
		refused(t, w.Store.Delete(w.ctx, d.Session, nil))
	}
}

func (w *writing) Prune(t *rapid.T) {
	age := rapid.SampledFrom([]time.Duration{0, 100 * time.Millisecond, time.Hour}).Draw(t, "age")
	list, err := w.Prunable(w.ctx, w.now.Add(-age))
	if err != nil {
		t.Fatal(err)
	}
	if rapid.Bool().Draw(t, "cut off") {
		_, err = w.Store.Prune(w.ctx, list, func(store.Gone) error { return errDisk })
		if err != nil && !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		w.unswept = w.unswept || err != nil
		return
	}
	_, err = w.Store.Prune(w.ctx, list, nil)
	w.unswept = refused(t, err)
}

func (w *writing) OpenAsk(t *rapid.T) {
	spec := form(rapid.SampledFrom([]string{"one", "two", "three"}).Draw(t, "title"))
	if rapid.Bool().Draw(t, "review") {
		spec = questions.ReviewOf(spec.Title, questions.PlanRef{Number: 1, Digest: plans.Digest(spec.Title)})
	}
	ask, _, err := w.Store.OpenAsk(w.ctx, store.Ask{
		Session: w.session(t), Spec: spec, Timeout: time.Hour,
		Place: rapid.SampledFrom([]string{"", "here", "there"}).Draw(t, "place"),
	})
	if !refused(t, err) && !slices.Contains(w.asks, ask.ID) {
		w.asks = append(w.asks, ask.ID)
	}
}

func (w *writing) MoveAsk(t *rapid.T) {
	refused(t, w.Store.MoveAsk(w.ctx, sample(t, w.asks), rapid.SampledFrom([]string{"", "here", "there"}).Draw(t, "place")))
}

func (w *writing) MarkShown(t *rapid.T) { refused(t, w.Store.MarkShown(w.ctx, sample(t, w.asks))) }

func (w *writing) MergeEntry(t *rapid.T) {
	own := entryOf(w.text(t))
	refused(t, w.Store.MergeEntry(w.ctx, sample(t, w.asks), own, func(kept questions.Entry) questions.Entry { return own.Merge(questions.Entry{}, kept) }))
}

func (w *writing) SaveEntry(t *rapid.T) {
	refused(t, w.Store.SaveEntry(w.ctx, sample(t, w.asks), entryOf(w.text(t))))
}

func (w *writing) Snooze(t *rapid.T) {
	until := rapid.SampledFrom([]time.Time{{}, w.now.Add(time.Hour)}).Draw(t, "until")
	refused(t, w.Store.Snooze(w.ctx, sample(t, w.asks), until))
}

func (w *writing) Expire(t *rapid.T) {
	_, err := w.Store.Expire(w.ctx, sample(t, w.asks), time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC))
	refused(t, err)
}

func (w *writing) Settle(t *rapid.T) {
	ask, err := w.Ask(w.ctx, sample(t, w.asks))
	if refused(t, err) {
		return
	}
	outcome := questions.Outcome{State: rapid.SampledFrom([]questions.State{
		questions.Answered, questions.Discuss, questions.Declined, questions.Withdrawn,
	}).Draw(t, "state")}
	switch {
	case outcome.State == questions.Answered && ask.Spec.Plan != nil:
		outcome.Reply.Answers = map[string]questions.Value{questions.ReviewID: questions.TextValue(`{"verdict":"approve","digest":"` + ask.Spec.Plan.Digest + `"}`)}
	case outcome.State == questions.Answered:
		outcome = answered(w.text(t))
	case outcome.State != questions.Withdrawn:
		outcome.Message = safe.New(w.text(t))
	}
	_, err = w.Store.Settle(w.ctx, ask.ID, outcome)
	refused(t, err)
}

func (w *writing) Deliver(t *rapid.T) { refused(t, w.Store.Deliver(w.ctx, sample(t, w.asks))) }

func (w *writing) SavePlan(t *rapid.T) {
	_, _, err := w.Store.SavePlan(w.ctx, w.session(t), rapid.SampledFrom([]string{"", "t"}).Draw(t, "title"), w.text(t))
	refused(t, err)
}

func (w *writing) SavePlanEdit(t *rapid.T) {
	number := rapid.IntRange(1, 3).Draw(t, "number")
	_, _, err := w.Store.SavePlanEdit(w.ctx, store.PlanID{Session: w.session(t), Number: number}, w.text(t))
	refused(t, err)
}

// SaveFilePlan keeps files of plans, which have a name, and other files, which have none.
func (w *writing) SaveFilePlan(t *rapid.T) {
	in := store.FilePlan{
		Path: rapid.SampledFrom([]string{"/p/a-plan.md", "/p/notes.md"}).Draw(t, "path"),
		Name: rapid.SampledFrom([]plans.Name{"", "a"}).Draw(t, "name"),
		Text: w.text(t), By: "agent", New: store.Session{Project: safe.New("/p")},
	}
	if rapid.Bool().Draw(t, "given") {
		in.Session = w.session(t)
	}
	plan, _, err := w.Store.SaveFilePlan(w.ctx, in)
	if !refused(t, err) && in.Session == "" {
		w.sessions = append(w.sessions, store.Session{ID: plan.Session})
	}
}

func (w *writing) AllowPane(t *rapid.T) {
	refused(t, w.Store.AllowPane(w.ctx, rapid.SampledFrom([]string{"here", "there"}).Draw(t, "place")))
}

func (w *writing) NoPane(t *rapid.T) {
	refused(t, w.Store.NoPane(w.ctx, rapid.SampledFrom([]string{"here", "there"}).Draw(t, "place")))
}

func (w *writing) PutOff(t *rapid.T) {
	refused(t, w.Store.PutOff(w.ctx, rapid.SampledFrom([]string{"here", "there"}).Draw(t, "place")))
}

func (w *writing) EndPutOff(t *rapid.T) {
	ask, err := w.Ask(w.ctx, sample(t, w.asks))
	if !refused(t, err) {
		refused(t, w.Store.EndPutOff(w.ctx, ask))
	}
}

func (w *writing) PutOffAsk(t *rapid.T) { refused(t, w.Store.PutOffAsk(w.ctx, sample(t, w.asks))) }

func (w *writing) PutOffAgent(t *rapid.T) {
	agent := store.Client{Name: safe.New(rapid.SampledFrom([]string{"", "claude-code"}).Draw(t, "agent"))}
	refused(t, w.Store.PutOffAgent(w.ctx, rapid.SampledFrom([]string{"here", "there"}).Draw(t, "place"), agent))
}

// Adopt is the call of a machine on which the store was restored.
func (w *writing) Adopt(t *rapid.T) {
	name := rapid.SampledFrom([]string{"one", "two"}).Draw(t, "machine")
	refused(t, store.New(w.engine, store.Options{Machine: name}).Adopt(w.ctx))
}

func (w *writing) Reindex(t *rapid.T) { refused(t, w.Store.Reindex(w.ctx)) }

func (w *writing) Prepare(t *rapid.T) { refused(t, w.Store.Prepare(w.ctx)) }

func (w *writing) Hold(t *rapid.T) {
	switch rapid.IntRange(0, 2).Draw(t, "what") {
	case 0:
		place := rapid.SampledFrom([]string{"here", "there"}).Draw(t, "place")
		held, err := w.Store.Hold(w.ctx, store.PlaceClaim(place), "a pane")
		if !refused(t, err) {
			w.places[place] = held
		}
	case 1:
		_, err := w.Store.Hold(w.ctx, store.ShowClaim(sample(t, w.asks), "me"), "")
		refused(t, err)
	default:
		held, err := w.Store.Hold(w.ctx, store.WaitClaim(sample(t, w.asks), "me"), "")
		if !refused(t, err) {
			refused(t, held.Release(w.ctx))
		}
	}
}

func (w *writing) LeavePlace(t *rapid.T) {
	place := rapid.SampledFrom([]string{"here", "there"}).Draw(t, "place")
	if w.places[place] == nil {
		t.Skip("nobody serves it")
	}
	left, err := w.Store.LeavePlace(w.ctx, w.places[place], place)
	if !refused(t, err) && left {
		delete(w.places, place)
	}
}

// ReviewTasks proposes a plan of tasks, in a session or in none, and has it reviewed.
func (w *writing) ReviewTasks(t *rapid.T) {
	by := agentOf("/p")
	if _, err := w.Tasks().Resolve(w.ctx, by, ""); err != nil {
		if _, err := w.Tasks().CreateProject(w.ctx, by, "Shop", ""); err != nil {
			t.Fatal(err)
		}
	}
	read, err := rules.ReadProposal([]byte(`{"title":"Auth","tasks":[{"title":"A"}]}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	p := tasks.Proposal{Proposal: read}
	if rapid.Bool().Draw(t, "in a session") {
		p.Session = w.session(t)
	}
	plan, err := w.Tasks().Propose(w.ctx, by, p)
	if refused(t, err) {
		return
	}
	asked, err := w.Store.ReviewTasks(w.ctx, by, plan.ID, store.TaskReview{Session: w.session(t)})
	if refused(t, err) {
		return
	}
	ask, _, err := w.Store.OpenAsk(w.ctx, asked)
	if !refused(t, err) {
		w.asks = append(w.asks, ask.ID)
	}
}

// Check looks through the records after each call.
func (w *writing) Check(t *rapid.T) {
	audit, err := w.Audit(w.ctx)
	if err != nil || len(audit.Problems) > 0 {
		t.Fatalf("the records: %q, %v", audit.Problems, err)
	}
}

// checkFile looks through the pages of a copy of the file, if there is one.
func (w *writing) checkFile(t *rapid.T) {
	if w.file == nil {
		return
	}
	copied := filepath.Join(w.dir, "copy.db")
	if err := w.file.Copy(w.ctx, copied); err != nil {
		t.Fatal(err)
	}
	engine, err := bolt.At(copied, bolt.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := engine.Check()
	if err != nil || len(found.Problems) > 0 {
		t.Fatalf("the file: %q, %v", found.Problems, err)
	}
}

func TestEveryMixOfWritesLeavesASoundStore(t *testing.T) {
	t.Parallel()
	run := 0
	rapid.Check(t, func(r *rapid.T) {
		run++
		w := newWriting(t, r, run)
		r.Repeat(rapid.StateMachineActions(w))
		w.checkFile(r)
	})
}

// reads are the methods of *store.Store that write nothing.
var reads = []string{
	"Alive", "AliveAny", "AliveBeside", "AliveElsewhere", "ApprovedTasks", "AwaitDead", "Dead", "Ask", "Asks", "AsksNow", "Audit", "Awake", "BegunBefore", "CannotWrite", "Claiming", "Deletable", "Drafts", "Due", "Entry",
	"EarlierAnswers", "EarlierForm", "FindAsk", "FindSession", "Importable", "LastReview", "Live", "LostAsks",
	"OwnForm", "PlanAsBefore", "PlanFile", "PlanText",
	"Plans", "Prunable", "PutOffs", "Queue", "Scope", "Session", "Sessions", "Standing", "Tasks", "TasksAsApproved", "Undelivered", "UndeliveredIn",
	"Waiting", "Watch", "WatchAsk", "WholeAsks", "WholeAsksWhere", "WholePlans",
}

func TestEveryMethodThatWritesIsInTheMix(t *testing.T) {
	mix := reflect.TypeFor[*writing]()
	for method := range reflect.TypeFor[*store.Store]().Methods() {
		own, _ := mix.MethodByName(method.Name)
		mixed := own.Type.NumIn() == 2 && own.Type.In(1) == reflect.TypeFor[*rapid.T]()
		if mixed == slices.Contains(reads, method.Name) {
			t.Errorf("%s: a method that writes needs a method of the same name on writing, any other a place among the reads", method.Name)
		}
	}
}
