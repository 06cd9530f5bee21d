package wording

import (
	"cmp"

	"planb/store/timeline"
	"planb/tui/cells"
)

// mostCited is how many cells of a question or an answer stand in a citation.
const mostCited = 40

// Citation is a question that a plan cites, with its answer.
func Citation(c timeline.Citation) string {
	return cells.Cut(c.Label, mostCited) + " → " + cmp.Or(cells.Cut(c.Said, mostCited), "left open")
}

// Citations says in place of each citation of a text what it cites, by the questions' ids.
func Citations(cited map[string]timeline.Citation) map[string]string {
	words := make(map[string]string, len(cited))
	for question, c := range cited {
		if words[question] = "answer: " + cells.Cut(c.Said, mostCited); c.Said == "" {
			words[question] = "left open: “" + cells.Cut(c.Label, mostCited) + "”"
		}
	}
	return words
}
