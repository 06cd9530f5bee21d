package retro

import (
	"cmp"
	"context"

	"planb/plans"
	"planb/questions/safe"
	"planb/store/timeline"
	"planb/tui/cells"
	"planb/tui/markdown"
)

// mostCited is how many cells of a question or an answer stand in a citation.
const mostCited = 40

// answerCited is a question that a plan cites, with its answer.
func answerCited(c timeline.Citation) string {
	return cells.Cut(c.Label, mostCited) + " → " + cmp.Or(cells.Cut(c.Said, mostCited), "left open")
}

// ReadCited reads what the citations in versions of a plan show, by the numbers of the versions.
// An answer that changed between them is shown as the newest has it. Of answers that cannot be
// read citations show the ids: a plan is read all the same.
func ReadCited(ctx context.Context, from interface {
	timeline.Source
	timeline.Texts
}, session string, texts map[int]safe.Text) markdown.Cited {
	var numbers []int
	for number, text := range texts {
		if len(plans.Citations(text)) > 0 {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return markdown.Cited{}
	}
	story, err := timeline.Read(ctx, from, session)
	if err != nil {
		return markdown.Cited{}
	}
	words := map[string]string{}
	for detail, err := range story.Details(ctx, from, numbers...) {
		if err != nil {
			break
		}
		for _, c := range detail.Citations {
			_, said := words[c.Question] // by a newer version, because the highest number comes first
			switch {
			case said:
			case c.Ask == "": // its id is all that is known
			case c.Said == "":
				words[c.Question] = "left open: “" + cells.Cut(c.Label, mostCited) + "”"
			default:
				words[c.Question] = "answer: " + cells.Cut(c.Said, mostCited)
			}
		}
	}
	return markdown.NewCited(words)
}
