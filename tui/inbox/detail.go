package inbox

import (
	"time"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/tui/cells"
	"planb/tui/markdown"
	"planb/tui/wording"
)

// From this size of the window on, the details of one row stand under the list.
const (
	detailWidth  = 60
	detailHeight = 20
	detailLines  = 3
)

// belowList is how many lines stand under the list: a prompt, or the details of a row.
func (l *Screen) belowList() int {
	switch {
	case l.page.Look == nil || l.page.Unsized():
		return 0
	case l.prompt != nil:
		return len(l.promptLines())
	case len(l.state.rows) > 0 && l.page.Width >= detailWidth && l.page.Height >= detailHeight:
		return detailLines
	}
	return 0
}

// below draws the prompt, or else the details of the row under the cursor.
func (l *Screen) below() []string {
	if l.prompt != nil {
		return l.promptLines()
	}
	if l.belowList() == 0 {
		return nil
	}
	st := l.page.Look.Styles
	first, second := "", ""
	if row, ok := l.state.row(); ok && row.waiting {
		first, second = l.state.waiting[row.index].Details(l.deps.Now(), l.deps.By)
	} else if ok {
		return l.sessionDetails(l.state.sessions[row.index])
	}
	room := l.page.Width - 2
	return []string{l.page.Rule(), " " + st.Text.Render(cells.CutParts(first, room)), " " + st.Muted.Render(cells.CutParts(second, room))}
}

// sessionDetails are what the row of a session has no room for: its place, its times and
// its intent. Of a damaged session they say why it cannot be read.
func (l *Screen) sessionDetails(session store.Session) []string {
	st, room, now := l.page.Look.Styles, l.page.Width-2, l.deps.Now()
	lines := []string{l.page.Rule()}
	if session.Err != nil {
		for _, line := range markdown.Plain(safe.New(wording.Sentence(session.Err)), room).Lines {
			lines = append(lines, " "+st.Danger.Render(line))
		}
		return append(lines, "", "")[:detailLines]
	}
	began, changed, archived := "began "+wording.Moment(session.Created, now), "changed "+wording.Moment(session.Updated, now), ""
	if session.Updated.Equal(session.Created) {
		changed = ""
	}
	if session.InArchive() {
		archived = "archived"
	}
	where := cells.Join(session.Project.Line(), began, changed, archived)
	return append(lines, " "+st.Text.Render(cells.CutParts(where, room)), " "+st.Muted.Render(cells.Cut(session.Intent.Line(), room)))
}

// Details say who asks, and where and since when. By names the person who reads them.
func (w Waiting) Details(now time.Time, by string) (who, where string) {
	if w.Ask.Err != nil {
		return "This form cannot be read, and not be answered.", wording.Sentence(w.Ask.Err)
	}
	session := ""
	if !w.Session.Title.Blank() {
		session = w.Session.Title.Line()
	}
	who = cells.Join(wording.ClientName(w.Ask.Client), wording.ProjectName(w.Session), session)
	if who == "" {
		who = "An agent that gave no name"
	}
	asked := "asked"
	if w.Ask.Spec.Plan != nil {
		asked = "plan submitted"
	}
	waits := "no agent waits · your answer will be kept"
	if w.Live {
		waits = "the agent waits"
	}
	if w.Ask.Outcome.State == questions.Expired {
		waits = "its time is over · an answer is still welcome"
	}
	return who, cells.Join(wording.Place(w.Ask.Place), shownWords(w.Shown, by), asked+" "+wording.Moment(w.Ask.Created, now), waits)
}

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
