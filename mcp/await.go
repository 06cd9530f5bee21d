package mcp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"planb/mcp/tool"
	"planb/questions"
	"planb/setup/known"
	"planb/store"
	"planb/store/kv"
)

// call is a tool's call that waits for an ask.
type call struct {
	*tool.Caller
	limit   time.Duration // how long it may wait; 0 is no limit
	foreign bool          // its connection does not see the ask's project: the call may read an answer, and opens no pane
}

// call is the tool's call, which may wait as long as its client allows.
func (s *waiting) call(ctx context.Context, c *tool.Caller, foreign bool) call {
	return call{c, s.limit(ctx, c), foreign}
}

// await waits as long as the client allows, and words how that ended. An agent
// that has waited in vain for a while is told that the user seems to be away.
func (s *waiting) await(c call, ask store.Ask, shown *dialog) *tool.Result {
	ended := s.wait(c, ask, shown)
	if ended.end == waitHidden && shown == nil {
		return s.cannotShow(c, ended.ask, ended.err)
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
func (s *waiting) awaitBriefly(c call, ask store.Ask, limit time.Duration) *tool.Result {
	c.limit = limit + time.Since(c.Started())
	ended := s.wait(c, ask, nil)
	if ended.end == waitLimit && s.isAway(c.Context(), ended.ask) {
		return away(ended.ask)
	}
	return s.ended(c, ended)
}

// isAway reports whether the person seems to be away. One who put the ask off was there.
func (s *waiting) isAway(ctx context.Context, ask store.Ask) bool {
	return s.patience.away(ctx, s.store, ask) && !s.isPutOff(ctx, ask)
}

// look words how an open ask stands.
func (s *waiting) look(ctx context.Context, ask store.Ask) *tool.Result {
	if s.isAway(ctx, ask) {
		return away(ask)
	}
	return s.stillOpen(ctx, ask, nil)
}

// ended words how a wait ended.
func (s *waiting) ended(c call, ended waited) *tool.Result {
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
func (s *waiting) forget(askID string) {
	s.expiries.forget(askID)
	s.patience.forget(askID)
	s.dialogs.forget(askID)
	s.stage.setPush(askID, pushedOnce)
}

// stillOpen words an ask that is not answered yet, by whether anybody shows it;
// reason is why not, where that is known.
func (s *waiting) stillOpen(ctx context.Context, ask store.Ask, reason error) *tool.Result {
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
func (s *waiting) isPutOff(ctx context.Context, ask store.Ask) bool {
	itself, err := s.stage.putOff(ctx, ask)
	if err != nil {
		s.log.Warn("whether the user put the question off could not be read", "ask", ask.ID, "error", err)
	}
	return itself || s.putOffs(ctx, ask.Place).Place
}

// whyNotShown is why no screen has the ask, nil for one that the next wait
// brings up. The reason is that of the last attempt, where it is known.
func (s *waiting) whyNotShown(ctx context.Context, ask store.Ask, reason error) error {
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
func (s *waiting) notShown(ask store.Ask, reason error) *tool.Result {
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
func (s *waiting) nowhere(ask store.Ask, reason error) *tool.Result {
	s.stage.setPush(ask.ID, pushedOff)
	data := dataOf(ask)
	data.Nowhere = true
	return withData(ask, nowhereText(ask.ID, reason), data)
}

// place is where the forms of this server belong.
func (s *waiting) place(ctx context.Context) (string, error) {
	place, err := s.stage.opener.Place(ctx)
	if place == "" {
		place = "server-" + s.owner
	}
	return place, err
}

// limit is how long the call may wait for a person; 0 is no limit.
func (s *waiting) limit(ctx context.Context, c *tool.Caller) time.Duration {
	if s.waitFlag > 0 {
		return s.waitFlag
	}
	return known.BySelfName(c.Agent.Client(ctx).Name.Raw()).CallTime(c.WantsProgress())
}

func away(ask store.Ask) *tool.Result {
	data := dataOf(ask)
	data.Away = true
	return withData(ask, awayText(ask), data)
}
