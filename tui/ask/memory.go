package ask

import (
	"time"

	"planb/store"
)

// recallPatience is how long an ask waits for what was answered before, after it
// has everything else; what takes longer comes later.
const recallPatience = 5 * time.Millisecond

// Recall looks up what was answered before, beside what else is read. A failure is
// as if nothing was.
func (h *Host) Recall(ask store.Ask) <-chan map[string]store.EarlierAnswer {
	found := make(chan map[string]store.EarlierAnswer, 1)
	go func() {
		ctx, cancel := h.step()
		defer cancel()
		earlier, _ := h.store.EarlierAnswers(ctx, ask)
		found <- earlier
	}()
	return found
}

// recalledSoon waits a little for what is looked up, and leaves it with the input
// otherwise.
func recalledSoon(input *Input, found <-chan map[string]store.EarlierAnswer) {
	soon := time.NewTimer(recallPatience)
	defer soon.Stop()
	select {
	case input.EarlierAnswers = <-found:
	case <-soon.C:
		input.Recalling = found
	}
}
