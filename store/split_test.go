package store_test

import (
	"errors"
	"testing"

	"planb/store"
	"planb/store/kv"
	"planb/store/kv/kvtest"
)

func TestSplitIsRemembered(t *testing.T) {
	ctx := t.Context()
	overEngines(t, func(t *testing.T, open func() kv.Engine) {
		mine, again := store.New(open(), store.Options{By: "me@here"}), store.New(open(), store.Options{By: "me@here"})
		other := store.New(open(), store.Options{By: "you@there"})
		if got, err := mine.Split(ctx); err != nil || got != (store.Split{}) {
			t.Fatalf("before anything was kept: %+v, %v", got, err)
		}
		for _, want := range []store.Split{{Beside: 400}, {Beside: 400, Below: 1000}, {Below: 300}, {}} {
			if err := mine.KeepSplit(ctx, want); err != nil {
				t.Fatal(err)
			}
			if got, err := again.Split(ctx); err != nil || got != want {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
			if got, err := other.Split(ctx); err != nil || got != (store.Split{}) {
				t.Errorf("somebody else's screen is divided %+v, %v", got, err)
			}
		}
	})
}

func TestSplitRefusesWhatIsNoShare(t *testing.T) {
	s := newStore(t, kvtest.NewMap())
	for _, split := range []store.Split{{Beside: -1}, {Beside: 1001}, {Below: -1}, {Below: 1001}} {
		if err := s.KeepSplit(t.Context(), split); err == nil {
			t.Errorf("%+v was kept", split)
		}
	}
}

// A person moves a border many times. That wakes no watcher, and a position that is kept
// already is not written again.
func TestSplitIsKeptQuietly(t *testing.T) {
	ctx, engine := t.Context(), kvtest.NewMap()
	s := newStore(t, engine)
	newSession(t, s, "/p")
	bell, err := s.Watch(ctx)
	if err != nil {
		t.Fatal(err)
	}
	<-bell
	if err := s.KeepSplit(ctx, store.Split{Beside: 400}); err != nil {
		t.Fatal(err)
	}
	before := dump(t, engine)
	if err := s.KeepSplit(ctx, store.Split{Beside: 400}); err != nil || dump(t, engine) != before {
		t.Errorf("kept twice, it was written twice; %v", err)
	}
	select {
	case <-bell:
		t.Error("it rang")
	default:
	}
}

func TestSplitOfAnotherPlanb(t *testing.T) {
	ctx, engine := t.Context(), kvtest.NewMap()
	s, want := newStore(t, engine), store.Split{Beside: 500}
	key := store.SplitKey("person@desk")
	if err := s.KeepSplit(ctx, store.Split{Beside: 400}); err != nil {
		t.Fatal(err)
	}
	raw := rawRecord(t, engine, key)
	raw["third"] = 7
	putRecord(t, engine, key, raw)
	if err := s.KeepSplit(ctx, want); err != nil || rawRecord(t, engine, key)["third"] != 7.0 {
		t.Errorf("what a newer planb added is gone: %v, %v", rawRecord(t, engine, key), err)
	}
	raw["v"] = store.Format + 1
	putRecord(t, engine, key, raw)
	newer := new(store.FormatError)
	if _, err := s.Split(ctx); !errors.As(err, &newer) {
		t.Errorf("a newer format was read: %v", err)
	}
	if err := s.KeepSplit(ctx, want); !errors.As(err, &newer) {
		t.Errorf("a newer format was replaced: %v", err)
	}
}

func TestSplitThatIsDamaged(t *testing.T) {
	ctx, want := t.Context(), store.Split{Below: 300}
	for name, raw := range map[string]map[string]any{
		"no shares": {"v": 1, "beside": 5000},
		"no format": {"beside": 400},
		"no number": {"v": 1, "beside": "wide"},
	} {
		t.Run(name, func(t *testing.T) {
			engine := kvtest.NewMap()
			s := newStore(t, engine)
			newSession(t, s, "/p")
			putRecord(t, engine, store.SplitKey("person@desk"), raw)
			if got, err := s.Split(ctx); !store.AboutOneRecord(err) {
				t.Errorf("read %+v, %v", got, err)
			}
			if audit, err := s.Audit(ctx); err != nil || len(audit.Problems) != 1 {
				t.Errorf("the audit found %q, %v", audit.Problems, err)
			}
			if err := s.KeepSplit(ctx, want); err != nil {
				t.Fatal(err)
			}
			if got, err := s.Split(ctx); err != nil || got != want {
				t.Errorf("%+v, %v; want %+v", got, err, want)
			}
		})
	}
}
