package mermaid

import (
	"strings"

	"planb/tui/markdown/diagram/canvas"
	"planb/tui/markdown/diagram/sequence"
)

// writtenArrow is the arrow of a message with its spelling.
type writtenArrow struct {
	text  string
	arrow sequence.Arrow
}

// writtenArrows returns every arrow of a message. An arrow comes before the shorter
// arrows with which it begins.
func writtenArrows() []writtenArrow {
	return []writtenArrow{
		{"<<-->>", sequence.Arrow{Dashed: true, Head: canvas.ArrowSign, Tail: canvas.ArrowSign}},
		{"<<->>", sequence.Arrow{Head: canvas.ArrowSign, Tail: canvas.ArrowSign}},
		{"-->>", sequence.Arrow{Dashed: true, Head: canvas.ArrowSign}},
		{"->>", sequence.Arrow{Head: canvas.ArrowSign}},
		{"-->", sequence.Arrow{Dashed: true}},
		{"->", sequence.Arrow{}},
		{"--x", sequence.Arrow{Dashed: true, Head: canvas.CrossSign}},
		{"-x", sequence.Arrow{Head: canvas.CrossSign}},
		{"--)", sequence.Arrow{Dashed: true, Head: canvas.OpenSign}},
		{"-)", sequence.Arrow{Head: canvas.OpenSign}},
		// Arrows with half a head are drawn with a whole one.
		{`--|\`, sequence.Arrow{Dashed: true, Head: canvas.ArrowSign}},
		{"--|/", sequence.Arrow{Dashed: true, Head: canvas.ArrowSign}},
		{`-|\`, sequence.Arrow{Head: canvas.ArrowSign}},
		{"-|/", sequence.Arrow{Head: canvas.ArrowSign}},
		{"/|--", sequence.Arrow{Dashed: true, Tail: canvas.ArrowSign}},
		{`\|--`, sequence.Arrow{Dashed: true, Tail: canvas.ArrowSign}},
		{"/|-", sequence.Arrow{Tail: canvas.ArrowSign}},
		{`\|-`, sequence.Arrow{Tail: canvas.ArrowSign}},
		{`--\\`, sequence.Arrow{Dashed: true, Head: canvas.OpenSign}},
		{"--//", sequence.Arrow{Dashed: true, Head: canvas.OpenSign}},
		{`-\\`, sequence.Arrow{Head: canvas.OpenSign}},
		{"-//", sequence.Arrow{Head: canvas.OpenSign}},
		{"//--", sequence.Arrow{Dashed: true, Tail: canvas.OpenSign}},
		{`\\--`, sequence.Arrow{Dashed: true, Tail: canvas.OpenSign}},
		{"//-", sequence.Arrow{Tail: canvas.OpenSign}},
		{`\\-`, sequence.Arrow{Tail: canvas.OpenSign}},
	}
}

// message is a message as it is written: from arrow to: text.
type message struct {
	from, to string
	arrow    sequence.Arrow
	sign     byte // '+' activates to, '-' deactivates from; 0 for neither
	text     string
}

// maxMessageHead is the greatest length of a message before its colon, in bytes.
const maxMessageHead = 400

// readMessage reads a line as a message. It uses the first arrow that has a possible
// name on both sides, so that "my-x->>B" is a message from my-x.
func readMessage(line string) (message, bool) {
	head, text := line, ""
	if i := strings.IndexAny(line[:min(len(line), maxMessageHead+1)], ":;"); i >= 0 {
		head, text = line[:i], line[i:]
	}
	if len(head) > maxMessageHead || strings.HasPrefix(text, ";") {
		return message{}, false
	}
	text = strings.TrimPrefix(text, ":")
	arrows := writtenArrows()
	for i := range len(head) {
		for _, a := range arrows {
			if !hasPrefixFold(head[i:], a.text) {
				continue
			}
			m := message{arrow: a.arrow, text: text}
			if m.names(head[:i], head[i+len(a.text):]) {
				return m, true
			}
			break // a shorter arrow would leave the rest of this one in the name
		}
	}
	return message{}, false
}

// names reads the two sides of an arrow, and reports whether they can be the names of
// participants.
func (m *message) names(left, right string) bool {
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	if right != "" && (right[0] == '+' || right[0] == '-') {
		m.sign, right = right[0], strings.TrimSpace(right[1:])
	}
	left, m.arrow.FromDot = strings.CutSuffix(left, "()")
	right, m.arrow.ToDot = strings.CutPrefix(right, "()")
	if right != "" && m.sign == 0 && m.arrow.ToDot && (right[0] == '+' || right[0] == '-') {
		m.sign, right = right[0], right[1:]
	}
	m.from, m.to = strings.TrimSpace(left), strings.TrimSpace(right)
	return isName(m.from) && isName(m.to)
}

func isName(s string) bool {
	return s != "" && !strings.ContainsAny(s, "<>,;") && !strings.HasPrefix(s, "-") && !strings.HasSuffix(s, "-")
}

func startsWithArrow(s string) bool {
	for _, a := range writtenArrows() {
		if hasPrefixFold(s, a.text) {
			return true
		}
	}
	return false
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
