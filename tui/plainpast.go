package tui

import (
	"context"
	"fmt"
	"strconv"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/screen"
	"planb/tui/wording"
)

// sessions reads out all sessions, newest first, until the person leaves; what they
// deleted goes then.
func (p *plainBrowser) sessions() error {
	p.listed, p.undos, p.news = nil, nil, nil
	p.sessionList = sessionsState{}
	p.sessionList.setFilter("", p.browser.now())
	if err := p.moreSessions(); err != nil {
		return err
	}
	err := p.goAround("Sessions", "A number opens a session, more tells of older ones, leave ends this, help tells of the rest:",
		func(n int) error {
			return p.withSession(n, p.visit)
		},
		p.sessionsWords())
	if unlessLater(err) != nil {
		return err
	}
	gone, failed := p.browser.deleteGoing(p.ctx, p.undos, p.sessionList.going)
	for _, line := range gone {
		if err := p.say("%s", line); err != nil {
			return err
		}
	}
	if failed != nil {
		return failed
	}
	return err
}

// sessionsWords are the words of the list of sessions.
func (p *plainBrowser) sessionsWords() plainWords[plainGoing] {
	session := func(do func(store.Session) error) plainGoing {
		return func(number string) error {
			n, _ := strconv.Atoi(number)
			return p.withSession(n, do)
		}
	}
	words := plainWords[plainGoing]{
		{name: "more", does: "tells of older sessions", do: p.more},
		{name: "again", does: "tells of the newest again", do: func(string) error { return p.listAgain(p.sessionList.filter.text) }},
		{name: "filter", takes: "and words or an id", does: "tells only of sessions that have all that, archived ones, too, and alone of all again; project: client: before: after: and status: narrow it", do: p.filterSessions},
		{name: "find", takes: "and words", does: "finds them in everything that was asked and planned", do: p.find},
		{name: "archive", takes: "and a number", does: "puts that session into the archive, or takes it back", do: session(p.archive)},
		{name: "delete", takes: "and a number", does: "deletes that session when you leave this list", do: session(p.letGo)},
		{name: "undo", does: "undoes what was archived or deleted last", do: p.undo},
		leaving("ends this"),
	}
	words = append(words, p.helping("A number opens that session.", &words))
	return words
}

// withSession does something with the session of a number.
func (p *plainBrowser) withSession(n int, do func(store.Session) error) error {
	if n < 1 || n > len(p.listed) {
		return p.say("There is no such session.")
	}
	session := p.listed[n-1]
	if _, goes := p.sessionList.going[session.ID]; goes {
		return p.say("That is deleted when you leave this list; undo brings it back.")
	}
	return do(session)
}

func (p *plainBrowser) more(string) error {
	before := len(p.listed)
	if err := p.moreSessions(); err != nil || len(p.listed) > before {
		return err
	}
	return p.say("These are all.")
}

// listAgain begins the list anew, with a filter.
func (p *plainBrowser) listAgain(filter string) error {
	p.sessionList, p.listed = sessionsState{going: p.sessionList.going}, nil
	p.sessionList.setFilter(filter, p.browser.now())
	return p.moreSessions()
}

func (p *plainBrowser) filterSessions(words string) error {
	if problem := newSessionsFilter(words, p.browser.now()).problem; problem != "" {
		return p.say("%s", problem)
	}
	return p.listAgain(words)
}

// moreSessions tells of the sessions behind those that were told of.
func (p *plainBrowser) moreSessions() error {
	list, err := p.shelved()
	if err != nil {
		return err
	}
	if len(list) == 0 && len(p.listed) == 0 {
		if p.sessionList.filter.text != "" {
			return p.say("No session has that.")
		}
		return p.say("There are no sessions yet.")
	}
	told := map[string]bool{}
	for _, session := range p.listed {
		told[session.ID] = true
	}
	some := 0
	for _, session := range list {
		if told[session.ID] || some == plainPage {
			continue
		}
		some++
		p.listed = append(p.listed, session)
		if err := p.say("%d. %s", len(p.listed), p.sessionLine(session)); err != nil {
			return err
		}
	}
	return nil
}

// shelved are the sessions there are to tell of, at least a page more than were told
// of; where something is looked for, all.
func (p *plainBrowser) shelved() (list []store.Session, err error) {
	ctx, cancel := context.WithTimeout(p.ctx, screen.StorePatience)
	defer cancel()
	s := &p.sessionList
	for {
		sessions, archived := s.shelves()
		enough := len(sessions) >= len(p.listed)+plainPage && s.filter.text == ""
		if s.loaded && (s.next == "" || enough) {
			for _, i := range append(sessions, archived...) {
				list = append(list, s.sessions[i])
			}
			return list, nil
		}
		limit := sessionsPage
		if s.wantsAll() {
			limit = sessionsMany
		}
		page, next, err := p.Store.Sessions(ctx, s.next, limit)
		if err != nil {
			return nil, err
		}
		if s.loaded {
			s.extend(page, next)
			continue
		}
		waiting, err := p.browser.readWaiting(ctx, page, nil)
		if err != nil {
			return nil, err
		}
		s.replace(waiting, page, next, p.browser.now())
	}
}

func (p *plainBrowser) sessionLine(session store.Session) string {
	if session.Err != nil {
		return commas(wording.SessionTitle(session), wording.Sentence(session.Err))
	}
	waits, archived := "", ""
	if open := p.sessionList.open[session.ID]; open.forms > 0 {
		waits = fmt.Sprintf("%d waiting", open.forms)
	}
	if session.InArchive() {
		archived = "archived"
	}
	return commas(wording.SessionTitle(session), wording.ClientName(session.Client), wording.ProjectName(session), wording.Ago(session.Updated, p.browser.now()),
		wording.Count(session.Asks, "form"), wording.PlanVersion(session.Plans), waits, archived)
}

// retro reads out past sessions, or what the options name.
func (p *plainBrowser) retro(session store.Session) error {
	var err error
	switch {
	case p.Ask != "":
		err = p.formRead(p.Ask)
	case p.Plan > 0:
		var text safe.Text
		if text, err = p.Store.PlanText(p.ctx, p.Session, p.Plan); err == nil {
			err = p.say("%s", plainBlock(text))
		}
	case p.Session != "":
		err = p.session(session)
	default:
		err = p.sessions()
	}
	return unlessLeft(err)
}
