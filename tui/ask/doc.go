// Package ask stands between the asks of one pane and the store, whatever face
// the pane has: drawn forms, or plain lines. It knows no terminal, no keys and no
// words.
//
// Host claims the place, opens an ask with all that belongs to showing it, saves
// what the person entered, writes the outcome, looks at what others did, and goes on
// to what waits next. Each of its methods is one step of work on the store; it
// blocks, and may run beside the others.
package ask
