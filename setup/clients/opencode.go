package clients

import (
	"path/filepath"
	"time"

	"planb/setup/edit"
)

// openCode is opencode 1.18. Progress, which it always requests, extends its
// limit.
func openCode() Client {
	return Client{
		Client: row("opencode"),
		Limit:  time.Hour,
		After:  "It takes effect when opencode starts the next time; see it with `opencode mcp list`.",
		format: edit.JSON{}, servers: []string{"mcp"},
		user: openCodeFile, project: "opencode.json",
		changes: func(e entryChange) []edit.Change {
			changes := []edit.Change{
				set(e, "type", "local"),
				set(e, "command", append([]string{e.command}, e.args...)),
				set(e, "timeout", int(e.timeout.Milliseconds())),
			}
			return append(changes, e.enable("enabled", false)...)
		},
		read: func(server map[string]any) entry {
			e := entry{timeout: millis(server["timeout"]), disabled: server["enabled"] == false, allowed: true}
			if command := texts(server["command"]); len(command) > 0 {
				e.command, e.args = command[0], command[1:]
			}
			return e
		},
	}
}

// openCodeFile returns the person's own file: the one that OPENCODE_CONFIG
// names, else the first existing one of those that opencode reads.
func openCodeFile(p Place) string {
	if file := p.Env("OPENCODE_CONFIG"); file != "" {
		return file
	}
	dir := p.Env("OPENCODE_CONFIG_DIR")
	if dir == "" {
		dir = filepath.Join(p.under("XDG_CONFIG_HOME", ".config"), "opencode")
	}
	for _, name := range []string{"opencode.jsonc", "opencode.json", "config.json"} {
		if file := filepath.Join(dir, name); p.Exists(file) {
			return file
		}
	}
	return filepath.Join(dir, "opencode.json")
}
