package inbox

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/screen"
	"planb/tui/wording"
)

// A person archives what is over and deletes what was a mistake, and can undo both. A session
// is deleted when the list is closed. Until then nothing is written, so if the program dies
// the session is still there.

// tidier archives and deletes sessions.
type tidier interface {
	Archive(ctx context.Context, id string, archived bool) (store.Session, error)
	Deletable(ctx context.Context, id string) (store.Deletable, error)
	Delete(ctx context.Context, seen store.Session, gone func(store.Gone) error) error
}

// Copies are the readable copies of plans outside the store.
type Copies interface {
	// Of returns how many copies of the plans of a session there are, and their directory.
	Of(session string) (n int, dir string, err error)
	// Remove deletes the copies of a session that is gone from the store.
	Remove(gone store.Gone) error
}

// going is a session to delete, with what belongs to it.
type going struct {
	store.Deletable
	copies int
	dir    string
}

// Messages to the list about archiving and deleting.
type (
	sessionArchived struct {
		list     *Screen
		id       string
		session  store.Session
		archived bool
		undoes   bool
		err      error
	}
	deletionLooked struct {
		list  *Screen
		going going
		err   error
	}
)

func (m sessionArchived) owner() *Screen { return m.list }
func (m deletionLooked) owner() *Screen  { return m.list }

// undo is one thing that was done to a session and can be undone.
type undo struct {
	id, title string
	deleted   bool // else it was archived or taken back from the archive
	archived  bool
}

// underCursor returns the session to archive or delete. If the row is not a session, ok is
// false, and the status says so.
func (l *Screen) underCursor() (store.Session, bool) {
	row, ok := l.state.row()
	switch {
	case !ok:
		return store.Session{}, false
	case row.waiting:
		l.status = "Only sessions can be archived or deleted; this is a form that waits for you."
		return store.Session{}, false
	case row.need:
		l.status = "Only sessions can be archived or deleted; this is " + l.state.needs[row.index].Kind.what() + "."
		return store.Session{}, false
	}
	session := l.state.sessions[row.index]
	if session.Err != nil {
		l.status = "Not possible: " + wording.Sentence(session.Err)
		return store.Session{}, false
	}
	return session, true
}

// archive archives the session under the cursor, or takes it back from the archive.
func (l *Screen) archive() tea.Cmd {
	session, ok := l.underCursor()
	if !ok {
		return nil
	}
	return l.setArchived(session.ID, !session.InArchive(), false)
}

func (l *Screen) setArchived(id string, archived, undoes bool) tea.Cmd {
	d := l.deps
	return screen.Within(func(ctx context.Context) tea.Msg {
		session, err := d.Store.Archive(ctx, id, archived)
		return sessionArchived{l, id, session, archived, undoes, err}
	})
}

func (l *Screen) archived(msg sessionArchived) tea.Cmd {
	if msg.err != nil {
		l.status = "Not done: " + wording.Sentence(msg.err)
		return nil
	}
	title := wording.SessionTitle(msg.session)
	l.state.put(msg.session)
	switch {
	case msg.undoes:
		l.state.point(msg.id)
	default:
		l.undos = append(l.undos, undo{id: msg.id, title: title, archived: msg.archived})
	}
	l.status = "Out of the archive: " + wording.Quote(title)
	if msg.archived {
		l.status = "Archived: " + wording.Quote(title)
	}
	l.here = true
	l.layOut()
	return l.more()
}

// remove finds out what would be deleted with the session under the cursor, to ask the
// person.
func (l *Screen) remove() tea.Cmd {
	session, ok := l.underCursor()
	if !ok {
		return nil
	}
	d := l.deps
	return screen.Within(func(ctx context.Context) tea.Msg {
		g, err := d.deletable(ctx, session.ID)
		return deletionLooked{l, g, err}
	})
}

// deletable returns what would be deleted with a session. The error says why it cannot be
// deleted.
func (d Deps) deletable(ctx context.Context, id string) (g going, err error) {
	if g.Deletable, err = d.Store.Deletable(ctx, id); err != nil {
		return g, err
	}
	if g.Open > 0 {
		return g, fmt.Errorf("something waits for an answer: %s. Answer or withdraw first", wording.Count(g.Open, "form"))
	}
	if d.Copies != nil {
		g.copies, g.dir, err = d.Copies.Of(id)
	}
	return g, err
}

