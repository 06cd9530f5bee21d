package tui

import (
	"context"
	"fmt"
	"strings"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/wording"
)

// sharedPlan is a version of a plan, exactly as it was saved.
func (b browser) sharedPlan(ctx context.Context, session string, number int) (shared, error) {
	text, err := b.store.PlanText(ctx, session, number)
	return shared{what: fmt.Sprintf("The Markdown of v%d", number), file: fmt.Sprintf("plan-v%d.md", number), text: text}, err
}

// sharedAsk is an ask with its answers, as a text.
func (b browser) sharedAsk(ctx context.Context, id string) (shared, error) {
	ask, err := b.store.Ask(ctx, id)
	if err != nil {
		return shared{}, err
	}
	return shared{what: "The form with its answers", file: "answers.txt", text: wording.AskText(ask, b.now().Location())}, nil
}

// sharedSession is what a session is about, as a text.
func sharedSession(session store.Session) shared {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s\n", wording.SessionTitle(session), session.ID)
	for _, more := range []safe.Text{session.Project, session.Intent} {
		if !more.Blank() {
			fmt.Fprintf(&text, "\n%s\n", more.Raw())
		}
	}
	return shared{what: "What the session is about", file: "session.txt", text: safe.New(text.String())}
}
