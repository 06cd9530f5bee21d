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

	"planb/mcp/agent"
	"planb/mcp/drafts"
	"planb/mcp/tasks"
	"planb/mcp/tool"
	"planb/mcp/wait"
	"planb/mcp/wire"
	"planb/setup/known"
)

// DefaultToolsets are the toolsets offered when none are asked for.
func DefaultToolsets() []string { return []string{"session", "review"} }

// Toolsets are all toolsets there are. A person can name them in the settings, and "all".
func Toolsets() []string { return append(DefaultToolsets(), "tasks", "work", "drafts", drafts.OldSet) }

// offers reports whether a toolset is among the named ones. All leaves out the old names
// of drafts: they would only say twice what there is.
func offers(names []string, set string) bool {
	return slices.Contains(names, set) || set != drafts.OldSet && slices.Contains(names, "all")
}

// offered returns the tools of the named toolsets, each once; unknown names give none. The
// toolsets that ask a person bring get_answer along, which waits for the answer.
func offered(sets []tool.Set, toolsets []string) (tools []tool.Tool) {
	add := func(t tool.Tool) {
		if !slices.ContainsFunc(tools, func(other tool.Tool) bool { return other.Name == t.Name }) {
			tools = append(tools, t)
		}
	}
	asks := func(set string) bool { return slices.Contains([]string{"review", "tasks", "work", "drafts"}, set) }
	brings := slices.ContainsFunc(toolsets, asks)
	for _, set := range sets {
		for _, t := range set.Tools {
			if offers(toolsets, set.Name) || brings && t.Name == "get_answer" {
				add(t)
			}
		}
	}
	for i := range tools {
		if among := tools[i].Among; among != nil {
			among(&tools[i], func(name string) bool { return slices.Contains(names(tools), name) })
		}
	}
	return tools
}

// unlist is a hook that leaves the hidden tools out of the list.
func (o *offer) unlist(ctx context.Context, _ any, _ *sdk.ListToolsRequest, listed *sdk.ListToolsResult) {
	now := o.now()
	listed.Tools = slices.DeleteFunc(slices.Clone(listed.Tools), func(listed sdk.Tool) bool {
		return slices.ContainsFunc(now, func(t tool.Tool) bool { return t.Hidden && t.Name == listed.Name })
	})
	if r, ok := tool.RequestFrom(ctx); ok {
		o.listed(r.Agent)
	}
}

// refuseTool is a hook that words the protocol library's error for a tool that does not
// exist.
func (o *offer) refuseTool(ctx context.Context, _ any, _ sdk.MCPMethod, request any, err error) {
	asked, toolCall := request.(*sdk.CallToolRequest)
	r, ok := tool.RequestFrom(ctx)
	if !toolCall || !ok || !errors.Is(err, server.ErrToolNotFound) {
		return
	}
	r.Refused = &wire.Error{Code: sdk.INVALID_PARAMS, Message: fmt.Sprintf("there is no tool %s; there are %s", strconv.Quote(tool.Shortened(asked.Params.Name)), strings.Join(names(o.now()), ", "))}
}

// serveTool returns the handler by which the protocol library calls the tool.
func (s *Server) serveTool(t tool.Tool) server.ToolHandlerFunc {
	return func(ctx context.Context, request sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		r, ok := tool.RequestFrom(ctx)
		if !ok {
			return nil, fmt.Errorf("%s was called outside a connection", t.Name)
		}
		c := s.caller(ctx, r, request.Params.MultiRoundTripParams)
		r.Caller = c
		answer := t.Serve(ctx, c, request.Params.RawArguments)
		named := answer.Session != "" && strings.EqualFold(tool.ReadArguments(t.Name, request.Params.RawArguments).Text("sessionId"), answer.Session)
		switch {
		case answer.Foreign:
			answer.Session = ""
		case named:
			c.Agent.ChooseSession(answer.Session)
		}
		s.room.LeaveToAsker(ctx, c, answer, named)
		if answer.Session != "" {
			c.Agent.UseSession(answer.Session)
		}
		if answer.Wants == nil { // else no model reads it
			for _, step := range s.after {
				step(ctx, c, answer)
			}
		}
		limit := known.BySelfName(c.Agent.Client(ctx).Name.Raw()).ResultLimit(answer.IsError)
		return s.fitter.Reply(c, answer, limit), nil
	}
}

// caller returns the caller of a tool.
func (s *Server) caller(ctx context.Context, r *tool.Request, params sdk.MultiRoundTripParams) *tool.Caller {
	who, way := agent.Title(r.Agent.Client(ctx)), wait.WayOf(ctx, r.Agent)
	c := tool.NewCaller(r, who, way, s.room.Input(r, who, way, params), s.fitter)
	c.Tools = names(s.offer.now())
	return c
}

// missing reports whether a word is the name of a tool that this server has, but does not offer now.
func (s *Server) missing(word string) bool {
	return !slices.Contains(names(s.offer.now()), word) && slices.ContainsFunc(s.sets, func(set tool.Set) bool {
		return slices.ContainsFunc(set.Tools, func(t tool.Tool) bool { return t.Name == word })
	})
}

// Scopes are what a server may be allowed to do with tasks.
func Scopes() []string { return tasks.Scopes() }

// CheckScopes returns an error that lists the scopes, unless each name is one of them.
func CheckScopes(names []string) error { return tasks.CheckScopes(names) }
