package ask

import (
	"errors"
	"time"

	"planb/plans/review"
	"planb/questions"
	"planb/store"
)

// GlancePause is how often a face looks whether its agent still waits: an agent that was
// killed changes nothing in the store.
const GlancePause = time.Second

// Seen is what may have changed about an ask while its form is open.
type Seen struct {
	Ask    store.Ask // without its questions
	Waits  bool      // an agent's call waits for it
	Others bool      // another pane shows it, too
	// Entry is what the store holds of the form, if another pane has shown it, too; nil if it
	// holds nothing.
	Entry   *questions.Entry
	Waiting int // asks of the place that can be shown here, and this one
	Newer   review.Newer
}

// Glance reads it. Known is the newer version of its plan, if it is a review, that
// was read before.
func (h *Host) Glance(ask store.Ask, known review.Newer, aside []string) (seen Seen, err error) {
	ctx, cancel := h.step()
	defer cancel()
	h.holdAgain(ask.ID)
	asks, err := h.store.AsksNow(ctx, ask.ID)
	if err != nil || len(asks) != 1 {
		return seen, errors.Join(err, errors.New("the ask could not be read"))
	}
	seen.Ask = asks[0]
	if seen.Waits, err = h.store.AliveAny(ctx, store.WaitClaims(ask.ID)); err != nil {
		return seen, err
	}
	if seen.Others, err = h.store.AliveBeside(ctx, store.ShowClaims(ask.ID), h.showing(ask.ID)); err != nil {
		return seen, err
	}
	if h.sharing(ask.ID, seen.Others) {
		entry, entered, err := h.store.Entry(ctx, ask.ID)
		if err != nil && !store.AboutOneRecord(err) {
			return seen, err
		}
		if entered {
			seen.Entry = &entry
		}
	}
	if seen.Newer, err = h.newerThan(ctx, ask, known); err != nil {
		return seen, err
	}
	seen.Waiting, err = h.waiting(ctx, ask.ID, aside)
	seen.Waiting++
	return seen, err
}
