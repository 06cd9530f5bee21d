package retro

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/tui/screen"
	"planb/tui/wording"
)

// From these lists the person goes from a version of the plan to the answers before it and
// the answers that it cites, and from an answer to the versions after it and the versions
// that cite it.

// ledHere lists the answers that came between a version and the one before it, and those
// it cites. The row of a citation without a known answer leads to the line of the plan;
// line makes the command for that.
func (d Deps) ledHere(story *timeline.Story, detail timeline.Detail, number int, line func(line int) func(screen.Screen) tea.Cmd) []screen.Row {
	var rows []screen.Row
	for _, place := range story.Since(number) {
		e := story.Events[place]
		if ask, ok := story.Ask(e.Ask); ok {
			w := kindWords(e)
			rows = append(rows, screen.Row{Mark: w.mark, Tone: w.tone, Text: w.verb + ": " + askTitle(e, ask), Right: wording.Moment(e.At, d.Now()), Open: d.openAsk(ask)})
		}
	}
	for _, c := range detail.Citations {
		ask, ok := story.Ask(c.Ask)
		row := screen.Row{Text: fmt.Sprintf("Line %d cites “%s”: no earlier answer has this question", c.Line, safe.New(c.Question).Line()), Open: line(c.Line)}
		if ok {
			row.Text = fmt.Sprintf("Line %d cites: %s", c.Line, wording.Citation(c))
			row.Open = d.openAsk(ask)
		}
		rows = append(rows, row)
	}
	return rows
}

func (d Deps) openAsk(ask store.Ask) func(screen.Screen) tea.Cmd {
	return func(from screen.Screen) tea.Cmd {
		return screen.Send(screen.Push{Screen: d.OpenForm(Form{Ask: ask}), Over: from})
	}
}

// maxFollowing is the most versions after an answer that are listed.
const maxFollowing = 20

// ledFrom lists the versions that cite an answer, and those that were saved after it.
func (d Deps) ledFrom(story *timeline.Story, session store.Session, place int, cited []citedIn) []screen.Row {
	open := func(number, line int) func(screen.Screen) tea.Cmd {
		return func(from screen.Screen) tea.Cmd {
			return screen.Send(screen.Push{Screen: newPlan(d, session, number).at(line), Over: from})
		}
	}
	var rows []screen.Row
	for _, c := range cited {
		rows = append(rows, screen.Row{
			Text: fmt.Sprintf("Plan v%d, line %d cites: %s", c.plan, c.Line, wording.Citation(c.Citation)), Open: open(c.plan, c.Line),
		})
	}
	var following []int
	if story.Events[place].Reply() {
		following = story.Following(place)
	}
	for _, number := range following[:min(len(following), maxFollowing)] {
		plan, _ := story.Plan(number)
		right := ""
		if !plan.Created.IsZero() {
			right = wording.Moment(plan.Created, d.Now())
		}
		rows = append(rows, screen.Row{Text: strings.TrimSpace(fmt.Sprintf("Then came plan v%d  %s", number, plan.Title.Line())), Right: right, Open: open(number, 0)})
	}
	return rows
}
