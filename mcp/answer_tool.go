package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"planb/mcp/tool"
	"planb/questions"
	"planb/store"
	"planb/store/kv"
)

// maxWaitSeconds is a day; no client lets a call wait longer by much.
const maxWaitSeconds = 24 * 60 * 60

// getAnswer serves get_answer.
func (s *Server) getAnswer(ctx context.Context, c *tool.Caller, raw json.RawMessage) *tool.Result {
	args := tool.ReadArguments("get_answer", raw)
	askID, sessionID := args.Text("askId"), args.Text("sessionId")
	seconds, limited := args.Seconds("waitSeconds", maxWaitSeconds, "timeoutSeconds")
	withdraw := args.Flag("withdraw")
	question := args.Text("question", "questionId", "field")
	offset, inPart := args.Seconds("offset", questions.MaxReplyBytes)
	if problems := args.Finish(); problems != "" {
		return tool.Failed(s.knownSession(ctx, c, sessionID), problems)
	}
	if askID == "" && c.Input != nil {
		askID = c.Input.Dialog.AskID
	}
	ask, failure := s.wanted(ctx, c, askID, sessionID, withdraw)
	if failure != nil {
		return failure
	}
	if failure := c.About(ctx, ask.Session); failure != nil {
		return failure
	}
	if ask.Open() && c.Agent.ChoseSession(ask.Session) {
		c.Agent.Asks(ask.ID)
	}
	limit := s.limit(ctx, c)
	if reply, ok := s.replyTo(c, ask); ok {
		return s.answeredDialog(c, ask, reply, limit)
	}
	switch {
	case !ask.Open() && (inPart || question != ""):
		return s.part(ask, question, int(offset))
	case !ask.Open():
		return outcomeOf(ask)
	case withdraw:
		return s.withdraw(ctx, c, ask)
	case limited && seconds == 0:
		return s.look(ctx, ask)
	}
	ask, err := s.showAgain(c, ask)
	switch {
	case err == nil || c.Context().Err() != nil:
	case limited || errors.Is(err, errClosed):
		return s.notShown(ask, err)
	default:
		return s.cannotShow(c, ask, err, limit)
	}
	if wanted := time.Duration(seconds * float64(time.Second)); limited && (limit == 0 || wanted < limit) {
		return s.awaitBriefly(c, ask, wanted)
	}
	return s.await(c, ask, limit, nil)
}

