package inbox

import (
	"slices"
	"time"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/store"
	"planb/tui/screen"
	"planb/tui/wording"
)

// Sizes of what is read at a time: pageSize sessions, or largePage where all are needed. A
// larger page would make a writer wait. The next page is read when the cursor is
// readAhead rows before the end.
const (
	pageSize  = 100
	largePage = 250
	readAhead = 30
)

// openForms is what waits in one session.
type openForms struct {
	forms   int
	live    bool // an agent's call waits for one of them
	overdue bool // the time of one of them is over
}

// listState is the list of what waits and of all sessions: what was read
// so far, the filter, and the cursor.
type listState struct {
	all      []Waiting            // what waits
	waiting  []Waiting            // the same, if it is listed; else nil
	needs    []Need               // what else needs the person
	open     map[string]openForms // by session
	sessions []store.Session      // newest change first
	next     string               // where the next page begins; empty at the end
	loaded   bool                 // the first page is here
	problem  string               // why not everything could be read
	now      time.Time            // of the last read or look

	toEnd   bool // the cursor goes to the last row as soon as that was read
	listed  bool // what waits is listed, not the sessions alone
	follows bool // the person has not moved the cursor from the top

	filter    listFilter
	filtering bool               // keys go into the filter
	texts     map[string]rowText // of sessions, by id

	going map[string]going // sessions to delete when the list is closed, by id

	rows []item
	list screen.List
	tall bool // sessions take two lines, as forms do

	widest columns // of the listed sessions
}

// item is one row: a form that waits, what else needs the person, or a session.
type item struct {
	waiting  bool
	need     bool // it is a plan of tasks or a draft that needs the person
	asleep   bool // it is snoozed
	archived bool
	index    int
	lines    int // without its heading
	heading  int // lines of the heading drawn above it
	section  int // how many rows the section has that begins with it
}

