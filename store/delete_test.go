package store_test

import (
	"errors"
	"strings"
	"testing"

	"planb/questions/safe"
	"planb/store"
	"planb/store/storetest"
)

func TestDelete(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	s := h.open()
	// An answer that no agent was told goes with its session.
	told := openAsk(t, s, h.old.ID, "told", "")
	if _, err := s.Settle(t.Context(), told.ID, answered(longText)); err != nil {
		t.Fatal(err)
	}
	h.asks = append(h.asks, told)
	before := storetest.Dump(t, h.engine)
	d, err := s.Deletable(t.Context(), h.old.ID)
	if err != nil || d.Open != 0 || d.Undelivered != 1 || d.Asks != 24 || d.Plans != 3 || d.Title != safe.New("old") {
		t.Fatalf("deletable: %+v, %v", d, err)
	}
	if storetest.Dump(t, h.engine) != before {
		t.Error("looking at it wrote something")
	}
	var called []store.Gone
	err = s.Delete(t.Context(), d.Session, func(gone store.Gone) error {
		called = append(called, gone)
		h.unknown(t)
		return nil
	})
	if err != nil || len(called) != 1 || called[0].Session != h.old.ID || len(called[0].Plans) != 3 {
		t.Errorf("%v, called with %v", err, called)
	}
	h.unknown(t)
	h.check(t)
	if a, err := s.Audit(t.Context()); err != nil || a.Remains != 0 || a.Undelivered != 0 || a.Sessions != 1 {
		t.Errorf("after it: %+v, %v", a, err)
	}
	if err := s.Delete(t.Context(), d.Session, nil); !isUnknown(err) {
		t.Errorf("deleted again: %v", err)
	}
	// Nothing refers to its texts; a prune takes them.
	if p, done := h.prune(t, s); len(p.Sessions) != 0 || done.Chunks == 0 {
		t.Errorf("%+v, %+v", p, done)
	}
	if a, err := s.Audit(t.Context()); err != nil || a.OrphanChunks != 0 {
		t.Errorf("after a prune: %+v, %v", a, err)
	}
}

func TestDeleteLeaves(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for name, test := range map[string]struct {
		change func(s *store.Store, h *history) error
		want   error
		says   string
	}{
		"what is open": {func(s *store.Store, h *history) error {
			openAsk(t, s, h.old.ID, "open", "")
			return nil
		}, nil, "it has open forms: 1;"},
		"what has changed": {func(s *store.Store, h *history) error {
			_, _, err := s.SavePlan(ctx, h.old.ID, "", "# more")
			return err
		}, store.ErrChanged, ""},
		"what cannot be read": {func(s *store.Store, h *history) error {
			storetest.PutBytes(t, h.engine, store.SessionKey(h.old.ID), []byte("{"))
			return nil
		}, nil, "damaged record"},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHistory(t)
			s := h.open()
			d, err := s.Deletable(ctx, h.old.ID)
			if err == nil {
				err = test.change(s, h)
			}
			if err != nil {
				t.Fatal(err)
			}
			before := storetest.Dump(t, h.engine)
			err = s.Delete(ctx, d.Session, func(store.Gone) error { t.Error("it is told to be gone"); return nil })
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("it says %v", err)
			}
			if storetest.Dump(t, h.engine) != before {
				t.Error("something was written")
			}
		})
	}
}

// Wherever a deletion ends early, nothing is half there. The session is as it was, or it
// is unknown with its asks and plans, and the next prune sweeps the rest.
func TestDeleteCutOffAnywhere(t *testing.T) {
	t.Parallel()
	for left := 0; ; left++ {
		h := newHistory(t)
		before := storetest.Dump(t, h.engine)
		d, err := h.open().Deletable(t.Context(), h.old.ID)
		if err != nil {
			t.Fatal(err)
		}
		err = h.over(&cutOff{h.engine, left}).Delete(t.Context(), d.Session, nil)
		if whole := err == nil; whole {
			return
		}
		if !errors.Is(err, errDisk) {
			t.Fatal(err)
		}
		h.check(t)
		if left == 0 {
			if storetest.Dump(t, h.engine) != before {
				t.Fatal("without a commit something changed")
			}
			continue
		}
		h.unknown(t)
		if _, done := h.prune(t, h.open()); done.Sessions != 1 {
			t.Fatalf("cut off after %d commits: pruned %+v", left, done)
		}
		h.check(t)
		h.unknown(t)
		h.nothingLeft(t, before)
	}
}

func TestDeleteTellsWhatStaysOutside(t *testing.T) {
	t.Parallel()
	h := newHistory(t)
	s := h.open()
	d, err := s.Deletable(t.Context(), h.old.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), d.Session, func(store.Gone) error { return errDisk }); !errors.Is(err, errDisk) {
		t.Errorf("it says %v", err)
	}
	h.unknown(t)
	p, err := s.Prunable(t.Context(), h.cut)
	if err != nil || p.Remains != 1 {
		t.Fatalf("%+v, %v", p, err)
	}
	called := 0
	if _, err := s.Prune(t.Context(), p, func(gone store.Gone) error { called += len(gone.Plans); return nil }); err != nil || called != 3 {
		t.Errorf("the next prune: %v, %d plans", err, called)
	}
	h.check(t)
}
