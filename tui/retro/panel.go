package retro

import (
	"fmt"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/screen"
	"planb/tui/wording"
)

// panel draws, in at most so many lines, what was known at the moment under the cursor:
// the questions and their answers, or the plan, and the links between them.
func (s *Session) panel(most int) []string {
	e, ok := s.state.event()
	if !ok || s.page.Look == nil {
		return nil
	}
	p := &panel{st: &s.page.Look.Styles, room: s.panelRoom(), most: most, tight: !s.hasPanelBeside()}
	if links := s.panelLinks(e); p.tight { // the row above names the event
		p.say(p.st.Muted.Render, s.panelTime(e), 1)
		p.say(p.st.Muted.Render, strings.Join(links, " · "), 1)
	} else {
		w := s.words(e)
		p.say(p.st.Title.Render, strings.TrimRight(w.verb+": "+w.title, ": "), 2)
		p.say(p.st.Muted.Render, s.panelTime(e), 2)
		for _, link := range links {
			p.say(p.st.Muted.Render, link, 2)
		}
	}
	ask, about := s.state.story.Ask(e.Ask)
	switch {
	case e.Err != nil:
		p.gap()
		p.say(p.st.Danger.Render, "! It cannot be read: "+wording.Sentence(e.Err), most)
	case about:
		s.panelAsk(p, e, ask)
		s.panelPlanThen(p)
	case e.Plan > 0:
		s.panelPlan(p, e.Plan)
	case e.Kind == timeline.Created:
		p.gap()
		p.text(p.st.Text.Render, s.session.Intent, most)
	}
	return p.done()
}

// panelTime says when an event was, who caused it, where, and how long it took. Below the
// list it leaves out what the row of the event says already.
func (s *Session) panelTime(e timeline.Event) string {
	var parts []string
	if !e.At.IsZero() {
		parts = append(parts, wording.Moment(e.At, s.deps.Now()))
	}
	if e.Misdated {
		parts = append(parts, "by a clock that was wrong")
	}
	if s.hasPanelBeside() || !e.Reply() {
		parts = append(parts, safe.New(e.By).Line())
	}
	if ask, about := s.state.story.Ask(e.Ask); about && e.Err == nil {
		parts = append(parts, s.panelAskTime(e, ask)...)
	}
	if plan, ok := s.state.story.Plan(e.Plan); ok && plan.Err == nil {
		parts = append(parts, wording.Bytes(plan.Bytes))
		if s.hasPanelBeside() {
			parts = append(parts, changeWords(s.state.details[e.Plan]))
		}
	}
	return cells.Join(parts...)
}

func (s *Session) panelAskTime(e timeline.Event, ask store.Ask) (parts []string) {
	switch e.Kind {
	case timeline.Asked, timeline.Submitted, timeline.AskedAgain:
		parts = append(parts, wording.ClientName(ask.Client), wording.Place(ask.Place))
	}
	if s.hasPanelBeside() || e.Kind == timeline.Delivered {
		if ask.Outcome.State == questions.Answered && ask.Spec.Plan == nil && (e.Kind == timeline.Answered || e.Kind == timeline.Delivered) {
			parts = append(parts, answerCount(ask))
		}
	}
	since := " after it was asked"
	if e.Kind == timeline.Delivered {
		since = " after the answer"
	}
	if e.Waited > 0 && (s.hasPanelBeside() || !e.Reply()) {
		parts = append(parts, lasted(e.Waited)+since)
	}
	if e.Took > 0 && e.Took < e.Waited {
		parts = append(parts, lasted(e.Took)+" after it was seen")
	}
	if e.Reply() && e.Kind != timeline.Late && ask.Undelivered() {
		parts = append(parts, "not fetched yet")
	}
	return parts
}

