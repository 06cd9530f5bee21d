package library

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/store"
)

// maxCompletions is how many values the protocol allows at once.
const maxCompletions = 100

// CompleteResourceArgument returns the values that begin with the given text, the
// newest first. Sessions are also found by words of their titles. It offers only what
// the connection may see.
func (l *Library) CompleteResourceArgument(
	ctx context.Context, uri string, argument sdk.CompleteArgument, given sdk.CompleteContext,
) (*sdk.Completion, error) {
	if !slices.Contains([]string{sessionTemplate, planTemplate, askTemplate}, uri) {
		return &sdk.Completion{}, nil
	}
	call, ok := tool.RequestFrom(ctx)
	if !ok {
		return &sdk.Completion{}, nil
	}
	sight, err := call.Agent.Sight(ctx)
	if err != nil {
		return nil, err
	}
	session := given.Arguments["id"]
	seen, err := sight.HasID(ctx, session)
	var values []string
	more := false
	switch {
	case err != nil:
	case argument.Name == "id":
		values, more, err = l.sessions(ctx, sight, argument.Value)
	case !seen: // the session is not named yet, or wrongly: nothing completes it
	case argument.Name == "n" && uri == planTemplate:
		values, err = l.versions(ctx, session, argument.Value)
	case argument.Name == "askId" && uri == askTemplate:
		values, err = l.asks(ctx, session, argument.Value)
	}
	if unknown := new(store.UnknownError); errors.As(err, &unknown) {
		err = nil // deleted meanwhile
	}
	completion := &sdk.Completion{Values: values, HasMore: more}
	if !more {
		completion.Total = len(values)
	}
	if len(values) > maxCompletions {
		completion.Values, completion.HasMore = values[:maxCompletions], true
	}
	return completion, err
}

func (l *Library) sessions(ctx context.Context, sight agent.Sight, begun string) (values []string, more bool, err error) {
	begun = strings.ToLower(begun)
	for after := ""; ; {
		page, next, err := l.store.Sessions(ctx, after, maxListed)
		if err != nil {
			return nil, false, err
		}
		for _, session := range page {
			if !sight.Has(session) {
				continue
			}
			if !strings.HasPrefix(session.ID, begun) && !strings.Contains(strings.ToLower(session.Title.Raw()), begun) {
				continue
			}
			if len(values) == maxCompletions {
				return values, true, nil
			}
			values = append(values, session.ID)
		}
		if next == "" {
			return values, false, nil
		}
		after = next
	}
}

func (l *Library) versions(ctx context.Context, session, begun string) (values []string, err error) {
	owner, err := l.store.Session(ctx, session)
	for n := owner.Plans; n > 0; n-- {
		if number := strconv.Itoa(n); strings.HasPrefix(number, begun) {
			values = append(values, number)
		}
	}
	return values, err
}

func (l *Library) asks(ctx context.Context, session, begun string) (values []string, err error) {
	asks, err := l.store.Asks(ctx, session)
	for _, ask := range slices.Backward(asks) {
		if strings.HasPrefix(ask.ID, strings.ToLower(begun)) {
			values = append(values, ask.ID)
		}
	}
	return values, err
}
