package known

// Variables lists the environment variables that a client with an environment
// of its own must pass on. By them planb finds the terminal, the look of its
// forms, and its directories.
func Variables() []string {
	return []string{
		"TMUX", "TMUX_PANE", "ZELLIJ", "ZELLIJ_PANE_ID", "ZELLIJ_SESSION_NAME", "WEZTERM_PANE", "WEZTERM_UNIX_SOCKET",
		"KITTY_WINDOW_ID", "KITTY_LISTEN_ON", "STY", "WINDOW", "TERM_PROGRAM", "ITERM_SESSION_ID", "GHOSTTY_RESOURCES_DIR", "GHOSTTY_BIN_DIR",
		"WT_SESSION", "WSL_DISTRO_NAME", "WSL_INTEROP",
		"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "TMUX_TMPDIR", "SSH_CONNECTION",
		"DBUS_SESSION_BUS_ADDRESS", "XDG_CURRENT_DESKTOP",
		"PLANB_DATA_DIR", "PLANB_MCP_DATA_DIR", "PLANB_MACHINE", "PLANB_OPENER", "PLANB_THEME", "PLANB_EDITOR", "PLANB_WAIT", "ASK_ANSWER_TIMEOUT_MS", "ASK_NO_OPEN",
		"XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME",
		"COLORTERM", "NO_COLOR", "ACCESSIBLE", "LC_CTYPE", "VISUAL", "EDITOR",
	}
}
