package mcp

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"planb/mcp/agent"
	"planb/mcp/tool"
	"planb/mcp/wire"
)

// offer is what a server offers at the moment, and who hears that it changes: a person
// turns toolsets on and off while servers run.
type offer struct {
	mu      sync.Mutex
	tools   []tool.Tool
	hearers map[*agent.Agent]*hearer
}

// hearer is a connection that hears of changes.
type hearer struct {
	// knows are the tools that its client listed, or was told of, last; nil: it has
	// listed none.
	knows []string
	// streams are the _meta of the streams on which it wants to hear.
	streams map[*wire.Call]map[string]json.RawMessage
}

// names are the tools that are listed.
func names(tools []tool.Tool) (list []string) {
	for _, t := range tools {
		if !t.Hidden {
			list = append(list, t.Name)
		}
	}
	return list
}

func (o *offer) now() []tool.Tool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.tools
}

// join adds a connection, until leave is called.
func (o *offer) join(a *agent.Agent) (leave func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.hearers == nil {
		o.hearers = map[*agent.Agent]*hearer{}
	}
	o.hearers[a] = &hearer{streams: map[*wire.Call]map[string]json.RawMessage{}}
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.hearers, a)
	}
}

// hear tells the connection of changes on a stream, until leave is called, and calls
// acknowledge before the first.
func (o *offer) hear(a *agent.Agent, stream *wire.Call, meta map[string]json.RawMessage, acknowledge func()) (leave func()) {
	o.mu.Lock()
	defer o.mu.Unlock()
	acknowledge()
	h := o.hearers[a]
	if h == nil {
		return func() {}
	}
	h.streams[stream] = meta
	return func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(h.streams, stream)
	}
}

// listed notes that a client knows the tools that are offered now.
func (o *offer) listed(a *agent.Agent) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if h := o.hearers[a]; h != nil {
		h.knows = names(o.tools)
	}
}

// change offers other tools, and returns what tells the connections so.
func (o *offer) change(tools []tool.Tool) (tell []func() error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tools = tools
	for a, h := range o.hearers {
		if a.Initialized() {
			tell = append(tell, func() error { return a.Notify(sdk.MethodNotificationToolsListChanged, nil) })
		}
		for _, meta := range h.streams {
			tell = append(tell, func() error {
				return a.Notify(sdk.MethodNotificationToolsListChanged, map[string]any{"_meta": meta})
			})
		}
	}
	return tell
}

// tellRetooled adds to a result which tools were turned on or off since the client
// listed them, for clients that do not list the tools again when they are notified. Each
// result says so until one has been written to the client.
func (o *offer) tellRetooled(_ context.Context, c *tool.Caller, answer *tool.Result) {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.hearers[c.Agent]
	if h == nil || h.knows == nil {
		return
	}
	now := names(o.tools)
	on, off := without(now, h.knows), without(h.knows, now)
	if len(on) > 0 {
		answer.Notes = append(answer.Notes, "Your user has turned on these tools of planb: "+strings.Join(on, ", ")+
			". If you do not have them, ask your user to restart your client.")
	}
	if len(off) > 0 {
		answer.Notes = append(answer.Notes, "Your user has turned off these tools of planb: "+strings.Join(off, ", ")+". Do not call them.")
	}
	if len(on)+len(off) == 0 {
		return
	}
	c.OnWriting(func() (written func(error)) {
		o.mu.Lock()
		defer o.mu.Unlock()
		h.knows = now
		return func(error) {}
	})
}

// without returns the names of a list that others does not have.
func without(list, others []string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(name string) bool { return slices.Contains(others, name) })
}

// offerTools offers the tools of toolsets from now on.
func (s *Server) offerTools(toolsets []string) {
	tools := offered(s.sets, toolsets)
	if slices.Equal(names(tools), names(s.offer.now())) {
		return
	}
	served := make([]server.ServerTool, len(tools))
	for i, t := range tools {
		served[i] = server.ServerTool{Tool: t.Definition(), Handler: s.serveTool(t)}
	}
	s.sdk.SetTools(served...)
	for _, tell := range s.offer.change(tools) {
		if err := tell(); err != nil {
			s.log.Debug("that the tools have changed could not be written", "error", err)
		}
	}
}

// follow offers what a person turns on and off, until ctx ends.
func (s *Server) follow(ctx context.Context) {
	if s.retooled == nil {
		return
	}
	for toolsets := range s.retooled(ctx) {
		s.offerTools(toolsets)
	}
}
