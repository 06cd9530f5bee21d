package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"planb/mcp"
	"testing"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// What the conformance suite wants to be given: the smallest PNG and WAV.
const (
	tinyPNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	tinyWAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
)

type toolServer = server.ToolHandlerFunc

// addFixtures offers what the conformance suite calls, reads and gets, by its
// names. Whatever a fixture says to the client goes through the loop under test.
func addFixtures(t testing.TB, s *mcp.Server) {
	t.Helper()
	library := s.Library()
	server.WithPromptCapabilities(false)(library)
	for name, serve := range fixtureTools() {
		library.AddTool(sdk.NewToolWithRawSchema(name, "For the conformance suite.", fixtureSchema(name)), serve)
	}
	for name, rounds := range fixtureDialogs() {
		library.AddTool(sdk.NewToolWithRawSchema(name, "For the conformance suite.", fixtureSchema(name)), rounds.serve)
	}
	addFixtureResources(library)
	addDialogPrompt(library)
	addFixturePrompts(library)
}

// fixtureSchema is a fixture's input schema; one of them is itself what is tested.
func fixtureSchema(tool string) json.RawMessage {
	switch tool {
	case "json_schema_2020_12_tool":
		return json.RawMessage(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
			`"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
			`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},` +
			`"phone":{"type":"string"},"email":{"type":"string"}},"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],` +
			`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},` +
			`"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`)
	case "test_sampling":
		return json.RawMessage(`{"type":"object","properties":{"prompt":{"type":"string"}},"required":["prompt"]}`)
	case "test_elicitation":
		return json.RawMessage(`{"type":"object","properties":{"message":{"type":"string"}},"required":["message"]}`)
	}
	return json.RawMessage(`{"type":"object","properties":{}}`)
}

