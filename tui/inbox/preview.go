package inbox

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
	"planb/themes"
	"planb/tui/cells"
	"planb/tui/preview"
	"planb/tui/wording"
)

// listShare is how much of the width, in per cent, the list has beside the preview: enough for
// most titles, with a project and a time behind them.
const listShare = 55

// split divides the body, without the filter above the list.
func (l *Screen) split() preview.Split {
	return preview.Split{Width: l.page.Width, Height: l.page.Height, Lines: l.page.BodyLines() - l.aboveList(), Share: listShare, Position: l.position(), Fills: l.state.list.Total()}
}

// position says which rows are in view; empty if all are.
func (l *Screen) position() string {
	at := l.state.list.Position()
	if at != "" && l.state.next != "" {
		at += "+"
	}
	return at
}

// preview says of the row under the cursor what is asked there, or what happened.
func (l *Screen) preview() []string {
	row, ok := l.previewed()
	if !ok {
		return nil
	}
	known, _ := l.peeks.Of(l.state.idOf(row))
	return preview.Draw(&l.page.Look.Styles, l.split(), func(p *preview.Lines) {
		switch {
		case row.waiting:
			l.previewForm(p, l.state.waiting[row.index], known)
		case row.need:
			previewNeed(p, l.state.needs[row.index])
		default:
			l.previewSession(p, l.state.sessions[row.index], known)
		}
	})
}

// previewForm says who asks what, and what is entered already.
func (l *Screen) previewForm(p *preview.Lines, w Waiting, known peek) {
	st := p.Styles
	who, where := w.Details(l.deps.Now(), l.deps.By)
	if w.Ask.Err != nil {
		p.Say(st.Text.Render, who, 2)
		previewProblem(p, "This form's record is damaged.", w.Ask.Err)
		return
	}
	if !p.Tight() { // else the row has the title
		l.previewTitle(p, w.Ask.Spec.Title)
	}
	whoLines, intentLines := 1, 3
	if p.Beside() {
		whoLines, intentLines = 2, 6
	}
	p.Say(st.Text.Render, who, whoLines)
	p.Parts(st.Muted.Render, strings.TrimSuffix(where, cells.Gap+agentWaits), 2) // the row says that
	if !p.Tight() {
		p.Gap()
		p.Text(st.Muted.Render, w.Session.Intent, intentLines)
	}
	p.Gap()
	reply := known.entry.Reply(known.ask.Spec)
	switch {
	case known.err != nil:
		p.Say(st.Danger.Render, "! It cannot be read: "+wording.Sentence(known.err), p.Left())
	case known.ask.Spec.Plan != nil:
		l.previewReview(p, known, reply)
	default:
		previewQuestions(p, known.ask.Spec, reply)
	}
}

// previewTitle draws a title, and in it what the filter found: a row of the list may cut that off.
// Beside the list there is room for all of it.
func (l *Screen) previewTitle(p *preview.Lines, title safe.Text) {
	most := 2
	if p.Beside() {
		most = 6
	}
	p.Text(func(texts ...string) string {
		line := p.Styles.Title.Render(texts...)
		for _, word := range l.state.filter.query.Words {
			if len(word) > 1 { // a letter is nearly everywhere
				line = cells.Highlighted(line, strings.ToLower(word), p.Styles.Match)
			}
		}
		return line
	}, title, most)
}

// previewQuestions shows the questions of a form with what is entered.
func previewQuestions(p *preview.Lines, spec questions.Spec, reply questions.Reply) {
	required, open, answered := 0, 0, 0
	for _, q := range spec.Questions {
		done := !reply.Answers[q.ID].IsZero()
		if done {
			answered++
		}
		if q.Required {
			required++
			if !done {
				open++
			}
		}
	}
	if len(spec.Questions) > 0 {
		p.Add(p.Styles.Muted.Render(wording.Count(len(spec.Questions), "question")) + requiredWords(p, required, open, answered))
	}
	if !p.Near() {
		p.Gap()
	}
	for _, q := range spec.Questions {
		p.Pending(q, reply)
		p.Gap()
	}
}

// requiredWords say how many questions must still be answered, and how many are answered.
func requiredWords(p *preview.Lines, required, open, answered int) string {
	words := ""
	switch {
	case open > 0 && open < required:
		words = p.Styles.Muted.Render(cells.Gap) + p.Styles.Required.Render(fmt.Sprintf("%d of %d required open", open, required))
	case open > 0:
		words = p.Styles.Muted.Render(cells.Gap) + p.Styles.Required.Render(fmt.Sprintf("%d required", required))
	}
	if answered > 0 {
		words += p.Styles.Muted.Render(cells.Gap) + p.Styles.Success.Render(fmt.Sprintf("%d answered", answered))
	}
	return words
}