// panelLinks name the answers before a version, or the versions after an answer and those
// that cite it.
func (s *Session) panelLinks(e timeline.Event) (links []string) {
	story := s.state.story
	switch {
	case e.Kind == timeline.Planned:
		if from := ledTo(story, e.Plan); len(from) > 0 {
			links = append(links, "Follows from: "+strings.Join(from, ", "))
		}
	case e.Reply():
		if next := story.Following(s.state.list.Cursor); len(next) > 0 {
			links = append(links, fmt.Sprintf("Led to: plan v%d", next[0]))
		}
	}
	if places := s.state.cited[e.Ask]; e.Ask != "" && len(places) > 0 {
		links = append(links, "Cited in: "+citedWords(places))
	}
	return links
}

// ledTo are the titles of the asks that were answered between a version and the one before
// it.
func ledTo(story *timeline.Story, number int) (titles []string) {
	seen := map[string]bool{}
	for _, place := range story.Since(number) {
		e := story.Events[place]
		if ask, ok := story.Ask(e.Ask); ok && !seen[e.Ask] {
			seen[e.Ask] = true
			titles = append(titles, strings.ToLower(kindWords(e).verb)+" “"+cells.Cut(askTitle(e, ask), 40)+"”")
		}
	}
	return titles
}

// citedWords name the versions that cite an ask, the newest first.
func citedWords(places []citedIn) string {
	const most = 3
	var words []string
	last := 0
	for _, c := range places {
		if c.plan == last {
			continue
		}
		if last = c.plan; len(words) == most {
			return strings.Join(words, ", ") + ", …"
		}
		words = append(words, fmt.Sprintf("plan v%d, line %d", c.plan, c.line))
	}
	return strings.Join(words, "; ")
}

// panelAsk shows the questions of an ask, with the answers that the event brought.
func (s *Session) panelAsk(p *panel, e timeline.Event, ask store.Ask) {
	spec, have := s.state.specs[e.Ask]
	outcome, replied := s.state.outcome(e)
	p.gap()
	if replied {
		p.text(p.st.Note.Render, outcome.Message, 6)
		p.text(p.st.Note.Render, outcome.Reply.Note, 6)
	}
	switch {
	case !have:
		return
	case spec.err != nil:
		p.say(p.st.Danger.Render, "! The form cannot be read: "+wording.Sentence(spec.err), 3)
		return
	}
	for _, q := range spec.value.Questions {
		if e.Kind == timeline.Late && !wording.HasAnswer(q, outcome.Reply) {
			continue
		}
		said, isReview := wording.ReviewOf(q, outcome.Reply.Answers[q.ID])
		switch {
		case replied && isReview:
			p.review(said)
		case p.tight:
			p.brief(q, outcome.Reply, replied)
			continue
		case replied:
			p.say(p.st.Strong.Render, q.Label.Line(), 3)
			p.answer(q, outcome.Reply)
		default:
			p.say(p.st.Strong.Render, q.Label.Line(), 3)
			p.options(q)
		}
		p.gap()
	}
}

// panelPlan shows the first lines of a version.
func (s *Session) panelPlan(p *panel, number int) {
	p.gap()
	if head, ok := s.state.heads[number]; ok && head.err != nil {
		p.say(p.st.Danger.Render, "! This version cannot be read: "+wording.Sentence(head.err), 3)
		return
	}
	doc, ok := s.headLines(number)
	if !ok {
		return
	}
	for _, line := range doc.Lines {
		p.add(cells.Cut(line, p.room))
	}
}

// panelPlanThen shows the first lines of the plan as it was then, if there is room.
func (s *Session) panelPlanThen(p *panel) {
	const least = 6
	number := s.state.planAt(s.state.list.Cursor)
	if number == 0 || p.most-len(p.lines) < least {
		return
	}
	p.gap()
	name := fmt.Sprintf("The plan then: %s", strings.TrimSpace(fmt.Sprintf("v%d %s", number, s.state.planName(number))))
	rule := max(p.room-ansi.StringWidth(name)-1, 0)
	p.add(cells.Cut(p.st.Muted.Render(name)+" "+p.st.Rule.Render(strings.Repeat("─", rule)), p.room))
	s.panelPlan(p, number)
}

