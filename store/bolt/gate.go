package bolt

import (
	"sync/atomic"
)

// gate lets one operation of the process through at a time. Who waits for it
// also waits for token to be readable; turns tells whether it still moves.
type gate struct {
	token chan struct{}
	turns *atomic.Uint64
}

func newGate() gate {
	g := gate{token: make(chan struct{}, 1), turns: new(atomic.Uint64)}
	g.token <- struct{}{}
	return g
}

// leave hands the gate to the next operation.
func (g gate) leave() {
	g.turns.Add(1)
	g.token <- struct{}{}
}
