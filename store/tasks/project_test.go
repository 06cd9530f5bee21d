package tasks_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	rules "planb/plans/tasks"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/ledger"
	"planb/store/storetest"
	"planb/store/tasks"
)

func create(t storetest.Tester, s *tasks.Store, by tasks.Caller, name, slug string) tasks.Project {
	t.Helper()
	p, err := s.CreateProject(t.Context(), by, name, slug)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func names(list []tasks.Project) string {
	var all []string
	for _, p := range list {
		all = append(all, p.Name.Raw())
	}
	return strings.Join(all, ", ")
}

// TestAProject covers T7, T8 and T10.
func TestAProject(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		ctx := t.Context()
		s, other := newStore(open(), tasks.Options{}), newStore(open(), tasks.Options{})
		away := agent()
		away.Dir = "/elsewhere"
		far := create(t, s, away, "Far", "")
		shop := create(t, s, agent(), "  The\n Shop ", "")
		if shop.Name.Raw() != "The Shop" || shop.Slug != "the-shop" || shop.Path != "/p" || shop.Tasks != 0 {
			t.Errorf("made %+v", shop)
		}
		_, err := other.CreateProject(ctx, agent(), "THE shop", "")
		wantCode(t, err, rules.CodeProjectNameTaken, `There is a project "The Shop" already.`)
		if e, _ := errors.AsType[*rules.Error](err); e.Details["projectId"] != shop.ID {
			t.Errorf("details %v", e.Details)
		}
		_, err = other.CreateProject(ctx, agent(), "Another", "the-shop")
		wantCode(t, err, rules.CodeProjectSlugTaken, `Leave slug out for "the-shop-2"`)
		for i, name := range []string{"the shop!", "The-Shop", "the, shop"} {
			if got := create(t, other, agent(), name, ""); got.Slug != fmt.Sprint("the-shop-", i+2) {
				t.Errorf("%q has the slug %q", name, got.Slug)
			}
		}
		if p := create(t, s, away, "→", ""); p.Slug != "project" {
			t.Errorf("a name without letters has the slug %q", p.Slug)
		}
		if p := create(t, s, away, "Магазин", ""); p.Slug != "магазин" {
			t.Errorf("a name in other letters has the slug %q", p.Slug)
		}
		list, err := other.Projects(ctx, agent())
		if got := names(list); err != nil || got != "The Shop, the shop!, The-Shop, the, shop, Far, →, Магазин" {
			t.Errorf("listed: %s, %v", got, err)
		}
		if list, err := s.Projects(ctx, away); err != nil || list[0].ID != far.ID {
			t.Errorf("elsewhere the first is %+v, %v", list[0], err)
		}
	})
}

func TestWhatNamesAProject(t *testing.T) {
	s := newStore(kvtest.NewMap(), tasks.Options{})
	for _, c := range []struct{ name, slug, want string }{
		{" \n", "", "name: "}, {strings.Repeat("n", rules.MaxNameBytes+1), "", "101 bytes"},
		{"n", "A B", `"A B"`}, {"n", "-a", `"-a"`}, {"n", strings.Repeat("s", rules.MaxSlugBytes+1), "1 to 40 bytes"},
	} {
		_, err := s.CreateProject(t.Context(), agent(), c.name, c.slug)
		wantCode(t, err, rules.CodeValidationInvalidInput, c.want)
	}
}

