package tui

import (
	"fmt"

	"planb/store"
	"planb/tui/wording"
)

// Keeping order: as in the list that is drawn, a session is deleted when the list is
// left, and until then that is undone as easily as archiving.

func (p *plainBrowser) archive(session store.Session) error {
	if session.Err != nil {
		return p.say("Not possible: %s", wording.Sentence(session.Err))
	}
	return p.setArchived(session.ID, !session.InArchive(), false)
}

func (p *plainBrowser) setArchived(id string, archived, undoes bool) error {
	session, err := p.Store.Archive(p.ctx, id, archived)
	if err != nil {
		return p.done(err, "")
	}
	p.sessionList.put(session)
	for i := range p.listed {
		if p.listed[i].ID == id {
			p.listed[i] = session
		}
	}
	if !undoes {
		p.undos = append(p.undos, undo{id: id, title: wording.SessionTitle(session), archived: archived})
	}
	if archived {
		return p.say("Archived, undo takes it back: %s", wording.Quote(wording.SessionTitle(session)))
	}
	return p.say("Out of the archive: %s", wording.Quote(wording.SessionTitle(session)))
}

func (p *plainBrowser) letGo(session store.Session) error {
	if session.Err != nil {
		return p.say("Not possible: %s", wording.Sentence(session.Err))
	}
	g, err := p.browser.deletable(p.ctx, session.ID)
	if err != nil {
		return p.say("Not possible: %s", wording.Sentence(err))
	}
	title := wording.Quote(wording.SessionTitle(session))
	sure, err := p.sure(fmt.Sprintf("Delete %s? %s It goes when you leave this list; until then undo brings it back. Type yes:", title, g.follows()))
	if err != nil || !sure {
		return err
	}
	p.sessionList.letGo(g)
	p.undos = append(p.undos, undo{id: g.ID, title: wording.SessionTitle(session), deleted: true})
	return p.say("Deleted when you leave this list, undo brings it back: %s", title)
}

func (p *plainBrowser) undo(string) error {
	if len(p.undos) == 0 {
		return p.say("There is nothing to undo.")
	}
	last := p.undos[len(p.undos)-1]
	p.undos = p.undos[:len(p.undos)-1]
	if !last.deleted {
		return p.setArchived(last.id, !last.archived, true)
	}
	p.sessionList.bringBack(last.id)
	return p.say("Not deleted: %s", wording.Quote(last.title))
}
