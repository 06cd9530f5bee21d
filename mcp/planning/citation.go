package planning

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"planb/mcp/tool"
	"planb/plans"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// mostUncited is how many citations of one sort are named.
const mostUncited = 3

// citing says what became of the question that a citation names.
type citing int

const (
	citesNothing citing = iota // the session has not asked the question
	citesOpen                  // it was left open, or the form was not answered
	citesWaiting               // the form waits for an answer
	citesPassing               // the user replied without finishing, and may answer otherwise
	citesAnswered
)

// uncited says which citations of a plan's text lead to no answer of the session. It leaves
// out the citations of the text before, because the agent was told of those when it wrote
// that text. before returns that text; it is called only if there are citations.
func (s *toolset) uncited(ctx context.Context, session, text string, before func() string) string {
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
		s.Log.Warn("the questions that a plan cites could not be looked up", "session", session, "error", err)
		return ""
	}
	named := map[citing][]string{}
	for _, c := range cited {
		if !told[c.Question] {
			told[c.Question] = true
			to := asked[c.Question]
			named[to] = append(named[to], fmt.Sprintf("[q:%s] (line %d)", tool.Shortened(c.Question), c.Line))
		}
	}
	var sentences []string
	for _, sort := range []struct {
		to     citing
		format string
	}{
		{citesNothing, "This session has no such question: %s. Cite by the id that the question had in ask_user."},
		{citesWaiting, "Not answered yet: %s. Those lines follow from no answer."},
		{citesPassing, "Answered for now, and may change: %s. Ask again before you rely on it."},
		{citesOpen, "The user gave no answer to: %s. Those lines follow from no answer."},
	} {
		list := named[sort.to]
		if more := len(list) - mostUncited; more > 0 {
			list = append(list[:mostUncited:mostUncited], fmt.Sprintf("%d more", more))
		}
		if len(list) > 0 {
			sentences = append(sentences, fmt.Sprintf(sort.format, strings.Join(list, ", ")))
		}
	}
	return strings.Join(sentences, " ")
}

// askedIn returns what became of the questions of a session, by id, and of those of other
// sessions whose outcome the agent was told. If a question was asked more than once, the
// best outcome counts.
func (s *toolset) askedIn(ctx context.Context, session string) (map[string]citing, error) {
	list, err := s.Store.Asks(ctx, session)
	if err != nil {
		return nil, err
	}
	var ids []string
	if r, ok := tool.RequestFrom(ctx); ok {
		ids = r.Agent.HeardOf()
	}
	for _, listed := range list {
		if listed.Err == nil && listed.Spec.Plan == nil && !slices.Contains(ids, listed.ID) {
			ids = append(ids, listed.ID)
		}
	}
	asked := map[string]citing{}
	for _, id := range ids {
		ask, err := s.Store.Ask(ctx, id)
		if store.AboutOneRecord(err) || errors.As(err, new(*store.UnknownError)) {
			continue // damaged, or gone meanwhile
		}
		if err != nil {
			return nil, err
		}
		for _, q := range ask.Spec.Questions {
			asked[q.ID] = max(asked[q.ID], citingOf(ask, q))
		}
	}
	return asked, nil
}

// citingOf returns what became of the question.
func citingOf(ask store.Ask, q questions.Question) citing {
	switch {
	case q.Kind == questions.Review:
		return citesNothing
	case ask.Open():
		return citesWaiting
	case ask.Outcome.Reply.Answers[q.ID].IsZero():
		return citesOpen
	case ask.Outcome.State == questions.Answered:
		return citesAnswered
	case ask.Outcome.State == questions.Discuss:
		return citesPassing
	}
	return citesOpen
}
