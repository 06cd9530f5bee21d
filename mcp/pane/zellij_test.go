package pane

import (
	"slices"
	"strings"
	"testing"
)

func TestZellijRun(t *testing.T) {
	t.Parallel()
	behind := []string{"/bin/sh", "-c", ignoring, "planb", "/usr/bin/env", "PLANB_OPENER=zellij", "PLANB_AGENT_PANE=7", "/planb", "--x", ";", "$(id)"}
	for _, test := range []struct {
		reason string
		in     Command
		want   []string
	}{
		{"all there is", Command{Title: "planb", Dir: "/src"},
			[]string{"zellij", "run", "--direction=right", "--close-on-exit", "--name=planb", "--cwd=/src", "--"}},
		{"no empty names", Command{}, []string{"zellij", "run", "--direction=right", "--close-on-exit", "--"}},
		{"a title is no option and controls nothing", Command{Title: "--floating\x1b[2J"},
			[]string{"zellij", "run", "--direction=right", "--close-on-exit", "--name=--floating␛[2J", "--"}},
	} {
		test.in.Argv = []string{"/planb", "--x", ";", "$(id)"}
		got, err := zellijRun("7", test.in)
		if want := slices.Concat(test.want, behind); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s:\ngot  %q, %v\nwant %q", test.reason, got, err, want)
		}
	}
}

func TestZellijFromEnv(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		env    Env
		reason string
	}{
		{"as zellij sets it", environment("ZELLIJ=0", "ZELLIJ_PANE_ID=7", "ZELLIJ_SESSION_NAME=brave-cat"), ""},
		{"outside", environment(), "does not run inside zellij"},
		{"half of it", environment("ZELLIJ=0"), "does not run inside zellij"},
		{"no number", environment("ZELLIJ=0", "ZELLIJ_PANE_ID=--help", "ZELLIJ_SESSION_NAME=x"), "does not name a zellij pane"},
	} {
		t.Run(test.name, func(t *testing.T) {
			z, reason := zellijFromEnv(test.env)
			if (z == nil) != (test.reason != "") || !strings.Contains(reason, test.reason) {
				t.Errorf("got %v and %q, want %q", z, reason, test.reason)
			}
		})
	}
}

func TestPlaceNamesAreShortAndTellServersApart(t *testing.T) {
	t.Parallel()
	one, two := placeName("zellij", "brave-cat", "7"), placeName("zellij", "other\x1b session é", "7")
	if one == two || one == placeName("zellij", "brave-cat", "8") {
		t.Errorf("two places are both %s", one)
	}
	if strings.Trim(two, "abcdefghijklmnopqrstuvwxyz0123456789-") != "" || len(two) > 40 {
		t.Errorf("a place is %q", two)
	}
}
