package clients

import (
	"path/filepath"
	"slices"
	"time"

	"planb/setup/edit"
	"planb/setup/known"
)

// codex is Codex 0.169. Nothing extends its limit. It starts servers with few
// variables, so the entry must name those by which planb finds the terminal,
// and those that a person sets for planb.
func codex() Client {
	return Client{
		Client: row("codex"),
		Limit:  time.Hour,
		After:  "It takes effect in the next session; see it with /mcp.",
		Team:   "Codex reads it in projects that are trusted.",
		format: edit.TOML{}, servers: []string{"mcp_servers"},
		user:    func(p Place) string { return filepath.Join(p.under("CODEX_HOME", ".codex"), "config.toml") },
		project: filepath.Join(".codex", "config.toml"),
		changes: func(e entryChange) []edit.Change {
			changes := []edit.Change{
				set(e, "command", e.command),
				set(e, "args", e.args),
			}
			if _, there := e.old["env_vars"]; there {
				for _, name := range missingVariables(e.old["env_vars"]) {
					changes = append(changes, edit.Add(name, append(slices.Clone(e.path), "env_vars")...))
				}
			} else {
				changes = append(changes, set(e, "env_vars", known.Variables()))
			}
			changes = append(changes, set(e, "tool_timeout_sec", int(e.timeout.Seconds())))
			changes = append(changes, unlessSet(e, "default_tools_approval_mode", "approve")...)
			return append(changes, e.enable("enabled", false)...)
		},
		read: func(server map[string]any) entry {
			return entry{
				command: text(server["command"]), args: texts(server["args"]), timeout: seconds(server["tool_timeout_sec"]),
				disabled: server["enabled"] == false,
				allowed:  server["default_tools_approval_mode"] == "approve",
				missing:  missingVariables(server["env_vars"]),
			}
		},
	}
}

// missingVariables returns the variables that passed, a list of names or of
// tables with a name, does not contain.
func missingVariables(passed any) []string {
	list, _ := passed.([]any)
	return slices.DeleteFunc(known.Variables(), func(name string) bool {
		return slices.ContainsFunc(list, func(item any) bool { return item == name || text(at(item, "name")) == name })
	})
}