// replace shows what was read anew: what waits, what else needs the person, and the sessions at
// the front of the list.
// Sessions behind them stay. The cursor stays on its row. Only if the person has not moved
// it and it stands on a session, it goes to the first form that comes in. Replace reports
// whether the cursor is on another row now.
func (s *listState) replace(waiting []Waiting, needs []Need, sessions []store.Session, next string, now time.Time) (moved bool) {
	at := s.current() // by what the rows were made of
	row, _ := s.row()
	s.open = make(map[string]openForms, len(waiting))
	for _, w := range waiting {
		open := s.open[w.Ask.Session]
		s.open[w.Ask.Session] = openForms{
			forms: open.forms + 1, live: open.live || w.Live,
			overdue: open.overdue || w.Ask.Outcome.State == questions.Expired,
		}
	}
	s.all, s.needs = waiting, needs
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

// withTail appends the listed sessions that stand behind those read anew, and returns
// where the next page begins.
func (s *listState) withTail(front []store.Session, next string) ([]store.Session, string) {
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

// drop removes the form of an ask that has just ended, so that the next key acts on the
// form after it.
func (s *listState) drop(id string) {
	without := func(list []Waiting) []Waiting {
		return slices.DeleteFunc(slices.Clone(list), func(w Waiting) bool { return w.Ask.ID == id })
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

// nap notes that a form was snoozed. The cursor stays at its place in the list, and so
// comes to the next form.
func (s *listState) nap(id string, until time.Time) {
	for i := range s.all {
		if s.all[i].Ask.ID == id {
			s.all[i].Ask.Snoozed = until
		}
	}
	for i := range s.waiting {
		if s.waiting[i].Ask.ID == id {
			s.waiting[i].Ask.Snoozed = until
		}
	}
	s.layOut("")
	s.backToWaiting()
}

// backToWaiting puts the cursor on the last form that waits, if the end of a form has
// moved it below all of them.
func (s *listState) backToWaiting() {
	awake := 0
	for awake < len(s.rows) && s.rows[awake].waiting && !s.rows[awake].asleep {
		awake++
	}
	if awake > 0 && s.list.Cursor >= awake {
		s.list.MoveTo(awake - 1)
	}
}

// look sorts what waits for a later time, at which a snooze may be over.
func (s *listState) look(now time.Time) {
	s.now = now
	s.layOut(s.current())
}

// awake counts what waits and is not snoozed.
func (s *listState) awake() int {
	n := 0
	for _, w := range s.all {
		if !w.Ask.Asleep(s.now) {
			n++
		}
	}
	return n
}

// nextWake is when the next snooze ends; zero if nothing is snoozed.
func (s *listState) nextWake() time.Time {
	var next time.Time
	for _, w := range s.waiting {
		if w.Ask.Asleep(s.now) && (next.IsZero() || w.Ask.Snoozed.Before(next)) {
			next = w.Ask.Snoozed
		}
	}
	return next
}

// extend appends a page. A session that changed between two pages comes twice; its first
// place is the right one.
func (s *listState) extend(sessions []store.Session, next string) {
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

// setFilter narrows the list, and goes to its first row.
func (s *listState) setFilter(filter string, now time.Time) {
	s.filter = parseFilter(filter, now)
	s.layOut("")
}

func (s *listState) setTall(tall bool) {
	if s.tall != tall {
		s.tall = tall
		s.layOut(s.current())
	}
}

// wantsMore reports whether the next page is needed now: the cursor comes near the end, or
// a filter needs all sessions.
func (s *listState) wantsMore() bool {
	if !s.loaded || s.next == "" {
		return false
	}
	return s.wantsAll() || s.list.Cursor >= len(s.rows)-readAhead
}

// wantsAll reports whether all sessions are needed.
func (s *listState) wantsAll() bool { return s.filter.text != "" || s.toEnd }

// current is the id of the row under the cursor.
func (s *listState) current() string {
	if row, ok := s.row(); ok {
		return s.idOf(row)
	}
	return ""
}

func (s *listState) idOf(row item) string {
	switch {
	case row.waiting:
		return s.waiting[row.index].Ask.ID
	case row.need:
		return s.needs[row.index].ID
	}
	return s.sessions[row.index].ID
}

func (s *listState) row() (item, bool) {
	if s.list.Cursor >= len(s.rows) {
		return item{}, false
	}
	return s.rows[s.list.Cursor], true
}

// layOut makes the rows anew. The cursor goes to the row with the id at, or stays where it
// is if at is empty.
func (s *listState) layOut(at string) {
	cursor, fromTop := s.list.Cursor, s.list.FromTop()
	if s.filter.text != "" && at == "" {
		cursor = 0
	}
	s.rows = s.rows[:0]
	heights := make([]int, 0, len(s.waiting)+len(s.sessions))
	add := func(kind item, indexes []int, id func(int) string) {
		for i, index := range indexes {
			r := kind
			r.index, r.lines = index, 1
			if r.waiting || r.need || s.tall {
				r.lines = 2
			}
			if i == 0 {
				r.heading, r.section = 1, len(indexes)
				if len(s.rows) > 0 {
					r.heading = 2
				}
			}
			if id(index) == at {
				cursor = len(s.rows)
			}
			s.rows = append(s.rows, r)
			heights = append(heights, r.lines+r.heading)
		}
	}
	asks := s.matching(len(s.waiting), func(i int) bool { return s.passesWaiting(s.waiting[i]) }, s.waitingText)
	awake, asleep := s.apart(asks)
	sessions, archived := s.shelves()
	askID := func(i int) string { return s.waiting[i].Ask.ID }
	add(item{waiting: true}, awake, askID)
	add(item{need: true}, s.matching(len(s.needs), s.passesNeed, s.needText), func(i int) string { return s.needs[i].ID })
	add(item{waiting: true, asleep: true}, asleep, askID)
	s.measure(sessions, archived)
	sessionID := func(i int) string { return s.sessions[i].ID }
	add(item{}, sessions, sessionID)
	add(item{archived: true}, archived, sessionID)
	s.list.SetRows(heights, cursor)
	if at != "" && s.list.Top > 0 {
		s.list.Keep(fromTop)
	}
}

// measure finds how wide the columns of the listed sessions have to be.
func (s *listState) measure(shelves ...[]int) {
	s.widest = columns{}
	for _, i := range slices.Concat(shelves...) {
		session := s.sessions[i]
		s.widest.counts = max(s.widest.counts, ansi.StringWidth(sessionCounts(session, s.open[session.ID].forms)))
		s.widest.fewer = max(s.widest.fewer, ansi.StringWidth(sessionCounts(session, 0)))
		s.widest.project = max(s.widest.project, ansi.StringWidth(wording.ProjectName(session)))
		s.widest.when = max(s.widest.when, ansi.StringWidth(ago(session.Updated, s.now)))
	}
}

// shelves are the sessions to list, and apart from them the archived ones, which are
// listed only while a filter is set.
func (s *listState) shelves() (sessions, archived []int) {
	looking := s.filter.text != ""
	all := s.matching(len(s.sessions), func(i int) bool {
		session := s.sessions[i]
		_, goes := s.going[session.ID]
		return !goes && (looking || !session.InArchive()) && s.passesSession(session)
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

// apart separates what is awake from what is snoozed. The snoozed forms come in the order
// in which their snooze ends.
func (s *listState) apart(asks []int) (awake, asleep []int) {
	for _, i := range asks {
		if s.waiting[i].Ask.Asleep(s.now) {
			asleep = append(asleep, i)
		} else {
			awake = append(awake, i)
		}
	}
	slices.SortStableFunc(asleep, func(a, b int) int {
		return s.waiting[a].Ask.Snoozed.Compare(s.waiting[b].Ask.Snoozed)
	})
	return awake, asleep
}
