package store_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"planb/store"
	"planb/store/kv/kvtest"
)

func TestFindSession(t *testing.T) {
	const one, two = "019aa000-1111-7000-8000-0000aaaa0001", "019aa000-2222-7000-8000-0000aaaa0002"
	s := newStore(t, kvtest.NewMap())
	for _, id := range []string{one, two} {
		if _, err := s.CreateSession(t.Context(), store.Session{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		given string
		want  []string // none: unknown; several: they are named
	}{
		{one, []string{one}},
		{strings.ToUpper(two), []string{two}},
		{"aaaa0001", []string{one}},
		{"AAAA0002", []string{two}},
		{"aaaa", []string{one, two}},
		{"019aa000", []string{one, two}},
		{"019aa000-1", []string{one}},
		{"019aa0002", []string{two}},
		{"019aa00", nil}, // the first digits are alike for weeks
		{"aaa", nil},
		{"", nil},
		{"aaaa0003", nil},
		{"planning!", nil},
		{nobody, nil},
	} {
		t.Run(c.given, func(t *testing.T) {
			found, err := s.FindSession(t.Context(), c.given)
			var unknown *store.UnknownError
			var ambiguous *store.AmbiguousError
			switch {
			case len(c.want) == 1 && (err != nil || found.ID != c.want[0]):
				t.Errorf("found %q, %v", found.ID, err)
			case len(c.want) == 0 && !errors.As(err, &unknown):
				t.Errorf("got %q, %v, want it unknown", found.ID, err)
			case len(c.want) > 1 && (!errors.As(err, &ambiguous) || !slices.Equal(ambiguous.Matches, c.want)):
				t.Errorf("got %q, %v, want both named", found.ID, err)
			}
		})
	}
}

func TestFindSessionThatCannotBeRead(t *testing.T) {
	engine := kvtest.NewMap()
	s := newStore(t, engine)
	made := newSession(t, s, "")
	putRecord(t, engine, store.SessionKey(made.ID), map[string]any{"v": store.Format + 1})
	found, err := s.FindSession(t.Context(), store.ShortID(made.ID))
	if err != nil || found.ID != made.ID || found.Err == nil {
		t.Errorf("found %+v, %v", found, err)
	}
}

func TestAmbiguousNamesNoMoreThanAPersonReads(t *testing.T) {
	err := &store.AmbiguousError{What: "session", ID: "0"}
	for i := range 20 {
		err.Matches = append(err.Matches, fmt.Sprint("id", i))
	}
	if got := err.Error(); !strings.HasPrefix(got, `"0" fits 20 sessions; give more digits, or one of id0, `) || !strings.HasSuffix(got, "id7 and 12 more") {
		t.Error(got)
	}
}
