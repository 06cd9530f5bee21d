package clients

import (
	"path/filepath"
	"slices"
	"time"

	"planb/setup/edit"
)

// codex is Codex 0.169. Nothing extends its limit. It starts servers with few
// variables: those by which planb finds the terminal, and those a person sets
// for planb, must be named.
func codex() Client {
	return Client{
		Name: "codex", Title: "Codex",
		Limit: time.Hour, DefaultLimit: 300 * time.Second,
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
				changes = append(changes, set(e, "env_vars", Variables()))
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

// Variables lists what a client that starts servers with an environment of its
// own must pass on: by these planb finds the terminal, knows how forms look,
// and where a person wants it to keep things.
func Variables() []string {
	return []string{
		"TMUX", "TMUX_PANE", "ZELLIJ", "ZELLIJ_PANE_ID", "ZELLIJ_SESSION_NAME", "WEZTERM_PANE", "WEZTERM_UNIX_SOCKET",
		"KITTY_WINDOW_ID", "KITTY_LISTEN_ON", "STY", "WINDOW", "TERM_PROGRAM", "ITERM_SESSION_ID", "GHOSTTY_RESOURCES_DIR", "GHOSTTY_BIN_DIR",
		"WT_SESSION", "WSL_DISTRO_NAME", "WSL_INTEROP",
		"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "TMUX_TMPDIR", "SSH_CONNECTION",
		"DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP",
		"PLANB_DATA_DIR", "PLANB_MCP_DATA_DIR", "PLANB_MACHINE", "PLANB_OPENER", "PLANB_THEME", "PLANB_EDITOR", "PLANB_WAIT", "PLANB_RUNTIME_DIR", "ASK_ANSWER_TIMEOUT_MS", "ASK_NO_OPEN",
		"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
		"COLORTERM", "NO_COLOR", "ACCESSIBLE", "LC_CTYPE", "VISUAL", "EDITOR",
	}
}

// missingVariables are those that a list of names, or of tables with a name,
// does not pass on.
func missingVariables(passed any) []string {
	list, _ := passed.([]any)
	return slices.DeleteFunc(Variables(), func(name string) bool {
		return slices.ContainsFunc(list, func(item any) bool { return item == name || text(at(item, "name")) == name })
	})
}
