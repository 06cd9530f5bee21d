package diagram

import "strings"

// seqArrows are the arrows of messages as they are written, a longer one before
// those it begins with.
func seqArrows() []struct {
	written string
	arrow   seqArrow
} {
	return []struct {
		written string
		arrow   seqArrow
	}{
		{"<<-->>", seqArrow{dashed: true, head: tipFull, tail: tipFull}},
		{"<<->>", seqArrow{head: tipFull, tail: tipFull}},
		{"-->>", seqArrow{dashed: true, head: tipFull}},
		{"->>", seqArrow{head: tipFull}},
		{"-->", seqArrow{dashed: true}},
		{"->", seqArrow{}},
		{"--x", seqArrow{dashed: true, head: tipLost}},
		{"-x", seqArrow{head: tipLost}},
		{"--)", seqArrow{dashed: true, head: tipOpen}},
		{"-)", seqArrow{head: tipOpen}},
		// Those with half a head are drawn with a whole one.
		{`--|\`, seqArrow{dashed: true, head: tipFull}},
		{"--|/", seqArrow{dashed: true, head: tipFull}},
		{`-|\`, seqArrow{head: tipFull}},
		{"-|/", seqArrow{head: tipFull}},
		{"/|--", seqArrow{dashed: true, tail: tipFull}},
		{`\|--`, seqArrow{dashed: true, tail: tipFull}},
		{"/|-", seqArrow{tail: tipFull}},
		{`\|-`, seqArrow{tail: tipFull}},
		{`--\\`, seqArrow{dashed: true, head: tipOpen}},
		{"--//", seqArrow{dashed: true, head: tipOpen}},
		{`-\\`, seqArrow{head: tipOpen}},
		{"-//", seqArrow{head: tipOpen}},
		{"//--", seqArrow{dashed: true, tail: tipOpen}},
		{`\\--`, seqArrow{dashed: true, tail: tipOpen}},
		{"//-", seqArrow{tail: tipOpen}},
		{`\\-`, seqArrow{tail: tipOpen}},
	}
}

// message is a message as it is written: from arrow to: text.
type message struct {
	from, to string
	arrow    seqArrow
	sign     byte // '+': to becomes active, '-': from is no more, 0: neither
	text     string
}

// maxMessageHead is how long a message may be before its colon.
const maxMessageHead = 400

// readMessage reads a line as a message. It takes the first arrow both sides of
// which can be names, so that "my-x->>B" is one of my-x.
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
			break // a shorter one would leave the rest of this one to a name
		}
	}
	return message{}, false
}

// names takes what stands on both sides of an arrow, and reports whether it can
// be two participants.
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

// startsWithArrow reports whether an arrow begins s.
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
