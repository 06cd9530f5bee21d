package tui

import (
	"slices"
	"time"

	"planb/store"
	"planb/tui/screen"
)

// sessionsPage is how many sessions are read at a time, and sessionsMany where all
// are wanted: no more, since a writer waits meanwhile. sessionsAhead is how near the end of those that were read the cursor
// comes before more are.
const (
	sessionsPage  = 100
	sessionsMany  = 250
	sessionsAhead = 30
)

// waitingAsk is an open ask with the session it belongs to.
type waitingAsk struct {
	ask     store.Ask
	session store.Session
	live    bool          // an agent's call waits for it
	shown   []store.Claim // of the panes that show it
}

// openForms is what waits in one session.
type openForms struct {
	forms int
	live  bool // an agent's call waits for one of them
}

// sessionsState is the list of what waits and of all sessions: what was read
// so far, the filter, and the cursor.
type sessionsState struct {
	all      []waitingAsk         // what waits
	waiting  []waitingAsk         // the same, if listed: with rows of its own
	open     map[string]openForms // by session
	sessions []store.Session      // newest change first
	next     string               // where more are to be read; empty at the end
	loaded   bool                 // the first page is here
	problem  string               // why not everything could be read
	now      time.Time            // when it was read, or last looked at

	toEnd   bool // the cursor is to go to the very last row, once that was read
	listed  bool // what waits has rows
	follows bool // nobody has moved the cursor from the top

	filter    sessionsFilter
	filtering bool               // keys go into the filter
	texts     map[string]rowText // of sessions, by id

	going map[string]going // sessions that are deleted when the list is left, by id

	rows   []sessionsRow
	list   screen.List
	narrow bool // rows take two lines
}

// sessionsRow is one row: an ask that waits, or a session.
type sessionsRow struct {
	waiting  bool
	asleep   bool // it is snoozed
	archived bool
	index    int
	heading  int // lines of the heading drawn above it
}

// replace takes what was read anew: the sessions at the front, to where next is,
// and perhaps not as many as are listed; those behind them stay. The cursor stays
// on what it was on, whatever comes above it. Only from a session, to which nobody has moved it, it goes to
// the first form that comes in. It reports whether another row has the cursor
// now than the person saw.
func (s *sessionsState) replace(waiting []waitingAsk, sessions []store.Session, next string, now time.Time) (moved bool) {
	at := s.current()
	row, _ := s.row()
	s.open = make(map[string]openForms, len(waiting))
	for _, w := range waiting {
		open := s.open[w.ask.Session]
		s.open[w.ask.Session] = openForms{open.forms + 1, open.live || w.live}
	}
	s.all = waiting
	if s.listed {
		s.waiting = waiting
	}
	sessions, next = s.withTail(distinct(sessions), next)
	s.sessions, s.next, s.loaded, s.now = sessions, next, true, now
	s.layOut(at)
	if at != "" && s.current() != at && row.waiting {
		s.backToWaiting()
	}
	if s.follows && s.filter.text == "" && !row.waiting && len(s.waiting) > 0 {
		s.list.MoveTo(0)
	}
	return at != "" && s.current() != at
}

// withTail puts the sessions that are listed behind the last that was read anew
// behind it, and says where more are to be read then.
func (s *sessionsState) withTail(front []store.Session, next string) ([]store.Session, string) {
	if next == "" || len(front) == 0 {
		return front, next
	}
	last := front[len(front)-1]
	known := make(map[string]bool, len(front))
	for _, session := range front {
		known[session.ID] = true
	}
	whole := front
	for _, session := range s.sessions {
		if !known[session.ID] && session.ChangedBefore(last) {
			whole = append(whole, session)
		}
	}
	if len(whole) == len(front) {
		return front, next
	}
	return whole, s.next
}

// drop takes a form that has just ended out of what waits, so that the key which
// is pressed next opens the one after it.
func (s *sessionsState) drop(id string) {
	without := func(list []waitingAsk) []waitingAsk {
		return slices.DeleteFunc(slices.Clone(list), func(w waitingAsk) bool { return w.ask.ID == id })
	}
	at := s.current()
	s.all, s.waiting = without(s.all), without(s.waiting)
	if at != id {
		s.layOut(at)
		return
	}
	s.layOut("")
	s.backToWaiting()
}

// nap notes that a form was snoozed. The cursor stays where it was, and so comes
// to the next one: it does not follow what was just put off.
func (s *sessionsState) nap(id string, until time.Time) {
	for i := range s.all {
		if s.all[i].ask.ID == id {
			s.all[i].ask.Snoozed = until
		}
	}
	for i := range s.waiting {
		if s.waiting[i].ask.ID == id {
			s.waiting[i].ask.Snoozed = until
		}
	}
	s.layOut("")
	s.backToWaiting()
}

// backToWaiting puts the cursor on the last form that waits, if it slipped below
// them when the one it was on had ended.
func (s *sessionsState) backToWaiting() {
	awake := 0
	for awake < len(s.rows) && s.rows[awake].waiting && !s.rows[awake].asleep {
		awake++
	}
	if awake > 0 && s.list.Cursor >= awake {
		s.list.MoveTo(awake - 1)
	}
}

// look groups what waits anew as time goes by: a snooze may be over.
func (s *sessionsState) look(now time.Time) {
	s.now = now
	s.layOut(s.current())
}

