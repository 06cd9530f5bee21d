package tasks_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	rules "planb/plans/tasks"
	"planb/questions/safe"
	"planb/store/kv"
	"planb/store/storetest"
	"planb/store/tasks"
)

// TestALostClaim has a person release a task whose claim cannot be read.
func TestALostClaim(t *testing.T) {
	w := newWorld(t)
	id := w.active(t, "a")
	c := connect(t, w.store())
	got := w.claim(t, c, id, "a")
	storetest.PutRecord(t, w.engine, kv.Key("wp/"+id+"/c/1"), "nonsense")
	if got := w.states(t, id); got != "a claimed" {
		t.Errorf("a task whose claim is damaged: %s", got)
	}
	_, err := c.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: got.ID})
	wantCode(t, err, rules.CodeTaskNotActionable, "in work")
	if _, err := w.store().Release(w.ctx, person(), got.ID); err != nil {
		t.Fatal(err)
	}
	if again := w.claim(t, c, id, "a"); again.Attempt != 2 || len(again.Earlier) != 1 || again.Earlier[0].End != tasks.EndedByRelease {
		t.Errorf("%+v", again)
	}
	w.sound(t)
}

// TestWhatNobodyReported tells tasks that wait with a report, also a long one, from those whose agent
// asks, or gave up.
func TestWhatNobodyReported(t *testing.T) {
	w := newWorld(t)
	p := flat("manual", "long", "asks", "tired", "lost", "free")
	for i := range 2 {
		p.Items[i].Verification.Kind = rules.Manual
	}
	id := w.approved(t, p)
	s := w.store()
	c := connect(t, s)
	for key, summary := range map[string]string{"manual": "done", "long": strings.Repeat("much ", 4000)} {
		got := w.claim(t, c, id, key)
		if _, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report(summary)}); err != nil {
			t.Fatal(err)
		}
	}
	says := func(key string, status rules.State, note string) {
		t.Helper()
		got := w.claim(t, c, id, key)
		if _, err := c.Update(w.ctx, agent(), tasks.Progress{Task: got.ID, ClaimID: got.ClaimID, Status: status, Note: safe.New(note)}); err != nil {
			t.Fatal(err)
		}
	}
	says("asks", rules.NeedsReview, "Which one?")
	says("lost", rules.NeedsReview, "Where?")
	for range rules.MaxAttempts {
		says("tired", rules.Ready, "It is too hard.")
	}
	storetest.PutRecord(t, w.engine, kv.Key("wr/"+id+"/5"), "nonsense")
	plan, err := s.Plan(w.ctx, person(), id)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Unreported(w.ctx, plan)
	if err != nil || len(list) != 3 || list[3].Said().Raw() != "Which one?" || list[3].End != tasks.EndedStuck || list[4].Said().Raw() != "It is too hard." || list[4].End != tasks.EndedByAgent {
		t.Errorf("%+v, %v", list, err)
	}
	if lost, ok := list[5]; !ok || !lost.Said().Blank() {
		t.Errorf("of a task whose past cannot be read: %+v", lost)
	}
}