func fixtureTools() map[string]toolServer {
	resource := func(uri, kind, text string) sdk.Content {
		return sdk.NewEmbeddedResource(sdk.TextResourceContents{URI: uri, MIMEType: kind, Text: text})
	}
	return map[string]toolServer{
		"json_schema_2020_12_tool": gives(sdk.NewTextContent("done")),
		"test_simple_text":         gives(sdk.NewTextContent("This is a simple text response for testing.")),
		"test_image_content":       gives(sdk.NewImageContent(tinyPNG, "image/png")),
		"test_audio_content":       gives(sdk.NewAudioContent(tinyWAV, "audio/wav")),
		"test_embedded_resource":   gives(resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")),
		"test_multiple_content_types": gives(
			sdk.NewTextContent("Multiple content types test:"), sdk.NewImageContent(tinyPNG, "image/png"),
			resource("test://mixed-content-resource", "application/json", `{"test":"data","value":123}`)),
		"test_error_handling": func(context.Context, sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return sdk.NewToolResultError("This tool intentionally returns an error for testing"), nil
		},
		"test_tool_with_logging":                    logs,
		"test_logging_tool":                         logs,
		"test_tool_with_progress":                   progresses,
		"test_input_required_result_capabilities":   asksWhatIsDeclared,
		"test_input_required_result_tampered_state": sealsItsState,
		"test_sampling": func(ctx context.Context, request sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return samples(ctx, request.GetString("prompt", ""))
		},
		"test_elicitation": func(ctx context.Context, request sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return elicits(ctx, "User response", request.GetString("message", ""),
				`{"username":{"type":"string","description":"User's response"},"email":{"type":"string","description":"User's email address"}}`,
				"username", "email")
		},
		"test_elicitation_sep1034_defaults": func(ctx context.Context, _ sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return elicits(ctx, "Elicitation completed", "Defaults", `{"name":{"type":"string","default":"John Doe"},`+
				`"age":{"type":"integer","default":30},"score":{"type":"number","default":95.5},`+
				`"status":{"type":"string","enum":["active","inactive","pending"],"default":"active"},`+
				`"verified":{"type":"boolean","default":true}}`)
		},
		"test_elicitation_sep1330_enums": func(ctx context.Context, _ sdk.CallToolRequest) (*sdk.CallToolResult, error) {
			return elicits(ctx, "Elicitation completed", "Choices", `{"untitledSingle":{"type":"string","enum":["option1","option2","option3"]},`+
				`"titledSingle":{"type":"string","oneOf":[{"const":"value1","title":"First Option"},{"const":"value2","title":"Second Option"},{"const":"value3","title":"Third Option"}]},`+
				`"legacyEnum":{"type":"string","enum":["opt1","opt2","opt3"],"enumNames":["Option One","Option Two","Option Three"]},`+
				`"untitledMulti":{"type":"array","items":{"type":"string","enum":["option1","option2","option3"]}},`+
				`"titledMulti":{"type":"array","items":{"anyOf":[{"const":"value1","title":"First Choice"},{"const":"value2","title":"Second Choice"},{"const":"value3","title":"Third Choice"}]}}}`)
		},
	}
}

func gives(content ...sdk.Content) toolServer {
	return func(context.Context, sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return &sdk.CallToolResult{Content: content}, nil
	}
}

// logs says three things, unless the request is of the era in which each names
// the level it wants, and names none.
func logs(ctx context.Context, _ sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	if request := server.RequestProtocolInfoFromContext(ctx); request != nil && request.Modern && request.LogLevel == "" {
		return sdk.NewToolResultText("nothing to log"), nil
	}
	for _, text := range []string{"Tool execution started", "Tool processing data", "Tool execution completed"} {
		if err := mcp.Notify(ctx, "notifications/message", map[string]any{"level": "info", "logger": "fixture", "data": text}); err != nil {
			return nil, err
		}
	}
	return sdk.NewToolResultText("logged"), nil
}

func progresses(ctx context.Context, _ sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	for _, text := range []string{"begun", "half done", "done"} {
		if err := mcp.Progress(ctx, text); err != nil {
			return nil, err
		}
	}
	return sdk.NewToolResultText("done"), nil
}

func samples(ctx context.Context, prompt string) (*sdk.CallToolResult, error) {
	raw, err := mcp.Ask(ctx, "sampling/createMessage", map[string]any{
		"messages":  []any{map[string]any{"role": "user", "content": map[string]any{"type": "text", "text": prompt}}},
		"maxTokens": 100,
	})
	if err != nil {
		return nil, err
	}
	var said struct{ Content struct{ Text string } }
	if err := json.Unmarshal(raw, &said); err != nil {
		return nil, err
	}
	return sdk.NewToolResultText("LLM response: " + said.Content.Text), nil
}

func elicits(ctx context.Context, answered, question, properties string, required ...string) (*sdk.CallToolResult, error) {
	schema := map[string]any{"type": "object", "properties": json.RawMessage(properties)}
	if len(required) > 0 {
		schema["required"] = required
	}
	raw, err := mcp.Ask(ctx, "elicitation/create", map[string]any{"message": question, "requestedSchema": schema})
	if err != nil {
		return nil, err
	}
	var said struct {
		Action  string
		Content json.RawMessage
	}
	if err := json.Unmarshal(raw, &said); err != nil {
		return nil, err
	}
	return sdk.NewToolResultText(fmt.Sprintf("%s: action=%s, content=%s", answered, said.Action, said.Content)), nil
}

func addFixtureResources(library *server.MCPServer) {
	text := func(uri, kind, text string) []sdk.ResourceContents {
		return []sdk.ResourceContents{sdk.TextResourceContents{URI: uri, MIMEType: kind, Text: text}}
	}
	library.AddResource(sdk.NewResource("test://static-text", "static-text", sdk.WithResourceDescription("Some text."), sdk.WithMIMEType("text/plain")),
		func(context.Context, sdk.ReadResourceRequest) ([]sdk.ResourceContents, error) {
			return text("test://static-text", "text/plain", "This is the content of the static text resource."), nil
		})
	library.AddResource(sdk.NewResource("test://static-binary", "static-binary", sdk.WithResourceDescription("A picture."), sdk.WithMIMEType("image/png")),
		func(context.Context, sdk.ReadResourceRequest) ([]sdk.ResourceContents, error) {
			return []sdk.ResourceContents{sdk.BlobResourceContents{URI: "test://static-binary", MIMEType: "image/png", Blob: tinyPNG}}, nil
		})
	library.AddResourceTemplate(sdk.NewResourceTemplate("test://template/{id}/data", "template", sdk.WithTemplateMIMEType("application/json")),
		func(_ context.Context, request sdk.ReadResourceRequest) ([]sdk.ResourceContents, error) {
			var id string
			if _, err := fmt.Sscanf(request.Params.URI, "test://template/%3s/data", &id); err != nil {
				return nil, errors.New("the suite reads the data of 123")
			}
			return text(request.Params.URI, "application/json", fmt.Sprintf(`{"id":%q,"templateTest":true,"data":"Data for ID: %s"}`, id, id)), nil
		})
}

func addFixturePrompts(library *server.MCPServer) {
	user := func(content ...sdk.Content) *sdk.GetPromptResult {
		given := &sdk.GetPromptResult{}
		for _, c := range content {
			given.Messages = append(given.Messages, sdk.NewPromptMessage(sdk.RoleUser, c))
		}
		return given
	}
	library.AddPrompt(sdk.NewPrompt("test_simple_prompt", sdk.WithPromptDescription("Without arguments.")),
		func(context.Context, sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return user(sdk.NewTextContent("This is a simple prompt for testing.")), nil
		})
	library.AddPrompt(sdk.NewPrompt("test_prompt_with_arguments", sdk.WithPromptDescription("With two arguments."),
		sdk.WithArgument("arg1", sdk.RequiredArgument()), sdk.WithArgument("arg2", sdk.RequiredArgument())),
		func(_ context.Context, request sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			given := request.Params.Arguments
			return user(sdk.NewTextContent(fmt.Sprintf("Prompt with arguments: arg1='%s', arg2='%s'", given["arg1"], given["arg2"]))), nil
		})
	library.AddPrompt(sdk.NewPrompt("test_prompt_with_embedded_resource", sdk.WithPromptDescription("With a resource."),
		sdk.WithArgument("resourceUri", sdk.RequiredArgument())),
		func(_ context.Context, request sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			resource := sdk.TextResourceContents{URI: request.Params.Arguments["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing."}
			return user(sdk.NewEmbeddedResource(resource), sdk.NewTextContent("Please process the embedded resource above.")), nil
		})
	library.AddPrompt(sdk.NewPrompt("test_prompt_with_image", sdk.WithPromptDescription("With a picture.")),
		func(context.Context, sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return user(sdk.NewImageContent(tinyPNG, "image/png"), sdk.NewTextContent("Please analyze the image above.")), nil
		})
}
