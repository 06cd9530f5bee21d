package retro

import (
	"slices"

	"planb/store/search"
	"planb/tui/screen"
	"planb/tui/wording"
)

// maxHits is the most hits in the list. It bounds the memory of a search for one letter; a
// person with more hits types more words.
const maxHits = 500

// mostExcerpts is how many places of a hit are shown at most if that leaves all hits in view. If it
// does not, at most search.MaxExcerpts are shown.
const mostExcerpts = 12

// searchState is the text, and the hits so far. They are grouped by session, and the
// session that changed last comes first.
type searchState struct {
	text    string // as typed
	problem string // what is wrong with it, or why the search ended early

	hits       []search.Hit
	list       screen.List
	few        bool // there is no room for all places of the hits, so fewer are shown
	sessions   int  // searched in this pass
	older      bool
	unreadable int    // records that could not be searched
	why        string // why the first of them cannot be read
	running    bool
	more       bool // there were more than maxHits
}

// restart begins a search for another text.
func (s *searchState) restart(text string) {
	lines := s.list.Lines
	*s = searchState{text: text}
	s.list.SetLines(lines)
}

// add adds the next hits. The cursor stays on its hit.
func (s *searchState) add(step search.Step) {
	if step.Older != s.older {
		s.older, s.sessions = step.Older, 0
	}
	s.sessions += step.Sessions
	s.unreadable += step.Unreadable
	if s.why == "" {
		s.why = wording.Sentence(step.Why)
	}
	if len(step.Hits) == 0 {
		return
	}
	moved, cursor := false, s.list.Cursor
	fromTop := s.list.FromTop()
	for _, hit := range step.Hits {
		if len(s.hits) == maxHits {
			s.more = true
			break
		}
		at := s.place(hit)
		if at <= cursor && len(s.hits) > 0 {
			cursor++
			moved = true
		}
		s.hits = slices.Insert(s.hits, at, hit)
	}
	s.list.SetRows(s.heights(), cursor)
	if moved {
		s.list.Keep(fromTop)
	}
}

// layOut shows all places of the hits if those lines have room for them.
func (s *searchState) layOut(lines int) {
	s.few = false
	total := 0
	for _, height := range s.heights() {
		total += height
	}
	s.few = total > lines
	s.list.SetLines(lines)
	s.list.SetRows(s.heights(), s.list.Cursor)
}

// shown returns the places of a hit that are shown, and how many there are besides. If only one
// would be left out, it is shown in the row that would say so.
func (s *searchState) shown(hit search.Hit) (list []search.Excerpt, more int) {
	list, more = hit.Excerpts, hit.More
	if s.few && len(list)+more > search.MaxExcerpts+1 {
		most := min(len(list), search.MaxExcerpts)
		list, more = list[:most], more+len(list)-most
	}
	return list, more
}

// place is the index for a hit: behind the hits of its session, or where those would
// begin.
func (s *searchState) place(hit search.Hit) int {
	for i := len(s.hits); i > 0; i-- {
		if before := s.hits[i-1].Session; before.ID == hit.Session.ID || !before.ChangedBefore(hit.Session) {
			return i
		}
	}
	return 0
}

// begins reports whether a hit is the first one of its session.
func (s *searchState) begins(i int) bool {
	return i == 0 || s.hits[i-1].Session.ID != s.hits[i].Session.ID
}

// places counts where a hit has a match.
func places(hit search.Hit) int { return max(len(hit.Excerpts)+hit.More, 1) }

// countSession counts the places in the session that begins with a hit.
func (s *searchState) countSession(first int) int {
	n := places(s.hits[first])
	for i := first + 1; i < len(s.hits) && !s.begins(i); i++ {
		n += places(s.hits[i])
	}
	return n
}

// countSessions counts the sessions that have hits.
func (s *searchState) countSessions() (n int) {
	for i := range s.hits {
		if s.begins(i) {
			n++
		}
	}
	return n
}

// heights are the lines of each row: the hit, its excerpts, how many more there are, and
// for the first one of a session its heading.
func (s *searchState) heights() []int {
	heights := make([]int, len(s.hits))
	for i, hit := range s.hits {
		list, more := s.shown(hit)
		heights[i] = 1 + len(list) + min(more, 1)
		if s.begins(i) {
			heights[i]++
			if i > 0 {
				heights[i]++
			}
		}
	}
	return heights
}

// hit is the one under the cursor.
func (s *searchState) hit() (search.Hit, bool) {
	if s.list.Cursor >= len(s.hits) {
		return search.Hit{}, false
	}
	return s.hits[s.list.Cursor], true
}
