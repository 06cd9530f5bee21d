package asking

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/questions"
	"planb/store"
)

// answerTool is get_answer.
func (s *toolset) answerTool() tool.Tool {
	return tool.Tool{
		Name: "get_answer", Title: "Wait for or look at an answer",
		Description: answerDescription, Schema: answerSchema, Hints: tool.Hints{Idempotent: true}, Serve: s.getAnswer,
	}
}

// answerDescription names no other tool: which tools ask the user depends on the toolsets.
const answerDescription = "Wait for what is NOT ANSWERED YET: a form, or the verdict on a plan or on tasks; look at it, or take it back. " +
	"Waits as long as the client allows. Without askId: the session's oldest whose answer you have not received, else its oldest open one; " +
	"without both ids the oldest of all sessions you have used."

const answerSchema = `{"type":"object","properties":{` +
	`"askId":{"type":"string"},` +
	`"sessionId":{"type":"string"},` +
	`"waitSeconds":{"type":"number","minimum":0,"description":"Wait at most so long; 0 only looks"},` +
	`"withdraw":{"type":"boolean","description":"true takes the question back, if you no longer need the answer"},` +
	`"question":{"type":"string","description":"Of a long answer: the question's id, or feedback"},` +
	`"offset":{"type":"integer","minimum":0,"description":"The character to begin at"}}}`

// maxWaitSeconds is a day; no client lets a call wait longer by much.
const maxWaitSeconds = 24 * 60 * 60

// getAnswer serves get_answer.
func (s *toolset) getAnswer(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("get_answer", raw)
	askID, sessionID := args.Text("askId"), args.Text("sessionId")
	seconds, limited := args.Number("waitSeconds", maxWaitSeconds, "timeoutSeconds")
	withdraw := args.Flag("withdraw")
	question := args.Text("question", "questionId", "field")
	offset, inPart := args.Number("offset", questions.MaxReplyBytes)
	if problems := args.Finish(); problems != "" {
		return tool.Failed(c.KnownSession(ctx, sessionID), problems)
	}
	if askID == "" && c.Input != nil {
		askID = c.Input.Dialog.AskID
	}
	foreign := false
	if sessionID != "" {
		session, failure := c.AnySession(ctx, sessionID, "get_answer")
		if failure == nil {
			foreign, failure = c.IsForeign(ctx, session.ID)
		}
		if failure != nil {
			return failure
		}
		sessionID = session.ID
	}
	ask, answer := s.wanted(ctx, c, askID, sessionID, withdraw)
	if answer == nil {
		foreign, answer = c.IsForeign(ctx, ask.Session)
	}
	if answer == nil {
		answer = s.answer(ctx, c, ask, foreign, wish{
			withdraw: withdraw, part: inPart || question != "", question: question, offset: int(offset),
			limited: limited, wait: time.Duration(seconds * float64(time.Second)),
		})
	}
	answer.Foreign = foreign
	return answer
}

// wish is what a call wants to do with an ask.
type wish struct {
	withdraw bool

	part     bool // of a long answer
	question string
	offset   int

	limited bool
	wait    time.Duration // at most, if limited
}

// answer does with the ask what the call wishes, and says how the ask stands then.
func (s *toolset) answer(ctx context.Context, c *tool.Caller, ask store.Ask, foreign bool, want wish) *tool.Result {
	if ask.Open() && c.Agent.ChoseSession(ask.Session) {
		c.Agent.Asks(ask.ID)
	}
	terms := wait.Terms{Foreign: foreign, Most: want.wait}
	if answer := s.Room.Replied(ctx, c, ask, terms); answer != nil {
		return answer
	}
	switch {
	case !ask.Open() && want.part:
		return s.Room.Part(ask, want.question, want.offset)
	case !ask.Open():
		return s.Room.Outcome(ask)
	case want.withdraw && ask.Own:
		return tool.Failed(ask.Session, fmt.Sprintf("The form %s was begun by the user, so it was not withdrawn. Only they may take it back.", ask.ID))
	case want.withdraw && foreign:
		return tool.Failed("", fmt.Sprintf("The question %s is of another project, so it was not withdrawn. Only an agent of that project, or the user, may withdraw it.", ask.ID))
	case want.withdraw:
		return s.Room.Withdraw(ctx, c.Agent, ask)
	case want.limited && want.wait == 0:
		return s.Room.Look(ctx, ask)
	}
	return s.Room.Resume(ctx, c, ask, terms)
}

// wanted finds the ask that a call is about: the ask that it names, else an ask that is
// due in the session that it names, else an ask that is due in any session that the
// client has used.
func (s *toolset) wanted(ctx context.Context, c *tool.Caller, askID, sessionID string, withdraw bool) (store.Ask, *tool.Result) {
	if askID == "" {
		return s.due(ctx, c, sessionID, withdraw)
	}
	ask, err := s.findAsk(ctx, c.Agent, askID)
	var unknown *store.UnknownError
	var ambiguous *store.AmbiguousError
	switch {
	case errors.As(err, &unknown):
		return store.Ask{}, s.unknownAsk(ctx, c, askID, sessionID)
	case errors.As(err, &ambiguous):
		return store.Ask{}, tool.Failed(sessionID, err.Error()+".")
	case err != nil:
		return store.Ask{}, tool.NotStored(sessionID, "The question could not be read", err)
	case sessionID != "" && ask.Session != sessionID:
		return store.Ask{}, tool.Failed(sessionID, fmt.Sprintf(
			"askId %q belongs to session %s, not to %s. Call get_answer {\"askId\":%q} without a sessionId.",
			askID, ask.Session, sessionID, ask.ID))
	}
	return ask, nil
}

