package store_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.etcd.io/bbolt"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
	"planb/store/storetest"
)

// damages are the ways in which one record of a store can be lost.
func damages() map[string]func(t *testing.T, damage func(open func() kv.Engine, hurt func(key kv.Key))) {
	nonsense := func(t *testing.T, engine kv.Engine) func(kv.Key) {
		return func(key kv.Key) { storetest.PutBytes(t, engine, key, []byte(`{"v":1,"id":`)) }
	}
	return map[string]func(*testing.T, func(func() kv.Engine, func(kv.Key))){
		"nonsense in memory": func(t *testing.T, test func(func() kv.Engine, func(kv.Key))) {
			m := kvtest.NewMap()
			test(func() kv.Engine { return m }, nonsense(t, m))
		},
		"nonsense in a file": func(t *testing.T, test func(func() kv.Engine, func(kv.Key))) {
			path := filepath.Join(t.TempDir(), "planb.db")
			engine := storetest.OpenBolt(t, path)
			test(func() kv.Engine { return engine }, nonsense(t, engine))
		},
		"a newer planb's": func(t *testing.T, test func(func() kv.Engine, func(kv.Key))) {
			m := kvtest.NewMap()
			test(func() kv.Engine { return m }, func(key kv.Key) {
				storetest.PutRecord(t, m, key, map[string]any{"v": store.Format + 1})
			})
		},
		"unread in memory": func(t *testing.T, test func(func() kv.Engine, func(kv.Key))) {
			m := kvtest.NewMap()
			test(func() kv.Engine { return m }, m.Damage)
		},
		"bits that fell over in a file": func(t *testing.T, test func(func() kv.Engine, func(kv.Key))) {
			path := filepath.Join(t.TempDir(), "planb.db")
			engine := storetest.OpenBolt(t, path)
			test(func() kv.Engine { return engine }, func(key kv.Key) { flip(t, path, key) })
		},
	}
}

