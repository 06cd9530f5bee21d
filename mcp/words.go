package mcp

import (
	"fmt"
	"strings"

	"planb/mcp/tool"
	"planb/questions"
	"planb/store"
)

// The words of every outcome. They are what an agent acts on, so each says
// what is and what to do next.

func pendingText(ask store.Ask) string {
	open := fmt.Sprintf("the form %s is open. This is no answer: guess nothing, take no defaults.", tool.Quoted(ask.Spec.Title))
	if ask.Spec.Plan != nil {
		open = fmt.Sprintf("the plan %s is open for review. "+carryOutNone, tool.Quoted(ask.Spec.Title))
	}
	return fmt.Sprintf("NOT ANSWERED YET: %s First do what does not depend on it; "+
		"then call get_answer {\"askId\":%q}, which waits for the user.", open, ask.ID)
}

func nowhereText(askID string, reason error) string {
	return fmt.Sprintf("NOT ANSWERED YET: no pane could be opened (%s). Tell the user exactly: "+
		"run  planb tui ask %s  in a terminal to answer. Then call get_answer {\"askId\":%q}.",
		tool.OneLine(reason.Error()), store.ShortID(askID), askID)
}

// closedText is for a form that the person closed without answering.
func closedText(ask store.Ask) string {
	what, tool := "form", "ask_user"
	if ask.Spec.Plan != nil {
		what, tool = "review", "submit_plan"
	}
	return fmt.Sprintf("NOT ANSWERED YET: the user closed the %s; what they entered is kept. Tell them: "+
		"run  planb tui ask %s  to go on. Then end your turn. The same %s again opens it again.",
		what, store.ShortID(ask.ID), tool)
}

// putOffText is for a form that does not come up because the person put off what
// waits at its place.
const putOffText = "NOT ANSWERED YET: the user put this off; it waits in their inbox. Go on with what does not depend on it, " +
	"tell them in one sentence at the end, and do not ask again."

func awayText(ask store.Ask) string {
	return fmt.Sprintf("NOT ANSWERED YET, and the user seems to be away. Tell them in one sentence that %s waits (planb tui ask %s), "+
		"then end your turn. When they write again, call get_answer {\"askId\":%q} once.",
		tool.Quoted(ask.Spec.Title), store.ShortID(ask.ID), ask.ID)
}

// notAskedText is for a question that could not be stored in the directory.
func notAskedText(dir string, err error) string {
	return fmt.Sprintf("NOT ASKED: planb cannot write to %s (%s), so nothing was asked. "+
		"Tell your user exactly that; ask in the conversation what you must know.", dir, tool.OneLine(err.Error())) + tool.Remedy(err)
}

// tooManyText is for one question more than a session may have open. due are those
// that the agent may wait for.
func tooManyText(open int, due []store.Ask) string {
	text := fmt.Sprintf("%d questions of this session are open. Wait for answers (get_answer) or withdraw some; nothing was asked.", open)
	var ids []string
	for _, ask := range due {
		if ask.Open() {
			ids = append(ids, ask.ID)
		}
	}
	if len(ids) > 0 {
		text += " Their askIds: " + strings.Join(ids, ", ") + "."
	}
	return text
}

func expiredText(ask store.Ask) string {
	if ask.Spec.Plan != nil {
		return reviewExpiredText(ask)
	}
	return fmt.Sprintf("No answer was submitted within %s. Do not guess it. The form can still be answered, and a late answer "+
		"comes with your next planb result. Go on only with what does not depend on it; else tell your user in one sentence "+
		"that the form is waiting, and end your turn. To wait once more, call get_answer {\"askId\":%q}.",
		tool.InWords(ask.Timeout), ask.ID)
}

const withdrawnText = "The question was withdrawn."

