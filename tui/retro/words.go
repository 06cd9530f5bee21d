package retro

import (
	"fmt"
	"strings"
	"time"

	"charm.land/lipgloss/v2"

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
	tone  func(st *screen.Styles) lipgloss.Style
	verb  string
	title string
	right string // how long it took, who, how many
	minor bool   // the row is drawn faint
}

// Tones of what happened.
func toneAsked(st *screen.Styles) lipgloss.Style   { return st.Required }
func toneDamaged(st *screen.Styles) lipgloss.Style { return st.Danger }
func toneGone(st *screen.Styles) lipgloss.Style    { return st.Faint }
func toneSaid(st *screen.Styles) lipgloss.Style    { return st.Success }
func toneTold(st *screen.Styles) lipgloss.Style    { return st.Info }
func toneNo(st *screen.Styles) lipgloss.Style      { return st.Warning }
func toneSaved(st *screen.Styles) lipgloss.Style   { return st.Accent }

// words are the words of an event. They leave out the person where the panel beside the
// list names them, and everything but the title where there is no panel.
func (s *Session) words(e timeline.Event) eventWords {
	w := kindWords(e)
	ask, about := s.state.story.Ask(e.Ask)
	switch {
	case e.Err != nil:
		w.mark, w.tone, w.minor, w.right = "!", toneDamaged, false, "damaged"
		if e.Plan == 0 && e.Ask != "" {
			w.title = "Unreadable form"
		}
		return w
	case about:
		w.title = askTitle(e, ask)
	case e.Plan > 0:
		w.title, w.right = s.state.planName(e.Plan), changeWords(s.state.details[e.Plan])
		return w
	case e.Kind == timeline.Created:
		w.title = wording.ClientName(s.session.Client)
		return w
	}
	if !s.hasPanel() {
		return w
	}
	w.right = lasted(e.Waited)
	switch {
	case s.hasPanelBeside():
	case e.Kind == timeline.Answered:
		w.right = cells.Join(answerCount(ask), safe.New(e.By).Line(), w.right)
	case e.Kind == timeline.Withdrawn && ask.Outcome.Next != "":
		w.right = cells.Join("submitted again", w.right)
	case e.Kind == timeline.Withdrawn:
		w.right = cells.Join(wording.WithdrawnBy(ask.Outcome), w.right)
	case e.Reply():
		w.right = cells.Join(safe.New(e.By).Line(), w.right)
	}
	return w
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
	case timeline.Late:
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
		tone: func(st *screen.Styles) lipgloss.Style { return st.Role(role) },
	}
}

// changeWords say how many lines a version changed; empty if that is not known.
func changeWords(detail timeline.Detail) string {
	if !detail.Counted {
		return ""
	}
	return fmt.Sprintf("+%d −%d", detail.Added, detail.Removed)
}

// lasted says how long something took, in the largest unit; empty for zero.
func lasted(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Second:
		return "1 s"
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h", int(d.Hours()))
	}
	return fmt.Sprintf("%d days", int(d.Hours()/24))
}
