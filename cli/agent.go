package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	sdk "github.com/mark3labs/mcp-go/mcp"

	"planb/questions"
	"planb/questions/safe"
	"planb/store"
)

// ownAgent is a client of planb's own, with its server: what planb asks for
// others takes the way that every agent's question takes.
type ownAgent struct {
	client     *client.Client
	opensPanes bool
}

// clientOf is how the store keeps such a client.
func clientOf(as sdk.Implementation) store.Client {
	return store.Client{Name: safe.New(as.Name), Title: safe.New(as.Title), Version: safe.New(as.Version)}
}

// startAgent starts a server and calls it as that client. Without opensPanes the
// server leaves it to others to show what is asked.
func (p program) startAgent(ctx context.Context, as sdk.Implementation, opensPanes bool) (*ownAgent, error) {
	executable, err := ownProgram()
	if err != nil {
		return nil, err
	}
	env := p.env.pairs()
	if !opensPanes {
		env = append(env, "ASK_NO_OPEN=1")
	}
	// A hook may run elsewhere than in the project whose plan it is told.
	agent := &ownAgent{client.NewClient(transport.NewStdio(executable, env, "mcp", "--wait", "24h", "--all-projects")), opensPanes}
	if err := agent.client.Start(ctx); err != nil {
		return nil, fmt.Errorf("the server %s mcp can't be started: %w", executable, err)
	}
	request := sdk.InitializeRequest{}
	request.Params.ProtocolVersion = sdk.LATEST_PROTOCOL_VERSION
	request.Params.ClientInfo = as
	if _, err := agent.client.Initialize(ctx, request); err != nil {
		agent.close()
		return nil, fmt.Errorf("the server did not answer initialize: %w", err)
	}
	return agent, nil
}

// close ends the server; it leaves nothing that could be lost, so how it ended
// tells nothing.
func (a *ownAgent) close() { _ = a.client.Close() }

// told is what the server answered.
type told struct {
	text string // the result's texts, one below the other
	// What the result says as data.
	Ask     string          `json:"askId"`
	State   questions.State `json:"state"`
	Nowhere bool            `json:"nowhere"` // nothing shows the ask
}

// call calls a tool. A result that is an error is one here.
func (a *ownAgent) call(ctx context.Context, tool string, arguments map[string]any) (told, error) {
	request := sdk.CallToolRequest{}
	request.Params.Name = tool
	request.Params.Arguments = arguments
	result, err := a.client.CallTool(ctx, request)
	if err != nil {
		return told{}, fmt.Errorf("%s failed: %w", tool, err)
	}
	var texts []string
	for _, content := range result.Content {
		if text, ok := content.(sdk.TextContent); ok {
			texts = append(texts, text.Text)
		}
	}
	answer := told{text: strings.Join(texts, "\n")}
	if result.IsError {
		return told{}, fmt.Errorf("%s: %s", tool, answer.text)
	}
	if result.Meta == nil {
		return answer, nil
	}
	data, err := json.Marshal(result.Meta.AdditionalFields["planb/result"])
	if err == nil {
		err = json.Unmarshal(data, &answer)
	}
	if err != nil {
		return told{}, errors.Join(fmt.Errorf("what %s answered can't be read", tool), err)
	}
	return answer, nil
}
