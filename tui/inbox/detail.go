package inbox

import (
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
	"planb/tui/wording"
)

// Details say who asks, and where and since when. By names the person who reads them.
func (w Waiting) Details(now time.Time, by string) (who, where string) {
	if w.Ask.Err != nil {
		return "planb cannot read this form, so you cannot answer it.", wording.Sentence(w.Ask.Err)
	}
	client, session := wording.ClientName(w.Ask.Client), ""
	if !w.Session.Title.Blank() {
		session = w.Session.Title.Line()
	}
	if session == client { // else the line says a name twice
		session = ""
	}
	who = cells.Join(client, wording.ProjectName(w.Session), session)
	if who == "" {
		who = "An agent that gave no name"
	}
	asked := "asked"
	if w.Ask.Spec.Plan != nil {
		asked = "plan submitted"
	}
	return who, cells.Join(wording.Place(w.Ask.Place), shownWords(w.Shown, by), asked+" "+wording.Moment(w.Ask.Created, now), w.waits())
}

// waits says whether an agent waits for the answer.
func (w Waiting) waits() string {
	switch {
	case w.Ask.Outcome.State == questions.Expired:
		return "its time is over · an answer is still welcome"
	case w.Live:
		return agentWaits
	}
	return "no agent waits · your answer will be kept"
}

const agentWaits = "the agent waits"

// shownWords say whether a form is open in a pane, and whose pane that is.
func shownWords(shown []store.Claim, by string) string {
	if len(shown) == 0 {
		return ""
	}
	if at := shown[0].Note; at != "" && at != by {
		return "open at " + safe.New(at).Line()
	}
	return "open in a pane"
}
