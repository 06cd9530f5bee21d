package kv

import "context"

// Queue is an Engine before which the operations of all processes queue up. Callers ask an
// Engine for it by a type assertion.
type Queue interface {
	Engine
	// TakeTurn waits for the caller's turn in the queue. From then until end is called, the
	// operations of other processes wait, and those of this engine do not queue. So what
	// the caller reads is still true when it commits. A caller that meets others, or expects
	// to, takes a turn; it must do nothing in it that takes long or waits for another engine.
	// The error is that of a Get.
	TakeTurn(ctx context.Context) (end func(), err error)
}