// TestWhatAPersonDoes has a person decide about tasks, and tells their holders (T27).
func TestWhatAPersonDoes(t *testing.T) {
	w := newWorld(t)
	p := flat("a", "b", "c", "manual", "human", "last")
	p.Items[3].Verification.Kind = rules.Manual
	p.Items[4].Execution.Kind = rules.Human
	p.Items[5].DependsOn = []string{"manual", "human"}
	id := w.approved(t, p)
	s := w.store()
	c := connect(t, s)
	at := func(key string) string { return w.task(t, id, key) }
	must := func(done tasks.Completed, err error) tasks.Completed {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	told := func(want ...tasks.Happening) []tasks.News {
		t.Helper()
		news, err := w.hears(c)
		var got []tasks.Happening
		for _, n := range news {
			got = append(got, n.What)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("told %v, want %v, %v", got, want, err)
		}
		return news
	}
	held := w.claim(t, c, id, "a")
	w.claim(t, c, id, "b")
	told()
	must(s.Release(w.ctx, person(), at("a")))
	must(s.Cancel(w.ctx, person(), at("b")))
	told(tasks.NewsReleased, tasks.NewsCancelled)
	told()
	_, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: held.ID, ClaimID: held.ClaimID, Report: report("too late")})
	wantCode(t, err, rules.CodeConflict, "your user took it back")
	if past, err := s.Past(w.ctx, person(), held.ID); err != nil || len(past.Late) != 1 || past.Late[0].Report.Summary.Raw() != "too late" {
		t.Errorf("the late report: %+v, %v", past, err)
	}
	manual := w.claim(t, c, id, "manual")
	done, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: manual.ID, ClaimID: manual.ClaimID, Report: report("look")})
	if err != nil || done.State != rules.NeedsReview {
		t.Fatalf("%+v, %v", done, err)
	}
	told()
	must(s.SendBack(w.ctx, person(), manual.ID, safe.New("more")))
	if news := told(tasks.NewsSentBack); len(news) == 1 && news[0].Comment.Raw() != "more" {
		t.Errorf("%+v", news)
	}
	manual = w.claim(t, c, id, "manual")
	if len(manual.Earlier) != 1 || manual.Earlier[0].Comment.Raw() != "more" || manual.Earlier[0].Report.Summary.Raw() != "look" {
		t.Errorf("the second attempt knows %+v", manual.Earlier)
	}
	must(tasks.Completed{}, func() error {
		_, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: manual.ID, ClaimID: manual.ClaimID, Report: report("better")})
		return err
	}())
	_, err = s.Accept(w.ctx, agent(), manual.ID, safe.Text{})
	wantCode(t, err, rules.CodeConflict, "cannot-accept-needs_review")
	if got := must(s.Accept(w.ctx, person(), manual.ID, safe.New("fine"))); got.State != rules.Done {
		t.Errorf("%+v", got)
	}
	told(tasks.NewsAccepted)
	if would, err := s.WouldReady(w.ctx, person(), at("human")); err != nil || !slices.Equal(would, []string{at("last")}) {
		t.Errorf("would be ready: %v, %v", would, err)
	}
	_, err = c.Claim(w.ctx, agent(), tasks.ClaimRequest{Task: at("human")})
	wantCode(t, err, rules.CodeTaskNotActionable, "for your user to do")
	_, err = s.Finish(w.ctx, person(), at("c"), safe.Text{})
	wantCode(t, err, rules.CodeConflict, "cannot-finish-ready: the task is for agents, and only they complete it")
	if got := must(s.Finish(w.ctx, person(), at("human"), safe.New("bought it"))); !slices.Equal(got.Readied, []string{at("last")}) {
		t.Errorf("%+v", got)
	}
	last := w.claim(t, c, id, "last")
	if len(last.Done) != 2 || last.Done[1].Summary.Raw() != "bought it" && last.Done[0].Summary.Raw() != "better" {
		t.Errorf("%+v", last.Done)
	}
	if err := s.Pause(w.ctx, person(), id, true); err != nil {
		t.Fatal(err)
	}
	told(tasks.NewsPaused)
	_, err = c.Claim(w.ctx, agent(), tasks.ClaimRequest{Plan: id})
	wantCode(t, err, rules.CodeTaskNotActionable, "lets it go on")
	if before, err := s.SetPriority(w.ctx, person(), at("c"), 0); err != nil || before != rules.DefaultPriority {
		t.Errorf("priority %d, %v", before, err)
	}
	w.sound(t)
	if err := s.CancelPlan(w.ctx, person(), id); err != nil {
		t.Fatal(err)
	}
	told(tasks.NewsCancelled)
	if got := w.states(t, id); got != "a cancelled, b cancelled, c cancelled, manual done, human done, last cancelled" {
		t.Error(got)
	}
	w.sound(t)
	if err := s.CancelPlan(w.ctx, person(), id); rules.CodeOf(err) != rules.CodeConflict {
		t.Error(err)
	}
	wantCode(t, s.Pause(w.ctx, agent(), id, false), rules.CodeConflict, "only your user")
}

// TestAnEditOnTheScreenIsApproved covers 4.2: it unlocks the task that was edited, and
// no other.
func TestAnEditOnTheScreenIsApproved(t *testing.T) {
	w := newWorld(t)
	id := w.approved(t, flat("a", "b"))
	s := w.store()
	for _, key := range []string{"x", "y"} {
		if _, err := s.Add(w.ctx, agent(), tasks.Addition{Plan: id, Seed: seedOf(key)}); err != nil {
			t.Fatal(err)
		}
	}
	seed := seedOf("ignored")
	seed.Title = safe.New("By hand")
	before, err := s.Edit(w.ctx, person(), w.task(t, id, "x"), seed)
	if err != nil || before.Title.Raw() != "Write x" {
		t.Fatalf("%+v, %v", before, err)
	}
	if got := w.states(t, id); got != "a ready, b ready, x ready, y blocked" {
		t.Error(got)
	}
	_, err = s.Edit(w.ctx, agent(), w.task(t, id, "y"), seed)
	wantCode(t, err, rules.CodeConflict, "only your user")
	w.sound(t)
}

// TestEvents follows what is done, without missing or repeating anything.
func TestEvents(t *testing.T) {
	w := newWorld(t)
	ctx, cancel := context.WithCancel(w.ctx)
	events, ended := make(chan tasks.Event, 100), make(chan error)
	go func() {
		ended <- w.store().Events(ctx, agent(), time.Time{}, true, func(e tasks.Event) error {
			events <- e
			return nil
		})
	}()
	id := w.active(t, "a")
	c := connect(t, w.store())
	got := w.claim(t, c, id, "a")
	if _, err := c.Complete(w.ctx, agent(), tasks.Completion{Task: got.ID, ClaimID: got.ClaimID, Report: report("done")}); err != nil {
		t.Fatal(err)
	}
	var actions []string
	for len(actions) < 5 {
		actions = append(actions, string((<-events).Action))
	}
	slices.Sort(actions) // the clock of the test stands still
	if want := "plan.approved plan.proposed project.created task.claimed task.done"; strings.Join(actions, " ") != want {
		t.Errorf("%v", actions)
	}
	cancel()
	if err := <-ended; err != context.Canceled {
		t.Error(err)
	}
	if len(events) > 0 {
		t.Errorf("told twice: %+v", <-events)
	}
}
