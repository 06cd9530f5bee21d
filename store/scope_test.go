package store_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// undeliveredIn lists the undelivered asks of a directory's project.
func undeliveredIn(ctx context.Context, s *store.Store, dir string) ([]store.Ask, error) {
	scope, err := s.Scope(ctx, dir)
	if err != nil {
		return nil, err
	}
	return s.UndeliveredIn(ctx, scope)
}

// onMachine opens the engine's store as a machine on which /trees/x is a worktree of
// /main.
func onMachine(engine kv.Engine, name string) *store.Store {
	return store.New(engine, store.Options{Machine: name, Root: func(dir string) string {
		if strings.HasPrefix(dir, "/trees/") {
			return "/main"
		}
		return filepath.Clean(dir)
	}})
}

// answeredIn makes a session in the directory with one answered ask.
func answeredIn(t *testing.T, s *store.Store, dir string) (store.Session, store.Ask) {
	t.Helper()
	session := newSession(t, s, dir)
	ask := openAsk(t, s, session.ID, "Which?", "")
	ask, err := s.Settle(t.Context(), ask.ID, answered("yes"))
	if err != nil {
		t.Fatal(err)
	}
	return session, ask
}

// sees reports whether the scope of a directory has the session, and finds its
// answer by every index.
func sees(t *testing.T, s *store.Store, dir string, session store.Session, ask store.Ask) bool {
	t.Helper()
	scope, err := s.Scope(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	told, err := s.UndeliveredIn(t.Context(), scope)
	if err != nil {
		t.Fatal(err)
	}
	again := store.Ask{Session: newSession(t, s, dir).ID, Spec: ask.Spec}
	earlier, err := s.EarlierAnswers(t.Context(), again)
	if err != nil {
		t.Fatal(err)
	}
	_, before, err := s.EarlierForm(t.Context(), again)
	if err != nil {
		t.Fatal(err)
	}
	has := scope.Has(session)
	if (len(told) > 0) != has || (len(earlier) > 0) != has || before != has {
		t.Errorf("%s: in scope %v, undelivered %d, remembered %d, before %v", dir, has, len(told), len(earlier), before)
	}
	return has
}

func TestASessionIsOfItsProjectOnItsMachine(t *testing.T) {
	engine := kvtest.NewMap()
	one, two := onMachine(engine, "one"), onMachine(engine, "two")
	session, ask := answeredIn(t, one, "/trees/a")
	if session.Root != "/main" || session.Machine != "one" {
		t.Errorf("the session is of %q on %q", session.Root, session.Machine)
	}
	for dir, want := range map[string]bool{"/trees/a": true, "/trees/b": true, "/main": true, "/other": false, "/": false} {
		if got := sees(t, one, dir, session, ask); got != want {
			t.Errorf("%s sees it: %v", dir, got)
		}
		if sees(t, two, dir, session, ask) {
			t.Errorf("%s of another machine sees it", dir)
		}
	}
}

// A machine on which a store was restored finds the answers in it. The first machine,
// which may share the store, finds them as well, and a third machine does not.
func TestARestoredStoreIsOfTheMachineItIsOn(t *testing.T) {
	engine := kvtest.NewMap()
	one, two, three := onMachine(engine, "one"), onMachine(engine, "two"), onMachine(engine, "three")
	session, ask := answeredIn(t, one, "/main")
	for range 2 {
		if err := two.Adopt(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	later, laterAsk := answeredIn(t, two, "/later")
	if !sees(t, two, "/main", session, ask) || !sees(t, one, "/main", session, ask) || !sees(t, two, "/later", later, laterAsk) {
		t.Error("the machine that restored the store, or the one it comes from, does not see the session")
	}
	if sees(t, three, "/main", session, ask) || sees(t, one, "/later", later, laterAsk) {
		t.Error("another machine sees it, too")
	}
	if audit, err := two.Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
		t.Errorf("the audit says %v, %v", audit.Problems, err)
	}
}

// A planb from before there were machines and roots kept only a path.
func TestASessionWithAPathAloneIsFound(t *testing.T) {
	engine := kvtest.NewMap()
	before := store.New(engine, store.Options{})
	session, ask := answeredIn(t, before, "/srv/project")
	if session.Machine != "" {
		t.Fatalf("it is of machine %q", session.Machine)
	}
	fields := rawRecord(t, engine, store.SessionKey(session.ID))
	delete(fields, "root")
	storetest.PutRecord(t, engine, store.SessionKey(session.ID), fields)
	if session, _ = before.Session(t.Context(), session.ID); session.Root != "" {
		t.Fatalf("its root is %q", session.Root)
	}
	now := onMachine(engine, "one")
	if !sees(t, now, "/srv/project", session, ask) || sees(t, now, "/srv", session, ask) {
		t.Error("it is not found, or elsewhere, too")
	}
}

func TestAPlanFileIsOfItsMachine(t *testing.T) {
	engine := kvtest.NewMap()
	one, two, three := onMachine(engine, "one"), onMachine(engine, "two"), onMachine(engine, "three")
	save := func(s *store.Store, text string) store.Plan {
		t.Helper()
		plan, _, err := s.SaveFilePlan(t.Context(), store.FilePlan{Path: planFile, Name: "release", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		return plan
	}
	first, other := save(one, "# One"), save(two, "# Two")
	if first.Session == other.Session || other.Number != 1 {
		t.Errorf("the file of another machine is version %d of %s, that of this one of %s", other.Number, other.Session, first.Session)
	}
	if next := save(one, "# One more"); next.Session != first.Session || next.Number != 2 {
		t.Errorf("the next version is %d of %s", next.Number, next.Session)
	}
	if err := three.Adopt(t.Context()); err != nil {
		t.Fatal(err)
	}
	if file, known, err := three.PlanFile(t.Context(), planFile); err != nil || !known || file.Number == 0 {
		t.Errorf("restored, the file is known: %v, %v", known, err)
	}
	if audit, err := one.Audit(t.Context()); err != nil || len(audit.Problems) > 0 {
		t.Errorf("the audit says %v, %v", audit.Problems, err)
	}
}
