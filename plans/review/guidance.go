package review

import "strings"

// mostGuideRunes limits a quote in a guidance.
const mostGuideRunes = 120

// Guidance words the review for a writer who writes the whole text anew without seeing
// the old one: the note, then the comments in the order of their lines, each with the
// words that it is about. Each line says one thing.
func (r Review) Guidance() string {
	var lines []string
	if note := oneLine(r.Note.Raw()); note != "" {
		lines = append(lines, note)
	}
	for _, c := range r.inOrder() {
		said, because := oneLine(c.Text.Raw()), ""
		if said != "" {
			because = " Because: " + said
		}
		switch c.Kind {
		case Suggestion:
			said = "write “" + spoken(c.Instead.Raw()) + "” instead." + because
		case Deletion:
			said = "leave this out." + because
		case Question:
			said = "let the new text answer: " + said
		}
		if about := beginning(spoken(c.Quote.Raw())); about != "" {
			said = "On “" + about + "”: " + said
		}
		lines = append(lines, said)
	}
	return strings.Join(lines, "\n")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func beginning(text string) string {
	runes := []rune(text)
	if len(runes) <= mostGuideRunes {
		return text
	}
	return strings.TrimSpace(string(runes[:mostGuideRunes-1])) + "…"
}

// spoken returns Markdown as one line without most of its marks, with commas between the
// cells of a table's row.
func spoken(markdown string) string {
	var lines []string
	for line := range strings.Lines(markdown) {
		if line = strings.Trim(line, "#>| \r\n"); strings.Trim(line, "|-: ") == "" { // empty, or the rule of a table
			continue
		}
		line = strings.NewReplacer(`\\`, `\`, `\`, "", " | ", ", ", "**", "").Replace(line)
		lines = append(lines, strings.TrimPrefix(line, "- "))
	}
	return oneLine(strings.Join(lines, " / "))
}
