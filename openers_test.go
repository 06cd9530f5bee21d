package main_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// standIn is a program with a multiplexer's name. It writes down what it is
// asked, answers a question for what there is from a file, and runs the command
// it shall open, in a window of a tmux, which lends it the terminal.
const standIn = `#!/bin/sh
for word; do printf '%s\037' "$word"; done >>DIR/asked
echo >>DIR/asked
case " $* " in
*" OPENS "*)
	while [ "$1" != /usr/bin/env ]; do shift; done
	exec tmux -S SOCKET new-window -P -F '#{window_index}' -e "PATH=$PATH" INSIDE -- "$@";;
*) cat DIR/answer;;
esac
`

func TestAFormOpensThroughAStandInFor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		outside []string // the agent's environment
		inside  string   // what the multiplexer sets in the new pane, as options of tmux
		answer  string   // to a question for what there is
		opens   string   // the word that says what to open
		want    []string // the words before the command
		leaves  []string // the words by which the focus is given back
	}{
		{
			name:    "zellij",
			outside: []string{"ZELLIJ=0", "ZELLIJ_PANE_ID=3", "ZELLIJ_SESSION_NAME=brave-cat"},
			inside:  "-e ZELLIJ=0 -e ZELLIJ_PANE_ID=4 -e ZELLIJ_SESSION_NAME=brave-cat",
			opens:   "run",
			want:    []string{"run", "--direction=right", "--close-on-exit", "--name=planb · Test Agent", "--cwd=WD", "--"},
		},
		{
			name:    "wezterm",
			outside: []string{"WEZTERM_PANE=3"},
			inside:  "-e WEZTERM_PANE=4",
			answer: `[{"tab_id":5,"pane_id":3,"is_active":false,"size":{"rows":50,"cols":200}},
				{"tab_id":5,"pane_id":4,"is_active":true,"size":{"rows":50,"cols":120}}]`,
			opens:  "split-pane",
			want:   []string{"cli", "--no-auto-start", "split-pane", "--pane-id", "3", "--right", "--cells", "120", "--cwd", "WD", "--"},
			leaves: []string{"cli", "--no-auto-start", "activate-pane", "--pane-id", "3"},
		},
		{
			name:    "kitty",
			outside: []string{"KITTY_WINDOW_ID=3", "KITTY_LISTEN_ON=unix:@k"},
			inside:  "-e KITTY_WINDOW_ID=4 -e KITTY_LISTEN_ON=unix:@k",
			answer: `[{"tabs":[{"id":5,"windows":[{"id":3,"is_focused":false,"columns":100,"lines":50},
				{"id":4,"is_focused":true,"columns":100,"lines":24}]}]}]`,
			opens:  "launch",
			want:   []string{"@", "--to=unix:@k", "launch", "--match=window_id:3", "--location=hsplit", "--title=planb · Test Agent", "--cwd=WD"},
			leaves: []string{"@", "--to=unix:@k", "focus-window", "--match=id:3"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir, tm := t.TempDir(), startTmux(t, 120, 40)
			script := strings.NewReplacer("DIR", dir, "SOCKET", tm.socket, "OPENS", test.opens, "INSIDE", test.inside).Replace(standIn)
			if err := os.WriteFile(filepath.Join(dir, test.name), []byte(script), 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "answer"), []byte(test.answer), 0o600); err != nil {
				t.Fatal(err)
			}
			home := tm.panes()[0]
			// The last PATH counts.
			a := startAgent(t, t.TempDir(), append(test.outside, "PATH="+dir+":"+os.Getenv("PATH")))
			call := a.start("ask_user", arguments(t, a.session("Elsewhere"), nameSpec))
			form := tm.newPane(home)
			tm.shows(form, "What shall it be called?")
			tm.ready(form)
			tm.text(form, "Aurora")
			tm.keys(form, "C-s")
			if got := call.reply().String(); got != `{"name":"Aurora"}` {
				t.Errorf("the agent received %q", got)
			}
			tm.gone(form)

			asked := askedOf(t, dir)
			wd, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			for i := range test.want {
				test.want[i] = strings.ReplaceAll(test.want[i], "WD", wd)
			}
			if !slices.ContainsFunc(asked, func(words []string) bool {
				at := slices.Index(words, "/usr/bin/env")
				return at > 0 && slices.Equal(words[:at], test.want)
			}) {
				t.Errorf("it was asked %q, want %q", asked, test.want)
			}
			if test.leaves != nil && !slices.ContainsFunc(asked, func(words []string) bool { return slices.Equal(words, test.leaves) }) {
				t.Errorf("it was asked %q, want %q", asked, test.leaves)
			}
		})
	}
}

// askedOf reads what a stand-in was asked, each time its words.
func askedOf(t *testing.T, dir string) [][]string {
	t.Helper()
	var asked [][]string
	for line := range strings.Lines(readFile(t, filepath.Join(dir, "asked"))) {
		words := strings.Split(strings.TrimSuffix(line, "\n"), "\x1f")
		asked = append(asked, words[:len(words)-1])
	}
	return asked
}
