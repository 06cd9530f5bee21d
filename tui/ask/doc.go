// Package ask stands between the asks of one pane and the store, whatever face
// the pane has: drawn forms, or plain lines. It knows no terminal, no keys and no
// words.
//
// Two types share the work. Host is the hands: it claims the place, opens an ask
// with all that belongs to showing it, saves what the person entered, writes the
// outcome, looks at what others did, and goes on to what waits next. Each of its
// methods is one step of work on the store; it blocks, and may run beside the
// others. State is the memory: which ask is shown, what has become of it, and what
// was entered here. It reads and writes nothing, and belongs to one goroutine.
//
// A face calls Host.Start, State.Show and State.Begin, lets the person answer, and
// gives State what Host.Glance and Host.Settle return. Then it goes on: to the ask
// that has taken this one's place (Host.Follow and State.Follow), to the next one
// (Host.Next), or away (Host.Close).
package ask
