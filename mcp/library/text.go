package library

import (
	"context"
	"fmt"
	"strings"
	"time"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/plainjson"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

const (
	// maxListed is the most sessions that one resource lists.
	maxListed = 100
	// maxAnswers is the most bytes of an ask's answers in the text of its session. The
	// ask's own resource has them all.
	maxAnswers = 2 << 10
)

// sessionsText lists the sessions that a connection may see, newest first.
func (l *Library) sessionsText(ctx context.Context, sight agent.Sight) (string, error) {
	var sessions []store.Session
	more := false
	for after := ""; !more; {
		page, next, err := l.store.Sessions(ctx, after, maxListed)
		if err != nil {
			return "", err
		}
		for _, session := range page {
			switch {
			case !sight.Has(session):
			case len(sessions) == maxListed:
				more = true
			default:
				sessions = append(sessions, session)
			}
		}
		if after = next; after == "" {
			break
		}
	}
	var b strings.Builder
	b.WriteString("# planb sessions, newest first\n\n")
	if len(sessions) == 0 {
		b.WriteString("There is none yet.\n")
	}
	for _, session := range sessions {
		if session.Err != nil {
			fmt.Fprintf(&b, "- %s: cannot be read: %s\n", session.ID, tool.OneLine(session.Err.Error()))
			continue
		}
		fmt.Fprintf(&b, "- %s %s\n", sessionURI(session.ID), strings.Join(aboutSession(session), " · "))
	}
	if more {
		fmt.Fprintf(&b, "\nOlder ones are not listed here; planb tui retro shows them.\n")
	}
	return b.String(), nil
}

// aboutSession returns the parts of a session's line in a list.
func aboutSession(session store.Session) []string {
	var parts []string
	for _, text := range []safe.Text{session.Title, session.Project} {
		if !text.Blank() {
			parts = append(parts, tool.OneLine(text.Raw()))
		}
	}
	if name := agent.Title(session.Client); name != "" {
		parts = append(parts, tool.OneLine(name))
	}
	parts = append(parts, "changed "+moment(session.Updated))
	if session.Asks > 0 {
		parts = append(parts, fmt.Sprintf("%d asked", session.Asks))
	}
	if session.Plans > 0 {
		parts = append(parts, fmt.Sprintf("plan v%d", session.Plans))
	}
	return parts
}

// moment formats a time. It does not depend on the time of reading.
func moment(at time.Time) string { return at.UTC().Format("2006-01-02 15:04 UTC") }

// sessionText writes one session: what it is about, what was asked and answered, and the
// versions of its plan.
func (l *Library) sessionText(ctx context.Context, id string) (string, error) {
	session, err := l.store.Session(ctx, id)
	if err != nil {
		return "", err
	}
	asks, err := l.store.Asks(ctx, id)
	if err != nil {
		return "", err
	}
	plans, err := l.store.Plans(ctx, id)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", tool.OneLine(session.Name().Raw()))
	if !session.Intent.Blank() {
		fmt.Fprintf(&b, "%s\n\n", strings.TrimSpace(session.Intent.Raw()))
	}
	fmt.Fprintf(&b, "%s\n", strings.Join(aboutSession(session)[titleParts(session):], " · "))
	if len(asks) > 0 {
		b.WriteString("\n## Asked\n\n")
	}
	for _, ask := range asks {
		askLine(&b, ask)
	}
	if len(plans) > 0 {
		b.WriteString("\n## Plan, newest version first\n\n")
	}
	for i := len(plans) - 1; i >= 0; i-- {
		planLine(&b, plans[i])
	}
	return b.String(), nil
}

// titleParts returns how many of the parts of aboutSession are the title.
func titleParts(session store.Session) int {
	if session.Title.Blank() {
		return 0
	}
	return 1
}

func askLine(b *strings.Builder, ask store.Ask) {
	uri := askURI(ask.Session, ask.ID)
	if ask.Err != nil {
		fmt.Fprintf(b, "- %s cannot be read: %s\n", uri, tool.OneLine(ask.Err.Error()))
		return
	}
	fmt.Fprintf(b, "- %s (%s): %s", tool.OneLine(ask.Spec.Title.Raw()), uri, askState(ask))
	if len(ask.Outcome.Reply.Answers) > 0 {
		// The form is not read here, so the answers are in the order of their ids.
		answers, err := plainjson.Marshal(ask.Outcome.Reply.Answers)
		if err == nil && len(answers) <= maxAnswers {
			fmt.Fprintf(b, ": %s", answers)
		} else {
			b.WriteString("; read it for the answers, they are long")
		}
	}
	if !ask.Outcome.Message.Blank() {
		fmt.Fprintf(b, ": %s", tool.OneLine(ask.Outcome.Message.Raw()))
	}
	b.WriteString("\n")
}

// askState says in a few words how an ask ended, when, and by whom.
func askState(ask store.Ask) string {
	words := ask.Outcome.State.Standing(ask.Spec.Plan != nil).Long
	if !ask.Outcome.At.IsZero() {
		words += " " + moment(ask.Outcome.At)
	}
	if ask.Outcome.By != "" {
		words += " by " + tool.OneLine(ask.Outcome.By)
	}
	return words
}

func planLine(b *strings.Builder, plan store.Plan) {
	uri := planURI(plan.Session, plan.Number)
	if plan.Err != nil {
		fmt.Fprintf(b, "- %s cannot be read: %s\n", uri, tool.OneLine(plan.Err.Error()))
		return
	}
	title := ""
	if !plan.Title.Blank() {
		title = " " + tool.OneLine(plan.Title.Raw())
	}
	if plan.Name != "" {
		title += " of " + plan.Name.File()
	}
	fmt.Fprintf(b, "- v%d%s (%s): %s, %d bytes\n", plan.Number, title, uri, moment(plan.Created), plan.Bytes)
}

// askResource writes an ask with its questions and answers as JSON.
func askResource(ask store.Ask) (string, error) {
	type question struct {
		ID     string           `json:"id"`
		Kind   questions.Kind   `json:"kind"`
		Label  safe.Text        `json:"label"`
		Answer *questions.Value `json:"answer,omitempty"`
		Note   safe.Text        `json:"note,omitzero"`
	}
	told := struct {
		ID        string          `json:"askId"`
		Session   string          `json:"sessionId"`
		Title     safe.Text       `json:"title"`
		Asked     time.Time       `json:"asked"`
		State     questions.State `json:"state"`
		At        time.Time       `json:"at,omitzero"`
		By        string          `json:"by,omitempty"`
		Message   safe.Text       `json:"message,omitzero"`
		Note      safe.Text       `json:"note,omitzero"`
		Questions []question      `json:"questions"`
	}{
		ID: ask.ID, Session: ask.Session, Title: ask.Spec.Title, Asked: ask.Created, State: ask.Outcome.State,
		At: ask.Outcome.At, By: ask.Outcome.By, Message: ask.Outcome.Message, Note: ask.Outcome.Reply.Note,
	}
	if told.State == "" {
		told.State = questions.Pending
	}
	for _, q := range ask.Spec.Questions {
		one := question{ID: q.ID, Kind: q.Kind, Label: q.Label, Note: ask.Outcome.Reply.Notes[q.ID]}
		if answer, ok := ask.Outcome.Reply.Answers[q.ID]; ok {
			one.Answer = &answer
		}
		told.Questions = append(told.Questions, one)
	}
	text, err := plainjson.Indent(told, "  ")
	return string(text), err
}
