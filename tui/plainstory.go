package tui

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"planb/plans"
	"planb/plans/diff"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/tui/editor/external"
	"planb/tui/keymap"
	"planb/tui/screen"
	"planb/tui/wording"
)

// plainStory is one session as a story in plain lines.
type plainStory struct {
	*plainBrowser
	session store.Session
	state   storyState
	events  []int // places in the story of what is told, by their numbers
	told    int   // the first of them that was told
}

// session tells what happened in a session until the person leaves it.
func (p *plainBrowser) session(session store.Session) error {
	s := &plainStory{plainBrowser: p, session: session}
	if err := s.read(); err != nil {
		return err
	}
	if err := s.begin(); err != nil {
		return err
	}
	words := s.words()
	for {
		typed, err := p.prompt("Session", "A number reads that out, plan or v and a number that version, leave goes back, help tells of the rest:")
		if err != nil {
			return err
		}
		if number, ok := strings.CutPrefix(strings.ToLower(typed), "v"); ok {
			if _, err := strconv.Atoi(number); err == nil {
				typed = "plan " + number
			}
		}
		if err := p.goTo(typed, s.open, words); err != nil {
			return err
		}
	}
}

// visit is session on the way through others: one that cannot be read, or is gone, ends
// nothing else.
func (p *plainBrowser) visit(session store.Session) error {
	err := unlessLater(p.session(session))
	if unknown := new(store.UnknownError); errors.As(err, &unknown) || store.AboutOneRecord(err) {
		return p.done(err, "")
	}
	return err
}

func (s *plainStory) words() plainWords[plainGoing] {
	words := plainWords[plainGoing]{
		{name: "earlier", does: "tells what happened before", do: s.earlier},
		{name: "again", does: "tells what happened last again, as it is now", do: s.again},
		{name: "all", does: "reads out every form with its answers", do: s.all},
		{name: "plan", short: "v", takes: "and a number", does: "reads out that version of the plan; alone, the last one", do: s.plan},
		{name: "outline", takes: "and a version's number", does: "lists its headings", do: s.outline},
		{name: "changes", takes: "and a version's number, or two", does: "says what changed in it, or between the two; alone, in the last one", do: s.changes},
		{name: "led", takes: "and a number of the story", does: "says what led to that, or where that led", do: s.led},
		{name: "edit", takes: "and a number of the story", does: "opens a copy of that in your $VISUAL or $EDITOR", do: s.edit},
		leaving("goes back"),
	}
	words = append(words, s.helping("A number of the story reads that out. "+s.command()+" export "+store.ShortID(s.session.ID)+" --to story.html writes all of it to a file.", &words))
	return words
}

// read reads the story and what the plan's versions tell of themselves.
func (s *plainStory) read() error {
	ctx, cancel := context.WithTimeout(s.ctx, screen.StorePatience)
	defer cancel()
	story, err := timeline.Read(ctx, s.Store, s.session.ID)
	if err != nil {
		return err
	}
	s.session, s.state = story.Session, newStoryState()
	s.state.setStory(story, s.browser.now())
	s.events = nil
	for i, e := range story.Events {
		if e.Err != nil || !kindWords(e).minor {
			s.events = append(s.events, i)
		}
	}
	s.told = len(s.events)
	for detail, err := range story.Details(ctx, s.Store, s.state.unknownVersions()...) {
		if err != nil {
			return s.say("What the versions of the plan changed cannot be told: %s", wording.Sentence(err))
		}
		s.state.addDetail(detail)
	}
	return nil
}

// begin says what the session is, and what happened last.
func (s *plainStory) begin() error {
	lines := []string{"", commas(wording.SessionTitle(s.session), wording.ClientName(s.session.Client), wording.ProjectName(s.session), store.ShortID(s.session.ID))}
	if !s.session.Intent.Blank() {
		lines = append(lines, plainBlock(s.session.Intent))
	}
	if err := errors.Join(s.session.Err, s.state.story.AsksErr, s.state.story.PlansErr); err != nil {
		lines = append(lines, "Not everything can be told: "+wording.Sentence(err))
	}
	if err := s.say("%s", strings.Join(lines, "\n")); err != nil {
		return err
	}
	return s.earlier("")
}