// flip changes one byte of a record in the file.
func flip(t *testing.T, path string, key kv.Key) {
	t.Helper()
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: 10 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	err = db.Update(func(tx *bbolt.Tx) error {
		records := tx.Bucket([]byte("records"))
		sealed := append([]byte{}, records.Get([]byte(key))...)
		if len(sealed) == 0 {
			return fmt.Errorf("there is no %s", key)
		}
		sealed[len(sealed)-1] ^= 1
		return records.Put([]byte(key), sealed)
	})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestADamagedRecordHidesNoOther damages one record of each kind that is listed. The list
// has all other records, and says why it cannot read the damaged one.
func TestADamagedRecordHidesNoOther(t *testing.T) {
	t.Parallel()
	for name, over := range damages() {
		t.Run(name, func(t *testing.T) {
			over(t, func(open func() kv.Engine, hurt func(kv.Key)) {
				ctx := t.Context()
				now := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
				s := store.New(open(), store.Options{Now: func() time.Time { now = now.Add(time.Second); return now }})
				var sessions []store.Session
				for i := range 3 {
					session, err := s.CreateSession(ctx, store.Session{Title: safe.New(fmt.Sprint("Session ", i))})
					if err != nil {
						t.Fatal(err)
					}
					sessions = append(sessions, session)
				}
				in := sessions[1]
				var asks []store.Ask
				for i := range 3 {
					ask, _, err := s.OpenAsk(ctx, store.Ask{Session: in.ID, Spec: form(fmt.Sprint("Ask ", i))})
					if err != nil {
						t.Fatal(err)
					}
					asks = append(asks, ask)
					if _, _, err := s.SavePlan(ctx, in.ID, "", fmt.Sprint("# Plan ", i)); err != nil {
						t.Fatal(err)
					}
				}
				changed, err := s.Session(ctx, in.ID)
				if err != nil {
					t.Fatal(err)
				}
				hurt(store.SessionKey(in.ID))
				hurt(store.AskKey(asks[1].ID))
				hurt(store.PlanKey(in.ID, 2))

				list, next, err := s.Sessions(ctx, "", 10)
				if err != nil || next != "" || len(list) != 3 {
					t.Fatalf("sessions: %+v, %q, %v", list, next, err)
				}
				for i, want := range []store.Session{in, sessions[2], sessions[0]} {
					if list[i].ID != want.ID || (list[i].Err != nil) != (want.ID == in.ID) {
						t.Errorf("session %d is %+v", i, list[i])
					}
				}
				if !list[0].Updated.Equal(changed.Updated) {
					t.Errorf("the damaged session changed at %v, want %v", list[0].Updated, changed.Updated)
				}
				for _, read := range []func() ([]store.Ask, error){
					func() ([]store.Ask, error) { return s.Asks(ctx, in.ID) },
					func() ([]store.Ask, error) { return s.Waiting(ctx) },
				} {
					got, err := read()
					if err != nil || len(got) != 3 {
						t.Fatalf("asks: %+v, %v", got, err)
					}
					for _, ask := range got {
						if ask.Session != in.ID || (ask.Err != nil) != (ask.ID == asks[1].ID) || ask.Created.IsZero() {
							t.Errorf("an ask is %+v", ask)
						}
					}
				}
				waiting, err := s.Waiting(ctx)
				if err != nil || waiting[0].ID != asks[0].ID || waiting[2].ID != asks[1].ID {
					t.Errorf("what cannot be read does not wait last: %+v, %v", waiting, err)
				}
				plans, err := s.Plans(ctx, in.ID)
				if err != nil || len(plans) != 3 {
					t.Fatalf("plans: %+v, %v", plans, err)
				}
				for i, plan := range plans {
					if plan.Number != i+1 || plan.Session != in.ID || (plan.Err != nil) != (plan.Number == 2) {
						t.Errorf("plan %d is %+v", i, plan)
					}
				}
				if text, err := s.PlanText(ctx, in.ID, 3); err != nil || text.Raw() != "# Plan 2" {
					t.Errorf("the latest plan is %q, %v", text, err)
				}
			})
		})
	}
}

// TestADamagedAskKeepsNoPane damages one of three asks that wait at a place: its pane
// stays for the two others, and leaves when they are answered.
func TestADamagedAskKeepsNoPane(t *testing.T) {
	t.Parallel()
	for name, over := range damages() {
		t.Run(name, func(t *testing.T) {
			over(t, func(open func() kv.Engine, hurt func(kv.Key)) {
				ctx := t.Context()
				s := newStore(t, open())
				session := newSession(t, s, "/srv/project")
				var waiting []string
				for i := range 3 {
					waiting = append(waiting, openAsk(t, s, session.ID, fmt.Sprint("Waits ", i), "here").ID)
				}
				hurt(store.AskKey(waiting[1]))
				hurt(store.SessionKey(session.ID))
				waiting = slices.Delete(waiting, 1, 2)

				held, err := s.Hold(ctx, store.PlaceClaim("here"), "")
				if err != nil {
					t.Fatal(err)
				}
				if left, err := s.LeavePlace(ctx, held, "here"); left || err != nil {
					t.Errorf("a pane left two asks, %v", err)
				}
				for _, id := range waiting {
					if _, err := s.Settle(ctx, id, answered("x")); err != nil {
						t.Fatal(err)
					}
				}
				if left, err := s.LeavePlace(ctx, held, "here"); !left || err != nil {
					t.Errorf("what cannot be shown keeps a pane, %v", err)
				}
			})
		})
	}
}

// TestADamagedAskHidesNoEarlierOne damages the session and the latest of three asks whose
// replies could be offered. The reply of the ask before it is offered.
func TestADamagedAskHidesNoEarlierOne(t *testing.T) {
	t.Parallel()
	for name, over := range damages() {
		for _, same := range []bool{true, false} {
			t.Run(fmt.Sprint(name, ", the same form ", same), func(t *testing.T) {
				over(t, func(open func() kv.Engine, hurt func(kv.Key)) {
					ctx := t.Context()
					s := newStore(t, open())
					session := newSession(t, s, "/srv/project")
					asks := make([]store.Ask, 4)
					for i := range asks {
						title := "Ask"
						if !same {
							title = fmt.Sprint("Ask ", i)
						}
						asks[i] = openAsk(t, s, session.ID, title, "here")
						if i == len(asks)-1 {
							break
						}
						said := questions.Outcome{State: questions.Discuss, Message: safe.New("why?")}
						if _, err := s.Settle(ctx, asks[i].ID, said); err != nil {
							t.Fatal(err)
						}
						if err := s.Deliver(ctx, asks[i].ID); err != nil {
							t.Fatal(err)
						}
					}
					hurt(store.AskKey(asks[2].ID))
					hurt(store.SessionKey(session.ID))
					prior, ok, err := s.EarlierForm(ctx, asks[3])
					if prior.ID != asks[1].ID || !ok || err != nil {
						t.Errorf("got ask %q, %v, %v; want %q", prior.ID, ok, err, asks[1].ID)
					}
				})
			})
		}
	}
}