// due finds the oldest ask of the session whose outcome the agent has not received. If
// there is none, it finds the oldest open ask. So an answer never waits behind a question
// that is still open. If the call withdraws, open asks come first. If the call names no
// session, the ask may be in any session that the client has used: a plan file has a
// session of its own, and writing it must not hide a form of another session.
func (s *toolset) due(ctx context.Context, c *tool.Caller, sessionID string, withdraw bool) (store.Ask, *tool.Result) {
	first := store.Ask.Undelivered
	if withdraw {
		first = isOpen
	}
	sessions := sessionsFor(c, sessionID)
	if len(sessions) == 0 {
		return store.Ask{}, tool.Failed("", needsAskText(c))
	}
	for _, passes := range []func(store.Ask) bool{first, isDue} {
		var oldest store.Ask
		for _, session := range sessions {
			ask, failure := s.dueIn(ctx, session, passes)
			if failure != nil {
				return store.Ask{}, failure
			}
			if oldest.ID == "" || ask.ID != "" && ask.Created.Before(oldest.Created) {
				oldest = ask
			}
		}
		if oldest.ID != "" {
			return oldest, nil
		}
	}
	return store.Ask{}, &tool.Result{
		Items: []string{nothingDueText(len(sessions), s.lastOutcome(ctx, sessions))}, Session: sessions[0], Data: &tool.SessionOnly{Session: sessions[0]},
	}
}

// needsAskText says how an agent that knows neither an ask nor a session finds what it waits for.
func needsAskText(c *tool.Caller) string {
	if !c.Has("ask_user") {
		return "get_answer needs an askId, as the result that said NOT ANSWERED YET gave it. " +
			"If you know none, call again what asked the user: the same call joins what is open."
	}
	return "get_answer needs an askId, as ask_user gave it, or a sessionId for the oldest question of that session. " +
		"If you know neither, call init_planb_session: it names what earlier sessions of the project have open or unread."
}

// sessionsFor returns the sessions in which a call looks: the named one, else those that
// the client has used.
func sessionsFor(c *tool.Caller, named string) []string {
	if named != "" {
		return []string{named}
	}
	return c.Agent.UsedSessions()
}

// isOpen reports whether an agent may wait for the ask. A form that the user began is theirs.
func isOpen(ask store.Ask) bool { return ask.Open() && !ask.Own }

func isDue(ask store.Ask) bool { return isOpen(ask) || ask.Undelivered() }

// dueIn finds the oldest ask of one session that passes; its ID is empty if none does.
func (s *toolset) dueIn(ctx context.Context, session string, passes func(store.Ask) bool) (store.Ask, *tool.Result) {
	due, err := s.Store.Due(ctx, session)
	if err != nil {
		return store.Ask{}, tool.NotStored(session, "The session's questions could not be read", err)
	}
	for _, listed := range due {
		if !passes(listed) {
			continue
		}
		s.Room.AwaitDelivery(ctx, listed.ID) // an outcome on its way to this agent is not told again
		ask, err := s.Store.Ask(ctx, listed.ID)
		if err != nil {
			return store.Ask{}, tool.NotStored(session, "The question could not be read", err)
		}
		if passes(ask) {
			return ask, nil
		}
	}
	return store.Ask{}, nil
}

// lastOutcome is the ask that the user settled last in the sessions: an agent whose context
// was cut short may have received it and lost it. Its ID is empty if there is none.
func (s *toolset) lastOutcome(ctx context.Context, sessions []string) (last store.Ask) {
	for _, session := range sessions {
		asks, err := s.Store.Asks(ctx, session)
		if err != nil {
			s.Log.Warn("a session's answers could not be looked up", "session", session, "error", err)
			continue
		}
		for _, ask := range asks {
			if ask.Err == nil && ask.Outcome.State.Final() && ask.Outcome.State != questions.Withdrawn && ask.Outcome.At.After(last.Outcome.At) {
				last = ask
			}
		}
	}
	return last
}

func (s *toolset) unknownAsk(ctx context.Context, c *tool.Caller, askID, sessionID string) *tool.Result {
	sessions := sessionsFor(c, sessionID)
	var waiting []store.Ask
	for _, session := range sessions {
		due, err := s.Store.Due(ctx, session)
		if err != nil {
			return tool.NotStored(session, "The session's questions could not be read", err)
		}
		waiting = append(waiting, slices.DeleteFunc(due, func(ask store.Ask) bool { return !isDue(ask) })...)
	}
	if len(sessions) > 0 {
		sessionID = sessions[0]
	}
	return tool.Failed(sessionID, unknownAskText(c, askID, sessionID, waiting))
}

// unknownAskText names the asks that wait in the session; session is empty if none is
// known.
func unknownAskText(c *tool.Caller, id, session string, waiting []store.Ask) string {
	unknown := fmt.Sprintf("Unknown askId %q. ", id)
	switch {
	case len(waiting) > 0:
		ids := make([]string, len(waiting))
		for i, ask := range waiting {
			ids[i] = ask.ID
		}
		return unknown + "Waiting in this session: " + strings.Join(ids, ", ") + ". Call get_answer with one of these."
	case !c.Has("ask_user"):
		return unknown + needsAskText(c)
	case session == "":
		return unknown + "Pass one as ask_user gave it, or a sessionId for the oldest question of that session."
	}
	return unknown + "Nothing waits in this session. To ask the user, call ask_user."
}

// nothingDueText says that nothing waits in so many sessions, and how to read the last
// outcome.
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