// earlier tells the events before those that were told.
func (s *plainStory) earlier(string) error {
	if s.told == 0 {
		return s.say("That is the beginning.")
	}
	from := max(s.told-2*plainPage, 0)
	var lines []string
	if from > 0 {
		lines = append(lines, fmt.Sprintf("%d before these; earlier tells of them.", from))
	}
	for i := from; i < s.told; i++ {
		lines = append(lines, fmt.Sprintf("%d. %s", i+1, s.line(s.state.story.Events[s.events[i]])))
	}
	s.told = from
	return s.say("%s", strings.Join(lines, "\n"))
}

func (s *plainStory) again(string) error {
	if err := s.read(); err != nil {
		return err
	}
	return s.begin()
}

// line says what an event is.
func (s *plainStory) line(e timeline.Event) string {
	what, title, who := kindWords(e).verb, "", ""
	ask, about := s.state.story.Ask(e.Ask)
	switch {
	case about:
		title = spoken(askTitle(e, ask))
	case e.Plan > 0:
		title = s.state.planName(e.Plan)
		if d := s.state.details[e.Plan]; d.Counted {
			who = commas(linesOf(d.Added, "new"), linesOf(d.Removed, "gone"))
		}
	case e.Kind == timeline.Created:
		title = wording.ClientName(s.session.Client)
	}
	if e.Reply() {
		who = safe.New(e.By).Line()
	}
	if title != "" {
		what += ": " + title
	}
	when := ""
	if !e.At.IsZero() {
		when = wording.Moment(e.At, s.browser.now())
	}
	return commas(what, who, when, wording.Sentence(e.Err))
}

// at is the event of a number of the story.
func (s *plainStory) at(n int) (e timeline.Event, ok bool, err error) {
	if n < 1 || n > len(s.events) {
		return e, false, s.say("Nothing in the story has that number; there are %d.", len(s.events))
	}
	return s.state.story.Events[s.events[n-1]], true, nil
}

// open reads out what an event is about.
func (s *plainStory) open(n int) error {
	e, ok, err := s.at(n)
	switch {
	case !ok:
		return err
	case e.Plan > 0:
		return s.version(s.session.ID, e.Plan)
	case e.Err != nil:
		return s.say("%s", wording.Sentence(e.Err))
	case e.Ask == "":
		return s.say("Nothing more belongs to this.")
	}
	if ask, ok := s.state.story.Ask(e.Ask); ok {
		return s.openAsk(ask)
	}
	return s.formRead(e.Ask)
}

// all reads out every form.
func (s *plainStory) all(string) error {
	for _, ask := range s.state.story.Asks {
		if err := s.formRead(ask.ID); err != nil {
			return err
		}
	}
	return nil
}

// version reads out a version of a plan.
func (p *plainBrowser) version(session string, number int) error {
	text, err := p.Store.PlanText(p.ctx, session, number)
	if err != nil {
		return p.done(err, "")
	}
	return p.say("\nPlan v%d:\n\n%s\n", number, plainBlock(text))
}

// number is the version that was typed, or the last one; false, which was said, if
// there is none.
func (s *plainStory) number(typed string) (number int, ok bool, err error) {
	versions := s.state.story.Plans
	if len(versions) == 0 {
		return 0, false, s.say("There is no version of a plan.")
	}
	if typed == "" {
		return versions[len(versions)-1].Number, true, nil
	}
	number, err = strconv.Atoi(strings.TrimPrefix(strings.ToLower(typed), "v"))
	if _, known := s.state.story.Plan(number); err != nil || !known {
		return 0, false, s.say("There is no such version; the last one is v%d.", versions[len(versions)-1].Number)
	}
	return number, true, nil
}

