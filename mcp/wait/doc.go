// Package wait brings asks before a person and waits for what becomes of them.
//
// A Room is shared by all connections of a server. A toolset hands it a form to Ask, or an
// ask to Resume, and gets the result for the agent. The Room opens the pane, watches the
// store for the outcome, keeps the claims by which a form sees that its agent still waits,
// falls back on a client's own dialog, and marks an outcome as delivered only once the
// reply that carries it was written.
//
// The ask itself is in the store; the Room remembers only what concerns this process. It
// does not know what is asked: the words and the data of an ask come from its Subject,
// which the toolset hands in.
//
// Begin to read at room.go, which has what is offered, then at ask.go and wait.go.
package wait