// panel collects lines until there is no room for more.
type panel struct {
	st    *screen.Styles
	room  int // cells
	most  int // lines
	lines []string
	tight bool // there are few lines: no gaps, and one line for a question
	more  bool // something was left out
	open  bool // a gap comes before the next line
}

func (p *panel) add(line string) {
	if p.open && len(p.lines) > 0 && !p.tight {
		p.open = false
		p.add("")
	}
	p.open = false
	if len(p.lines) >= p.most {
		p.more = true
		return
	}
	p.lines = append(p.lines, line)
}

// gap leaves a line empty before the next one, if there is room.
func (p *panel) gap() { p.open = true }

// say adds a text in at most so many lines.
func (p *panel) say(style func(...string) string, text string, most int) {
	if text != "" {
		p.text(style, safe.New(text), most)
	}
}

func (p *panel) text(style func(...string) string, text safe.Text, most int) {
	if text.Blank() {
		return
	}
	lines := markdown.Plain(text, p.room).Lines
	for i, line := range lines[:min(len(lines), most)] {
		if i == most-1 && len(lines) > most {
			line = cells.Cut(line+"…", p.room)
		}
		p.add(style(line))
	}
}

// brief draws a question on one line, with the answer if the event brought one.
func (p *panel) brief(q questions.Question, r questions.Reply, replied bool) {
	value, ok := r.Answers[q.ID]
	label := q.Label.Line()
	if !replied || !ok || value.IsZero() {
		p.add(p.st.Strong.Render(cells.Cut(label, p.room)))
		return
	}
	answer := "→ " + safe.New(wording.Answer(q, value)).Line()
	if note := r.Notes[q.ID]; !note.Blank() {
		answer += " · " + note.Line()
	}
	label = cells.Cut(label, max(p.room-ansi.StringWidth(answer)-1, p.room/3))
	p.add(p.st.Strong.Render(label) + " " + p.st.Success.Render(cells.Cut(answer, p.room-ansi.StringWidth(label)-1)))
}

func (p *panel) answer(q questions.Question, r questions.Reply) {
	value, ok := r.Answers[q.ID]
	if ok && !value.IsZero() {
		p.hang(p.st.Success.Render, "→ ", wording.Answer(q, value))
	} else {
		p.say(p.st.Faint.Render, "  left open", 1)
	}
	if note := r.Notes[q.ID]; !note.Blank() {
		p.hang(p.st.Note.Render, "  Note: ", note.Raw())
	}
}

// review draws what a person said of a plan.
func (p *panel) review(said review.Words) {
	p.say(p.st.Success.Render, "→ "+said.Verdict, 1)
	p.gap()
	feedback := said.Feedback
	if p.tight {
		lines := slices.DeleteFunc(strings.Split(feedback.Raw(), "\n"), func(line string) bool { return strings.TrimSpace(line) == "" })
		feedback = safe.New(strings.Join(lines, "\n"))
	}
	p.text(p.st.Text.Render, feedback, p.most)
}

// options draws the options of a question.
func (p *panel) options(q questions.Question) {
	if len(q.Options) == 0 && q.Kind != questions.Review {
		p.say(p.st.Faint.Render, "  "+string(q.Kind), 1)
	}
	for _, option := range q.Options {
		p.say(p.st.Muted.Render, "  • "+option.Shown().Line(), 1)
	}
}

// hang draws a text behind a mark, with its further lines indented.
func (p *panel) hang(style func(...string) string, mark, text string) {
	const most = 8
	width := ansi.StringWidth(mark)
	lines := markdown.Plain(safe.New(text), p.room-width).Lines
	for i, line := range lines[:min(len(lines), most)] {
		if i == most-1 && len(lines) > most {
			line = cells.Cut(line+"…", p.room-width)
		}
		p.add(style(mark + line))
		mark = strings.Repeat(" ", width)
	}
}

// done returns the lines. The last one says so if something was left out.
func (p *panel) done() []string {
	if p.more && len(p.lines) > 1 {
		p.lines[len(p.lines)-1] = p.st.Faint.Render("…")
	}
	return p.lines
}
