// Command mcp is the smallest MCP server that mcp-go allows: one tool that
// answers at once. The tests measure planb's start and memory against it.
package main

import (
	"context"
	"fmt"
	"os"

	sdk "github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

func main() {
	s := server.NewMCPServer("floor", "1", server.WithToolCapabilities(true))
	echo := sdk.NewTool("echo", sdk.WithDescription("Says the text again."), sdk.WithString("text", sdk.Required()))
	s.AddTool(echo, func(_ context.Context, request sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		text, err := request.RequireString("text")
		if err != nil {
			return sdk.NewToolResultError(err.Error()), nil
		}
		return sdk.NewToolResultText(text), nil
	})
	if err := server.ServeStdio(s); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
