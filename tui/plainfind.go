package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"planb/store/search"
	"planb/tui/wording"
)

// find looks for words in everything that was asked, answered and planned, and opens
// what it found.
func (p *plainBrowser) find(words string) error {
	query, err := search.Parse(words, p.browser.now())
	switch {
	case err != nil:
		return p.say("%s", wording.Sentence(err))
	case query.Empty():
		return p.say("Type find and words, all of which have to be in one place; words in double quotes follow each other.\n"+
			"project: client: before: after: kind: and status: narrow it. kind: takes %s; status: takes %s.",
			strings.Join(search.Kinds(), ", "), strings.Join(search.Statuses(), ", "))
	}
	found, err := p.search(query)
	if err != nil {
		return p.done(err, "")
	}
	if found.unreadable > 0 {
		if err := p.say("%s could not be looked through: %s", wording.Count(found.unreadable, "record"), found.why); err != nil {
			return err
		}
	}
	if len(found.hits) == 0 {
		return p.say("Nothing has all of this.")
	}
	hits := wording.Count(len(found.hits), "hit")
	if found.more {
		hits = fmt.Sprintf("The first %d hits", maxHits)
	}
	if err := p.say("%s.", hits); err != nil {
		return err
	}
	return unlessLater(p.hits(found.hits))
}

// search is all that a query finds, in the order of the sessions' last changes.
func (p *plainBrowser) search(query search.Query) (*searchState, error) {
	ctx, end := context.WithCancel(p.ctx)
	defer end()
	found := &searchState{}
	for step, err := range search.Run(ctx, p.Store, query) {
		if err != nil {
			if errors.Is(err, context.Canceled) {
				err = errLeft
			}
			return found, err
		}
		if found.add(step); found.more {
			break
		}
	}
	return found, nil
}

// hits reads out what was found, a page at a time, and opens what is chosen.
func (p *plainBrowser) hits(hits []search.Hit) error {
	told := 0
	more := func(string) error {
		if told == len(hits) {
			return p.say("These are all.")
		}
		for ; told < len(hits); told++ {
			if err := p.say("%d. %s", told+1, p.hitLines(hits[told])); err != nil {
				return err
			}
			if (told+1)%plainPage == 0 {
				told++
				break
			}
		}
		return nil
	}
	words := plainWords[plainGoing]{{name: "more", does: "tells of further hits", do: more}, leaving("goes back")}
	words = append(words, p.helping("A number opens what was found.", &words))
	if err := more(""); err != nil {
		return err
	}
	return p.goAround("Found", "A number opens what was found, more tells of further ones, leave goes back:", func(n int) error {
		if n < 1 || n > told {
			return p.say("There is no hit of that number.")
		}
		return p.openHit(hits[n-1])
	}, words)
}

// hitLines are a hit in words, with the places in it.
func (p *plainBrowser) hitLines(hit search.Hit) string {
	lines := []string{commas(spoken(hitName(hit)), wording.SessionTitle(hit.Session), wording.ProjectName(hit.Session), wording.Ago(hit.At, p.browser.now()))}
	for _, e := range hit.Excerpts {
		text := ""
		for _, piece := range e.Pieces {
			text += piece.Text.Line()
		}
		lines = append(lines, "   "+excerptLabel(e)+": "+strings.TrimSpace(text))
	}
	if hit.More > 0 {
		lines = append(lines, "   and "+wording.Count(hit.More, "place")+" more")
	}
	return strings.Join(lines, "\n")
}

func (p *plainBrowser) openHit(hit search.Hit) error {
	switch {
	case hit.Ask.ID != "":
		return p.openAsk(hit.Ask)
	case hit.Plan.Number > 0:
		return p.version(hit.Session.ID, hit.Plan.Number)
	}
	return p.visit(hit.Session)
}