// TestResolvingAProject covers T11 and T3.
func TestResolvingAProject(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	root := func(dir string) string { return strings.TrimSuffix(dir, "/worktree") }
	s := newStore(engine, tasks.Options{Root: root})
	_, err := s.Resolve(ctx, agent(), "")
	wantCode(t, err, rules.CodeProjectNotFound, "There is no project yet.")
	e, _ := errors.AsType[*rules.Error](err)
	if recovery, ok := e.Details["recovery"].(map[string]any); !ok || recovery["reason"] != "no_project" {
		t.Errorf("details %v", e.Details)
	}
	one, two := create(t, s, agent(), "One", ""), create(t, s, agent(), "Two", "")
	inTree := agent()
	inTree.Dir = "/p/worktree"
	for id, want := range map[string]string{"": one.ID, two.ID: two.ID, strings.ToUpper(two.ID): two.ID} {
		if got, err := s.Resolve(ctx, inTree, id); err != nil || got.ID != want {
			t.Errorf("%q is %+v, %v", id, got, err)
		}
	}
	away := agent()
	away.Dir = "/elsewhere"
	_, err = s.Resolve(ctx, away, "")
	wantCode(t, err, rules.CodeProjectNotFound, "")
	_, err = s.Resolve(ctx, away, two.ID) // its plans would not be found
	wantCode(t, err, rules.CodeProjectNotFound, `Project "Two" is another directory's`)
	if got, err := s.Resolve(ctx, tasks.Caller{}, two.ID); err != nil || got.ID != two.ID {
		t.Errorf("without a directory the other is %+v, %v", got, err)
	}
	if got, err := s.Resolve(ctx, tasks.Caller{}, ""); err != nil || got.ID != one.ID {
		t.Errorf("without a directory it is %+v, %v", got, err)
	}
	for _, id := range []string{"shop", "019a0000-0000-7000-8000-000000000000"} {
		_, err := s.Resolve(ctx, agent(), id)
		wantCode(t, err, rules.CodeProjectNotFound, id)
	}
	stranger := newStore(engine, tasks.Options{Owner: "stranger"})
	_, err = stranger.Resolve(ctx, agent(), one.ID)
	wantCode(t, err, rules.CodeProjectNotFound, one.ID)
	if list, err := stranger.Projects(ctx, agent()); err != nil || len(list) != 0 {
		t.Errorf("a stranger finds %v, %v", list, err)
	}
	if p := create(t, stranger, agent(), "one", "one"); p.ID == one.ID {
		t.Error("a stranger's name is the person's")
	}
	nobody := tasks.New(ledger.New(engine, ledger.Options{}), tasks.Options{})
	_, created := nobody.CreateProject(ctx, agent(), "N", "")
	_, listed := nobody.Projects(ctx, agent())
	_, resolved := nobody.Resolve(ctx, agent(), one.ID)
	for _, err := range []error{created, listed, resolved} {
		wantCode(t, err, rules.CodeValidationInvalidInput, "whose tasks these are")
	}
}

// TestTheLimitOfProjects covers T9 with 16 writers at once: exactly as many projects
// are made as the limit allows, each with its name, its slug and its audit row.
func TestTheLimitOfProjects(t *testing.T) {
	storetest.OverEngines(t, func(t *testing.T, open func() kv.Engine) {
		const limit, writers = 5, 16
		engine := open()
		var wait sync.WaitGroup
		errs := make([]error, writers)
		for i := range writers {
			s := newStore(open(), tasks.Options{ProjectsLimit: limit})
			wait.Go(func() {
				_, errs[i] = s.CreateProject(t.Context(), agent(), fmt.Sprint("Shop!", strings.Repeat("!", i)), "")
			})
		}
		wait.Wait()
		made := 0
		for _, err := range errs {
			if err == nil {
				made++
				continue
			}
			wantCode(t, err, rules.CodeQuotaExceeded, "5 of 5 projects are used, 1 asked for. Your user can raise tasks.projects_limit.")
		}
		list, err := newStore(engine, tasks.Options{}).Projects(t.Context(), agent())
		var slugs []string
		for _, p := range list {
			slugs = append(slugs, p.Slug)
		}
		slices.Sort(slugs)
		if err != nil || made != limit || strings.Join(slugs, " ") != "shop shop-2 shop-3 shop-4 shop-5" {
			t.Errorf("%d were made, %v, %v", made, slugs, err)
		}
		for _, prefix := range []kv.Key{"wj/", "wn/", "wg/", "wv/"} {
			if got := len(storetest.All(t, engine, prefix)); got != limit {
				t.Errorf("%d records under %s", got, prefix)
			}
		}
	})
}

