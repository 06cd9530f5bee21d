package label

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Breakable is a label cut at the places where its lines may break.
type Breakable struct {
	// Least is the number of cells of the widest piece that stays whole.
	Least int
	lines [][]word
}

// word is the text between two spaces. A word wider than a line breaks between its
// pieces.
type word struct {
	piece
	pieces []piece
}

type piece struct {
	text  string
	width int
}

// longestPiece is the greatest width of a piece, in cells, so that no word makes a box
// wider than a terminal.
const longestPiece = 32

// NewBreakable cuts a label.
func NewBreakable(l Label) Breakable {
	var b Breakable
	for _, line := range l {
		var words []word
		for text := range strings.FieldsSeq(line) {
			w := word{piece{text, ansi.StringWidth(text)}, cutPieces(text)}
			for _, p := range w.pieces {
				b.Least = max(b.Least, p.width)
			}
			words = append(words, w)
		}
		b.lines = append(b.lines, words)
	}
	return b
}

// cutPieces cuts a word behind characters that join shorter words, such as / and _. It
// also cuts before and behind wide characters, as in scripts without spaces, but not
// before punctuation.
func cutPieces(text string) []piece {
	var pieces []piece
	start, cells, wasWide := 0, 0, false
	flush := func(end int) {
		if end > start {
			pieces = append(pieces, piece{text[start:end], cells})
			start, cells = end, 0
		}
	}
	for at := 0; at < len(text); {
		cluster, width := ansi.FirstGraphemeCluster(text[at:], ansi.GraphemeWidth)
		wide := width > 1
		if (wide || wasWide) && !endsPhrase(cluster) || cells+width > longestPiece {
			flush(at)
		}
		at += len(cluster)
		cells += width
		if strings.ContainsAny(cluster, "/_-.,:;=&?|([{\\") {
			flush(at)
		}
		wasWide = wide
	}
	flush(len(text))
	return pieces
}

// endsPhrase reports whether a character is punctuation that belongs to the text
// before it.
func endsPhrase(cluster string) bool {
	r, _ := utf8.DecodeRuneInString(cluster)
	return unicode.IsPunct(r) && !unicode.In(r, unicode.Ps, unicode.Pi)
}

// Wrap breaks the text into lines of at most limit cells; 0 means no limit. A wider
// piece stays whole.
func (b Breakable) Wrap(limit int) Label {
	var out Label
	for _, words := range b.lines {
		var line strings.Builder
		cells := 0
		flush := func() {
			out = append(out, line.String())
			line.Reset()
			cells = 0
		}
		for _, w := range words {
			if cells > 0 && (limit == 0 || cells+1+w.width <= limit) {
				line.WriteByte(' ')
				line.WriteString(w.text)
				cells += 1 + w.width
				continue
			}
			if cells > 0 {
				flush()
			}
			if limit == 0 || w.width <= limit {
				line.WriteString(w.text)
				cells = w.width
				continue
			}
			for _, p := range w.pieces {
				if cells > 0 && cells+p.width > limit {
					flush()
				}
				line.WriteString(p.text)
				cells += p.width
			}
		}
		flush()
	}
	return out
}

// wrapEvenly is wrap with lines of about equal length: as narrow as possible without
// more lines or more broken words.
func (b Breakable) wrapEvenly(limit int) Label {
	lines := b.Wrap(limit)
	narrowest := max(b.Least, 1)
	for _, line := range b.lines {
		for _, w := range line {
			if w.width <= limit {
				narrowest = max(narrowest, w.width)
			}
		}
	}
	for width := limit - 1; width >= narrowest; width-- {
		narrower := b.Wrap(width)
		if len(narrower) > len(lines) {
			break
		}
		lines = narrower
	}
	return lines
}

// wholeWord is the width up to which a word is never broken, in cells.
const wholeWord = 12

// Wrap breaks lines to at most width cells; 0 or less means no limit. Lines are wider
// if a short word, or a piece of a longer one, needs more.
func (l Label) Wrap(width int) Label {
	if width <= 0 || l.Width() <= width {
		return l
	}
	b := NewBreakable(l)
	for _, line := range b.lines {
		for _, w := range line {
			if w.width <= wholeWord {
				width = max(width, w.width)
			}
		}
	}
	return b.wrapEvenly(max(width, b.Least))
}

// CutSign returns the sign for a part that is cut from a label.
func CutSign(ascii bool) string {
	if ascii {
		return "~"
	}
	return "…"
}

// shortLines is the greatest number of lines of a shortened label.
const shortLines = 4

// Shorten returns a label in lines of at most width cells. If it cuts the end of a word or
// of the whole label, it writes a sign there, with at least one cell of text before it. cut
// reports whether anything was cut.
func (l Label) Shorten(width int, sign string) (short Label, cut bool) {
	short = slices.Clone(l)
	for i, line := range short {
		words := strings.Fields(line)
		for n, w := range words {
			if pieces := cutPieces(w); ansi.StringWidth(w) > width && slices.ContainsFunc(pieces, func(p piece) bool { return p.width > width }) {
				words[n], cut = cutTo(w, width, sign), true
			}
		}
		short[i] = strings.Join(words, " ")
	}
	short = NewBreakable(short).wrapEvenly(width)
	if len(short) > shortLines {
		short, cut = slices.Clone(short[:shortLines]), true
		short[shortLines-1] = cutTo(short[shortLines-1], width, sign)
	}
	return short, cut
}

// cutTo returns the beginning of s and a sign, in at most width cells. It keeps at
// least one cell of s, even if the result is then wider.
func cutTo(s string, width int, sign string) string {
	return ansi.Truncate(s, max(width-ansi.StringWidth(sign), 1), "") + sign
}
