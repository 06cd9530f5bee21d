package mermaid

import (
	"strings"
	"unicode"

	"planb/tui/markdown/diagram/label"
)

// maxLabel is the length of the longest label, in bytes.
const maxLabel = 2000

// readLabel reads a label of a flowchart or a state, without the brackets around it.
// It removes quotes and the marks of a Markdown string, and then does what readText
// does.
func readLabel(s string) label.Label {
	s = strings.TrimSpace(s)
	if n := len(s); n > 1 && s[0] == '"' && s[n-1] == '"' {
		s = strings.TrimSpace(s[1 : n-1])
	}
	if n := len(s); n > 1 && s[0] == '`' && strings.IndexByte(s[1:], '`') == n-2 {
		s = plainMarkdown(s[1 : n-1])
	}
	return readText(s)
}

// readText reads a text of any diagram. It removes tags and control characters, and
// decodes entities and line breaks (<br/>, \n and real ones).
func readText(s string) label.Label {
	s = strings.ReplaceAll(s, `\n`, "\n")
	s = decodeEntities(withoutIcons(withoutTags(s)))
	var l label.Label
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

// printable returns s with spaces in place of control characters, and without other
// characters that are not text. It keeps the joiners that some characters need.
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

// plainMarkdown removes the marks of emphasis.
func plainMarkdown(s string) string {
	s = strings.ReplaceAll(s, "**", "")
	s = strings.ReplaceAll(s, "__", "")
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '*' && s[i] != '_' {
			b.WriteByte(s[i])
			continue
		}
		// A mark stands on one side of a word. Between letters or between spaces it
		// is text.
		before := i == 0 || strings.ContainsRune(" \n\t(", rune(s[i-1]))
		after := i+1 == len(s) || strings.ContainsRune(" \n\t).,;:!?", rune(s[i+1]))
		if before == after {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// withoutTags turns <br> into a line break and removes tags that only style.
func withoutTags(s string) string {
	var b strings.Builder
	for s != "" {
		before, rest, found := strings.Cut(s, "<")
		b.WriteString(before)
		if !found {
			break
		}
		const longest = len("/strong ")
		name, _ := firstWord(strings.TrimPrefix(strings.ToLower(rest[:min(len(rest), longest)]), "/"))
		end := -1
		if name == "br" || stylingTag(name) {
			end = strings.IndexByte(rest, '>')
		}
		switch {
		case end < 0:
			b.WriteByte('<')
		case name == "br":
			b.WriteByte('\n')
		}
		s = rest[end+1:]
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

// withoutIcons removes the names of icons from a text, such as "fa:fa-car" from
// "fa:fa-car A car". A text of nothing else stays as it is.
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
