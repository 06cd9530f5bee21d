package mcp

import (
	"fmt"
	"strings"

	"planb/store"
)

// openText names a question of an earlier session that nobody has answered.
func openText(ask store.Ask, waited bool) string {
	if waited {
		return fmt.Sprintf("Session %s of this project has a question open, %q (askId %s), that the user has not answered yet. "+
			"Its answer goes to the agent that asked; leave it to that one.", ask.Session, ask.Spec.Title.Raw(), ask.ID)
	}
	return fmt.Sprintf("Session %s of this project has a question open, %q, that the user has not answered yet. "+
		"If you still need the answer, call get_answer {\"askId\":%q}; else leave it to the user.",
		ask.Session, ask.Spec.Title.Raw(), ask.ID)
}

// unreadText names a question of another session whose answer is there and is for
// another agent.
func unreadText(ask store.Ask) string {
	return fmt.Sprintf("The user answered %q (session %s). The answer is for the agent that asked; "+
		"to read it, call get_answer {\"askId\":%q}.", ask.Spec.Title.Raw(), ask.Session, ask.ID)
}

// unknownAskText names what waits in the session; its id is empty where none is
// known.
func unknownAskText(id, session string, waiting []store.Ask) string {
	if session == "" {
		return fmt.Sprintf("Unknown askId %q. Pass one as ask_user gave it, or a sessionId for the oldest question of that session.", id)
	}
	if len(waiting) == 0 {
		return fmt.Sprintf("Unknown askId %q. Nothing waits in this session. To ask the user, call ask_user.", id)
	}
	ids := make([]string, len(waiting))
	for i, ask := range waiting {
		ids[i] = ask.ID
	}
	return fmt.Sprintf("Unknown askId %q. Waiting in this session: %s. Call get_answer with one of these.",
		id, strings.Join(ids, ", "))
}

// nothingDueText says that nothing waits in so many sessions, and where to read
// what the user said last.
func nothingDueText(sessions int, last store.Ask) string {
	where := "in this session"
	if sessions > 1 {
		where = "in the sessions you have used"
	}
	text := "Nothing waits " + where + ": no question is open, and there is no answer you have not received."
	if last.ID == "" {
		return text
	}
	return text + fmt.Sprintf(" The last one was to %q; get_answer {\"askId\":%q} gives it again.", last.Spec.Title.Raw(), last.ID)
}
