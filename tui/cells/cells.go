// Package cells makes lines fit terminals that count cells differently.
//
// A layout counts one width for each grapheme cluster: a letter with its marks, a family of
// emoji. Terminals with Unicode mode 2027 count the same way. All others, tmux among them, add
// up the widths of the cluster's characters as wcwidth gives them. An Indic syllable is wider
// there than in the layout; it pushes the frame at its right away, or the line breaks. Fit
// gives a line the same columns on such a terminal. Wrap lays a text out so that Fit has
// nothing to cut.
//
// The package also holds the arithmetic of lines that every screen needs: text.go cuts, fills
// and joins texts, pan.go shows a part of a line that is too wide, style.go has the colours and
// attributes of a text, ground.go puts a background under a styled line, and clusters.go finds
// the characters that a person sees as one.
//
// The package knows no screen and no terminal. The caller finds out how the terminal counts.
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

func regional(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

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

// plainEmoji returns a single emoji for a sequence of emoji, as wide as in the layout. It
// returns false if the cluster is not such a sequence.
func plainEmoji(cluster string, width int) (string, bool) {
	first, size := utf8.DecodeRuneInString(cluster)
	if regional(first) {
		return letters(cluster, width), true
	}
	sequence := strings.ContainsFunc(cluster[size:], func(r rune) bool {
		return r == 0xfe0f || r == 0x20e3 || r >= 0x1f3fb && r <= 0x1f3ff || r >= 0x1f000 || r >= 0x2600 && r < 0x2800 || r >= 0x2b00 && r < 0x2c00
	})
	if !sequence {
		return "", false
	}
	show := first
	if runeWidth(first) < width {
		for _, r := range cluster {
			if runeWidth(r) == width {
				show = r
				break
			}
		}
	}
	return string(show) + strings.Repeat(" ", max(0, width-runeWidth(show))), true
}

// letters returns the letters of a flag.
func letters(flag string, width int) string {
	var text strings.Builder
	for _, r := range flag {
		if regional(r) && text.Len() < width {
			text.WriteRune('A' + r - 0x1f1e6)
		}
	}
	return text.String() + strings.Repeat(" ", max(0, width-text.Len()))
}
