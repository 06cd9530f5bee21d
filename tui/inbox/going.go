package inbox

import (
	"slices"

	"planb/store"
)

// put replaces a session by its newer record. If that moves the session away, the cursor
// goes to the row that takes its place.
func (s *listState) put(session store.Session) {
	i := slices.IndexFunc(s.sessions, func(other store.Session) bool { return other.ID == session.ID })
	if i < 0 {
		return
	}
	at := s.current()
	if at == session.ID {
		at = s.neighbour()
	}
	s.sessions = slices.Clone(s.sessions) // a read may be looking at them
	s.sessions[i] = session
	s.layOut(at)
}

// point puts the cursor on a session, if it is listed.
func (s *listState) point(id string) { s.layOut(id) }

// letGo takes a session off the list, to be deleted later; bringBack puts it there again.
func (s *listState) letGo(g going) {
	at := s.current()
	if at == g.ID {
		at = s.neighbour()
	}
	if s.going == nil {
		s.going = map[string]going{}
	}
	s.going[g.ID] = g
	s.layOut(at)
}

func (s *listState) bringBack(id string) {
	delete(s.going, id)
	s.layOut(id)
}

// neighbour is the id of the row below the cursor, or else of the row above it; empty
// without either.
func (s *listState) neighbour() string {
	for _, next := range []int{s.list.Cursor + 1, s.list.Cursor - 1} {
		if 0 <= next && next < len(s.rows) {
			return s.idOf(s.rows[next])
		}
	}
	return ""
}

// listedSessions is how many sessions have a row.
func (s *listState) listedSessions() (n int) {
	for _, row := range s.rows {
		if !row.waiting && !row.need {
			n++
		}
	}
	return n
}

// archivedCount counts the archived sessions among those that were read.
func (s *listState) archivedCount() (n int) {
	for _, session := range s.sessions {
		if session.InArchive() {
			n++
		}
	}
	return n
}
