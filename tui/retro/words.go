package retro

import (
	"fmt"
	"strings"
	"time"

	"planb/questions/safe"
	"planb/store"
	"planb/store/timeline"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/screen"
	"planb/tui/wording"
)

// eventWords are the words of an event in a row. They are enough without mark and colour.
type eventWords struct {
	mark  string // one cell
	tone  func(st *screen.Styles) cells.Style
	verb  string
	title string
	right []string // how long it took, who, how many: the same from long to short
	minor bool     // the row is drawn faint
}

// Tones of what happened.
func toneAsked(st *screen.Styles) cells.Style   { return st.Required }
func toneDamaged(st *screen.Styles) cells.Style { return st.Danger }
func toneGone(st *screen.Styles) cells.Style    { return st.Faint }
func toneSaid(st *screen.Styles) cells.Style    { return st.Success }
func toneTold(st *screen.Styles) cells.Style    { return st.Info }
func toneNo(st *screen.Styles) cells.Style      { return st.Warning }
func toneSaved(st *screen.Styles) cells.Style   { return st.Accent }

// words are the words of a row. They leave out what the row above says already, if there is a
// panel, which says all of it.
func (s *Session) words(row int) eventWords {
	e := s.state.story.Events[s.state.rows[row]]
	w := kindWords(e)
	w.title = s.title(e)
	ask, about := s.state.story.Ask(e.Ask)
	switch {
	case e.Err != nil:
		w.mark, w.tone, w.minor, w.right = "!", toneDamaged, false, []string{"unreadable"}
		if _, _, damaged := wording.Damage(e.Err); damaged {
			w.right = []string{"damaged"}
		}
	case about && s.hasPanel():
		w.title, w.right = s.shortTitle(row, e, ask), s.rights(e, ask)
	case e.Plan > 0:
		if s.namedBefore(e.Plan) {
			w.title = ""
		}
		if change := changeWords(s.state.details[e.Plan]); change != "" {
			w.right = []string{change}
		}
	}
	return w
}

// title is what an event is about.
func (s *Session) title(e timeline.Event) string {
	ask, about := s.state.story.Ask(e.Ask)
	switch {
	case e.Err != nil && e.Plan == 0 && e.Ask != "":
		return "Unreadable form"
	case e.Err != nil:
		return ""
	case about:
		return askTitle(e, ask)
	case e.Plan > 0:
		return s.state.planName(e.Plan)
	case e.Kind == timeline.Created:
		return wording.ClientName(s.session.Client)
	}
	return ""
}

// AgentHasIt says that the agent has fetched an outcome.
const AgentHasIt = "the agent has it"

// rights returns texts for the end of a row, from long to short. They say how long it
// took; who did it, if no panel beside the list does; and that it was fetched, if no row
// of its own does.
func (s *Session) rights(e timeline.Event, ask store.Ask) []string {
	took := lasted(e.Waited)
	switch {
	case e.Kind == timeline.Shown && took != "":
		return []string{"to you, " + took + " later", took + " later"}
	case e.Kind == timeline.Delivered && took != "":
		return []string{"by the agent, " + took + " later", took + " later"}
	case s.hasPanelBeside():
	case e.Kind == timeline.Answered:
		took = cells.Join(answerCount(ask), safe.New(e.By).Line(), took)
	case e.Kind == timeline.Withdrawn && ask.Outcome.Next != "":
		took = cells.Join("submitted again", took)
	case e.Kind == timeline.Withdrawn:
		took = cells.Join(wording.WithdrawnBy(ask.Outcome), took)
	case e.Reply():
		took = cells.Join(safe.New(e.By).Line(), took)
	}
	if !s.state.unfolded && e.Reply() && e.Kind != timeline.TooLate && !ask.Delivered.IsZero() {
		return []string{cells.Join(took, AgentHasIt), took}
	}
	return []string{took}
}

