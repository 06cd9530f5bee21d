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

// ReadCited reads what the citations in the text of a version show. Of answers that cannot be
// read they show the ids: a plan is read all the same.
func ReadCited(ctx context.Context, from interface {
	timeline.Source
	timeline.Texts
}, session string, number int, text safe.Text) markdown.Cited {
	if len(plans.Citations(text)) == 0 {
		return markdown.Cited{}
	}
	story, err := timeline.Read(ctx, from, session)
	if err != nil {
		return markdown.Cited{}
	}
	words := map[string]string{}
	for detail, err := range story.Details(ctx, from, number) {
		if err != nil {
			break
		}
		for _, c := range detail.Citations {
			switch {
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
