package diagram

import (
	"fmt"
	"strings"
)

// source is the text of a diagram without what is not part of it: front matter,
// comments and directives.
type source struct {
	title string // in the front matter
	kind  string // the first word, as it is written
	rest  string // what follows it on its line
	lines []sourceLine
}

// sourceLine is one line of the body, with white space around it removed.
type sourceLine struct {
	number int // in the source, from 1
	text   string
}

// readSource finds out what a source is about. It takes the kind from the first
// line that says something.
func readSource(text string) (source, error) {
	var src source
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	start, err := afterFrontMatter(lines)
	if err != nil {
		return src, err
	}
	if src.title = frontTitle(lines[:start]); len(src.title) > maxLabel {
		return src, &UnsupportedError{Why: fmt.Sprintf("the title has %d bytes; at most %d are drawn", len(src.title), maxLabel)}
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
		return src, &UnsupportedError{Kind: src.kind, Line: len(lines), Why: "a directive %%{ is not closed by }%%"}
	}
	return src, nil
}

// afterFrontMatter is the index of the first line behind the YAML between two
// lines of three hyphens with which a source may begin.
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
	return 0, &UnsupportedError{Line: first + 1, Why: "the front matter is not closed by a second line ---"}
}

// frontTitle is what the front matter says of a title, in one line.
func frontTitle(lines []string) string {
	for _, line := range lines {
		if title, is := strings.CutPrefix(line, "title:"); is {
			title = strings.TrimSpace(title)
			if n := len(title); n > 1 && (title[0] == '"' || title[0] == '\'') && title[n-1] == title[0] {
				title = title[1 : n-1]
			}
			return title
		}
	}
	return ""
}

// withoutComment is a line without what stands behind %% at its end, which
// Mermaid wants on a line of its own.
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

// firstWord splits a line at the end of its first word, which is made of
// letters, digits, hyphens and underscores.
func firstWord(line string) (word, rest string) {
	end := strings.IndexFunc(line, func(r rune) bool {
		return !(r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	if end < 0 {
		end = len(line)
	}
	return line[:end], strings.TrimSpace(line[end:])
}
