package tui

import (
	"context"
	"testing"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/themes"
	"planb/tui/retro"
	"planb/tui/tuitest"
)

// TestDamagedRecordsAreListed damages one record of each kind in the store.
func TestDamagedRecordsAreListed(t *testing.T) {
	w := newWorld(t)
	w.Past()
	sessions, _, err := w.Store.Sessions(t.Context(), "", 10)
	if err != nil {
		t.Fatal(err)
	}
	asks := tuitest.Must(w.Store.Asks(t.Context(), sessions[0].ID))
	for _, key := range []string{"s/" + sessions[2].ID, "a/" + asks[0].ID, "a/" + asks[5].ID, "p/" + sessions[0].ID + "/00000001"} {
		if err := w.Engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: kv.Key(key), Value: []byte("{")}}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, width := range []int{40, 80, 120} {
		r := w.browse(true, width, 40, themes.None())
		r.hides("Not everything could be read")
		r.shows("! Unreadable form", "Asked too late", "! Unreadable session", "Rename the billing tables")
		if width > 40 {
			r.shows("holds a damaged record, s/", "holds a damaged record, a/")
		}
		r.keys("end up up enter") // the damaged session still has what hangs on it
		r.shows("! This session's own record cannot be", "Nothing was asked in this")
		r.keys("esc home down down enter")
		r.shows("! Asked", "Unreadable", "damaged") // its id tells when it was asked: now
		r.keys("enter")
		r.shows("holds a damaged record")
		if _, ok := r.w.top().(*retro.Session); !ok {
			t.Errorf("a damaged form opens a %T", r.w.top())
		}
		r.keys("home down")
		r.shows("! Plan v1", "the store holds a", "Where failed")
		r.keys("enter")
		r.shows("! This version cannot be read")
		r.keys("n")
		r.shows("one queue per customer")
	}
}

func TestAnAskIsAnsweredBesideDamagedRecords(t *testing.T) {
	w := newWorld(t)
	session := w.Session("Names", "/home/you/ships")
	ask := w.Ask(session, "The new ship", "")
	for _, key := range []string{"s/" + session.ID, "d/" + ask.ID} {
		if err := w.Engine.Commit(t.Context(), kv.Batch{Op: kv.OpID{1}, Puts: []kv.Put{{Key: kv.Key(key), Value: []byte("{")}}}); err != nil {
			t.Fatal(err)
		}
	}
	d, _ := w.host(askPlan{id: ask.ID})
	d.press("V", "e", "g", "a", "ctrl+s")
	d.end()
	got := w.Stored(ask.ID).Outcome
	if name, _ := got.Reply.Answers["name"].Text(); got.State != questions.Answered || name != "Vega" {
		t.Errorf("the store holds %+v", got)
	}
}

func TestUnreadableRecordsSayWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Past()
	open := func(part string) *browseRig {
		b := Options{Store: &unreadable{w.Store, part}, Now: w.Clock}.inbox(false)
		b.after = tuitest.Soon
		return browseWith(t, newSessionsScreen(b), 80, 24, themes.None())
	}
	r := open("sessions")
	r.shows("Not everything could be read: the disk is on fire")
	for part, want := range map[string]string{
		"asks":  "! What was asked cannot be read: the disk is on fire",
		"plans": "! The plan's versions cannot be read: the disk is on fire",
		"text":  "! This version cannot be read: the disk is on fire",
	} {
		r := open(part)
		r.keys("enter")
		if part == "text" {
			r.keys("end enter")
		}
		r.shows(want)
	}
}

// unreadable is a store of which one part cannot be read.
type unreadable struct {
	BrowseStore
	part string
}

func (u *unreadable) Sessions(ctx context.Context, after string, limit int) ([]store.Session, string, error) {
	if u.part == "sessions" {
		return nil, "", errBroken
	}
	return u.BrowseStore.Sessions(ctx, after, limit)
}

func (u *unreadable) Asks(ctx context.Context, session string) ([]store.Ask, error) {
	if u.part == "asks" {
		return nil, errBroken
	}
	return u.BrowseStore.Asks(ctx, session)
}

func (u *unreadable) Plans(ctx context.Context, session string) ([]store.Plan, error) {
	if u.part == "plans" {
		return nil, errBroken
	}
	return u.BrowseStore.Plans(ctx, session)
}

func (u *unreadable) PlanText(ctx context.Context, session string, number int) (safe.Text, error) {
	if u.part == "text" {
		return safe.Text{}, errBroken
	}
	return u.BrowseStore.PlanText(ctx, session, number)
}
