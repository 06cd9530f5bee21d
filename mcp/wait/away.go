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
// time has passed without a key pressed in the form.
const (
	awayWaits = 3
	awayTime  = 3 * time.Minute
)

// vain counts the waits that ended with nothing while the person did not touch the form.
type vain struct {
	waits int
	since time.Time         // when the first of them began
	seen  [sha256.Size]byte // how the form stood at the last one
}

// entries show that a person has touched a form.
type entries interface {
	Entry(ctx context.Context, askID string) (questions.Entry, bool, error)
}

// isAway reports whether the person seems to be away.
func (r *records) isAway(ctx context.Context, s entries, ask store.Ask) bool {
	seen, _, err := touched(ctx, s, ask)
	vain := r.of(ask.ID).vain
	return err == nil && vain.seen == seen && vain.waits >= awayWaits && time.Since(vain.since) >= awayTime
}

// waitedInVain counts one more wait that ended with nothing. If the form was shown, or its
// entry changed, since the wait before, the count begins anew.
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

// touched returns a digest of the form's state, which changes whenever the person does
// something in the form; begun says that they have entered something.
func touched(ctx context.Context, s entries, ask store.Ask) (state [sha256.Size]byte, begun bool, err error) {
	entry, begun, err := s.Entry(ctx, ask.ID)
	if err != nil {
		return state, begun, err
	}
	raw, err := json.Marshal(struct {
		Entry questions.Entry
		Shown bool
	}{entry, !ask.Shown.IsZero()})
	return sha256.Sum256(raw), begun, err
}
