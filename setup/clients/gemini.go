package clients

import (
	"path/filepath"
	"time"

	"planb/setup/edit"
)

// gemini is Gemini CLI 0.61. Nothing extends its limit.
func gemini() Client {
	return Client{
		Client: row("gemini"),
		Limit:  time.Hour,
		After:  "It takes effect in the next session; see it with /mcp.",
		Team:   "Gemini CLI starts it in folders that are trusted.",
		format: edit.JSON{}, servers: []string{"mcpServers"},
		user:    func(p Place) string { return filepath.Join(p.under("GEMINI_CLI_HOME"), ".gemini", "settings.json") },
		project: filepath.Join(".gemini", "settings.json"),
		changes: func(e entryChange) []edit.Change {
			changes := []edit.Change{
				set(e, "command", e.command),
				set(e, "args", e.args),
				set(e, "timeout", int(e.timeout.Milliseconds())),
			}
			return append(changes, unlessSet(e, "trust", true)...)
		},
		read: func(server map[string]any) entry {
			return entry{
				command: text(server["command"]), args: texts(server["args"]), timeout: millis(server["timeout"]),
				allowed: server["trust"] == true,
			}
		},
	}
}