func (s *plainStory) plan(typed string) error {
	number, ok, err := s.number(typed)
	if !ok {
		return err
	}
	return s.version(s.session.ID, number)
}

// outline lists the headings of a version.
func (s *plainStory) outline(typed string) error {
	number, ok, err := s.number(typed)
	if !ok {
		return err
	}
	text, err := s.Store.PlanText(s.ctx, s.session.ID, number)
	if err != nil {
		return s.done(err, "")
	}
	headings := plans.Outline(text)
	if len(headings) == 0 {
		return s.say("This version has no headings.")
	}
	lines := make([]string, len(headings))
	for i, section := range headings {
		lines[i] = headingWords(section)
	}
	return s.say("%s", strings.Join(lines, "\n"))
}

// headingWords say what a heading is, and where.
func headingWords(section plans.Section) string {
	return commas(section.Title.Line(), fmt.Sprintf("level %d", section.Level), fmt.Sprintf("line %d", section.Line))
}

// changes says what changed in a version, or between two.
func (s *plainStory) changes(typed string) error {
	first, second, _ := strings.Cut(typed, " ")
	newer, ok, err := s.number(first)
	if !ok {
		return err
	}
	older := newer - 1 // versions have no gaps
	if second != "" {
		older = newer
		if newer, ok, err = s.number(strings.TrimSpace(second)); !ok {
			return err
		}
		older, newer = min(older, newer), max(older, newer)
	}
	if older == 0 {
		return s.say("v1 is the first version; there is nothing before it.")
	}
	before, err := s.Store.PlanText(s.ctx, s.session.ID, older)
	if err != nil {
		return s.done(err, "")
	}
	after, err := s.Store.PlanText(s.ctx, s.session.ID, newer)
	if err != nil {
		return s.done(err, "")
	}
	return s.say("%s", diffWords(comparison{
		from: fmt.Sprintf("v%d", older), to: fmt.Sprintf("v%d", newer), before: before, after: after, diff: diff.Between(before.Raw(), after.Raw()),
	}))
}

// led says what led to an event, or where it led.
func (s *plainStory) led(typed string) error {
	n, _ := strconv.Atoi(typed)
	e, ok, err := s.at(n)
	if !ok {
		return err
	}
	var rows []screen.Row
	if e.Plan > 0 {
		rows = s.browser.ledHere(s.state.story, s.state.details[e.Plan], e.Plan, func(int) func(screen.Screen) tea.Cmd { return nil })
	} else {
		rows = s.browser.ledFrom(s.state.story, s.session, s.events[n-1], s.state.cited[e.Ask])
	}
	if len(rows) == 0 {
		return s.say("It is not known to have led anywhere, or to follow from anything.")
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		lines[i] = commas(spoken(row.Text), row.Right)
	}
	return s.say("%s", strings.Join(lines, "\n"))
}

// edit opens a copy of what an event is about in the person's editor.
func (s *plainStory) edit(typed string) error {
	n, _ := strconv.Atoi(typed)
	e, ok, err := s.at(n)
	if !ok {
		return err
	}
	if external.Editor(s.environ) == "" {
		return s.say("%s", noEditor)
	}
	text := sharedSession(s.session)
	switch {
	case e.Plan > 0:
		text, err = s.browser.sharedPlan(s.ctx, s.session.ID, e.Plan)
	case e.Ask != "":
		text, err = s.browser.sharedAsk(s.ctx, e.Ask)
	}
	if err == nil {
		err = s.showCopy(text)
	}
	return s.done(err, "That was a copy. What is kept here did not change.")
}

// showCopy gives the terminal to the person's editor with a copy of a text.
func (s *plainStory) showCopy(text external.Shared) error {
	path, err := external.WriteCopy(text, keymap.Edit)
	if err != nil {
		return err
	}
	return errors.Join(s.lendToEditor(path), os.RemoveAll(filepath.Dir(path)))
}
