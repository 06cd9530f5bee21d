package cells

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// zeroWidthSpace separates characters that would form one cluster. The renderer counts each
// part, and does not send the space.
const zeroWidthSpace = "\u200b"

// Width returns the number of cells that a line, styled or not, needs after Fit on a terminal
// that knows no clusters.
func Width(line string) int {
	if !uneven(line) {
		return ansi.StringWidth(line)
	}
	width := 0
	for _, t := range split(line) {
		width += t.cells
	}
	return width
}

// Wrap returns the lines of wrap at the greatest width, up to width, at which all of
// them fit both kinds of terminal.
func Wrap(width int, wrap func(width int) []string) []string {
	lines := wrap(width)
	for room := width; room > 1; {
		over := 0
		for _, line := range lines {
			over = max(over, Width(line)-width)
		}
		if over == 0 {
			break
		}
		room = max(1, room-max(1, over/2)) // half of it is mostly too much already
		lines = wrap(room)
	}
	return lines
}

// uneven reports whether terminals may disagree about the width of a line.
func uneven(line string) bool {
	for i := 0; i < len(line); {
		if line[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(line[i:])
		if joins(r) {
			return true
		}
		i += size
	}
	return false
}

// joins reports whether a character makes a cluster whose width is not the sum of
// its characters'.
func joins(r rune) bool {
	switch {
	case r < 0x0900:
		return false
	case r >= 0x2500 && r < 0x2600: // frames and blocks, which most lines have
		return false
	case r == 0x200d, r == 0xfe0f, r == 0x20e3: // joiner, emoji style, keycap
		return true
	case r == 0x0e33, r == 0x0eb3: // the vowels am of Thai and Lao
		return true
	case regional(r), r >= 0x1f3fb && r <= 0x1f3ff: // flags, skin tones
		return true
	}
	return unicode.Is(unicode.Mc, r) || virama(r)
}

// virama reports whether a mark joins two consonants into one cluster.
func virama(r rune) bool {
	switch r {
	case 0x094d, 0x09cd, 0x0a4d, 0x0acd, 0x0b4d, 0x0bcd, 0x0c4d, 0x0ccd, 0x0d4d, 0x0dca, 0x1039, 0x17d2, 0x1a60, 0xa9c0:
		return true
	}
	return false
}

// token is a piece of a line: a cluster, or a control sequence of no width.
type token struct {
	text  string // for a terminal that knows no clusters
	laid  int    // cells of the layout
	cells int    // cells of text there
}

func split(line string) []token {
	var tokens []token
	parser := ansi.GetParser()
	defer ansi.PutParser(parser)
	var state byte
	for len(line) > 0 {
		seq, width, n, next := ansi.DecodeSequence(line, state, parser)
		state, line = next, line[n:]
		if width == 0 {
			tokens = append(tokens, token{text: seq})
			continue
		}
		tokens = append(tokens, parted(seq, width))
	}
	return tokens
}

// parted returns a cluster in a form that all terminals count alike.
func parted(cluster string, width int) token {
	if !uneven(cluster) {
		return token{cluster, width, width}
	}
	if text, ok := plainEmoji(cluster, width); ok {
		return token{text, width, width}
	}
	var text strings.Builder
	cells := 0
	for _, r := range cluster {
		w := runeWidth(r)
		if w > 0 && text.Len() > 0 {
			text.WriteString(zeroWidthSpace)
		}
		text.WriteRune(r)
		cells += w
	}
	return token{text.String(), width, cells}
}

// runeWidth returns the width of a single character, as wcwidth gives it.
func runeWidth(r rune) int {
	if unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || r >= 0x1160 && r <= 0x11ff { // the latter join Hangul syllables
		return 0
	}
	return ansi.StringWidth(string(r))
}
