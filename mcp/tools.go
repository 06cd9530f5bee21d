package mcp

import (
	"context"
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

// toolsets lists the known toolsets, in the order in which their tools are listed.
func (s *Server) toolsets() []toolset {
	return []toolset{
		{"session", s.sessionTools()},
		{"review", s.reviewTools()},
	}
}

// DefaultToolsets are the toolsets offered when none are asked for.
func DefaultToolsets() []string { return []string{"session", "review"} }

// CheckToolsets returns an error that lists the known toolsets if one of the
// names is none of them. "all" names every one.
func CheckToolsets(names []string) error {
	known := append([]string{"all"}, DefaultToolsets()...)
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
	for _, set := range s.toolsets() {
		if slices.Contains(names, set.name) || slices.Contains(names, "all") {
			offered = append(offered, set.tools...)
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
		}
		if answer.wants == nil { // else no model reads it
			for _, step := range s.after {
				step(ctx, c, answer)
			}
		}
		limit := known.BySelfName(c.agent.Client(ctx).Name.Raw()).ResultLimit(answer.isError)
		return s.fitter.reply(c, answer, limit), nil
	}
}

// announceEarlier adds to a result what the session's user answered and the
// agent that asked has not learned. Asks that another call waits for, or whose answer is
// on its way to the client just now, are left to those.
func (s *Server) announceEarlier(ctx context.Context, c *call, answer *result) {
	if answer.session == "" {
		return
	}
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
