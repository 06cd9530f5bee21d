package retro

import (
	"context"
	"fmt"
	"strings"

	"planb/questions/safe"
	"planb/store"
	"planb/tui/editor/external"
	"planb/tui/wording"
)

// sharedPlan is a version of a plan, exactly as it was saved.
func (d Deps) sharedPlan(ctx context.Context, session string, number int) (external.Shared, error) {
	text, err := d.Store.PlanText(ctx, session, number)
	return external.Shared{What: fmt.Sprintf("The Markdown of v%d", number), File: fmt.Sprintf("plan-v%d.md", number), Text: text}, err
}

// sharedAsk is an ask with its answers, as a text.
func (d Deps) sharedAsk(ctx context.Context, id string) (external.Shared, error) {
	ask, err := d.Store.Ask(ctx, id)
	if err != nil {
		return external.Shared{}, err
	}
	return external.Shared{What: "The form with its answers", File: "answers.txt", Text: wording.AskText(ask, d.Now().Location())}, nil
}

// sharedSession is the title, project and intent of a session, as a text.
func sharedSession(session store.Session) external.Shared {
	var text strings.Builder
	fmt.Fprintf(&text, "%s\n%s\n", wording.SessionTitle(session), session.ID)
	for _, more := range []safe.Text{session.Project, session.Intent} {
		if !more.Blank() {
			fmt.Fprintf(&text, "\n%s\n", more.Raw())
		}
	}
	return external.Shared{What: "What the session is about", File: "session.txt", Text: safe.New(text.String())}
}
