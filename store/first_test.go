package store_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"planb/questions"
	"planb/store"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// firstStore is a copy of testdata/first.db.gz: a store of November 2026, made by the
// first planb that other people had. It holds asks in every state, with short and
// long replies, an entry, plan versions of one and of two chunks, and a plan file.
func firstStore(t *testing.T) *store.Store {
	t.Helper()
	return unpacked(t, "testdata/first.db.gz")
}

// unpacked returns a copy of a packed store.
func unpacked(t *testing.T, path string) *store.Store {
	t.Helper()
	packed, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	reader, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if _, err := file.ReadFrom(reader); err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(t.TempDir(), "planb.db")
	if err := os.WriteFile(copied, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return newStore(t, storetest.OpenBolt(t, copied))
}

// wantFirst compares everything that people and agents wrote into the first store.
func wantFirst(t *testing.T, s *store.Store) {
	t.Helper()
	ctx := t.Context()
	sessions, _, err := s.Sessions(ctx, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("because it is long. ", 200)
	var got []string
	for _, session := range sessions {
		if session.Err != nil {
			t.Error(session.Err)
		}
		got = append(got, fmt.Sprintf("%s, %d asks, %d plans, archived %v", session.Title, session.Asks, session.Plans, session.InArchive()))
		asks := map[string]string{}
		for ask, err := range s.WholeAsks(ctx, session.ID) {
			if err != nil || ask.Err != nil {
				t.Fatal(err, ask.Err)
			}
			text, _ := ask.Outcome.Reply.Answers["why"].Text()
			asks[ask.Spec.Title.Raw()] = fmt.Sprint(ask.Outcome.State, " ", text, ask.Outcome.Message, " late ", len(ask.TooLate))
			if len(ask.Spec.Questions) != 2 {
				t.Errorf("%s has %d questions", ask.Spec.Title, len(ask.Spec.Questions))
			}
		}
		if session.Title.Raw() == "answers" {
			want := map[string]string{
				"short": "answered because late 1", "long": "answered " + long + " late 0",
				"discussed": "discuss first tell me more late 0", "declined": "declined  late 0",
				"withdrawn": "withdrawn  late 0", "expired": "expired  late 0", "pending": "pending  late 0",
			}
			for title, state := range want {
				if asks[title] != state {
					t.Errorf("the ask %q is %q, want %q", title, asks[title], state)
				}
			}
		}
		for number := range session.Plans {
			text, err := s.PlanText(ctx, session.ID, number+1)
			if err != nil || !strings.HasPrefix(text.Raw(), "# ") {
				t.Errorf("version %d of %s is %.20q, %v", number+1, session.Title, text.Raw(), err)
			}
		}
	}
	slices.Sort(got)
	if want := "a file, 0 asks, 1 plans, archived false; answers, 7 asks, 0 plans, archived false; archived, 0 asks, 0 plans, archived true; plans, 1 asks, 2 plans, archived false"; strings.Join(got, "; ") != want {
		t.Errorf("the sessions are\n%s\nwant\n%s", strings.Join(got, "; "), want)
	}
	waiting, err := s.Waiting(ctx)
	if err != nil || strings.Join(titles(waiting), ", ") != "expired, pending, review of the plan" {
		t.Errorf("%q wait, %v", titles(waiting), err)
	}
	for _, ask := range waiting {
		entry, ok, err := s.Entry(ctx, ask.ID)
		if err != nil || ok != (ask.Spec.Title.Raw() == "pending") {
			t.Errorf("%s has an entry: %v, %v", ask.Spec.Title, ok, err)
		}
		if ok && entry.Fields["why"].Text.Raw() != "half "+long {
			t.Errorf("the entry is %+v", entry)
		}
	}
	file, ok, err := s.PlanFile(ctx, "/srv/project/a-plan.md")
	if err != nil || !ok || file.Number != 1 {
		t.Errorf("the plan file is %+v, %v, %v", file, ok, err)
	}
}

// TestTheFirstStoreIsRead holds that people who had planb before keep what they have.
func TestTheFirstStoreIsRead(t *testing.T) {
	ctx := t.Context()
	s := firstStore(t)
	wantFirst(t, s)
	audit, err := s.Audit(ctx)
	if err != nil || len(audit.Problems) > 0 {
		t.Errorf("problems: %q, %v", audit.Problems, err)
	}
	done, err := s.Prune(ctx, store.Pruning{Before: time.Unix(0, 0)}, nil)
	if err != nil || done.Sessions+done.Chunks+done.Stayed > 0 {
		t.Errorf("with nothing to prune %+v were pruned, %v", done, err)
	}
	if err := s.Reindex(ctx); err != nil {
		t.Fatal(err)
	}
	wantFirst(t, s)
	if audit, err = s.Audit(ctx); err != nil || len(audit.Problems) > 0 {
		t.Errorf("after its indexes were put in order: %q, %v", audit.Problems, err)
	}
}

// TestAFamilyThatIsGoneIsNoTrouble holds that a record that earlier versions wrote and
// nothing reads any more is no problem, and stays.
func TestAFamilyThatIsGoneIsNoTrouble(t *testing.T) {
	ctx, engine := t.Context(), kvtest.NewMap()
	s := newStore(t, engine)
	session := newSession(t, s, "/p")
	const divided = "l/5d5b09f6dcb2d53a5fffc60c4ac0d55fabdf556069d6631545f42aa6e3500f2e"
	storetest.PutRecord(t, engine, divided, map[string]any{"v": 1, "beside": 400})
	noProblems := func(when string) {
		if audit, err := s.Audit(ctx); err != nil || len(audit.Problems) > 0 {
			t.Errorf("%s: %q, %v", when, audit.Problems, err)
		}
		if rawRecord(t, engine, divided)["beside"] != 400.0 {
			t.Errorf("%s: the record is gone or changed", when)
		}
	}
	noProblems("as it was found")
	if err := s.Reindex(ctx); err != nil {
		t.Fatal(err)
	}
	noProblems("after its indexes were put in order")
	if err := s.Delete(ctx, session, nil); err != nil {
		t.Fatal(err)
	}
	noProblems("after a session was deleted")
}

// TestTheFirstStoreIsUsed goes on with the first store as if it were new.
func TestTheFirstStoreIsUsed(t *testing.T) {
	ctx := t.Context()
	s := firstStore(t)
	waiting, err := s.Waiting(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range waiting {
		if _, err := s.Settle(ctx, ask.ID, answered("at last")); err != nil {
			t.Errorf("%s: %v", ask.Spec.Title, err)
		}
	}
	sessions, _, err := s.Sessions(ctx, "", 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, session := range sessions {
		asks, err := s.Undelivered(ctx, session.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, ask := range asks {
			if err := s.Deliver(ctx, ask.ID); err != nil {
				t.Error(err)
			}
		}
		ask := openAsk(t, s, session.ID, "new", "here")
		if _, err := s.Settle(ctx, ask.ID, questions.Outcome{State: questions.Withdrawn}); err != nil {
			t.Error(err)
		}
		if _, _, err := s.SavePlan(ctx, session.ID, "", "# New in "+session.ID+"\n"); err != nil {
			t.Error(err)
		}
	}
	audit, err := s.Audit(ctx)
	if err != nil || len(audit.Problems) > 0 {
		t.Errorf("problems: %q, %v", audit.Problems, err)
	}
	p, err := s.Prunable(ctx, time.Now().Add(time.Hour))
	if err != nil || len(p.Sessions) != 4 || p.Chunks == 0 {
		t.Errorf("prunable: %+v, %v", p, err)
	}
	done, err := s.Prune(ctx, p, nil)
	if err != nil || done.Sessions != 4 || done.Chunks != p.Chunks || done.Bytes == 0 {
		t.Errorf("pruned: %+v of %+v, %v", done, p, err)
	}
	if audit, err = s.Audit(ctx); err != nil || len(audit.Problems) > 0 || audit.Sessions+audit.Chunks > 0 {
		t.Errorf("after a prune: %+v, %v", audit, err)
	}
}
