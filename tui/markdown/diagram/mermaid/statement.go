package mermaid

import (
	"strings"
)

// statements splits a line at the semicolons that end statements. A semicolon ends a
// statement only if the text behind it looks like a statement; else it is part of a
// message's text.
func statements(line string) []string {
	var out []string
	rest := strings.TrimSpace(line)
	for from := 0; ; {
		i := strings.IndexByte(rest[from:], ';')
		if i < 0 {
			return append(out, rest)
		}
		next := strings.TrimSpace(rest[from+i+1:])
		if next != "" && !isStatement(next) {
			from += i + 1
			continue
		}
		if next == "" && endsInEntity(rest[:from+i]) {
			return append(out, rest)
		}
		out = append(out, strings.TrimSpace(rest[:from+i]))
		if next == "" {
			return out
		}
		rest, from = next, 0
	}
}

// endsInEntity reports whether s ends in an entity without its semicolon, such as
// "#9829" or "&lt".
func endsInEntity(s string) bool {
	i := strings.LastIndexAny(s, "#&")
	if i < 0 || i == len(s)-1 {
		return false
	}
	return strings.Trim(s[i+1:], "#0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// isStatement reports whether a line is surely a statement, and not the rest of the
// text before it.
func isStatement(line string) bool {
	const longest = len("participant")
	word, rest := line[:min(len(line), longest+1)], ""
	if i := strings.IndexAny(word, " \t:;"); i >= 0 {
		word, rest = line[:i], line[i:]
	}
	rest, _, _ = strings.Cut(rest, ";")
	if isShortStatement(strings.ToLower(word), strings.TrimSpace(rest)) {
		return true
	}
	_, isMessage := readMessage(line)
	return strings.HasPrefix(line, "%%") || isMessage && strings.Contains(line, ":")
}

// isShortStatement reports whether a line with that first word and rest is surely a
// statement other than a message.
func isShortStatement(word, rest string) bool {
	switch word {
	case "end":
		return rest == ""
	case "activate", "deactivate", "destroy", "participant", "actor":
		return rest != "" && !strings.ContainsAny(rest, " \t")
	case "note":
		place, _ := cutWord(strings.ToLower(rest))
		return (place == "left" || place == "right" || place == "over") && strings.Contains(rest, ":")
	}
	return false
}
