package panes_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"planb/e2e/rig"
)

// standIn is a program with the name of a multiplexer. It records its
// arguments, answers a query for what exists from a file, refuses what it should, and runs
// the command that it should open in a window of a tmux, which lends it the terminal.
const standIn = `#!/bin/sh
for word; do printf '%s\037' "$word"; done >>DIR/asked
printf '\036' >>DIR/asked
case " $* " in
*" OPENS "*)
	FIRST
	exec tmux -S SOCKET new-window -P -F '#{window_index}' -e "PATH=$PATH" INSIDE -- "$@";;
*" REFUSES "*) echo "busy" >&2; exit 1;;
*) cat DIR/answer;;
esac
`

// How a stand-in finds the command among its arguments.
const (
	skipsToEnv   = `while [ "$1" != /usr/bin/env ]; do shift; done`
	skipsToShell = `while [ "$1" != /bin/sh ]; do shift; done`
)

func TestAFormOpensThroughAStandInFor(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name    string
		program string   // if it is not the multiplexer's name
		outside []string // the agent's environment
		inside  string   // the variables that the multiplexer sets in the new pane, as options of tmux
		answer  string   // to a query for what exists
		opens   string   // the argument that asks to open something
		first   string   // how it finds the command; by default the first argument is the path of env
		want    []string // the arguments before the command
		leaves  []string // the arguments that give the focus back
		refuses string   // the argument that it refuses; the pane closes nevertheless
		logs    string   // about that
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
			name: "kitty that keeps the focus", program: "kitty",
			outside: []string{"KITTY_WINDOW_ID=3", "KITTY_LISTEN_ON=unix:@k"},
			inside:  "-e KITTY_WINDOW_ID=4 -e KITTY_LISTEN_ON=unix:@k",
			answer:  `[{"tabs":[{"id":5,"windows":[{"id":3,"columns":100,"lines":50},{"id":4,"is_focused":true,"columns":100,"lines":24}]}]}]`,
			opens:   "launch",
			want:    []string{"@", "--to=unix:@k", "launch", "--match=window_id:3", "--location=hsplit", "--title=planb · Test Agent", "--cwd=WD"},
			leaves:  []string{"@", "--to=unix:@k", "focus-window", "--match=id:3"},
			refuses: "focus-window",
			logs:    "kitty refused: busy",
		},
		{
			name:    "ghostty",
			outside: []string{"TERM_PROGRAM=ghostty", "DISPLAY=:99"},
			inside:  "-e TERM_PROGRAM=ghostty",
			opens:   "-e", first: skipsToShell,
			want: []string{"--title=planb · Test Agent", "-e"},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir, tm := t.TempDir(), rig.StartTmux(t, 120, 40)
			first := cmp.Or(test.first, skipsToEnv)
			script := strings.NewReplacer("DIR", dir, "SOCKET", tm.Socket, "OPENS", test.opens, "REFUSES", cmp.Or(test.refuses, "nothing"), "INSIDE", test.inside, "FIRST", first).Replace(standIn)
			if err := rig.WriteProgram(filepath.Join(dir, cmp.Or(test.program, test.name)), script); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, "answer"), []byte(test.answer), 0o600); err != nil {
				t.Fatal(err)
			}
			home := tm.FirstPane()
			// The last PATH counts.
			state := t.TempDir()
			a := rig.StartAgent(t, t.TempDir(), append(test.outside, "PATH="+dir+":"+os.Getenv("PATH"), "XDG_STATE_HOME="+state))
			call := a.Start("ask_user", rig.Arguments(t, a.Session("Elsewhere"), rig.NameForm))
			form := tm.NewPane(home)
			tm.Shows(form, "What shall it be called?")
			tm.Ready(form)
			tm.Text(form, "Aurora")
			tm.Keys(form, "C-s")
			if got := call.Reply().String(); got != `{"name":"Aurora"}` {
				t.Errorf("the agent received %q", got)
			}
			tm.Gone(form)

			asked := askedOf(t, dir)
			wd, err := os.Getwd()
			if err != nil {
				t.Fatal(err)
			}
			for i := range test.want {
				test.want[i] = strings.ReplaceAll(test.want[i], "WD", wd)
			}
			if test.want != nil && !slices.ContainsFunc(asked, func(words []string) bool {
				at := slices.IndexFunc(words, func(word string) bool { return word == "/usr/bin/env" || word == "/bin/sh" })
				return at > 0 && slices.Equal(words[:at], test.want)
			}) {
				t.Errorf("it was asked %q, want %q", asked, test.want)
			}
			if test.leaves != nil && !slices.ContainsFunc(asked, func(words []string) bool { return slices.Equal(words, test.leaves) }) {
				t.Errorf("it was asked %q, want %q", asked, test.leaves)
			}
			if test.logs != "" && !strings.Contains(rig.ReadFile(t, filepath.Join(state, "planb", "planb.log")), test.logs) {
				t.Errorf("the log lacks %q", test.logs)
			}
		})
	}
}

// askedOf reads the recorded calls of a stand-in, each with its arguments.
func askedOf(t *testing.T, dir string) [][]string {
	t.Helper()
	var asked [][]string
	for line := range strings.SplitSeq(strings.TrimSuffix(rig.ReadFile(t, filepath.Join(dir, "asked")), "\x1e"), "\x1e") {
		words := strings.Split(line, "\x1f")
		asked = append(asked, words[:len(words)-1])
	}
	return asked
}