// awake counts what waits and is not snoozed.
func (s *sessionsState) awake() int {
	n := 0
	for _, w := range s.all {
		if !w.ask.Asleep(s.now) {
			n++
		}
	}
	return n
}

// nextWake is when the next snooze is over; zero if none is.
func (s *sessionsState) nextWake() time.Time {
	var next time.Time
	for _, w := range s.waiting {
		if w.ask.Asleep(s.now) && (next.IsZero() || w.ask.Snoozed.Before(next)) {
			next = w.ask.Snoozed
		}
	}
	return next
}

// extend takes a further page. A session that changed between two pages comes
// twice; the newer place is the right one.
func (s *sessionsState) extend(sessions []store.Session, next string) {
	at := s.current()
	if s.filter.text != "" && s.list.Cursor == 0 {
		at = "" // the best match, whichever that is now
	}
	s.sessions, s.next = distinct(append(s.sessions, sessions...)), next
	s.layOut(at)
	if s.toEnd {
		s.list.MoveTo(len(s.rows) - 1)
	}
}

func distinct(sessions []store.Session) []store.Session {
	seen := make(map[string]bool, len(sessions))
	return slices.DeleteFunc(sessions, func(session store.Session) bool {
		again := seen[session.ID]
		seen[session.ID] = true
		return again
	})
}

// setFilter filters by what is typed, from the first row.
func (s *sessionsState) setFilter(filter string, now time.Time) {
	s.filter = newSessionsFilter(filter, now)
	s.layOut("")
}

func (s *sessionsState) setNarrow(narrow bool) {
	if s.narrow != narrow {
		s.narrow = narrow
		s.layOut(s.current())
	}
}

// wantsMore reports whether another page should be read now: the cursor comes
// near the end, or a filter has to see everything.
func (s *sessionsState) wantsMore() bool {
	if !s.loaded || s.next == "" {
		return false
	}
	return s.wantsAll() || s.list.Cursor >= len(s.rows)-sessionsAhead
}

// wantsAll reports whether every session is wanted.
func (s *sessionsState) wantsAll() bool { return s.filter.text != "" || s.toEnd }

// current is the id of what is under the cursor.
func (s *sessionsState) current() string {
	if row, ok := s.row(); ok {
		return s.idOf(row)
	}
	return ""
}

func (s *sessionsState) idOf(row sessionsRow) string {
	if row.waiting {
		return s.waiting[row.index].ask.ID
	}
	return s.sessions[row.index].ID
}

func (s *sessionsState) row() (sessionsRow, bool) {
	if s.list.Cursor >= len(s.rows) {
		return sessionsRow{}, false
	}
	return s.rows[s.list.Cursor], true
}

// layOut makes the rows anew, with the cursor on that id or, without it, where
// it was.
func (s *sessionsState) layOut(at string) {
	cursor, fromTop := s.list.Cursor, s.list.FromTop()
	if s.filter.text != "" && at == "" {
		cursor = 0
	}
	s.rows = s.rows[:0]
	heights := make([]int, 0, len(s.waiting)+len(s.sessions))
	row := 1
	if s.narrow {
		row = 2
	}
	add := func(kind sessionsRow, indexes []int, id func(int) string) {
		for i, index := range indexes {
			r := kind
			r.index = index
			if i == 0 {
				r.heading = 1
				if len(s.rows) > 0 {
					r.heading = 2
				}
			}
			if id(index) == at {
				cursor = len(s.rows)
			}
			s.rows = append(s.rows, r)
			heights = append(heights, row+r.heading)
		}
	}
	asks := s.matching(len(s.waiting), func(i int) bool { return s.takesWaiting(s.waiting[i]) }, s.waitingText)
	awake, asleep := s.apart(asks)
	sessions, archived := s.shelves()
	askID := func(i int) string { return s.waiting[i].ask.ID }
	add(sessionsRow{waiting: true}, awake, askID)
	add(sessionsRow{waiting: true, asleep: true}, asleep, askID)
	sessionID := func(i int) string { return s.sessions[i].ID }
	add(sessionsRow{}, sessions, sessionID)
	add(sessionsRow{archived: true}, archived, sessionID)
	s.list.SetRows(heights, cursor)
	if at != "" && s.list.Top > 0 {
		s.list.Keep(fromTop)
	}
}

// shelves are the sessions that are listed, those in the archive apart: they are
// out of the way, and come up only where something is looked for.
func (s *sessionsState) shelves() (sessions, archived []int) {
	looking := s.filter.text != ""
	all := s.matching(len(s.sessions), func(i int) bool {
		session := s.sessions[i]
		_, goes := s.going[session.ID]
		return !goes && (looking || !session.InArchive()) && s.takesSession(session)
	}, s.sessionText)
	for _, i := range all {
		if s.sessions[i].InArchive() {
			archived = append(archived, i)
		} else {
			sessions = append(sessions, i)
		}
	}
	return sessions, archived
}

// apart parts what waits from what is snoozed, which comes in the order in which
// it wakes.
func (s *sessionsState) apart(asks []int) (awake, asleep []int) {
	for _, i := range asks {
		if s.waiting[i].ask.Asleep(s.now) {
			asleep = append(asleep, i)
		} else {
			awake = append(awake, i)
		}
	}
	slices.SortStableFunc(asleep, func(a, b int) int {
		return s.waiting[a].ask.Snoozed.Compare(s.waiting[b].ask.Snoozed)
	})
	return awake, asleep
}