// shortTitle is askTitle without words that a row above already has: without the title if the
// row right above is in view and about the same ask, and without the name of a plan that the row of its
// version has.
func (s *Session) shortTitle(row int, e timeline.Event, ask store.Ask) string {
	verdict := strings.ToLower(e.Verdict)
	switch {
	case e.Kind == timeline.AskedAgain && e.Reviews > 0:
		return "the same review"
	case e.Kind == timeline.AskedAgain:
		return "the same form"
	case row > 0 && !s.state.firstInView(row) && s.state.story.Events[s.state.rows[row-1]].Ask == e.Ask:
		return verdict
	case e.Reviews > 0 && ask.Spec.Title.Line() == s.state.planName(e.Reviews):
		return reviewWords(e)
	}
	return askTitle(e, ask)
}

// namedBefore reports whether the version before another one has the same name.
func (s *Session) namedBefore(number int) bool {
	_, ok := s.state.story.Plan(number - 1)
	return ok && s.state.planName(number-1) == s.state.planName(number)
}

// askTitle is the title of the ask of an event. For a review it begins with the verdict
// and the version.
func askTitle(e timeline.Event, ask store.Ask) string {
	title := ask.Spec.Title.Line()
	if e.Reviews == 0 {
		return title
	}
	return cells.Join(strings.ToLower(e.Verdict), fmt.Sprintf("v%d %s", e.Reviews, title))
}

// reviewWords are the verdict of a review, and the version, without its name.
func reviewWords(e timeline.Event) string {
	return cells.Join(strings.ToLower(e.Verdict), fmt.Sprintf("v%d", e.Reviews))
}

func answerCount(ask store.Ask) string {
	if n := len(ask.Outcome.Reply.Answers); n > 0 {
		return wording.Count(n, "answer")
	}
	return "no answers"
}

// kindWords are the words of a kind of event.
func kindWords(e timeline.Event) eventWords {
	switch e.Kind {
	case timeline.Expired:
		return outcomeWords(e.Kind, "Overdue")
	case timeline.Answered:
		return outcomeWords(e.Kind, "Answered")
	case timeline.Discussed:
		return outcomeWords(e.Kind, "Replied")
	case timeline.Declined:
		return outcomeWords(e.Kind, "Declined")
	case timeline.Withdrawn:
		return outcomeWords(e.Kind, "Withdrawn")
	case timeline.Created:
		return eventWords{mark: "●", tone: toneTold, verb: "Begun"}
	case timeline.Asked:
		return eventWords{mark: "?", tone: toneAsked, verb: "Asked"}
	case timeline.Submitted:
		return eventWords{mark: "?", tone: toneAsked, verb: "Submitted"}
	case timeline.Reviewed:
		w := eventWords{mark: "↩", tone: toneTold, verb: "Reviewed"}
		if strings.HasPrefix(e.Verdict, "Approved") {
			w.mark, w.tone = "✓", toneSaid
		}
		return w
	case timeline.AskedAgain:
		return eventWords{mark: "?", tone: toneAsked, verb: "Again"}
	case timeline.Shown:
		return eventWords{mark: "◦", tone: toneGone, verb: "Shown", minor: true}
	case timeline.TooLate:
		return eventWords{mark: "◌", tone: toneNo, verb: "Too late"}
	case timeline.Delivered:
		return eventWords{mark: "→", tone: toneGone, verb: "Fetched", minor: true}
	case timeline.Planned:
		return eventWords{mark: "¶", tone: toneSaved, verb: fmt.Sprintf("Plan v%d", e.Plan)}
	}
	return eventWords{mark: "•", tone: toneTold, verb: safe.New(string(e.Kind)).Line()} // of a newer planb
}

// outcomeWords are the verb of an event that brought the ask into a state, with that
// state's mark and colour.
func outcomeWords(kind timeline.Kind, verb string) eventWords {
	role := themes.RoleOf(kind.State())
	return eventWords{
		mark: kind.State().Standing(false).Mark, verb: verb,
		tone: func(st *screen.Styles) cells.Style { return st.Role(role) },
	}
}

// changeWords say how many lines a version changed; empty if that is not known.
func changeWords(detail timeline.Detail) string {
	if !detail.Counted {
		return ""
	}
	return fmt.Sprintf("+%d −%d", detail.Added, detail.Removed)
}

// lasted says how long something took, at least a second; empty for zero, which is unknown.
func lasted(d time.Duration) string {
	if d <= 0 {
		return ""
	}
	return wording.Lasted(max(d, time.Second))
}