// previewReview shows what the person said of the plan so far, and how the plan begins.
func (l *Screen) previewReview(p *preview.Lines, known peek, reply questions.Reply) {
	for _, q := range known.ask.Spec.Questions {
		if said, ok := wording.ReviewOf(q, reply.Answers[q.ID]); ok && !said.Feedback.Blank() {
			p.Rule("What you said so far")
			p.Text(p.Styles.Text.Render, said.Feedback, max(p.Left()/2, 1))
			p.Gap()
		}
	}
	doc, ok := l.page.Look.Markdown.Joined().Cached(known.plan, l.split().Room())
	if !ok {
		return
	}
	p.Rule(fmt.Sprintf("The plan, v%d", known.ask.Spec.Plan.Number))
	p.Loosen()
	p.Doc(doc.Below(known.ask.Spec.Title.Line()), known.plan)
}

// previewSession says where a session is, what it is about, and what was asked in it.
func (l *Screen) previewSession(p *preview.Lines, session store.Session, known peek) {
	st, now := p.Styles, l.deps.Now()
	if !p.Tight() || l.cutsTitle(l.sessionRow(session)) {
		l.previewTitle(p, safe.New(wording.SessionTitle(session)))
	}
	if session.Err != nil {
		previewProblem(p, "This session's record is damaged.", session.Err)
		return
	}
	client := wording.ClientName(session.Client)
	p.Say(st.Text.Render, cells.Longest(p.Room(), cells.Join(client, session.Project.Line()), cells.Join(client, wording.ProjectName(session))), 1)
	p.Parts(st.Muted.Render, sessionTimes(session, now), 2)
	p.Gap()
	intent := max(p.Left()/2, 1)
	if p.Tight() {
		intent = min(intent, 2)
	}
	p.Text(st.Text.Render, session.Intent, intent)
	p.Gap()
	p.Say(st.Muted.Render, sessionCounts(session, 0), 1) // the marks below say what waits
	if known.err != nil {
		p.Say(st.Danger.Render, "! What was asked cannot be read: "+wording.Sentence(known.err), p.Left())
	}
	var asks [][]string
	for _, ask := range slices.Backward(known.asks) {
		asks = append(asks, previewAsk(p, ask, now))
	}
	p.Items(asks, max(session.Asks-len(asks), 0)*min(len(asks), 1)) // without any they are not read yet
}

// previewProblem says why a record cannot be read. If it is damaged, the command that mends it
// comes before the details.
func previewProblem(p *preview.Lines, says string, err error) {
	st := p.Styles
	record, how, damaged := wording.Damage(err)
	if !damaged {
		p.Say(st.Danger.Render, wording.Capital(wording.Sentence(err)), p.Left())
		return
	}
	p.Say(st.Danger.Render, says, 2)
	p.Add(st.Text.Render("Repair it: ") + st.Accent.Render(wording.Mends))
	p.Gap()
	p.Say(st.Muted.Render, record, 1)
	p.Say(st.Muted.Render, how, p.Left())
}

// previewAsk draws how an ask stands. Beside the list, where there are lines enough, a long title
// goes on below.
func previewAsk(p *preview.Lines, ask store.Ask, now time.Time) []string {
	st, when := p.Styles, ago(happened(ask), now)
	if ask.Err != nil {
		return []string{p.Ends(st.Danger.Render(markBroken+" Unreadable form"), "", st.Faint.Render(when))}
	}
	standing := ask.Outcome.State.Standing(ask.Spec.Plan != nil)
	title := ask.Spec.Title.Line()
	if plan := ask.Spec.Plan; plan != nil {
		title = fmt.Sprintf("v%d %s", plan.Number, title)
	}
	mark, short, below := st.Role(themes.RoleOf(ask.Outcome.State)).Render(standing.Mark)+" ", st.Faint.Render(cells.Gap+standing.Short), ""
	indent := ansi.StringWidth(mark)
	if room := p.Room() - indent - ansi.StringWidth(when) - 2; p.Beside() && ansi.StringWidth(title) > room {
		lines := cells.Fold(cells.Lines(title, room), 2, room)
		title, short, below = lines[0], "", strings.Repeat(" ", indent)+st.Text.Render(lines[1])
	}
	drawn := []string{p.Ends(mark+st.Text.Render(title), short, st.Faint.Render(when))}
	if below != "" {
		drawn = append(drawn, below)
	}
	return drawn
}

// sessionTimes say when a session began and changed, and its short id.
func sessionTimes(session store.Session, now time.Time) string {
	changed, archived := "changed "+wording.Moment(session.Updated, now), ""
	if session.Updated.Equal(session.Created) {
		changed = ""
	}
	if session.InArchive() {
		archived = "archived"
	}
	return cells.Join("began "+wording.Moment(session.Created, now), changed, archived, safe.New(store.ShortID(session.ID)).Line())
}

// happened is when an ask was settled, or else asked.
func happened(ask store.Ask) time.Time {
	if ask.Outcome.At.IsZero() {
		return ask.Created
	}
	return ask.Outcome.At
}
