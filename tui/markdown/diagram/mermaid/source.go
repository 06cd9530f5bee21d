package mermaid

import (
	"fmt"
	"strings"
)

// source is the text of a diagram without front matter, comments and directives.
type source struct {
	title string // from the front matter
	kind  string // the first word, as it is written
	rest  string // the rest of the first word's line
	lines []sourceLine
}

// sourceLine is one line of the body, with white space around it removed.
type sourceLine struct {
	number int // in the source, from 1
	text   string
}

// readSource splits a source into its parts. The kind is the first word of the first
// line that is neither blank nor a comment.
func readSource(text string) (source, error) {
	var src source
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	start, err := afterFrontMatter(lines)
	if err != nil {
		return src, err
	}
	if src.title = frontTitle(lines[:start]); len(src.title) > maxLabel {
		return src, &Error{Why: fmt.Sprintf("the title has %d bytes; at most %d are drawn", len(src.title), maxLabel)}
	}
	directive := false
	for i := start; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		if !directive && strings.HasPrefix(line, "%%{") {
			directive = true
		}
		if directive {
			_, after, ends := strings.Cut(line, "}%%")
			directive = !ends
			line = strings.TrimSpace(after)
		}
		if line == "" || strings.HasPrefix(line, "%%") {
			continue
		}
		if src.kind == "" {
			src.kind, src.rest = firstWord(withoutComment(line))
			if src.kind == "" {
				src.kind = line
			}
			if first, more, found := strings.Cut(src.rest, ";"); found {
				src.rest = first
				line = strings.TrimSpace(more)
			} else {
				continue
			}
		}
		src.lines = append(src.lines, sourceLine{number: i + 1, text: line})
	}
	if directive {
		return src, &Error{Line: len(lines), Why: "a directive %%{ is not closed by }%%"}
	}
	return src, nil
}

// afterFrontMatter returns the index of the first line behind the front matter. Front
// matter is YAML between two lines of three hyphens at the beginning of a source.
func afterFrontMatter(lines []string) (int, error) {
	first := 0
	for first < len(lines) && strings.TrimSpace(lines[first]) == "" {
		first++
	}
	if first == len(lines) || strings.TrimSpace(lines[first]) != "---" {
		return first, nil
	}
	for i := first + 1; i < len(lines); i++ {
		if strings.TrimSpace(lines[i]) == "---" {
			return i + 1, nil
		}
	}
	return 0, &Error{Line: first + 1, Why: "the front matter is not closed by a second line ---"}
}

// frontTitle returns the title in the front matter, if it is in one line.
func frontTitle(lines []string) string {
	for _, line := range lines {
		if title, found := strings.CutPrefix(line, "title:"); found {
			title = strings.TrimSpace(title)
			if n := len(title); n > 1 && (title[0] == '"' || title[0] == '\'') && title[n-1] == title[0] {
				title = title[1 : n-1]
			}
			return title
		}
	}
	return ""
}

// withoutComment removes a comment, %%, from the end of a line. Mermaid itself allows
// comments only on lines of their own.
func withoutComment(line string) string {
	quoted := false
	for i := range len(line) {
		switch {
		case line[i] == '"':
			quoted = !quoted
		case !quoted && i > 0 && isBlank(line[i-1]) && strings.HasPrefix(line[i:], "%%"):
			return strings.TrimSpace(line[:i])
		}
	}
	return line
}

// firstWord splits a line behind its first word. A word consists of ASCII letters,
// digits, hyphens and underscores.
func firstWord(line string) (word, rest string) {
	end := strings.IndexFunc(line, func(r rune) bool {
		return !(r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	if end < 0 {
		end = len(line)
	}
	return line[:end], strings.TrimSpace(line[end:])
}
