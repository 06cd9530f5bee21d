package inbox

import (
	"context"
	"errors"
	"testing"

	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
	"planb/themes"
	"planb/tui/retro"
	"planb/tui/tuitest"
)

// TestDamagedRecordsAreListed damages one record of each kind in the store.
func TestDamagedRecordsAreListed(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
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
		r := openInbox(w, true, width, 40, themes.None())
		r.Hides("Not everything could be read")
		r.Shows("! Unreadable form", "Asked too late", "! Unreadable session", "Rename the billing tables")
		if width > 40 {
			r.Shows("! Unreadable session  damaged record", "! Unreadable form", "damaged record")
		}
		r.Keys("end up up")
		if width > 40 {
			r.Shows("This session's record is damaged.", "Repair it: planb doctor --repair", "s/"+sessions[2].ID, "unexpected end of JSON input")
		}
		r.Keys("enter") // the damaged session still has what hangs on it
		r.Shows("! This session's own record cannot be", "Nothing was asked in this")
		r.Keys("esc home down down enter")
		r.Shows("! Asked", "Unreadable", "damaged") // its id tells when it was asked: now
		r.Keys("enter")
		r.Shows("holds a damaged record")
		if _, ok := r.Top().(*retro.Session); !ok {
			t.Errorf("a damaged form opens a %T", r.Top())
		}
		r.Keys("home down")
		r.Shows("! Plan v1", "the store holds a", "Where failed")
		r.Keys("enter")
		r.Shows("! This version cannot be read")
		r.Keys("n")
		r.Shows("one queue per customer")
	}
}

func TestUnreadableRecordsSayWhy(t *testing.T) {
	t.Parallel()
	w := tuitest.NewWorld(t)
	w.Past()
	open := func(part string) *tuitest.Rig {
		deps := depsOf(w, false)
		deps.Store = &unreadable{w.Store, part}
		return tuitest.Open(t, New(deps), 80, 24, themes.None())
	}
	r := open("sessions")
	r.Shows("Not everything could be read: the disk is on fire")
	for part, want := range map[string]string{
		"asks":  "! What was asked cannot be read: the disk is on fire",
		"plans": "! The plan's versions cannot be read: the disk is on fire",
		"text":  "! This version cannot be read: the disk is on fire",
	} {
		r := open(part)
		r.Keys("enter")
		if part == "text" {
			r.Keys("end enter")
		}
		r.Shows(want)
	}
}

// unreadable is a store of which one part cannot be read.
type unreadable struct {
	Store
	part string
}

func (u *unreadable) Sessions(ctx context.Context, after string, limit int) ([]store.Session, string, error) {
	if u.part == "sessions" {
		return nil, "", errOnFire
	}
	return u.Store.Sessions(ctx, after, limit)
}

func (u *unreadable) Asks(ctx context.Context, session string) ([]store.Ask, error) {
	if u.part == "asks" {
		return nil, errOnFire
	}
	return u.Store.Asks(ctx, session)
}

func (u *unreadable) Plans(ctx context.Context, session string) ([]store.Plan, error) {
	if u.part == "plans" {
		return nil, errOnFire
	}
	return u.Store.Plans(ctx, session)
}

func (u *unreadable) PlanText(ctx context.Context, session string, number int) (safe.Text, error) {
	if u.part == "text" {
		return safe.Text{}, errOnFire
	}
	return u.Store.PlanText(ctx, session, number)
}

var errOnFire = errors.New("the disk is on fire")
