package retro

import (
	"strings"
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/tui/keymap"
	"planb/tui/preview"
	"planb/tui/screen"
	"planb/tui/wording"
)

// storyState is the story on the screen: its rows, and what was read for some of its events.
type storyState struct {
	story    *timeline.Story // nil until it was read
	unfolded bool            // every event has a row of its own
	folds    bool            // folding takes the row of some events
	rows     []int           // the events that have a row, by their place in the story
	rowOf    []int           // by event: its row, or the row that it is folded into
	list     screen.List
	days     []string // above the rows that begin a day; else empty
	says     bool     // what a person said stands below the row
	// follows keeps the cursor on the last event while others come in. It holds
	// until the person moves away from there.
	follows bool

	details map[int]timeline.Detail // of the versions looked into, by number
	cited   map[string][]citedIn    // by ask: where plans cite it, newest version first
	specs   map[string]known[questions.Spec]
	heads   map[int]known[safe.Text] // the first lines of versions
}

// known is something that was read, or why it cannot be.
type known[T any] struct {
	value T
	err   error
}

// citedIn is a place in a plan that cites an ask.
type citedIn struct {
	timeline.Citation
	plan int
}

// maxKnown is how many forms and plans are kept after they were shown.
const maxKnown = 64

func newStoryState() storyState {
	return storyState{
		follows: true,
		details: map[int]timeline.Detail{}, cited: map[string][]citedIn{},
		specs: map[string]known[questions.Spec]{}, heads: map[int]known[safe.Text]{},
	}
}

// setStory shows a story that was read anew. The cursor stays on its event, and the event
// stays where it is on the screen.
func (s *storyState) setStory(story *timeline.Story, now time.Time) {
	here, had := s.event()
	fromTop := s.list.FromTop()
	s.story = story
	s.layOut(now)
	place, found := story.Find(here.ID)
	switch {
	case s.follows || !had:
		s.moveTo(len(story.Events) - 1)
	case found:
		s.moveTo(place)
	}
	s.list.Keep(fromTop)
}

// layOut makes the rows. The first row of each day has the date above it, and above that a
// blank line, except at the start of the list.
func (s *storyState) layOut(now time.Time) {
	if s.story == nil {
		return
	}
	s.fold()
	heights := make([]int, len(s.rows))
	s.days = make([]string, len(heights))
	last := ""
	for i, place := range s.rows {
		e := s.story.Events[place]
		heights[i] = 1
		if day := dayOf(e.At, now); day != "" && day != last {
			s.days[i], last = day, day
			if heights[i]++; i > 0 {
				heights[i]++
			}
		}
		if s.said(e) != "" {
			heights[i]++
		}
	}
	s.list.SetRows(heights, s.list.Cursor)
}

// dayOutOfView is the day of the first row in view if its heading is scrolled away; else
// empty.
func (s *storyState) dayOutOfView() string {
	first, ok := s.list.RowAt(0)
	if !ok {
		return ""
	}
	if s.days[first] != "" {
		inView, whole := 0, 2 // lines of the row, and from its heading on
		for at, ok := first, true; ok && at == first; at, ok = s.list.RowAt(inView) {
			inView++
		}
		if s.said(s.story.Events[s.rows[first]]) != "" {
			whole++
		}
		if inView >= whole {
			return ""
		}
	}
	for i := first; i >= 0; i-- {
		if s.days[i] != "" {
			return s.days[i]
		}
	}
	return ""
}

// firstInView reports whether no row above this one is in view.
func (s *storyState) firstInView(row int) bool {
	first, ok := s.list.RowAt(0)
	return ok && row <= first
}

// fold finds the events that have a row.
func (s *storyState) fold() {
	s.rows, s.rowOf, s.folds = nil, make([]int, len(s.story.Events)), false
	for place := range s.story.Events {
		_, tellable := s.toldBy(place)
		s.folds = s.folds || tellable
		if s.unfolded || !tellable {
			s.rowOf[place] = len(s.rows)
			s.rows = append(s.rows, place)
		}
	}
	for place := range s.story.Events {
		if into, tellable := s.toldBy(place); tellable && !s.unfolded {
			s.rowOf[place] = s.rowOf[into]
		}
	}
}

// toldBy returns the place of the event whose row can also tell the event at a place: the row of an
// outcome also tells when the form was shown, and when an agent fetched the answer.
func (s *storyState) toldBy(place int) (outcome int, ok bool) {
	e := s.story.Events[place]
	if e.Kind != timeline.Shown && e.Kind != timeline.Delivered {
		return 0, false
	}
	outcome, ok = s.story.FindAsk(e.Ask)
	return outcome, ok && s.story.Events[outcome].Kind.State() != ""
}

// toggleFold gives every event a row of its own, or folds them again. The cursor stays on its
// event.
func (s *storyState) toggleFold(now time.Time) {
	place, fromTop := s.place(), s.list.FromTop()
	s.unfolded = !s.unfolded
	s.layOut(now)
	s.moveTo(place)
	s.list.Keep(fromTop)
	s.noteMove()
}

// dayOf names the day of a time; empty for the zero time.
func dayOf(at, now time.Time) string {
	at = at.In(now.Location())
	switch {
	case at.IsZero():
		return ""
	case wording.SameDay(at, now):
		return "Today"
	case wording.SameDay(at, now.AddDate(0, 0, -1)):
		return "Yesterday"
	case at.Year() == now.Year():
		return at.Format("Monday 2 January")
	}
	return at.Format("Monday 2 January 2006")
}

// place is where the event under the cursor is in the story.
func (s *storyState) place() int {
	if s.list.Cursor >= len(s.rows) {
		return 0
	}
	return s.rows[s.list.Cursor]
}