// looked asks the person whether to delete the session, or says why that is impossible.
func (l *Screen) looked(msg deletionLooked) tea.Cmd {
	switch g := msg.going; {
	case msg.err != nil:
		l.status = "Not possible: " + wording.Sentence(msg.err)
	case l.asked == nil:
		l.askDelete(g)
	}
	return nil
}

// follows says what is lost with the session.
func (g going) follows() string {
	var with []string
	if g.Asks > 0 {
		with = append(with, wording.Count(g.Asks, "form")+" with what was answered")
	}
	if g.Plans > 0 {
		with = append(with, wording.Count(g.Plans, "plan version"))
	}
	if g.Drafts > 0 {
		with = append(with, wording.Count(g.Drafts, "draft")+" with all that was written")
	}
	switch dir := safe.New(g.dir).Line(); {
	case g.copies == 1:
		with = append(with, "a readable copy in "+dir)
	case g.copies > 1:
		with = append(with, fmt.Sprintf("%d readable copies in %s", g.copies, dir))
	}
	text := "Nothing else is deleted with it."
	if len(with) > 0 {
		text = "What goes with it: " + wording.List(with) + "."
	}
	if g.Undelivered > 0 {
		text += fmt.Sprintf(" No agent was told of %s, and none will be.", wording.Count(g.Undelivered, "answer"))
	}
	return text
}

// letGo takes a session off the list; it is deleted when the list is closed.
func (l *Screen) letGo(g going) {
	l.state.letGo(g)
	l.undos = append(l.undos, undo{id: g.ID, title: wording.SessionTitle(g.Session), deleted: true})
	l.status = "Deleted when you leave: " + wording.Quote(wording.SessionTitle(g.Session))
	l.layOut()
}

// undo undoes the last thing that was done.
func (l *Screen) undo() tea.Cmd {
	if len(l.undos) == 0 {
		l.status = "There is nothing to undo."
		return nil
	}
	last := l.undos[len(l.undos)-1]
	l.undos = l.undos[:len(l.undos)-1]
	if !last.deleted {
		return l.setArchived(last.id, !last.archived, true)
	}
	l.state.bringBack(last.id)
	l.status = "Not deleted: " + wording.Quote(last.title)
	l.layOut()
	return nil
}

// checkGoing keeps a session that changed since the person deleted it, because somebody
// still uses it.
func (l *Screen) checkGoing() {
	for _, session := range l.state.sessions {
		g, goes := l.state.going[session.ID]
		if !goes || session.Updated.Equal(g.Updated) {
			continue
		}
		l.state.bringBack(session.ID)
		l.status = "Not deleted, because something changed in it: " + wording.Quote(wording.SessionTitle(session))
		for i, u := range l.undos {
			if u.deleted && u.id == session.ID {
				l.undos = append(l.undos[:i:i], l.undos[i+1:]...)
				break
			}
		}
		l.layOut()
	}
}

// deleteGoing deletes the sessions that were let go, and returns lines that say so.
func (d Deps) deleteGoing(ctx context.Context, undos []undo, list map[string]going) (parting []string, err error) {
	var errs []error
	for _, u := range undos {
		g, goes := list[u.id]
		if !u.deleted || !goes {
			continue
		}
		var remove func(store.Gone) error
		if d.Copies != nil {
			remove = d.Copies.Remove
		}
		err := d.Store.Delete(ctx, g.Session, remove)
		switch unknown := new(store.UnknownError); {
		case err == nil:
			parting = append(parting, "Deleted: "+wording.Quote(u.title))
		case errors.As(err, &unknown): // another program has deleted it
		case errors.Is(err, store.ErrChanged):
			parting = append(parting, "Not deleted, because something changed in it: "+wording.Quote(u.title))
		default:
			errs = append(errs, fmt.Errorf("deleting %s: %w", wording.Quote(u.title), err))
		}
	}
	return parting, errors.Join(errs...)
}
