package inbox

import (
	"context"
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// How a person keeps the list in order: what is over goes into the archive, and
// what was a mistake is deleted. Both can be undone. A deletion happens when the
// list is left; until then nothing is written, so that whatever ends this program
// before leaves the session as it was.

// tidier archives and deletes sessions.
type tidier interface {
	Archive(ctx context.Context, id string, archived bool) (store.Session, error)
	Deletable(ctx context.Context, id string) (store.Deletable, error)
	Delete(ctx context.Context, seen store.Session, gone func(store.Gone) error) error
}

// Copies are readable copies of plans, which lie outside the store.
type Copies interface {
	// Of says how many there are of a session's plans, and in which directory.
	Of(session string) (n int, dir string, err error)
	// Remove deletes those of a session that is gone from the store.
	Remove(gone store.Gone) error
}

// going is a session that is about to be deleted, with what hangs on it.
type going struct {
	store.Deletable
	copies int
	dir    string
}

// Messages to the list that a session was archived, or looked at to be deleted.
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

// undo takes back what was done to one session.
type undo struct {
	id, title string
	deleted   bool // else it was archived, or taken back
	archived  bool
}

// underCursor is the session that is to be put in order.
func (l *Screen) underCursor() (store.Session, bool) {
	row, ok := l.state.row()
	switch {
	case !ok:
		return store.Session{}, false
	case row.waiting:
		l.status = "Only sessions can be archived or deleted; this is a form that waits for you."
		return store.Session{}, false
	}
	session := l.state.sessions[row.index]
	if session.Err != nil {
		l.status = "Not possible: " + wording.Sentence(session.Err)
		return store.Session{}, false
	}
	return session, true
}

// archive puts the session under the cursor into the archive, or takes it back.
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
		l.status = "Archived" + keymap.Tells(l.keys, ", ", keymap.Undo, " undoes it") + ": " + wording.Quote(title)
	}
	l.here = true
	l.layOut()
	return l.more()
}

// remove looks what hangs on the session under the cursor, to ask whether all of
// it is to be deleted.
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

// deletable is what hangs on a session that is to be deleted. The error says why it
// cannot be.
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

// looked asks whether the session is to be deleted, unless it cannot be.
func (l *Screen) looked(msg deletionLooked) tea.Cmd {
	switch g := msg.going; {
	case msg.err != nil:
		l.status = "Not possible: " + wording.Sentence(msg.err)
	case l.prompt == nil:
		l.prompt = &prompt{delete: &g, act: keymap.Delete, keys: withBack(l.keys, keymap.Deleting())}
		l.layOut()
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
	switch dir := safe.New(g.dir).Line(); {
	case g.copies == 1:
		with = append(with, "a readable copy in "+dir)
	case g.copies > 1:
		with = append(with, fmt.Sprintf("%d readable copies in %s", g.copies, dir))
	}
	text := "Nothing else hangs on it."
	if len(with) > 0 {
		text = "What goes with it: " + wording.List(with) + "."
	}
	if g.Undelivered > 0 {
		text += fmt.Sprintf(" No agent was told of %s, and none will be.", wording.Count(g.Undelivered, "answer"))
	}
	return text
}

// letGo takes a session from the list, to delete it when the list is left.
func (l *Screen) letGo(g going) {
	l.state.letGo(g)
	l.undos = append(l.undos, undo{id: g.ID, title: wording.SessionTitle(g.Session), deleted: true})
	l.status = "Deleted when you leave" + keymap.Tells(l.keys, ", ", keymap.Undo, " undoes it") + ": " + wording.Quote(wording.SessionTitle(g.Session))
	l.layOut()
}

// undo takes back what was done last.
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

// checkGoing brings back what has changed since it was let go: whoever did that
// still needs it.
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

// deleteGoing deletes what was let go, and says so.
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
		case errors.As(err, &unknown): // by somebody else
		case errors.Is(err, store.ErrChanged):
			parting = append(parting, "Not deleted, because something changed in it: "+wording.Quote(u.title))
		default:
			errs = append(errs, fmt.Errorf("deleting %s: %w", wording.Quote(u.title), err))
		}
	}
	return parting, errors.Join(errs...)
}
