package ask

import (
	"time"

	"planb/store"
)

// recallPatience is how long an ask that is otherwise ready to be shown waits for
// earlier answers. If they take longer, the ask is shown without them, and they come
// later.
const recallPatience = 5 * time.Millisecond

// recall looks up earlier answers while the rest of the ask is read. A failure counts
// as no earlier answers.
func (h *Host) recall(ask store.Ask) <-chan map[string]store.EarlierAnswer {
	found := make(chan map[string]store.EarlierAnswer, 1)
	go func() {
		ctx, cancel := h.step()
		defer cancel()
		earlier, _ := h.store.EarlierAnswers(ctx, ask)
		found <- earlier
	}()
	return found
}

// recalledSoon waits for the earlier answers until recallPatience is over. Then it
// leaves the channel with the input.
func recalledSoon(input *Input, found <-chan map[string]store.EarlierAnswer) {
	soon := time.NewTimer(recallPatience)
	defer soon.Stop()
	select {
	case input.EarlierAnswers = <-found:
	case <-soon.C:
		input.Recalling = found
	}
}
