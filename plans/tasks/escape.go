package tasks

import (
	"strings"

	"planb/plans"
)

// escaped returns a description as it stands in the format: it puts a backslash before each
// line outside code that would be read as a heading of the plan or of a task, or as a fact,
// and before each such line that begins with a backslash already.
func escaped(description string) string {
	return changeLines(description, func(line string, first, afterText bool) string {
		bare := strings.TrimLeft(line, `\`)
		if !means(bare, first) || bare == line && isUnderline(bare) && !afterText {
			return line
		}
		return `\` + line
	})
}

// unescaped is the description that was escaped.
func unescaped(text string) string {
	return changeLines(text, func(line string, first, _ bool) string {
		if bare := strings.TrimLeft(line, `\`); bare != line && means(bare, first) {
			return line[1:]
		}
		return line
	})
}

// changeLines changes each line outside code, without its indentation. first says that
// no line before it has text, afterText that the line right before it has.
func changeLines(text string, change func(line string, first, afterText bool) string) string {
	if !maybeFormat(text) {
		return text
	}
	lines := strings.Split(text, "\n")
	trimmed, code := scan(text)
	seen, afterText := false, false
	for i, line := range lines {
		if !code[i] && trimmed[i] != "" {
			indent := len(line) - len(strings.TrimLeft(line, " "))
			lines[i] = line[:indent] + change(line[indent:], !seen, afterText)
		}
		seen = seen || trimmed[i] != ""
		afterText = trimmed[i] != "" && !code[i]
	}
	return strings.Join(lines, "\n")
}

// maybeFormat reports whether a description may have a line that reads as a part of the
// format, or an escaped line. It is a quick check: few descriptions have such a line, and
// only those need the search for code. It may return true for others.
func maybeFormat(text string) bool {
	first := true
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimLeft(line, " ")
		if line == "" {
			continue
		}
		switch line[0] {
		case '\\', '#':
			return true
		case '=', '-':
			if isUnderline(line) {
				return true
			}
		}
		if first && looksLikeFact(line) {
			return true
		}
		first = first && strings.TrimSpace(line) == ""
	}
	return false
}

// means reports whether a line would be read as a part of the format.
func means(line string, first bool) bool {
	level, _ := taskHeading(line)
	return level > 0 || isUnderline(line) || first && looksLikeFact(line)
}

// taskHeading returns the level of a heading that the format knows, 1 or 2, and its
// text; 0 for any other line.
func taskHeading(line string) (level int, text string) {
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level < 1 || level > 2 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	return level, strings.TrimSpace(rest)
}

// isUnderline reports whether a line makes a heading of the one above.
func isUnderline(line string) bool {
	line = strings.TrimRight(line, " \t")
	return line != "" && (strings.Trim(line, "=") == "" || strings.Trim(line, "-") == "")
}

// looksLikeFact reports whether a line is a name in small letters, a colon, and
// anything.
func looksLikeFact(line string) bool {
	name, _, found := strings.Cut(line, ":")
	return found && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz ") == ""
}

// scan returns each line of a text without its surrounding white space, and which
// lines are code.
func scan(text string) (lines []string, code []bool) {
	for line, isCode := range plans.Lines(text) {
		lines, code = append(lines, line), append(code, isCode)
	}
	if text == "" || strings.HasSuffix(text, "\n") { // as strings.Split counts them
		lines, code = append(lines, ""), append(code, false)
	}
	return lines, code
}
