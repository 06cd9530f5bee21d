package mcp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// mostUncited is how many citations that lead nowhere are named.
const mostUncited = 3

// uncited says which questions a plan's text cites that the session has not asked.
// Those that the text before cited were told when they came in; that text is asked
// for only where there is something to tell.
func (s *Server) uncited(ctx context.Context, session, text string, before func() string) string {
	cited := plans.Citations(safe.New(text))
	if len(cited) == 0 {
		return ""
	}
	told := map[string]bool{}
	for _, c := range plans.Citations(safe.New(before())) {
		told[c.Question] = true
	}
	cited = slices.DeleteFunc(cited, func(c plans.Citation) bool { return told[c.Question] })
	if len(cited) == 0 {
		return ""
	}
	asked, err := s.askedIn(ctx, session)
	if err != nil {
		s.log.Warn("the questions that a plan cites could not be looked up", "session", session, "error", err)
		return ""
	}
	var unknown []string
	for _, c := range cited {
		if name := fmt.Sprintf("[q:%s]", cut(c.Question)); !asked[c.Question] && !told[c.Question] {
			told[c.Question] = true
			unknown = append(unknown, fmt.Sprintf("%s (line %d)", name, c.Line))
		}
	}
	switch more := len(unknown) - mostUncited; {
	case len(unknown) == 0:
		return ""
	case more > 0:
		unknown = append(unknown[:mostUncited], fmt.Sprintf("%d more", more))
	}
	return "This session has no such question: " + strings.Join(unknown, ", ") + ". Cite by the id that the question had in ask_user."
}

// askedIn is the set of the questions that were asked in a session.
func (s *Server) askedIn(ctx context.Context, session string) (map[string]bool, error) {
	list, err := s.store.Asks(ctx, session)
	if err != nil {
		return nil, err
	}
	asked := map[string]bool{}
	for _, listed := range list {
		if listed.Err != nil || listed.Spec.Plan != nil {
			continue
		}
		ask, err := s.store.Ask(ctx, listed.ID)
		if store.AboutOneRecord(err) || errors.As(err, new(*store.UnknownError)) {
			continue // damaged, or gone meanwhile: what it asked is not known
		}
		if err != nil {
			return nil, err
		}
		for _, q := range ask.Spec.Questions {
			if q.Kind != questions.Review {
				asked[q.ID] = true
			}
		}
	}
	return asked, nil
}
