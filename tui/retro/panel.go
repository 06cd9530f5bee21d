package retro

import (
	"fmt"
	"strings"

	"planb/plans/review"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/tui/cells"
	"planb/tui/preview"
	"planb/tui/wording"
)

// panel says what was known at the moment under the cursor: the questions and their answers,
// or the plan, and the links between them.
func (s *Session) panel() []string {
	e, ok := s.state.event()
	if !ok || s.page.Look == nil {
		return nil
	}
	return preview.Draw(&s.page.Look.Styles, s.split(), func(p *preview.Lines) { s.drawPanel(p, e) })
}

func (s *Session) drawPanel(p *preview.Lines, e timeline.Event) {
	if links := s.panelLinks(e); p.Tight() { // the row above names the event
		p.Parts(p.Styles.Muted.Render, cells.Join(append([]string{s.panelTime(e)}, links...)...), 2)
	} else {
		p.Say(p.Styles.Title.Render, strings.TrimSuffix(kindWords(e).verb+": "+s.panelTitle(e), ": "), 2)
		p.Parts(p.Styles.Muted.Render, s.panelTime(e), 3)
		for _, link := range links {
			p.Say(p.Styles.Muted.Render, link, 2)
		}
	}
	ask, about := s.state.story.Ask(e.Ask)
	switch {
	case e.Err != nil:
		p.Gap()
		p.Say(p.Styles.Danger.Render, "! It cannot be read: "+wording.Sentence(e.Err), p.Left())
	case about:
		s.panelAsk(p, e, ask)
		s.panelPlanThen(p)
	case e.Plan > 0:
		p.Gap()
		s.panelPlan(p, e.Plan)
	case e.Kind == timeline.Created:
		p.Gap()
		p.Text(p.Styles.Text.Render, s.session.Intent, p.Left())
	}
}

// panelTitle is what an event is about. A review leaves out the name of the plan that is shown below.
func (s *Session) panelTitle(e timeline.Event) string {
	ask, about := s.state.story.Ask(e.Ask)
	if number := s.state.planAt(s.state.place()); about && e.Err == nil && e.Reviews > 0 && number > 0 && ask.Spec.Title.Line() == s.state.planName(number) {
		return reviewWords(e)
	}
	return s.title(e)
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
	if e.Took > 0 && lasted(e.Took) != lasted(e.Waited) {
		parts = append(parts, lasted(e.Took)+" after it was seen")
	}
	switch {
	case !e.Reply() || e.Kind == timeline.TooLate:
	case ask.Undelivered() && len(s.state.story.Following(s.state.place())) > 0:
		// Beside the version that it led to, the sentence would seem untrue.
	case ask.Undelivered():
		parts = append(parts, "the agent has not fetched it yet")
	case !ask.Delivered.IsZero() && !s.state.unfolded:
		parts = append(parts, "the agent fetched it "+lasted(max(ask.Delivered.Sub(e.At), 1))+" later")
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
		if next := story.Following(s.state.place()); len(next) > 0 {
			links = append(links, fmt.Sprintf("Led to: plan v%d", next[0]))
		}
	}
	if places := s.state.cited[e.Ask]; e.Ask != "" && len(places) > 0 {
		links = append(links, "Cited in: "+citedWords(places))
	}
	return links
}

// ledTo returns the titles of the asks that were answered between a version and the
// version before it.
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
			words = append(words, "…")
			break
		}
		words = append(words, fmt.Sprintf("plan v%d, line %d", c.plan, c.Line))
	}
	return strings.Join(words, "; ")
}

// panelAsk shows the questions of an ask, with the answers that the event brought.
func (s *Session) panelAsk(p *preview.Lines, e timeline.Event, ask store.Ask) {
	spec, have := s.state.specs[e.Ask]
	outcome, replied := s.state.outcome(e)
	p.Gap()
	if replied {
		p.Text(p.Styles.Note.Render, outcome.Message, 6)
		p.Text(p.Styles.Note.Render, outcome.Reply.Note, 6)
	}
	switch {
	case !have:
		return
	case spec.err != nil:
		p.Say(p.Styles.Danger.Render, "! The form cannot be read: "+wording.Sentence(spec.err), 3)
		return
	}
	for _, q := range spec.value.Questions {
		if e.Kind == timeline.TooLate && !wording.HasAnswer(q, outcome.Reply) {
			continue
		}
		said, isReview := wording.ReviewOf(q, outcome.Reply.Answers[q.ID])
		switch {
		case replied && isReview:
			if e.Kind != timeline.Reviewed { // else the event is named by the verdict
				p.Say(p.Styles.Accent.Render, "→ "+said.Verdict, 1)
			}
			p.Text(p.Styles.Text.Render, remarksText(said.Remarks, p.Room()), p.Left())
		case replied:
			p.Answered(q, outcome.Reply)
		default:
			p.Asked(q)
		}
		p.Gap()
	}
}

// remarksText has a line for each remark of a review. It quotes what a remark is about, because
// that may be below the lines of the plan that are shown. The quote leaves half of the room to what
// was said.
func remarksText(remarks []review.Point, room int) safe.Text {
	lines := make([]string, len(remarks))
	for i, r := range remarks {
		place := r.Place
		if r.Quote != "" {
			place += " “" + cells.CutWords(r.Quote, room/2) + "”"
		}
		lines[i] = cells.Join(place, r.Said)
	}
	return safe.New(strings.Join(lines, "\n"))
}

// panelPlan shows the first lines of a version.
func (s *Session) panelPlan(p *preview.Lines, number int) {
	if head, ok := s.state.heads[number]; ok && head.err != nil {
		p.Say(p.Styles.Danger.Render, "! This version cannot be read: "+wording.Sentence(head.err), 3)
		return
	}
	doc, ok := s.headLines(number)
	if !ok {
		return
	}
	p.Doc(doc.Below(s.state.planName(number)), s.state.heads[number].value)
}

// panelPlanThen shows the first lines of the plan as it was then, if there is room.
func (s *Session) panelPlanThen(p *preview.Lines) {
	const least = 6
	number := s.state.planAt(s.state.place())
	switch {
	case number == 0:
		return
	case p.Left() < least:
		p.Cramp()
		return
	}
	p.Gap()
	p.Rule("The plan then: " + strings.TrimSpace(fmt.Sprintf("v%d %s", number, s.state.planName(number))))
	p.Loosen()
	s.panelPlan(p, number)
}
