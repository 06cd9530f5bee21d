package diagram

import (
	"html"
	"strings"
	"unicode"

	"github.com/charmbracelet/x/ansi"
)

// maxLabel is how many bytes the words of one label may have.
const maxLabel = 2000

// label is words to show: the lines they were written in.
type label []string

// readLabel takes a label as it stands in a source, without the brackets around
// it. Quotes, the marks of a Markdown string and tags are taken off, entities and
// line breaks (<br/>, \n and real ones) are read, control characters are gone.
func readLabel(s string) label {
	s = strings.TrimSpace(s)
	if n := len(s); n > 1 && s[0] == '"' && s[n-1] == '"' {
		s = strings.TrimSpace(s[1 : n-1])
	}
	if n := len(s); n > 1 && s[0] == '`' && s[n-1] == '`' {
		s = plainMarkdown(s[1 : n-1])
	}
	s = strings.ReplaceAll(s, `\n`, "\n")
	s = withoutIcons(withoutTags(s))
	s = readEntities(s)
	var l label
	for line := range strings.Lines(s) {
		line = strings.Join(strings.Fields(printable(line)), " ")
		if line != "" || len(l) > 0 {
			l = append(l, line)
		}
	}
	for len(l) > 0 && l[len(l)-1] == "" {
		l = l[:len(l)-1]
	}
	return l
}

// printable is s without characters that are no text: controls are white space,
// and what only steers its surroundings (other than joiners within a character)
// is gone.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r), r == '\u2028', r == '\u2029':
			return ' '
		case r == '\u200c', r == '\u200d':
			return r
		case unicode.Is(unicode.Cf, r), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, s)
}

// plainMarkdown takes off the marks of emphasis.
func plainMarkdown(s string) string {
	s = strings.ReplaceAll(s, "**", "")
	s = strings.ReplaceAll(s, "__", "")
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '*' && s[i] != '_' {
			b.WriteByte(s[i])
			continue
		}
		// A mark stands at one side of a word; between letters it is text.
		before := i == 0 || strings.ContainsRune(" \n\t(", rune(s[i-1]))
		after := i+1 == len(s) || strings.ContainsRune(" \n\t).,;:!?", rune(s[i+1]))
		if before == after {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// withoutTags reads <br> as a line break and takes off tags that only style.
func withoutTags(s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, found := strings.Cut(s, "<")
		b.WriteString(before)
		if !found {
			break
		}
		inside, after, closed := strings.Cut(rest, ">")
		name, _ := firstWord(strings.TrimPrefix(strings.ToLower(inside), "/"))
		switch {
		case closed && name == "br":
			b.WriteByte('\n')
			s = after
		case closed && stylingTag(name):
			s = after
		default:
			b.WriteByte('<')
			s = rest
		}
	}
	return b.String()
}

func stylingTag(name string) bool {
	switch name {
	case "b", "strong", "i", "em", "u", "s", "small", "big", "sub", "sup", "code", "span", "font", "div", "p", "center":
		return true
	}
	return false
}

// withoutIcons takes the names of icon fonts off words that follow them, such as
// "fa:fa-car A car".
func withoutIcons(s string) string {
	words := strings.Split(s, " ")
	kept := words[:0:0]
	for _, word := range words {
		prefix, name, found := strings.Cut(word, ":")
		if found && strings.HasPrefix(prefix, "fa") && len(prefix) <= 3 && strings.HasPrefix(name, "fa-") {
			continue
		}
		kept = append(kept, word)
	}
	if len(kept) == 0 {
		return s
	}
	return strings.Join(kept, " ")
}

// readEntities reads the entities of Mermaid (#quot; #35;) and of HTML.
func readEntities(s string) string {
	if !strings.Contains(s, ";") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		end := strings.IndexByte(s[i:], ';')
		if s[i] != '#' || end < 2 || i > 0 && s[i-1] == '&' {
			b.WriteByte(s[i])
			continue
		}
		name := s[i+1 : i+end]
		if word, rest := firstWord(name); word == "" || rest != "" {
			b.WriteByte(s[i])
			continue
		}
		entity := "&" + name + ";"
		if name[0] >= '0' && name[0] <= '9' {
			entity = "&#" + name + ";"
		}
		if decoded := html.UnescapeString(entity); decoded != entity {
			b.WriteString(decoded)
			i += end
			continue
		}
		b.WriteByte(s[i])
	}
	return html.UnescapeString(b.String())
}

// longestWord is how wide a word may be before it is broken in its middle.
const longestWord = 24

// wrap breaks lines at white space so that they have at most width cells, or as
// many as the longest word needs, and are about equally long. Zero stands for no
// limit.
func (l label) wrap(width int) label {
	if width <= 0 || l.width() <= width {
		return l
	}
	for _, line := range l {
		for word := range strings.FieldsSeq(line) {
			width = max(width, min(ansi.StringWidth(word), longestWord))
		}
	}
	var wrapped label
	for _, line := range l {
		lines := strings.Split(ansi.Wrap(line, width, ""), "\n")
		for w := width - 1; len(lines) > 1 && w > 0; w-- {
			narrower := strings.Split(ansi.Wrap(line, w, ""), "\n")
			if len(narrower) > len(lines) || (label{line}).breaksWord(narrower) {
				break
			}
			lines = narrower
		}
		wrapped = append(wrapped, lines...)
	}
	return wrapped
}

// breaksWord reports whether lines have more words than what they were made of.
func (l label) breaksWord(lines []string) bool {
	return len(strings.Fields(strings.Join(lines, " "))) > len(strings.Fields(l.String()))
}

// width is how many cells the longest line has.
func (l label) width() int {
	width := 0
	for _, line := range l {
		width = max(width, ansi.StringWidth(line))
	}
	return width
}

// String is the label in one line.
func (l label) String() string { return strings.Join(l, " ") }
