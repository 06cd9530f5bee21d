package tui

import (
	"context"
	"errors"

	tea "charm.land/bubbletea/v2"

	"planb/store"
)

// holdPlace claims the place for this screen. One that another live pane serves
// is a *ShownElsewhereError.
func (a *askIO) holdPlace(place, by string) error {
	err := a.hold(store.PlaceClaim(place), by, func(held *store.Held) { a.place = held })
	if taken := new(store.HeldError); errors.As(err, &taken) {
		return &ShownElsewhereError{Claim: taken.Claim}
	}
	return err
}

// holdShown says that this screen shows the ask, too.
func (a *askIO) holdShown(id, by string) error {
	if a.showing(id) != nil {
		return nil
	}
	return a.hold(store.ShowClaim(id, a.owner), by, func(held *store.Held) { a.shown[id] = held })
}

// showing is this screen's claim on the ask; nil if it has none.
func (a *askIO) showing(id string) *store.Held {
	a.holding.Lock()
	defer a.holding.Unlock()
	return a.shown[id]
}

// hold takes a claim that lasts as long as the screen, and keeps it unless the
// screen was closed meanwhile.
func (a *askIO) hold(key store.Key, by string, keep func(*store.Held)) error {
	held, err := a.Hold(a.life, key, by)
	if err != nil {
		return err
	}
	a.holding.Lock()
	closed := a.closed
	if !closed {
		keep(held)
	}
	a.holding.Unlock()
	if !closed {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	return errors.Join(context.Canceled, held.Release(ctx))
}

func (a *askIO) release(id string) tea.Cmd {
	return func() tea.Msg {
		ctx, cancel := a.step()
		defer cancel()
		// A claim that cannot be given back dies with this process.
		_ = a.releaseShown(ctx, id)
		return nil
	}
}

func (a *askIO) releaseShown(ctx context.Context, id string) error {
	a.holding.Lock()
	held := a.shown[id]
	delete(a.shown, id)
	a.holding.Unlock()
	if held == nil {
		return nil
	}
	return held.Release(ctx)
}

// leavePlace gives the place back. It reports false when something new came in
// that must be shown first. What was put aside still stands in the queue; then
// the place is given back regardless and the queue read once more: an ask that
// was committed while the place was still claimed counts on this pane.
func (a *askIO) leavePlace(ctx context.Context, plan askPlan, aside []string) (left bool, err error) {
	a.holding.Lock()
	held := a.place
	a.holding.Unlock()
	if held == nil {
		return true, nil
	}
	select {
	case <-held.Lost(): // another pane took over, while this machine slept
		a.forgetPlace()
		return true, nil
	default:
	}
	remaining, err := a.waiting(ctx, plan.place, nil)
	if err != nil {
		return false, err
	}
	if remaining == 0 {
		left, err := a.LeavePlace(ctx, held, plan.place)
		if left {
			a.forgetPlace()
		}
		return left, err
	}
	a.forgetPlace()
	if err := held.Release(ctx); err != nil {
		return true, err
	}
	fresh, err := a.waiting(ctx, plan.place, aside)
	if err != nil || fresh == 0 {
		return true, err
	}
	elsewhere := new(ShownElsewhereError)
	if err := a.holdPlace(plan.place, plan.by); errors.As(err, &elsewhere) {
		return true, nil // a new pane has it
	} else if err != nil {
		return true, err
	}
	return false, nil
}

func (a *askIO) forgetPlace() {
	a.holding.Lock()
	defer a.holding.Unlock()
	a.place = nil
}

// close gives back every claim and ends what still runs.
func (a *askIO) close(ctx context.Context) error {
	a.holding.Lock()
	a.closed = true
	held := make([]*store.Held, 0, len(a.shown)+1)
	for _, h := range a.shown {
		held = append(held, h)
	}
	if a.place != nil {
		held = append(held, a.place)
	}
	a.shown, a.place = map[string]*store.Held{}, nil
	a.holding.Unlock()

	var errs []error
	for _, h := range held {
		errs = append(errs, h.Release(ctx))
	}
	a.cancel()
	return errors.Join(errs...)
}
