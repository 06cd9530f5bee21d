package clients

import (
	"path/filepath"
	"slices"
	"time"

	"planb/setup/edit"
)

// claudeCode is Claude Code 2.1. MCP_TOOL_TIMEOUT lowers its own limit of 27 h
// 46 min; a timeout in the entry overrides both. Nothing extends the limit.
// Without progress a call ends much earlier.
func claudeCode() Client {
	return Client{
		Client: row("claude"),
		Limit:  28 * time.Hour, ByName: true,
		After:  "It takes effect in the next session; see it with /mcp.",
		Team:   "Claude Code asks everybody who works in the project once whether to start it.",
		format: edit.JSON{}, servers: []string{"mcpServers"}, projects: []string{"projects"},
		user: claudeFile, project: ".mcp.json",
		changes: func(e entryChange) []edit.Change {
			return []edit.Change{
				set(e, "type", "stdio"),
				set(e, "command", e.command),
				set(e, "args", e.args),
				set(e, "timeout", int(e.timeout.Milliseconds())),
			}
		},
		read: func(server map[string]any) entry {
			return entry{command: text(server["command"]), args: texts(server["args"]), timeout: millis(server["timeout"])}
		},
		permissions: &permissions{
			user:    func(p Place) string { return filepath.Join(p.under("CLAUDE_CONFIG_DIR", ".claude"), "settings.json") },
			project: filepath.Join(".claude", "settings.json"),
			rules:   func(name string) []string { return []string{"mcp__" + name, "mcp__" + name + "__*"} },
			allow:   []string{"permissions", "allow"},
			others:  [][]string{{"permissions", "deny"}, {"permissions", "ask"}},
		},
		hooks: map[Hook]*hook{
			ReviewsPlans: {
				list: []string{"hooks", "PermissionRequest"}, tool: "ExitPlanMode", arguments: " review --hook claude",
				seconds: planHookSeconds, does: "have its plans reviewed",
			},
			// A session starts anew after each compaction, too.
			TellsTasks: {list: []string{"hooks", "SessionStart"}, arguments: " tasks prime", does: "tell sessions where the tasks stand"},
		},
	}
}

// claudeFile returns the file of the person's own servers: beside .claude in
// the home directory, or in CLAUDE_CONFIG_DIR. The first releases had it inside
// .claude.
func claudeFile(p Place) string {
	if old := filepath.Join(p.under("CLAUDE_CONFIG_DIR", ".claude"), ".config.json"); p.Exists(old) {
		return old
	}
	return filepath.Join(p.under("CLAUDE_CONFIG_DIR"), ".claude.json")
}

// permissions describes the rules that say which tools may be called without
// asking.
type permissions struct {
	user    func(Place) string
	project string
	rules   func(server string) []string // each allows all tools of the server; planb writes the first
	allow   []string                     // path of the list of rules that allow
	others  [][]string                   // lists of rules that override it
}

func (p *permissions) file(at Place) string {
	if at.Project != "" {
		return filepath.Join(at.Project, p.project)
	}
	return p.user(at)
}

// permission returns whether planb's tools may be called.
func (p *permissions) permission(data map[string]any, server string) Permission {
	rules := p.rules(server)
	has := func(path []string) bool {
		list, _ := at(data, path...).([]any)
		return slices.ContainsFunc(list, func(item any) bool { return slices.Contains(rules, text(item)) })
	}
	switch {
	case slices.ContainsFunc(p.others, has):
		return Forbidden
	case has(p.allow):
		return Allowed
	}
	return Asked
}
