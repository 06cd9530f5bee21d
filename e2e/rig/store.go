package rig

import (
	"context"
	"encoding/json"
	"os/user"
	"path/filepath"
	"testing"

	"planb/questions"
	"planb/store"
	"planb/store/bolt"
	"planb/store/home"
	"planb/store/tasks"
)

// OnlyAsk returns the session's ask. It fails the test if there is not exactly
// one.
func OnlyAsk(t testing.TB, dataDir, session string) store.Ask {
	t.Helper()
	asks, err := OpenStore(t, dataDir).Asks(t.Context(), session)
	if err != nil || len(asks) != 1 {
		t.Fatalf("the session has %d asks (%v), want 1", len(asks), err)
	}
	return asks[0]
}

// Delivered waits until the session's only ask is answered and marked as
// delivered, and returns it. The server marks it only after it has sent the
// result.
func Delivered(t testing.TB, dataDir, session string) store.Ask {
	t.Helper()
	var ask store.Ask
	Until(t, "the answer is marked as delivered", func() bool {
		ask = OnlyAsk(t, dataDir, session)
		return ask.Outcome.State == questions.Answered && !ask.Delivered.IsZero()
	})
	return ask
}

// Asked waits until the store has one ask that waits for a person.
func Asked(t testing.TB, dataDir string) {
	t.Helper()
	st := OpenStore(t, dataDir)
	Until(t, "one ask waits", func() bool {
		waiting, err := st.Waiting(t.Context())
		return err == nil && len(waiting) == 1
	})
}

// OpenStore opens the store that the program under test uses.
func OpenStore(t testing.TB, dataDir string) *store.Store {
	t.Helper()
	return openStore(t, dataDir, "test@localhost")
}

// OpenStoreAsUser opens it as the user whose drafts the program keeps.
func OpenStoreAsUser(t testing.TB, dataDir string) *store.Store {
	t.Helper()
	return openStore(t, dataDir, person(t))
}

// person is the user who runs the tests, as the program names them.
func person(t testing.TB) string {
	t.Helper()
	who, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	return who.Username + "@here"
}

func openStore(t testing.TB, dataDir, by string) *store.Store {
	t.Helper()
	st, closed := storeUntil(t, dataDir, by)
	t.Cleanup(closed)
	return st
}

// storeUntil is openStore for a caller that closes the store itself.
func storeUntil(t testing.TB, dataDir, by string) (st *store.Store, closed func()) {
	t.Helper()
	engine, err := bolt.Open(t.Context(), filepath.Join(dataDir, "planb.db"), bolt.Options{MustExist: true})
	if err != nil {
		t.Fatal(err)
	}
	return store.New(engine, store.Options{By: by, Tasks: tasks.Options{Verdict: home.Verdict}}), func() {
		if err := engine.Close(); err != nil {
			t.Error(err)
		}
	}
}

// IsSound does doctor's deep check on a copy of the store, which may be in use.
func IsSound(t testing.TB, dataDir string) {
	t.Helper()
	found, err := home.At(dataDir, home.Options{}).Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db"))
	if err != nil {
		t.Fatal(err)
	}
	if gaps := found.Gaps(); len(gaps) > 0 {
		t.Errorf("the store is not sound: %q", gaps)
	}
}

// EntryOf returns the saved entry of the session's open form as JSON, or "".
func EntryOf(t *testing.T, data, session string) string {
	t.Helper()
	st := OpenStore(t, data)
	due, err := st.Due(context.Background(), session)
	if err != nil || len(due) == 0 {
		return ""
	}
	entry, found, err := st.Entry(context.Background(), due[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if !found {
		return ""
	}
	text, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
