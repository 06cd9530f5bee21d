package ask

import (
	"context"
	"errors"
	"fmt"

	"planb/questions/safe"
	"planb/store"
	"planb/store/kv"
)

// ShownElsewhereError says that another live pane serves the place already.
type ShownElsewhereError struct {
	Claim store.Claim
}

// Error names who serves it.
func (e *ShownElsewhereError) Error() string {
	return fmt.Sprintf("another pane shows what waits here (process %d on %s)", e.Claim.PID, safe.New(e.Claim.Host).Line())
}

func (h *Host) holdPlace() error {
	err := h.hold(store.PlaceClaim(h.options.Place), func(held *store.Held) bool { h.place = held; return true })
	if taken, ok := errors.AsType[*store.HeldError](err); ok {
		return &ShownElsewhereError{Claim: taken.Claim}
	}
	return err
}

// holdShown says that this pane shows the ask, too.
func (h *Host) holdShown(id string) error {
	if h.showing(id) != nil {
		return nil
	}
	return h.hold(store.ShowClaim(id, h.owner), func(held *store.Held) bool { h.shown[id] = held; return true })
}

// holdAgain has the claims on the ask and on the place back that others removed: they believed
// this process dead while it slept, or a backup took the store's place. If that fails, the next
// glance tries again.
func (h *Host) holdAgain(id string) {
	h.holding.Lock()
	shown, place := h.shown[id], h.place
	h.holding.Unlock()
	if isLost(shown) {
		_ = h.hold(store.ShowClaim(id, h.owner), func(held *store.Held) bool {
			still := h.shown[id] == shown
			if still {
				h.shown[id] = held
			}
			return still
		})
	}
	if isLost(place) {
		_ = h.hold(store.PlaceClaim(h.options.Place), func(held *store.Held) bool { // unless another pane has it now
			still := h.place == place
			if still {
				h.place = held
			}
			return still
		})
	}
}

// isLost reports whether others removed the claim; false for none.
func isLost(held *store.Held) bool {
	if held == nil {
		return false
	}
	select {
	case <-held.Lost():
		return true
	default:
		return false
	}
}

// showing returns this pane's claim on the ask; nil if the pane has none.
func (h *Host) showing(id string) *store.Held {
	h.holding.Lock()
	defer h.holding.Unlock()
	return h.shown[id]
}

// hold claims something for as long as the host lives. A claim that comes after
// Close, or that keep does not keep, is given back at once.
func (h *Host) hold(key kv.Key, keep func(*store.Held) (kept bool)) error {
	held, err := h.store.Hold(h.life, key, h.options.By)
	if err != nil {
		return err
	}
	h.holding.Lock()
	kept := !h.closed && keep(held)
	h.holding.Unlock()
	if kept {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), closePatience)
	defer cancel()
	return errors.Join(context.Canceled, held.Release(ctx))
}

// Release gives the ask back: this pane shows it no more. A claim that cannot be
// given back dies with this process.
func (h *Host) Release(id string) {
	ctx, cancel := h.step()
	defer cancel()
	_ = h.releaseShown(ctx, id)
}

func (h *Host) releaseShown(ctx context.Context, id string) error {
	h.holding.Lock()
	held := h.shown[id]
	delete(h.shown, id)
	h.holding.Unlock()
	if held == nil {
		return nil
	}
	return held.Release(ctx)
}

// leavePlace gives the place back. It reports false when something new came in that must be
// shown first. If the person put off an ask that still waits there, the place is put off;
// an ask that cannot be opened puts nothing off. After it gave the place back, leavePlace
// reads the queue once more: an ask may have come in before, and its server opened no pane
// for it, because this pane still held the place.
func (h *Host) leavePlace(ctx context.Context, aside []string) (left bool, err error) {
	h.holding.Lock()
	held := h.place
	h.holding.Unlock()
	if held == nil {
		return true, nil
	}
	if isLost(held) { // another pane claimed it while this machine slept
		h.forgetPlace()
		return true, nil
	}
	remaining, err := h.store.Queue(ctx, h.options.Place)
	if err != nil {
		return false, err
	}
	if len(remaining) == 0 {
		left, err := h.store.LeavePlace(ctx, held, h.options.Place)
		if left {
			h.forgetPlace()
		}
		return left, err
	}
	if h.anyPutOff(ctx) {
		if err := h.store.PutOff(ctx, h.options.Place); err != nil {
			return false, err
		}
	}
	h.forgetPlace()
	if err := held.Release(ctx); err != nil {
		return true, err
	}
	fresh, err := h.waiting(ctx, "", aside)
	if err != nil || fresh == 0 {
		return true, err
	}
	err = h.holdPlace()
	if _, elsewhere := errors.AsType[*ShownElsewhereError](err); elsewhere {
		return true, nil // a new pane has it
	}
	return err != nil, err
}

func (h *Host) forgetPlace() {
	h.holding.Lock()
	defer h.holding.Unlock()
	h.place = nil
}
