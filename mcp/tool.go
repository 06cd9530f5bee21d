package mcp

import (
	"context"
	"encoding/json"

	sdk "github.com/mark3labs/mcp-go/mcp"
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
	tools []tool
}

// after is what else a result says once its tool was served: a step that every call
// takes. It may change the result.
type after func(ctx context.Context, c *call, answer *result)

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
