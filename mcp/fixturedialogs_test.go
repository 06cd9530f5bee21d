package mcp_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// rounds is a fixture that asks its client for input by results, round after
// round, as protocol versions from 2026-07-28 on do. The request's state counts
// the rounds.
type rounds []map[string]sdk.InputRequest

// fixtureDialogs are the fixtures that ask, by name.
func fixtureDialogs() map[string]rounds {
	name := elicitation("What is your name?", "name", "string")
	const prefix = "test_input_required_result_"
	return map[string]rounds{
		prefix + "elicitation":   {{"user_name": name}},
		prefix + "sampling":      {{"capital_question": sampling("What is the capital of France?")}},
		prefix + "list_roots":    {{"client_roots": sdk.NewRootsInputRequest()}},
		prefix + "request_state": {{"confirm": elicitation("Please confirm", "ok", "boolean")}},
		prefix + "multiple_inputs": {{
			"user_name": name, "greeting": sampling("Generate a greeting"), "client_roots": sdk.NewRootsInputRequest(),
		}},
		prefix + "multi_round": {
			{"step1": elicitation("Step 1: What is your name?", "name", "string")},
			{"step2": elicitation("Step 2: What is your favorite color?", "color", "string")},
		},
		"test_streaming_elicitation": {{"user_name": name}},
	}
}

func elicitation(question, field, kind string) sdk.InputRequest {
	return sdk.NewElicitationInputRequest(sdk.ElicitationParams{Message: question, RequestedSchema: map[string]any{
		"type": "object", "properties": map[string]any{field: map[string]any{"type": kind}}, "required": []string{field},
	}})
}

func sampling(text string) sdk.InputRequest {
	return sdk.NewSamplingInputRequest(sdk.CreateMessageParams{
		Messages:  []sdk.SamplingMessage{{Role: sdk.RoleUser, Content: sdk.NewTextContent(text)}},
		MaxTokens: 100,
	})
}

// asks is the result that has the client ask for input.
func asks(wanted sdk.InputRequests, state string) *sdk.CallToolResult {
	required := sdk.NewInputRequiredResult(wanted, state)
	return &sdk.CallToolResult{Result: required.Result, MultiRoundTripResult: required.MultiRoundTripResult}
}

func (r rounds) serve(_ context.Context, request sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	missing, state := r.next(request.Params.MultiRoundTripParams)
	if missing != nil {
		return asks(missing, state), nil
	}
	said := "state-ok"
	for id, given := range request.Params.InputResponses {
		text, err := given.MarshalJSON()
		if err != nil {
			return nil, err
		}
		said += fmt.Sprintf(" %s: %s", id, text)
	}
	return sdk.NewToolResultText(said), nil
}

// next is what is to be asked now, nil when everything was answered.
func (r rounds) next(given sdk.MultiRoundTripParams) (sdk.InputRequests, string) {
	round := 0
	if given.RequestState != "" {
		if _, err := fmt.Sscanf(given.RequestState, "round %d", &round); err != nil || round >= len(r) {
			round = 0
		}
	}
	answered := len(given.InputResponses) > 0
	for id, request := range r[round] {
		response, ok := given.InputResponses[id]
		answered = answered && ok && response.DecodeFor(request.Method) == nil
	}
	if answered {
		round++
	}
	if round == len(r) {
		return nil, ""
	}
	return r[round], fmt.Sprintf("round %d", round)
}

// asksWhatIsDeclared asks for what the client declared that it can give, of all
// that there is to ask for.
func asksWhatIsDeclared(ctx context.Context, _ sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	request := server.RequestProtocolInfoFromContext(ctx)
	if request == nil || request.ClientCapabilities == nil {
		return sdk.NewToolResultText("nothing is declared"), nil
	}
	wanted := sdk.InputRequests{}
	if request.ClientCapabilities.Elicitation != nil {
		wanted["name"] = elicitation("What is your name?", "name", "string")
	}
	if request.ClientCapabilities.Sampling != nil {
		wanted["text"] = sampling("Write something.")
	}
	return asks(wanted, ""), nil
}

// sealsItsState takes back only the state that it gave out.
func sealsItsState(_ context.Context, request sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	seal := func(state string) string {
		mac := hmac.New(sha256.New, []byte("a key of the test"))
		mac.Write([]byte(state))
		return fmt.Sprintf("%s %x", state, mac.Sum(nil))
	}
	given := request.Params.RequestState
	if given == "" {
		return asks(sdk.InputRequests{"confirm": elicitation("Please confirm", "ok", "boolean")}, seal("asked")), nil
	}
	if !hmac.Equal([]byte(given), []byte(seal("asked"))) {
		return nil, errors.New("the state is not one that was given out")
	}
	return sdk.NewToolResultText("confirmed"), nil
}

// addDialogPrompt offers the prompt that asks for input.
func addDialogPrompt(library *server.MCPServer) {
	dialog := rounds{{"user_context": elicitation("What context should the prompt use?", "context", "string")}}
	library.AddPrompt(sdk.NewPrompt("test_input_required_result_prompt", sdk.WithPromptDescription("It asks for its context.")),
		func(_ context.Context, request sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			if missing, state := dialog.next(request.Params.MultiRoundTripParams); missing != nil {
				required := sdk.NewInputRequiredResult(missing, state)
				return &sdk.GetPromptResult{Result: required.Result, MultiRoundTripResult: required.MultiRoundTripResult}, nil
			}
			return &sdk.GetPromptResult{Messages: []sdk.PromptMessage{
				sdk.NewPromptMessage(sdk.RoleUser, sdk.NewTextContent("In the context given.")),
			}}, nil
		})
}
