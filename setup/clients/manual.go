package clients

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"planb/setup/known"
)

// Manual is a client that a person configures by hand; planb says what to
// write.
type Manual struct {
	known.Client
	File string // which file, in words
	// Entry is the text to add, with the command that starts planb.
	Entry string
	Note  string // more to know; may be empty
}

// Manuals lists for each such client what to write so that it starts planb with
// that command.
func Manuals(command string) []Manual {
	quotedCommand := quote(command)
	return []Manual{
		{
			row("cursor"), "~/.cursor/mcp.json, or .cursor/mcp.json in a project",
			jsonEntry("mcpServers", `"command": `+quotedCommand, `"args": ["mcp"]`),
			"It starts planb outside your terminal: answer in one with  planb tui",
		},
		{
			row("vscode"), ".vscode/mcp.json in a project, or what the command \"MCP: Open User Configuration\" opens",
			jsonEntry("servers", `"type": "stdio"`, `"command": `+quotedCommand, `"args": ["mcp"]`),
			"It starts planb outside your terminal: answer in one with  planb tui",
		},
		{
			row("zed"), "its settings.json (the command \"zed: open settings file\")",
			strings.Replace(jsonEntry("context_servers", `"command": `+quotedCommand, `"args": ["mcp", "--wait", "9m30s"]`), "{\n", "{\n  \"context_server_timeout\": 600,\n", 1),
			"It allows at most 600 seconds.",
		},
		{
			row("crush"), "~/.config/crush/crush.json, or crush.json in a project",
			jsonEntry("mcp", `"type": "stdio"`, `"command": `+quotedCommand, `"args": ["mcp"]`), "",
		},
		{
			row("goose"), "~/.config/goose/config.yaml",
			"extensions:\n  planb:\n    name: planb\n    type: stdio\n    enabled: true\n    cmd: " + quotedCommand +
				"\n    args: [mcp, --wait, 59m30s]\n    timeout: 3600\n", "",
		},
		{
			row("claude-desktop"), "claude_desktop_config.json (Settings, Developer, Edit Config)",
			jsonEntry("mcpServers", `"command": `+quotedCommand, `"args": ["mcp"]`),
			"It starts planb outside your terminal: answer in one with  planb tui",
		},
	}
}

// ManualByName finds the instructions for a client.
func ManualByName(name, command string) (Manual, bool) {
	all := Manuals(command)
	if i := slices.IndexFunc(all, func(m Manual) bool { return m.Name == name }); i >= 0 {
		return all[i], true
	}
	return Manual{}, false
}

func jsonEntry(table string, lines ...string) string {
	return fmt.Sprintf("{\n  %q: {\n    \"planb\": {\n      %s\n    }\n  }\n}\n", table, strings.Join(lines, ",\n      "))
}

// quote formats a path as a string of JSON, which is also valid YAML.
func quote(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic("clients: " + err.Error()) // a string always encodes
	}
	return string(quoted)
}
