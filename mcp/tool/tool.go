package tool

import (
	"context"
	"encoding/json"

	sdk "github.com/mark3labs/mcp-go/mcp"
)

// Tool is one tool: its description for a model, and its handler.
type Tool struct {
	Name, Title, Description string
	Schema                   string // of its arguments, JSON Schema
	Hints                    Hints
	Hidden                   bool // it is not listed, and says to every call why not
	// Among changes what the tool says of itself, so that it names no tool that is not offered
	// with it; nil: it names none of another set. It gets which tools are offered.
	Among func(t *Tool, offered func(name string) bool)
	Serve func(ctx context.Context, c *Caller, args json.RawMessage) *Result
}

// Hints are a tool's annotations.
type Hints struct{ ReadOnly, Destructive, Idempotent, OpenWorld bool }

// Set is a group of tools that a server offers together, or not at all. Several rooms may
// add tools to a set of the same name.
type Set struct {
	Name  string
	Tools []Tool
	// After are steps that add something of this set to the results of all tools. They
	// run whether the set is offered or not.
	After []After
}

// After is a step that follows every call of any tool. It may change the result.
type After func(ctx context.Context, c *Caller, answer *Result)

// Definition is the tool as the protocol library lists it. alwaysLoad asks
// Claude Code to keep the tool in front of the model, where it would otherwise
// have to be searched for.
func (t Tool) Definition() sdk.Tool {
	defined := sdk.NewToolWithRawSchema(t.Name, t.Description, json.RawMessage(t.Schema))
	defined.Title = t.Title
	defined.Annotations = sdk.ToolAnnotation{
		ReadOnlyHint:    &t.Hints.ReadOnly,
		DestructiveHint: &t.Hints.Destructive,
		IdempotentHint:  &t.Hints.Idempotent,
		OpenWorldHint:   &t.Hints.OpenWorld,
	}
	defined.Meta = &sdk.Meta{AdditionalFields: map[string]any{"anthropic/alwaysLoad": true}}
	return defined
}
