// Package ownagent is an MCP client inside planb, which starts a planb server and calls its
// tools. planb demo and planb review ask in planb's own name; their questions go the same
// way as those of any agent. Begin to read at Start.
package ownagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/cli/frame"
	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// Agent is an MCP client inside planb, with its server. Through it, planb's
// own questions go the same way as those of any agent.
type Agent struct{ client *client.Client }

// StoreClient converts an MCP client's name to the form that the store keeps.
func StoreClient(as sdk.Implementation) store.Client {
	return store.Client{Name: safe.New(as.Name), Title: safe.New(as.Title), Version: safe.New(as.Version)}
}

// Start starts a server with p's environment, and connects to it as the client that
// as names. Without opensPanes the server opens no pane; the caller shows the asks.
// args are further arguments of planb mcp.
func Start(ctx context.Context, p frame.Program, as sdk.Implementation, opensPanes bool, args ...string) (*Agent, error) {
	executable, err := p.OwnProgram()
	if err != nil {
		return nil, err
	}
	env := p.Env.Pairs()
	if !opensPanes {
		env = append(env, "ASK_NO_OPEN=1")
	}
	// The hook may run outside the project that its plan belongs to.
	agent := &Agent{client.NewClient(transport.NewStdio(executable, env, append([]string{"mcp", "--wait", "24h", "--all-projects"}, args...)...))}
	if err := agent.client.Start(ctx); err != nil {
		return nil, fmt.Errorf("the server %s mcp can't be started: %w", executable, err)
	}
	request := sdk.InitializeRequest{}
	request.Params.ProtocolVersion = sdk.LATEST_PROTOCOL_VERSION
	request.Params.ClientInfo = as
	if _, err := agent.client.Initialize(ctx, request); err != nil {
		agent.Close()
		return nil, fmt.Errorf("the server did not answer initialize: %w", err)
	}
	return agent, nil
}

// Close ends the server. Everything is in the store by then, so an error here
// would tell nothing.
func (a *Agent) Close() { _ = a.client.Close() }

// Answer is the result of a tool call.
type Answer struct {
	Text string // the result's texts, one below the other
	// These are the result's facts as data.
	Ask     string          `json:"askId"`
	State   questions.State `json:"state"`
	Nowhere bool            `json:"nowhere"` // nothing shows the ask
	PutOff  bool            `json:"putOff"`  // because the person put it off
}

// FirstLine is the first line of the text.
func (a Answer) FirstLine() string {
	line, _, _ := strings.Cut(a.Text, "\n")
	return line
}

// Call calls a tool. A result with isError comes back as an error.
func (a *Agent) Call(ctx context.Context, tool string, arguments map[string]any) (Answer, error) {
	request := sdk.CallToolRequest{}
	request.Params.Name = tool
	request.Params.Arguments = arguments
	result, err := a.client.CallTool(ctx, request)
	if err != nil {
		return Answer{}, fmt.Errorf("%s failed: %w", tool, err)
	}
	var texts []string
	for _, content := range result.Content {
		if text, ok := content.(sdk.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	answer := Answer{Text: strings.Join(texts, "\n")}
	if result.IsError {
		return Answer{}, fmt.Errorf("%s: %s", tool, answer.Text)
	}
	if result.Meta == nil {
		return answer, nil
	}
	data, err := json.Marshal(result.Meta.AdditionalFields["planb/result"])
	if err == nil {
		err = json.Unmarshal(data, &answer)
	}
	if err != nil {
		return Answer{}, errors.Join(fmt.Errorf("the answer of %s can't be read", tool), err)
	}
	return answer, nil
}
