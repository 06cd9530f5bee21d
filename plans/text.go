package plans

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"planb/questions/safe"
)

// Problem is a mistake in a plan.
type Problem struct {
	Where   string // "plan" or "title", as the fields of save_plan are called
	Got     string
	Allowed string
}

// Error returns the problem in one line.
func (p *Problem) Error() string { return p.Where + ": got " + p.Got + "; allowed: " + p.Allowed }

// check checks a plan's text and its title. The title may be empty.
func check(text, title safe.Text) error {
	raw := text.Raw()
	switch wrong := firstInvalid(raw); {
	case len(raw) > MaxPlanBytes:
		return &Problem{"plan", fmt.Sprintf("%d bytes", len(raw)), fmt.Sprintf("at most %d bytes", MaxPlanBytes)}
	case wrong >= 0:
		return &Problem{"plan", fmt.Sprintf("text that is not UTF-8: its byte %d is 0x%02x", wrong+1, raw[wrong]), "Markdown in UTF-8"}
	case text.Blank():
		return &Problem{"plan", "a blank text", "Markdown that says something"}
	case len(title.Raw()) > MaxTitleBytes:
		return &Problem{"title", fmt.Sprintf("%d bytes", len(title.Raw())), fmt.Sprintf("at most %d bytes", MaxTitleBytes)}
	case !utf8.ValidString(title.Raw()):
		return &Problem{"title", "text that is not UTF-8", "a text in UTF-8"}
	case strings.ContainsAny(title.Raw(), "\r\n"):
		return &Problem{"title", "several lines", "one line"}
	}
	return nil
}

// firstInvalid returns the index of the first byte that is not part of valid UTF-8;
// -1 if there is none.
func firstInvalid(text string) int {
	for i, r := range text {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

// Heading returns the first heading of a plan's text: a line of one to six # and a
// text, outside code. It is empty if there is none. The heading serves as title of
// a plan without one.
func Heading(text safe.Text) safe.Text {
	for line, code := range Lines(text.Raw()) {
		if _, title := heading(line); title != "" && !code {
			return safe.New(title)
		}
	}
	return safe.Text{}
}

// fenceMark returns the run of three or more backquotes or tildes at the beginning
// of a line; empty if there is none.
func fenceMark(line string) string {
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(line, mark)
		if n := len(line) - len(rest); n >= 3 && (mark == "~" || !strings.Contains(rest, "`")) {
			return line[:n]
		}
	}
	return ""
}

// heading returns a heading's level and its text without the # around it. The
// level is 0 and the text empty if the line is not a heading.
func heading(line string) (level int, title string) {
	rest := strings.TrimLeft(line, "#")
	level = len(line) - len(rest)
	if level < 1 || level > 6 || rest == "" || rest[0] != ' ' && rest[0] != '\t' {
		return 0, ""
	}
	rest = strings.TrimSpace(rest)
	if closed := strings.TrimRight(rest, "#"); closed == "" || closed != rest && strings.HasSuffix(closed, " ") {
		rest = strings.TrimSpace(closed)
	}
	return level, rest
}
