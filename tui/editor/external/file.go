package external

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"planb/questions/safe"
)

// File is a text on its way through the person's own editor: the text, and
// over it, as a comment of Markdown, what it is about. The comment is taken away
// again, also if the person wrote around it or in it.
type File struct {
	text  string
	head  string // the comment, and an empty line; empty if there is none
	token string // stands in the head's first and last line, and nowhere in the text
}

// NewFile puts a comment above a text. If about has no words, there is no comment.
func NewFile(text string, about ...safe.Text) File {
	var said []string
	for _, part := range about {
		if !part.Blank() {
			// A --> in the words would end this comment.
			said = append(said, strings.ReplaceAll(strings.TrimSpace(part.Block()), "-->", "-- >"))
		}
	}
	f := File{text: text}
	if len(said) == 0 {
		return f
	}
	for f.token == "" || strings.Contains(text, f.token) {
		f.token = fmt.Sprintf("planb %06x", rand.IntN(1<<24))
	}
	said = append(said, "Write below this comment, save, and close the editor. The comment is taken away again.")
	f.head = "<!-- " + f.token + "\n\n" + strings.Join(said, "\n\n") + "\n\n" + f.token + " -->\n\n"
	return f
}

// Content is what stands in the file. Its last line ends, as editors would end it.
func (f File) Content() string { return f.head + f.text + "\n" }

// TakeBack is the text of a file that came back, without the comment and the end
// of the last line.
func (f File) TakeBack(content string) string {
	content = strings.TrimPrefix(content, "\ufeff")
	content = strings.ReplaceAll(content, "\r\n", "\n")
	return strings.TrimSuffix(f.behead(content), "\n")
}

// behead takes the comment away: as it was, else from its first to its last line,
// else what is left of its end.
func (f File) behead(content string) string {
	if f.head == "" {
		return content
	}
	if before, after, ok := strings.Cut(content, f.head); ok {
		return before + after
	}
	first, last := "<!-- "+f.token, f.token+" -->"
	if before, rest, ok := strings.Cut(content, first); ok {
		for _, end := range []string{last, "-->"} {
			if _, after, ok := strings.Cut(rest, end); ok {
				return before + withoutGap(after)
			}
		}
		return content // where it ended can't be told: better too much than too little
	}
	for from := range f.head {
		if tail := f.head[from:]; (from == 0 || f.head[from-1] == '\n') && strings.Contains(tail, last) {
			if before, after, ok := strings.Cut(content, tail); ok {
				return before + after
			}
		}
	}
	if before, after, ok := strings.Cut(content, last); ok {
		return before + withoutGap(after)
	}
	return content
}

// withoutGap takes away the end of the comment's line and the empty line below it.
func withoutGap(text string) string {
	return strings.TrimPrefix(strings.TrimPrefix(text, "\n"), "\n")
}