// outcomeText words a final outcome: one item, and a second one where there is
// more to say than the answers. The cutter shortens what a person wrote.
func outcomeText(ask store.Ask, c *tool.Cutter) []string {
	message := c.Text(ask.Outcome.Message).Raw()
	switch review := ask.Spec.Plan != nil; {
	case !review:
	case ask.Outcome.State == questions.Answered:
		return reviewText(ask, c)
	case ask.Outcome.State == questions.Discuss:
		return reviewDiscussText(ask, message, c)
	case ask.Outcome.State == questions.Declined:
		return []string{reviewDeclinedText(message)}
	case ask.Outcome.Next != "":
		return []string{reviewReplacedText(ask.Spec.Plan.Number, ask.Outcome.Next)}
	case ask.Outcome.State == questions.Withdrawn:
		return []string{reviewWithdrawnText}
	}
	reply := c.Reply(ask.Spec, ask.Outcome.Reply)
	switch ask.Outcome.State {
	case questions.Answered:
		items := []string{string(ask.Spec.AnswersJSON(reply))}
		if more := besides(ask.Spec, ask.Outcome.Reply, notesText(ask.Spec, reply)); more != "" {
			items = append(items, more)
		}
		return items
	case questions.Discuss:
		items := []string{fmt.Sprintf("NOT FINISHED. The user writes: \"%s\"\nAnswer that first, in the intro of your next form, "+
			"and keep the ids of the questions. Answers so far, which may change: %s",
			message, ask.Spec.AnswersJSON(reply))}
		if notes := notesText(ask.Spec, reply); notes != "" {
			items = append(items, notes)
		}
		return items
	case questions.Declined:
		return []string{declinedText(message)}
	case questions.Withdrawn:
		return []string{withdrawnText}
	}
	return []string{fmt.Sprintf("The question ended as %q, which this planb does not know; update planb.", ask.Outcome.State)}
}

// unkeptText says of a reply in a client's dialog that it is not kept with its ask, and
// then where it is.
func unkeptText(ask, where string) string {
	return fmt.Sprintf("The user also replied to askId %s in a dialog of your client, after it was settled. "+
		"That reply is not kept with the question, which has %d later ones. %s", ask, store.MaxLate, where)
}

func declinedText(reason string) string {
	text := "User cancelled."
	if reason != "" {
		text += fmt.Sprintf(" Reason: \"%s\".", reason)
	}
	return text + " Do not ask this again unless the user brings it up; go on with what does not need it, " +
		"and name the open point at the end."
}

// besides words what an answered form says beyond its answers.
func besides(spec questions.Spec, reply questions.Reply, notes string) string {
	var lines []string
	if open := spec.Unanswered(reply); len(open) > 0 {
		lines = append(lines, fmt.Sprintf("The user left open: %s. That is no default; ask again only what you cannot go on without.", strings.Join(open, ", ")))
	}
	if other := spec.WrittenUnderOther(reply); len(other) > 0 {
		lines = append(lines, fmt.Sprintf("Written by the user under \"Other…\": %s.", strings.Join(other, ", ")))
	}
	if notes != "" {
		lines = append(lines, notes)
	}
	return strings.Join(lines, "\n")
}

// notesText words the person's notes, a line each in form order, the one on
// the whole form last.
func notesText(spec questions.Spec, reply questions.Reply) string {
	var lines []string
	for _, q := range spec.Questions {
		if note, ok := reply.Notes[q.ID]; ok && !note.IsZero() {
			lines = append(lines, "- "+q.ID+": "+indented(note.Raw()))
		}
	}
	if !reply.Note.IsZero() {
		lines = append(lines, "- on the whole form: "+indented(reply.Note.Raw()))
	}
	if len(lines) == 0 {
		return ""
	}
	return "Notes from the user:\n" + strings.Join(lines, "\n")
}

// indented keeps a note of several lines apart from the note after it.
func indented(note string) string { return strings.ReplaceAll(note, "\n", "\n  ") }

// earlierText announces an outcome the agent has not learned yet.
func earlierText(ask store.Ask) string {
	text := fmt.Sprintf("An earlier question was %s (askId %s): %s", howEnded(ask), ask.ID, strings.Join(outcomeText(ask, tool.Uncut()), "\n"))
	if plan := ask.Spec.Plan; plan != nil && plan.Path != "" {
		text += fmt.Sprintf("\nThe plan that was reviewed: %s", plan.Path)
	}
	return text
}

// earlierHint says that there is such an outcome, where it is too long to be told
// along with something else.
func earlierHint(ask store.Ask) string {
	return fmt.Sprintf("An earlier question was %s (askId %s). It is too long to be told here: call get_answer {\"askId\":%q}.",
		howEnded(ask), ask.ID, ask.ID)
}

func howEnded(ask store.Ask) string {
	switch ask.Outcome.State {
	case questions.Discuss:
		return "replied to"
	case questions.Declined:
		return "declined"
	}
	return "answered"
}

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
