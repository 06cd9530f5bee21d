package clients

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"planb/setup/configfile"
	"planb/setup/edit"
)

// tmuxFile returns the configuration file of tmux to change: the one that has planb's lines, else
// ~/.tmux.conf if it exists, else tmux.conf in the XDG directory if that exists, else
// ~/.tmux.conf. tmux reads both, the XDG one later.
func (p Place) tmuxFile() string {
	home, xdg := filepath.Join(p.Home, ".tmux.conf"), filepath.Join(p.under("XDG_CONFIG_HOME", ".config"), "tmux", "tmux.conf")
	for _, path := range []string{home, xdg} {
		if without, err := planBlock(path, nil); err == nil && without.Changed() {
			return path
		}
	}
	if !p.Exists(home) && p.Exists(xdg) {
		return xdg
	}
	return home
}

// DefaultTmuxKey opens the inbox, after tmux's prefix.
const DefaultTmuxKey = "a"

// TmuxLines returns planb's lines in tmux's configuration: the number of waiting
// forms in the status line, and a key that shows the inbox in a popup. The command
// is a path or a name without characters that tmux expands. key is a key as tmux
// names it, such as a or M-a.
func TmuxLines(command, key string) ([]string, error) {
	if strings.ContainsAny(command, "#%\n\r") {
		return nil, fmt.Errorf("tmux gives # and %% in %q a meaning of their own; put planb into a directory without them", command)
	}
	if err := checkTmuxKey(key); err != nil {
		return nil, err
	}
	return []string{
		"# How many forms wait for you; added once, however often this file is read.",
		"if-shell -F '#{m:*planb* status*,#{status-right}}' '' {",
		"  set-option -ga status-right " + tmuxQuote(" #("+shellQuote(command)+" status)"),
		"}",
		"# tmux shows 40 columns of status-right, if it is not told otherwise: a title and the time fill them.",
		"if-shell -F '#{e|<|:#{status-right-length},80}' { set-option -g status-right-length 80 }",
		"# The prefix and " + key + ": what waits, over everything else.",
		"bind-key " + tmuxQuote(key) + " display-popup -E -w 90% -h 90% " + tmuxQuote(shellQuote(command)+" tui"),
		"# tmux waits half a second after Esc, if it is not told otherwise.",
		"if-shell -F '#{e|>|:#{escape-time},50}' { set-option -s escape-time 10 }",
	}, nil
}

// PlanTmux reads tmux's configuration and plans the change. planb's lines stand
// between marks, so that they can be changed and removed. Without lines it removes
// them.
func (p Place) PlanTmux(lines []string) (*configfile.Rewrite, error) {
	return planBlock(p.tmuxFile(), lines)
}

func planBlock(path string, lines []string) (*configfile.Rewrite, error) {
	return configfile.Plan(path, func(text []byte) ([]byte, error) {
		text, err := edit.Block(text, lines)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return text, nil
	})
}

// checkTmuxKey refuses keys that tmux cannot have, as far as their name shows: a
// key is a letter, a sign, or a name such as C-a, M-Enter, F5.
func checkTmuxKey(key string) error {
	plain := key
	for _, modifier := range []string{"C-", "M-", "S-"} {
		plain = strings.TrimPrefix(plain, modifier)
	}
	named := len(plain) > 1 && strings.Trim(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
	if len([]rune(plain)) == 1 && plain > " " && plain != "\x7f" || named {
		return nil
	}
	return fmt.Errorf("%s is not a key of tmux; write one as tmux does, for example a, M-a, F5", strconv.Quote(key))
}

// tmuxQuote quotes a word so that tmux expands nothing in it. A single quote can't
// stand between single quotes, so it gets double ones.
func tmuxQuote(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// shellQuote quotes a word for the shell that tmux runs a command with.
func shellQuote(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
