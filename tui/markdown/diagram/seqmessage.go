package diagram

import "strings"

// seqArrows returns the arrows of messages as they are written. An arrow comes before
// the shorter arrows with which it begins.
func seqArrows() []struct {
	written string
	arrow   seqArrow
} {
	return []struct {
		written string
		arrow   seqArrow
	}{
		{"<<-->>", seqArrow{dashed: true, head: arrowMark, tail: arrowMark}},
		{"<<->>", seqArrow{head: arrowMark, tail: arrowMark}},
		{"-->>", seqArrow{dashed: true, head: arrowMark}},
		{"->>", seqArrow{head: arrowMark}},
		{"-->", seqArrow{dashed: true}},
		{"->", seqArrow{}},
		{"--x", seqArrow{dashed: true, head: crossMark}},
		{"-x", seqArrow{head: crossMark}},
		{"--)", seqArrow{dashed: true, head: openMark}},
		{"-)", seqArrow{head: openMark}},
		// Arrows with half a head are drawn with a whole one.
		{`--|\`, seqArrow{dashed: true, head: arrowMark}},
		{"--|/", seqArrow{dashed: true, head: arrowMark}},
		{`-|\`, seqArrow{head: arrowMark}},
		{"-|/", seqArrow{head: arrowMark}},
		{"/|--", seqArrow{dashed: true, tail: arrowMark}},
		{`\|--`, seqArrow{dashed: true, tail: arrowMark}},
		{"/|-", seqArrow{tail: arrowMark}},
		{`\|-`, seqArrow{tail: arrowMark}},
		{`--\\`, seqArrow{dashed: true, head: openMark}},
		{"--//", seqArrow{dashed: true, head: openMark}},
		{`-\\`, seqArrow{head: openMark}},
		{"-//", seqArrow{head: openMark}},
		{"//--", seqArrow{dashed: true, tail: openMark}},
		{`\\--`, seqArrow{dashed: true, tail: openMark}},
		{"//-", seqArrow{tail: openMark}},
		{`\\-`, seqArrow{tail: openMark}},
	}
}

// message is a message as it is written: from arrow to: text.
type message struct {
	from, to string
	arrow    seqArrow
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
	arrows := seqArrows()
	for i := range len(head) {
		for _, a := range arrows {
			if !hasPrefixFold(head[i:], a.written) {
				continue
			}
			m := message{arrow: a.arrow, text: text}
			if m.names(head[:i], head[i+len(a.written):]) {
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
	left, m.arrow.fromDot = strings.CutSuffix(left, "()")
	right, m.arrow.toDot = strings.CutPrefix(right, "()")
	if right != "" && m.sign == 0 && m.arrow.toDot && (right[0] == '+' || right[0] == '-') {
		m.sign, right = right[0], right[1:]
	}
	m.from, m.to = strings.TrimSpace(left), strings.TrimSpace(right)
	return isName(m.from) && isName(m.to)
}

// isName reports whether s can be the name of a participant.
func isName(s string) bool {
	return s != "" && !strings.ContainsAny(s, "<>,;") && !strings.HasPrefix(s, "-") && !strings.HasSuffix(s, "-")
}

// startsWithArrow reports whether s begins with an arrow.
func startsWithArrow(s string) bool {
	for _, a := range seqArrows() {
		if hasPrefixFold(s, a.written) {
			return true
		}
	}
	return false
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}
