package rendering

import (
	"slices"

	"planb/questions/safe"
)

// MaxUnderway bounds the illustrations in view that are being rendered at once. A person may
// run past many slow ones.
const MaxUnderway = 3

// wanted is a piece of Markdown to render.
type wanted struct {
	key  Key
	text safe.Text
}

// queue lists the pieces of Markdown to render: first those that a drawing missed, then those
// that a key may show next. Each drawing lists its illustrations again, so that a burst of
// keys renders only the last one, and not all that it ran past.
type queue struct {
	missed   []wanted
	next     []wanted // the nearest first
	underway map[Key]bool
}

// begin is called when a drawing begins.
func (q *queue) begin() {
	q.missed = slices.DeleteFunc(q.missed, func(w wanted) bool { return w.key.Part == Illustration })
	q.next = q.next[:0]
}

// miss lists a piece that the drawing needs.
func (q *queue) miss(want wanted) {
	if !q.underway[want.key] && !lists(q.missed, want.key) {
		q.missed = append(q.missed, want)
	}
}

// has reports whether a piece is being rendered or may come next.
func (q *queue) has(key Key) bool { return q.underway[key] || lists(q.next, key) }

func lists(pieces []wanted, key Key) bool {
	return slices.ContainsFunc(pieces, func(w wanted) bool { return w.key == key })
}

// start empties the queue and returns the pieces to render now. While nothing is being
// rendered, one that may come next is among them. The next drawing lists the others again.
func (q *queue) start() (begun []wanted) {
	for _, want := range q.missed {
		if want.key.Part != Illustration || q.illustrations() < MaxUnderway {
			q.underway[want.key] = true
			begun = append(begun, want)
		}
	}
	if len(q.next) > 0 && len(q.underway) == 0 {
		q.underway[q.next[0].key] = true
		begun = append(begun, q.next[0])
	}
	q.missed, q.next = q.missed[:0], q.next[:0]
	return begun
}

// illustrations counts the illustrations that are being rendered.
func (q *queue) illustrations() (n int) {
	for key := range q.underway {
		if key.Part == Illustration {
			n++
		}
	}
	return n
}
