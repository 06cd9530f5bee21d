package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/wire"
	"planb/setup/known"
	"planb/store"
)

// tool is one tool: what a model is told of it, and what serves it.
type tool struct {
	name, title, description string
	schema                   string // of its arguments, JSON Schema
	hints                    hints
	serve                    func(ctx context.Context, c *call, args json.RawMessage) *result
}

// hints are a tool's annotations.
type hints struct{ readOnly, destructive, idempotent, openWorld bool }

// toolset is a group of tools that is offered or not.
type toolset struct {
	name  string
	tools func(*Server) []tool
}

// toolsets lists the known toolsets, in the order in which their tools are listed.
func toolsets() []toolset {
	return []toolset{
		{"session", (*Server).sessionTools},
		{"review", (*Server).reviewTools},
	}
}

// DefaultToolsets are the toolsets offered when none are asked for.
func DefaultToolsets() []string { return []string{"session", "review"} }

// CheckToolsets returns an error that lists the known toolsets if one of the
// names is none of them. "all" names every one.
func CheckToolsets(names []string) error {
	known := []string{"all"}
	for _, set := range toolsets() {
		known = append(known, set.name)
	}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return fmt.Errorf("there is no toolset %q; known are: %s", name, strings.Join(known, ", "))
		}
	}
	return nil
}

// tools returns the tools of the named toolsets; unknown names give none.
func (s *Server) tools(names []string) []tool {
	var offered []tool
	for _, set := range toolsets() {
		if slices.Contains(names, set.name) || slices.Contains(names, "all") {
			offered = append(offered, set.tools(s)...)
		}
	}
	return offered
}

// refuseTool words, in place of the protocol library, that there is no such tool.
func refuseTool(offered []tool) server.OnErrorHookFunc {
	var names []string
	for _, t := range offered {
		names = append(names, t.name)
	}
	return func(ctx context.Context, _ any, _ sdk.MCPMethod, request any, err error) {
		asked, is := request.(*sdk.CallToolRequest)
		c, ok := callFrom(ctx)
		if !is || !ok || !errors.Is(err, server.ErrToolNotFound) {
			return
		}
		c.refused = &wire.Error{Code: sdk.INVALID_PARAMS, Message: fmt.Sprintf("there is no tool %s; there are %s", strconv.Quote(cut(asked.Params.Name)), strings.Join(names, ", "))}
	}
}

// definition is the tool as the protocol library lists it. alwaysLoad asks
// Claude Code to keep the tool in front of the model, where it would otherwise
// have to be searched for.
func (t tool) definition() sdk.Tool {
	defined := sdk.NewToolWithRawSchema(t.name, t.description, json.RawMessage(t.schema))
	defined.Title = t.title
	defined.Annotations = sdk.ToolAnnotation{
		ReadOnlyHint:    &t.hints.readOnly,
		DestructiveHint: &t.hints.destructive,
		IdempotentHint:  &t.hints.idempotent,
		OpenWorldHint:   &t.hints.openWorld,
	}
	defined.Meta = &sdk.Meta{AdditionalFields: map[string]any{"anthropic/alwaysLoad": true}}
	return defined
}

// serveTool is the tool as the protocol library calls it.
func (s *Server) serveTool(t tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		c, ok := callFrom(ctx)
		if !ok {
			return nil, fmt.Errorf("%s was called outside a connection", t.name)
		}
		c.way, c.who = dialogWayOf(ctx, c.agent), clientTitle(c.agent.Client(ctx))
		c.input = s.inputOf(c, request.Params.MultiRoundTripParams)
		answer := t.serve(ctx, c, request.Params.RawArguments)
		named := answer.session != "" && strings.EqualFold(readArguments(t.name, request.Params.RawArguments).text("sessionId"), answer.session)
		switch {
		case c.foreign:
			answer.session = ""
		case named:
			c.agent.ChooseSession(answer.session)
		}
		s.leaveToAsker(ctx, c, answer, named)
		if answer.session != "" {
			c.agent.UseSession(answer.session)
			if answer.wants == nil { // else no model reads it
				s.announceEarlier(ctx, c, answer)
			}
		}
		if answer.wants == nil {
			s.bringEdits(ctx, answer)
			s.tellMovedOn(ctx, answer)
			s.tellApprovalStands(ctx, answer)
			s.tellUnkept(c, answer)
		}
		limit := known.BySelfName(c.agent.Client(ctx).Name.Raw()).ResultLimit(answer.isError)
		c.deliver(s.fit(answer, limit)...)
		if p := answer.part; p != nil && p.last && len(answer.carries) > 0 {
			c.ends(partEnd{p.ask.ID, p.piece.name, tellingOf(p.ask).cuts(limit)})
		}
		return answer.protocol(), nil
	}
}

// announceEarlier adds to a result what the session's user answered and the
// agent that asked has not learned. Asks that another call waits for, or whose answer is
// on its way to the client just now, are left to those.
func (s *Server) announceEarlier(ctx context.Context, c *call, answer *result) {
	earlier, err := s.store.Undelivered(ctx, answer.session)
	if ctx.Err() != nil {
		return // cancelled: nobody reads this result
	}
	if err != nil {
		s.log.Warn("earlier answers could not be looked up", "session", answer.session, "error", err)
		return
	}
	s.announce(ctx, answer, earlier, func(ask store.Ask) bool {
		return ask.ID == answer.ask.ID || s.hub.waited(ask.ID) || !c.agent.IsFor(ctx, ask)
	}, func(store.Ask) string { return "" })
}

// notStored words a failure of the store for the model.
func notStored(session, what string, err error) *result {
	return failed(session, fmt.Sprintf("%s: %s.%s", what, oneLine(err.Error()), whoseFault(err)))
}
