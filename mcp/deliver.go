package mcp

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// deliverTime is how long marking a written answer as delivered may take.
const deliverTime = 10 * time.Second

// deliverer is where it is kept that an agent has learned an outcome.
type deliverer interface {
	Deliver(ctx context.Context, askIDs ...string) error
}

// deliveries follows answers from just before they are written to the client
// until the store knows that they were. Without it a client quick enough to
// ask again in between would be given the same answer for its new question.
type deliveries struct {
	store deliverer
	log   *slog.Logger

	mu       sync.Mutex
	underWay map[string]chan struct{} // by ask id; closed when the store knows
}

func newDeliveries(s deliverer, log *slog.Logger) *deliveries {
	return &deliveries{store: s, log: log, underWay: map[string]chan struct{}{}}
}

// begin announces that a reply carrying these asks is about to be written.
// The returned function takes how the write went, and marks them if it went well.
func (d *deliveries) begin(askIDs []string) (confirm func(written error)) {
	if len(askIDs) == 0 {
		return func(err error) { d.report(nil, err) }
	}
	done := make(chan struct{})
	d.mu.Lock()
	for _, id := range askIDs {
		if _, taken := d.underWay[id]; !taken {
			d.underWay[id] = done
		}
	}
	d.mu.Unlock()
	return func(written error) {
		defer d.end(askIDs, done)
		if written != nil {
			d.report(askIDs, written)
			return
		}
		ctx, cancel := context.WithTimeout(context.Background(), deliverTime)
		defer cancel()
		if err := d.store.Deliver(ctx, askIDs...); err != nil {
			d.log.Error("an answer reached the agent, but the store does not know; it will be announced again",
				"asks", askIDs, "error", err)
		}
	}
}

func (d *deliveries) report(askIDs []string, written error) {
	if written != nil {
		d.log.Warn("a reply could not be written", "asks", askIDs, "error", written)
	}
}

func (d *deliveries) end(askIDs []string, done chan struct{}) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, id := range askIDs {
		if d.underWay[id] == done {
			delete(d.underWay, id)
		}
	}
	close(done)
}

// settled waits until no delivery of the ask is under way. What was read of the
// ask before may be out of date then.
func (d *deliveries) settled(ctx context.Context, askID string) {
	d.mu.Lock()
	done, underWay := d.underWay[askID]
	d.mu.Unlock()
	if !underWay {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// running reports whether a delivery of the ask is under way.
func (d *deliveries) running(askID string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	_, ok := d.underWay[askID]
	return ok
}
