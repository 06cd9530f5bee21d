package wait

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"time"

	"planb/questions"
	"planb/store"
)

// The person seems to be away when so many waits in a row ended with nothing, and so much
// time has passed without a key pressed in a form of the session.
const (
	awayWaits = 3
	awayTime  = 3 * time.Minute
)

// vain counts the waits that ended with nothing while the person touched no form of the session.
type vain struct {
	waits int
	since time.Time         // when the first of them began
	seen  [sha256.Size]byte // how the forms stood at the last one
}

// entries show that a person has touched a form.
type entries interface {
	Due(ctx context.Context, session string) ([]store.Ask, error)
	Entry(ctx context.Context, askID string) (questions.Entry, bool, error)
}

// isAway reports whether the person seems to be away.
func (r *records) isAway(ctx context.Context, s entries, ask store.Ask) bool {
	seen, _, err := touched(ctx, s, ask)
	vain := r.of(ask.ID).vain
	return err == nil && vain.seen == seen && vain.waits >= awayWaits && time.Since(vain.since) >= awayTime
}

// waitedInVain counts one more wait that ended with nothing. If the form was shown, or an entry
// of the session changed, since the wait before, the count begins anew.
func (r *records) waitedInVain(ctx context.Context, s entries, ask store.Ask, began time.Time) {
	seen, begun, err := touched(ctx, s, ask)
	r.use(ask.ID, func(known *record) {
		first := known.vain.waits == 0
		switch {
		case first && !begun:
			known.vain = vain{since: began, seen: seen}
		case first || err != nil || known.vain.seen != seen:
			known.vain = vain{since: time.Now(), seen: seen} // the last key was pressed some time in this wait
		}
		known.vain.waits++
	})
}

// touched returns a digest of the form's state and of what was entered in the session's other
// open forms, so it changes whenever the person does something in one of them; begun says that
// they have entered something in this one.
func touched(ctx context.Context, s entries, ask store.Ask) (state [sha256.Size]byte, begun bool, err error) {
	entry, begun, err := s.Entry(ctx, ask.ID)
	if err != nil {
		return state, begun, err
	}
	others, err := s.Due(ctx, ask.Session)
	if err != nil {
		return state, begun, err
	}
	entered := map[string]questions.Entry{ask.ID: entry}
	for _, other := range others {
		if !other.Open() || other.ID == ask.ID {
			continue
		}
		entry, touched, err := s.Entry(ctx, other.ID)
		if err != nil {
			return state, begun, err
		}
		if touched { // a form that the agent has just sent is no sign of a person
			entered[other.ID] = entry
		}
	}
	raw, err := json.Marshal(struct {
		Entries map[string]questions.Entry
		Shown   bool
	}{entered, !ask.Shown.IsZero()})
	return sha256.Sum256(raw), begun, err
}