// moveTo puts the cursor on the row of an event.
func (s *storyState) moveTo(place int) {
	if place >= 0 && place < len(s.rowOf) {
		s.list.MoveTo(s.rowOf[place])
	}
}

// event is the one under the cursor.
func (s *storyState) event() (timeline.Event, bool) {
	if s.story == nil || s.list.Cursor >= len(s.rows) {
		return timeline.Event{}, false
	}
	return s.story.Events[s.place()], true
}

// move handles the keys that move the cursor.
func (s *storyState) move(act keymap.Action) bool {
	switch act {
	case keymap.Older:
		s.toVersion(-1)
	case keymap.Newer:
		s.toVersion(1)
	default:
		if !s.list.Act(act) {
			return false
		}
	}
	s.noteMove()
	return true
}

// noteMove notes whether the cursor is on the last event, and so follows the story.
func (s *storyState) noteMove() {
	s.follows = s.story == nil || s.list.Cursor == len(s.rows)-1
}

// toVersion goes to the next saved version in a direction.
func (s *storyState) toVersion(by int) {
	if place, ok := s.version(by); ok {
		s.moveTo(place)
	}
}

// version is the place of the next saved version in a direction.
func (s *storyState) version(by int) (place int, ok bool) {
	if s.story == nil {
		return 0, false
	}
	for i := s.place() + by; i >= 0 && i < len(s.story.Events); i += by {
		if s.story.Events[i].Kind == timeline.Planned {
			return i, true
		}
	}
	return 0, false
}

// hasChanges reports whether there is a version before the one that the event under the cursor is
// about; see planAt.
func (s *storyState) hasChanges() bool {
	before, _ := store.PlanBefore(s.story.Plans, s.planAt(s.place()))
	return before > 0
}

// said is the text below a row: what a person wrote with an outcome, or why a record
// cannot be read. It is empty where the panel says that.
func (s *storyState) said(e timeline.Event) string {
	if !s.says {
		return ""
	}
	if e.Err != nil {
		return wording.Sentence(e.Err)
	}
	ask, ok := s.story.Ask(e.Ask)
	if !ok {
		return ""
	}
	if e.Kind == timeline.TooLate {
		return wording.TooLateLine(ask, ask.TooLate[e.TooLate], "")
	}
	if !e.Reply() {
		return ""
	}
	var said []string
	for _, text := range []safe.Text{ask.Outcome.Message, ask.Outcome.Reply.Note} {
		if !text.Blank() {
			said = append(said, text.Line())
		}
	}
	return strings.Join(said, " · ")
}

// outcome returns the outcome that an event is about: the outcome of its ask, or a
// reply that came too late. ok is false for other events.
func (s *storyState) outcome(e timeline.Event) (questions.Outcome, bool) {
	ask, ok := s.story.Ask(e.Ask)
	switch {
	case !ok || e.Err != nil:
		return questions.Outcome{}, false
	case e.Kind == timeline.TooLate:
		return ask.TooLate[e.TooLate], true
	}
	return ask.Outcome, e.Reply() || e.Kind == timeline.Withdrawn || e.Kind == timeline.Delivered
}

// planAt is the version that an event is about, or else the latest at its time; 0 if there
// was none.
func (s *storyState) planAt(place int) int {
	if place >= 0 && place < len(s.story.Events) {
		if about := s.story.Events[place].Reviews; about > 0 {
			return about
		}
	}
	for i := min(place, len(s.story.Events)-1); i >= 0; i-- {
		if e := s.story.Events[i]; e.Kind == timeline.Planned {
			return e.Plan
		}
	}
	return 0
}

// planName is the title of a version, else its first heading; empty while neither is
// known.
func (s *storyState) planName(number int) string {
	plan, _ := s.story.Plan(number)
	detail, looked := s.details[number]
	switch {
	case !plan.Title.Blank():
		return plan.Title.Line()
	case !looked || plan.Err != nil || detail.Err != nil:
		return ""
	case detail.Heading.Blank():
		return questions.Untitled
	}
	return shortHeading(detail.Heading)
}

// unknownVersions are the versions whose details are not known yet.
func (s *storyState) unknownVersions() (numbers []int) {
	if s.story == nil {
		return nil
	}
	for _, plan := range s.story.Plans {
		if _, ok := s.details[plan.Number]; !ok {
			numbers = append(numbers, plan.Number)
		}
	}
	return numbers
}

func (s *storyState) addDetail(detail timeline.Detail) {
	s.details[detail.Plan] = detail
	for _, c := range detail.Citations {
		if c.Ask != "" {
			s.cited[c.Ask] = insertCitation(s.cited[c.Ask], citedIn{c, detail.Plan})
		}
	}
}

// missed notes that the details of versions cannot be found because the versions are gone.
func (s *storyState) missed(numbers []int) {
	for _, number := range numbers {
		if _, ok := s.details[number]; !ok {
			s.details[number] = timeline.Detail{Plan: number}
		}
	}
}

// insertCitation keeps the places in the newest version first, and the places in one
// version in their order.
func insertCitation(list []citedIn, c citedIn) []citedIn {
	at := len(list)
	for at > 0 && list[at-1].plan < c.plan {
		at--
	}
	list = append(list, citedIn{})
	copy(list[at+1:], list[at:])
	list[at] = c
	return list
}

func (s *storyState) addSpec(ask store.Ask, id string, err error) {
	if len(s.specs) >= maxKnown {
		clear(s.specs)
	}
	s.specs[id] = known[questions.Spec]{ask.Spec, err}
}

func (s *storyState) addHead(number int, text safe.Text, err error) {
	if len(s.heads) >= maxKnown {
		clear(s.heads)
	}
	s.heads[number] = known[safe.Text]{preview.Head(text), err}
}