// TestT5ARowGoesWithEachProject covers T5.
func TestT5ARowGoesWithEachProject(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	now := &clock{now: time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)}
	s := tasks.New(ledger.New(engine, ledger.Options{Now: now.Now}), owned(tasks.Options{}))
	p := create(t, s, agent(), "Shop", "")
	events, err := s.History(ctx, p.ID, 10)
	if err != nil || len(events) != 1 {
		t.Fatalf("%+v, %v", events, err)
	}
	e := events[0]
	if e.Action != tasks.ProjectCreated || e.Actor != "agent" || e.By != "Claude Code" || !e.At.Equal(now.Now()) {
		t.Errorf("the row is %+v", e)
	}
	records := storetest.All(t, engine, "wj/")
	if e.Op != records[0].Op.String() || e.Op != storetest.All(t, engine, "wv/")[0].Op.String() {
		t.Error("the row and the project were written by different commits")
	}
	if _, err := s.CreateProject(ctx, agent(), "shop", ""); err == nil {
		t.Fatal("made twice")
	}
	if got := len(storetest.All(t, engine, "wv/")); got != 1 {
		t.Errorf("%d rows after a refusal", got)
	}
	storetest.PutRecord(t, engine, storetest.All(t, engine, "wv/")[0].Key, "nonsense")
	if events, err := s.History(ctx, p.ID, 10); err != nil || len(events) != 1 || events[0].Err == nil || !events[0].At.Equal(now.Now()) {
		t.Errorf("a damaged row: %+v, %v", events, err)
	}
}

// TestAProjectIsMadeOnce holds that a commit of which nothing is heard makes one
// project, whether it happened at once, later or not.
func TestAProjectIsMadeOnce(t *testing.T) {
	once := func(t *testing.T, engine kv.Engine, hurt func()) {
		s := newStore(engine, tasks.Options{})
		create(t, s, agent(), "First", "")
		hurt()
		p := create(t, s, agent(), "Shop", "")
		list, err := s.Projects(t.Context(), agent())
		if err != nil || names(list) != "First, Shop" || list[1].ID != p.ID || p.Slug != "shop" {
			t.Errorf("made %+v, listed %+v, %v", p, list, err)
		}
		if rows, quota := len(storetest.All(t, engine, "wv/")), string(storetest.All(t, engine, "wq/")[0].Value); rows != 2 || !strings.Contains(quota, `"used":2`) {
			t.Errorf("%d rows, counted %s", rows, quota)
		}
	}
	for _, applied := range []bool{true, false} {
		t.Run(fmt.Sprint("applied ", applied), func(t *testing.T) {
			m := kvtest.NewMap()
			once(t, m, func() { m.UnclearNextCommit(applied) })
		})
	}
	t.Run("late", func(t *testing.T) {
		m := &meddler{Engine: kvtest.NewMap(), prefix: "wj/"}
		once(t, m, func() { m.late = true })
	})
}

// TestDamagedProjects holds that a project that cannot be read hides no other.
func TestDamagedProjects(t *testing.T) {
	ctx := t.Context()
	engine := kvtest.NewMap()
	s := newStore(engine, tasks.Options{})
	one, two := create(t, s, agent(), "One", ""), create(t, s, agent(), "Two", "")
	storetest.PutRecord(t, engine, "wj/"+kv.Key(one.ID), "nonsense")
	list, err := s.Projects(ctx, agent())
	if err != nil || len(list) != 2 || list[0].ID != two.ID || list[1].ID != one.ID || list[1].Err == nil {
		t.Errorf("listed %+v, %v", list, err)
	}
	if got, err := s.Resolve(ctx, agent(), ""); err != nil || got.ID != two.ID {
		t.Errorf("the default is %+v, %v", got, err)
	}
	if _, err := s.Resolve(ctx, agent(), one.ID); !ledger.AboutOne(err) {
		t.Errorf("the damaged one: %v", err)
	}
	storetest.PutRecord(t, engine, "wq/projects", "nonsense")
	create(t, s, agent(), "Three", "")
	limited := newStore(engine, tasks.Options{ProjectsLimit: 9})
	if _, err := limited.CreateProject(ctx, agent(), "Four", ""); !ledger.AboutOne(err) {
		t.Errorf("a limit whose counter cannot be read: %v", err)
	}
}
