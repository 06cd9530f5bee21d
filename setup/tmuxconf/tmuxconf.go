// Package tmuxconf knows what a person may want in tmux's configuration: how
// many forms wait, in the status line, and a key that shows the inbox in a
// popup. All of it stands between marks, so that it can be changed and taken
// away again; nothing else in the file is touched, and tmux is not run.
package tmuxconf

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"planb/setup/configfile"
	"planb/setup/edit"
)

// Place is whose configuration it is.
type Place struct {
	Env    func(name string) string
	Home   string
	Exists func(path string) bool
}

// File is the configuration tmux reads: ~/.tmux.conf where it is there, else
// the one in the XDG directory where that is there, else ~/.tmux.conf. tmux
// reads both, the XDG one later.
func (p Place) File() string {
	home := filepath.Join(p.Home, ".tmux.conf")
	if p.Exists(home) {
		return home
	}
	dir := p.Env("XDG_CONFIG_HOME")
	if dir == "" {
		dir = filepath.Join(p.Home, ".config")
	}
	if xdg := filepath.Join(dir, "tmux", "tmux.conf"); p.Exists(xdg) {
		return xdg
	}
	return home
}

// DefaultKey opens the inbox, behind tmux's prefix.
const DefaultKey = "a"

// Lines are what planb puts into the configuration. The command is a path or a
// name, which tmux's formats must have no meaning in; key is one of tmux's names
// for keys, such as a or M-a.
func Lines(command, key string) ([]string, error) {
	if strings.ContainsAny(command, "#%\n\r") {
		return nil, fmt.Errorf("tmux would read # and %% in %q its own way; put planb into a directory without them", command)
	}
	if err := checkKey(key); err != nil {
		return nil, err
	}
	return []string{
		"# How many forms wait for you. Read again, this says it no second time.",
		"if-shell -F '#{m:*planb* status*,#{status-right}}' '' {",
		"  set-option -ga status-right " + quote(" #("+shell(command)+" status)"),
		"}",
		"# The prefix and " + key + ": what waits, over everything else.",
		"bind-key " + quote(key) + " display-popup -E -w 90% -h 90% " + quote(shell(command)+" tui"),
		"# tmux waits half a second after Esc, if it is not told otherwise.",
		"if-shell -F '#{e|>|:#{escape-time},50}' { set-option -s escape-time 10 }",
	}, nil
}

// Plan reads the configuration and says what it would become; no lines take
// planb's away.
func (p Place) Plan(lines []string) (*configfile.Rewrite, error) {
	path := p.File()
	return configfile.Plan(path, func(text []byte) ([]byte, error) {
		text, err := edit.Block(text, lines)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return text, nil
	})
}

// checkKey refuses what tmux has no key for, as far as that shows: keys are
// letters, signs, or names such as C-a, M-Enter, F5.
func checkKey(key string) error {
	plain := key
	for _, modifier := range []string{"C-", "M-", "S-"} {
		plain = strings.TrimPrefix(plain, modifier)
	}
	named := len(plain) > 1 && strings.Trim(plain, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
	if len([]rune(plain)) == 1 && plain > " " && plain != "\x7f" || named {
		return nil
	}
	return fmt.Errorf("%s is no key of tmux; write one as tmux does, for example a, M-a, F5", strconv.Quote(key))
}

// quote is a word of tmux's configuration that nothing in it is expanded in. A
// single quote can't stand between single ones, and is put between others.
func quote(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'"'"'`) + "'"
}

// shell is a word for the shell that tmux runs a command by.
func shell(word string) string {
	if strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+@") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
