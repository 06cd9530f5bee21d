package bolt

import (
	"sync/atomic"
)

// gate lets one operation of the process through at a time. An operation waits until it
// reads the token; turns counts the operations, so that a waiting one sees whether the
// gate still moves.
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