// wanted finds the ask a call is about: the one named, else one that is due in the
// session named, else in those this client has used.
func (s *Server) wanted(ctx context.Context, c *tool.Caller, askID, sessionID string, withdraw bool) (store.Ask, *tool.Result) {
	if sessionID != "" {
		session, failure := s.anySession(ctx, sessionID, "get_answer")
		if failure == nil {
			failure = c.About(ctx, session.ID)
		}
		if failure != nil {
			return store.Ask{}, failure
		}
		sessionID = session.ID
	}
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

// due finds the oldest ask of the session whose outcome the agent has not received,
// else the oldest that is open: an answer that is there must not wait for one that is
// not. To withdraw, an open one comes first. Where no session is named it may be in
// any that the client has used: a plan's file has a session of its own, and writing it
// must not hide a form of another.
func (s *Server) due(ctx context.Context, c *tool.Caller, sessionID string, withdraw bool) (store.Ask, *tool.Result) {
	first := store.Ask.Undelivered
	if withdraw {
		first = store.Ask.Open
	}
	sessions := sessionsFor(c, sessionID)
	if len(sessions) == 0 {
		return store.Ask{}, tool.Failed("", "get_answer needs an askId, as ask_user gave it, or a sessionId for the oldest question of that session. "+
			"If you know neither, call init_planb_session: it names what earlier sessions of the project have open or unread.")
	}
	for _, passes := range []func(store.Ask) bool{first, isDue} {
		for _, session := range sessions {
			ask, failure := s.dueIn(ctx, session, passes)
			if failure != nil || ask.ID != "" {
				return ask, failure
			}
		}
	}
	return store.Ask{}, &tool.Result{
		Items: []string{nothingDueText(len(sessions), s.lastOutcome(ctx, sessions))}, Session: sessions[0], Data: &tool.SessionOnly{Session: sessions[0]},
	}
}

// sessionsFor is where a call looks: in the session named, else in those the
// client has used.
func sessionsFor(c *tool.Caller, named string) []string {
	if named != "" {
		return []string{named}
	}
	return c.Agent.UsedSessions()
}

func isDue(ask store.Ask) bool { return ask.Open() || ask.Undelivered() }

// dueIn finds the oldest such ask in one session; its ID is empty if there is none.
func (s *Server) dueIn(ctx context.Context, session string, passes func(store.Ask) bool) (store.Ask, *tool.Result) {
	due, err := s.store.Due(ctx, session)
	if err != nil {
		return store.Ask{}, tool.NotStored(session, "The session's questions could not be read", err)
	}
	for _, listed := range due {
		if !passes(listed) {
			continue
		}
		s.deliveries.settled(ctx, listed.ID) // what is on its way to this agent is not told again
		ask, err := s.store.Ask(ctx, listed.ID)
		if err != nil {
			return store.Ask{}, tool.NotStored(session, "The question could not be read", err)
		}
		if passes(ask) {
			return ask, nil
		}
	}
	return store.Ask{}, nil
}

// lastOutcome is what the user said last in the sessions: an agent whose context
// was cut short has received it, and knows it no more. Its ID is empty where they
// said nothing yet.
func (s *Server) lastOutcome(ctx context.Context, sessions []string) (last store.Ask) {
	for _, session := range sessions {
		asks, err := s.store.Asks(ctx, session)
		if err != nil {
			s.log.Warn("a session's answers could not be looked up", "session", session, "error", err)
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

func (s *Server) unknownAsk(ctx context.Context, c *tool.Caller, askID, sessionID string) *tool.Result {
	sessions := sessionsFor(c, sessionID)
	var waiting []store.Ask
	for _, session := range sessions {
		due, err := s.store.Due(ctx, session)
		if err != nil {
			return tool.NotStored(session, "The session's questions could not be read", err)
		}
		waiting = append(waiting, due...)
	}
	if len(sessions) > 0 {
		sessionID = sessions[0]
	}
	return tool.Failed(sessionID, unknownAskText(askID, sessionID, waiting))
}

// withdraw takes the question back; an answer that was quicker is the result.
func (s *Server) withdraw(ctx context.Context, c *tool.Caller, ask store.Ask) *tool.Result {
	if c.Foreign {
		return tool.Failed("", fmt.Sprintf("The question %s is of another project, so it was not withdrawn. Only an agent of that project, or the user, may withdraw it.", ask.ID))
	}
	settled, err := s.store.Settle(ctx, ask.ID, questions.Outcome{State: questions.Withdrawn})
	var late *questions.SettledError
	switch {
	case errors.As(err, &late):
		ask.Outcome = late.Winner
		return outcomeOf(ask)
	case err != nil:
		return tool.NotStored(ask.Session, "The question could not be withdrawn", err)
	}
	s.forget(ask.ID)
	c.Agent.Learned(ask.ID)
	settled.Spec = ask.Spec
	return aboutAsk(settled, outcomeText(settled, tool.Uncut())[0])
}

// await waits as long as the client allows, and words how that ended. An agent
// that has waited in vain for a while is told that the user seems to be away.
func (s *Server) await(c *tool.Caller, ask store.Ask, limit time.Duration, shown *dialog) *tool.Result {
	ended := s.wait(c, ask, limit, shown)
	if ended.end == waitHidden && shown == nil {
		return s.cannotShow(c, ended.ask, ended.err, limit)
	}
	if ended.end == waitLimit || ended.end == waitExpired {
		if s.isAway(c.Context(), ended.ask) {
			return away(ended.ask)
		}
		s.patience.inVain(c.Context(), s.store, ended.ask, c.Started())
	}
	return s.ended(c, ended)
}

// awaitBriefly waits as long as the agent asked for. That is less than the
// client allows, so it does not count as a wait in vain.
func (s *Server) awaitBriefly(c *tool.Caller, ask store.Ask, limit time.Duration) *tool.Result {
	ended := s.wait(c, ask, limit+time.Since(c.Started()), nil)
	if ended.end == waitLimit && s.isAway(c.Context(), ended.ask) {
		return away(ended.ask)
	}
	return s.ended(c, ended)
}

// isAway reports whether the person seems to be away. One who put the ask off was there.
func (s *Server) isAway(ctx context.Context, ask store.Ask) bool {
	return s.patience.away(ctx, s.store, ask) && !s.isPutOff(ctx, ask)
}

// look words how an open ask stands.
func (s *Server) look(ctx context.Context, ask store.Ask) *tool.Result {
	if s.isAway(ctx, ask) {
		return away(ask)
	}
	return s.stillOpen(ctx, ask, nil)
}

func away(ask store.Ask) *tool.Result {
	data := dataOf(ask)
	data.Away = true
	return withData(ask, awayText(ask), data)
}

// ended words how a wait ended.
func (s *Server) ended(c *tool.Caller, ended waited) *tool.Result {
	ask := ended.ask
	switch ended.end {
	case waitSettled:
		s.forget(ask.ID)
		return outcomeOf(ask)
	case waitExpired:
		return aboutAsk(ask, expiredText(ask))
	case waitHidden:
		return s.notShown(ask, ended.err)
	case waitFaulty:
		return tool.Failed(ask.Session, fmt.Sprintf(
			"Whether the user has answered cannot be read: %s.%s The question is kept; call get_answer {\"askId\":%q} later.",
			tool.OneLine(ended.err.Error()), tool.Remedy(ended.err), ask.ID))
	case waitUnstored:
		if !kv.Passing(ended.err) {
			return tool.Failed(ask.Session, fmt.Sprintf(
				"The user has replied in a dialog of your client, but the reply cannot be stored, however often it is tried: %s. Tell them to run  planb tui ask %s  in a terminal and to answer there.",
				tool.OneLine(ended.err.Error()), store.ShortID(ask.ID)))
		}
		return tool.Failed(ask.Session, fmt.Sprintf(
			"The user has replied in a dialog of your client, but the reply cannot be stored yet: %s.%s It is tried again for as long as this server runs; call get_answer {\"askId\":%q} later.",
			tool.OneLine(ended.err.Error()), tool.Remedy(ended.err), ask.ID))
	}
	return s.stillOpen(c.Context(), ask, ended.err)
}

// forget drops what this process remembers of an ask while it is open.
func (s *Server) forget(askID string) {
	s.expiries.forget(askID)
	s.patience.forget(askID)
	s.dialogs.forget(askID)
	s.stage.setPush(askID, pushedOnce)
}

// stillOpen words an ask that is not answered yet, by whether anybody shows it;
// reason is why not, where that is known.
func (s *Server) stillOpen(ctx context.Context, ask store.Ask, reason error) *tool.Result {
	if ask.Outcome.State == questions.Expired {
		return aboutAsk(ask, expiredText(ask))
	}
	if !s.noOpen && ctx.Err() == nil && !s.dialogs.isOpen(ask.ID) {
		shown, err := s.stage.shown(ctx, ask)
		if err != nil {
			s.log.Warn("whether the form is shown could not be read", "ask", ask.ID, "error", err)
		} else if why := s.whyNotShown(ctx, ask, reason); !shown && why != nil {
			return s.notShown(ask, why)
		}
	}
	return aboutAsk(ask, pendingText(ask))
}

// isPutOff reports whether the person put off the ask, its agent, or all that waits at
// its place.
func (s *Server) isPutOff(ctx context.Context, ask store.Ask) bool {
	itself, err := s.stage.putOff(ctx, ask)
	if err != nil {
		s.log.Warn("whether the user put the question off could not be read", "ask", ask.ID, "error", err)
	}
	return itself || s.putOffs(ctx, ask.Place).Place
}

// whyNotShown is why no screen has the ask, nil for one that the next wait
// brings up. The reason is that of the last attempt, where it is known.
func (s *Server) whyNotShown(ctx context.Context, ask store.Ask, reason error) error {
	if reason != nil {
		return reason
	}
	switch {
	case s.isPutOff(ctx, ask):
		return store.ErrPutOff
	case !ask.Shown.IsZero():
		return errClosed
	case s.stage.push(ask.ID) == pushedOff:
		return errNotOpened
	}
	return nil
}

// notShown tells the agent what to tell its user, who closed the form, put it off,
// or has no screen that could show it.
func (s *Server) notShown(ask store.Ask, reason error) *tool.Result {
	off := errors.Is(reason, store.ErrPutOff)
	if !off && !errors.Is(reason, errClosed) {
		return s.nowhere(ask, reason)
	}
	if off {
		s.stage.setPush(ask.ID, pushedLater)
		data := dataOf(ask)
		data.PutOff, data.Nowhere = true, true
		return withData(ask, putOffText, data)
	}
	s.stage.setPush(ask.ID, pushedOff)
	data := dataOf(ask)
	data.Closed = true
	return withData(ask, closedText(ask), data)
}

// nowhere tells the agent to send its user to a terminal.
func (s *Server) nowhere(ask store.Ask, reason error) *tool.Result {
	s.stage.setPush(ask.ID, pushedOff)
	data := dataOf(ask)
	data.Nowhere = true
	return withData(ask, nowhereText(ask.ID, reason), data)
}
