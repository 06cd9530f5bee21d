package pane

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestTmuxCloses(t *testing.T) {
	t.Parallel()
	own := fmt.Sprint(os.Getpid())
	for name, test := range map[string]struct {
		agent string // the agent's pane, if planb opened this one
		said  string
		kills bool
	}{
		"a pane that planb opened":             {"%1", own + " off", true},
		"a pane of the person's own":           {"", own + " off", false},
		"a pane in which another command runs": {"%1", "1 off", false},
		"a pane that is to stay":               {"%1", own + " on", false},
		"a pane that is to stay on failure":    {"%1", own + " failed", false},
		"a tmux that does not tell":            {"%1", own + " ", false},
	} {
		t.Run(name, func(t *testing.T) {
			var ran []string
			tmux := newTmux("/tmp/s,1,0", "%2")
			tmux.agent = test.agent
			tmux.run = func(_ context.Context, argv []string) (string, error) {
				ran = append(ran, strings.Join(argv[2:], " "))
				return test.said, nil
			}
			if err := tmux.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if slices.Contains(ran, "kill-pane -t %2") != test.kills {
				t.Errorf("it ran %q", ran)
			}
		})
	}
}
