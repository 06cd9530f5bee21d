package diagram

import (
	"html"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// seqText is the text of a label, cut where its lines may be broken.
type seqText struct {
	lines [][]seqWord
	least int // the widest piece that stays whole
}

// seqWord is what stands between two spaces. One that is wider than a line is
// broken between its parts.
type seqWord struct {
	text  string
	width int
	parts []seqPart
}

type seqPart struct {
	text  string
	width int
}

// newSeqText cuts a text whose lines end with \n.
func newSeqText(s string) seqText {
	var t seqText
	if s == "" {
		return t
	}
	for line := range strings.SplitSeq(s, "\n") {
		var words []seqWord
		for word := range strings.FieldsSeq(line) {
			w := seqWord{text: word, width: ansi.StringWidth(word), parts: cutParts(word)}
			for _, p := range w.parts {
				t.least = max(t.least, p.width)
			}
			words = append(words, w)
		}
		t.lines = append(t.lines, words)
	}
	return t
}

// cutParts cuts a word behind what joins words to a longer one, and at characters
// of scripts that are written without spaces.
func cutParts(word string) []seqPart {
	var parts []seqPart
	start, cells := 0, 0
	flush := func(end int) {
		if end > start {
			parts = append(parts, seqPart{word[start:end], cells})
			start, cells = end, 0
		}
	}
	for at := 0; at < len(word); {
		cluster, width := ansi.FirstGraphemeCluster(word[at:], ansi.GraphemeWidth)
		if width > 1 {
			flush(at)
		}
		at += len(cluster)
		cells += width
		if width > 1 || strings.ContainsAny(cluster, "/_-.,:;=&?|\\") {
			flush(at)
		}
	}
	flush(len(word))
	return parts
}

// wrap breaks the text into lines of at most limit cells, unless a piece that
// stays whole is wider. No limit is 0.
func (t seqText) wrap(limit int) []string {
	var out []string
	for _, words := range t.lines {
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
			for _, p := range w.parts {
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

// widest is the width of the widest line.
func widest(lines []string) int {
	cells := 0
	for _, line := range lines {
		cells = max(cells, ansi.StringWidth(line))
	}
	return cells
}

// shortened is as much of a text as goes into so many cells, as one line.
func shortened(s string, cells int, ascii bool) string {
	return ansi.Truncate(oneLine(s), max(cells, 3), pick(ascii, "..", "…"))
}

// oneLine is a text without its line breaks.
func oneLine(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// messageText is the text of a message, a note or a frame: what stands behind its
// colon, without the word that says how Mermaid wraps it.
func messageText(s string) string {
	s = strings.TrimLeft(strings.TrimSpace(s), ":")
	for _, word := range []string{"nowrap:", "wrap:"} {
		if hasPrefixFold(strings.TrimSpace(s), word) {
			s = strings.TrimSpace(s)[len(word):]
		}
	}
	return labelText(s)
}

// labelText is what a label says: its lines, with \n between them and entities
// decoded.
func labelText(s string) string {
	var lines []string
	for line := range strings.SplitSeq(breakTags(s), "\n") {
		lines = append(lines, strings.Join(strings.Fields(decodeEntities(line)), " "))
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// breakTags replaces <br>, <br/> and <br /> by line breaks.
func breakTags(s string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 {
			out.WriteString(s)
			return out.String()
		}
		const longest = 12
		tag, _, closed := strings.Cut(s[i:min(len(s), i+longest)], ">")
		if name := strings.TrimSpace(strings.TrimSuffix(tag[1:], "/")); closed && strings.EqualFold(name, "br") {
			out.WriteString(s[:i] + "\n")
			s = s[i+len(tag)+1:]
			continue
		}
		out.WriteString(s[:i+1])
		s = s[i+1:]
	}
}

// decodeEntities decodes #35; and #quot; as Mermaid writes them, and &#35; and
// &quot;. What they stand for was not there when the text was cleaned, so that
// nothing comes out of them but characters that take their own place.
func decodeEntities(s string) string {
	var out strings.Builder
	for s != "" {
		i := strings.IndexAny(s, "#&")
		if i < 0 {
			break
		}
		out.WriteString(s[:i])
		s = s[i:]
		const longest = 14
		end := strings.IndexByte(s[:min(len(s), longest)], ';')
		if end < 2 {
			out.WriteByte(s[0])
			s = s[1:]
			continue
		}
		name := strings.TrimLeft(s[:end], "#&")
		decoded, ok := entity(name)
		if !ok {
			out.WriteByte(s[0])
			s = s[1:]
			continue
		}
		out.WriteString(decoded)
		s = s[end+1:]
	}
	return out.String() + s
}

// entity is what the name or the number of an entity stands for.
func entity(name string) (string, bool) {
	written := "&" + name + ";"
	if strings.Trim(name, "0123456789") == "" || name[0] == 'x' && strings.Trim(name[1:], "0123456789abcdefABCDEF") == "" {
		written = "&#" + name + ";"
	}
	decoded := html.UnescapeString(written)
	if decoded == written || len(decoded) > 1 && strings.HasSuffix(decoded, ";") { // only its beginning is one
		return "", false
	}
	var out strings.Builder
	for _, r := range decoded {
		switch {
		case unicode.IsSpace(r):
			out.WriteByte(' ')
		case unicode.In(r, unicode.L, unicode.N, unicode.P, unicode.S):
			out.WriteRune(r)
		default:
			out.WriteRune(unicode.ReplacementChar)
		}
	}
	return out.String(), true
}

// quoted is foreign text in a sentence.
func quoted(s string) string { return "“" + shortened(strings.TrimSpace(s), 40, false) + "”" }
